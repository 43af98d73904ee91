//! Invalid input of every kind, for every route that requires a token: a 4xx that names the field, and no stored data.
//!
//! Parameters and bodies are derived from the OpenAPI document, so that new routes are included.

mod bodies;
mod paths;
mod queries;
mod random;
mod schema;
mod uploads;

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use diesel::{QueryableByName, RunQueryDsl as _, sql_query, sql_types::Text};
use std::time::Duration;

use quire_api::ApiSettings;
use quire_api::route::{Access, Route};
use quire_domain::error::Reason;
use quire_importer::fetch::FetchConfig;
use quire_importer::source::GatherLimits;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, TestApp};

use self::schema::Document;
use crate::routes::{Fixture, fill};

/// An application with two spaces of one organization, and one of another.
struct Stage {
    app: TestApp,
    document: Document,
    admin: Caller,
    /// Fixture of the calls.
    own: Fixture,
    /// Another space, which the caller administers as well.
    other: Fixture,
    /// Space of an organization to which the caller does not belong.
    foreign: Fixture,
    /// Failures so far.
    problems: Vec<String>,
    /// Digest of the stored data at the last check, and the routes called since.
    seen: Option<String>,
    unseen: Vec<&'static str>,
}

/// Expected answer.
enum Expected<'a> {
    /// This status.
    Status(u16),
    /// 400 that names this field.
    Field(&'a str),
    /// 400 with this reason.
    Reason(Reason),
}

/// Number of routes that share a check of the stored data.
const SHARED: usize = 24;

impl Stage {
    async fn set() -> Self {
        let imports = GatherLimits::default().with_bytes(1 << 20);
        let settings = Settings { rate_limit: 0, max_upload: 1 << 20, ..Settings::default() };
        let limits = ApiSettings { imports, stream_life: Duration::ZERO, ..ApiSettings::default() };
        let app = TestApp::start_with_limits(settings, limits, FetchConfig::default()).await;
        let (space, admin) = app.space().await;
        let own = fill(&app, app.organization, space, &admin).await;
        let path = format!("/v1/orgs/{}/spaces", app.organization);
        let space = admin.post(&path, serde_json::json!({})).await.expect(201).text("/id");
        let other = fill(&app, app.organization, space, &admin).await;
        let foreign = elsewhere(&app).await;
        Self {
            app,
            document: Document::current(),
            admin,
            own,
            other,
            foreign,
            problems: Vec::new(),
            seen: None,
            unseen: Vec::new(),
        }
    }

    fn routes() -> impl Iterator<Item = Route> {
        quire_api::routes().into_iter().filter(|route| route.access != Access::Public)
    }

    /// Sends a request and records an unexpected response.
    async fn send(&mut self, what: &str, route: &Route, request: TestRequest, expected: Expected<'_>) {
        let answer = self.admin.send(request.method(route.method.clone())).await;
        if let Err(problem) = judge(&answer, &expected) {
            let body = String::from_utf8_lossy(&answer.bytes).chars().take(300).collect::<String>();
            self.problems.push(format!("{}: {what}: {problem}: {} {body}", route.operation, answer.status));
        }
    }

    /// Returns the digest of the stored data at the last check.
    fn stored(&mut self) -> String {
        if self.seen.is_none() {
            self.seen = Some(self.digest());
        }
        self.seen.clone().unwrap()
    }

    /// Returns a digest of all stored data. Tokens are left out, because their last use is recorded.
    fn digest(&self) -> String {
        #[derive(QueryableByName)]
        struct Digest {
            #[diesel(sql_type = Text)]
            digest: String,
        }
        const EVERYTHING: &str = "SELECT md5(string_agg(query_to_xml('SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) \
             FROM ' || quote_ident(table_name) || ' t', true, false, '')::text, chr(10) ORDER BY table_name)) AS digest \
             FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'api_tokens'";
        let mut connection = self.app.connection();
        connection.batch_execute("SET TimeZone TO 'UTC'").unwrap();
        sql_query(EVERYTHING).get_result::<Digest>(&mut connection).unwrap().digest
    }

    /// Records an error if a route has stored data since `before`. A check is slow, so several routes share one.
    fn nothing_stored_since(&mut self, before: &str, route: &Route) {
        self.unseen.push(route.operation);
        if self.unseen.len() >= SHARED {
            self.look(before);
        }
    }

    fn look(&mut self, before: &str) {
        let after = self.digest();
        let routes = std::mem::take(&mut self.unseen);
        if after != before {
            self.problems.push(format!("one of {routes:?} stored something"));
        }
        self.seen = Some(after);
    }

    fn report(mut self) {
        if let Some(before) = self.seen.clone() {
            self.look(&before);
        }
        assert!(self.problems.is_empty(), "{} problems:\n{}", self.problems.len(), self.problems.join("\n"));
    }
}

/// Returns a fixture in another organization.
async fn elsewhere(app: &TestApp) -> Fixture {
    let organization = app.create_organization("Elsewhere");
    let admin = app.member_of(organization, Some(quire_domain::Role::Admin));
    let path = format!("/v1/orgs/{organization}/spaces");
    let space = admin.post(&path, serde_json::json!({})).await.expect(201).text("/id");
    fill(app, organization, space, &admin).await
}

/// Checks that a response is an error in the usual form, and the expected one.
fn judge(answer: &Answer, expected: &Expected<'_>) -> Result<(), String> {
    let status = answer.status.as_u16();
    if !(400..500).contains(&status) {
        return Err("is no refusal".to_owned());
    }
    let error = answer.json.get("error").ok_or("has no error")?;
    let reason = error["reason"].as_str().unwrap_or_default();
    let known = Reason::ALL.iter().find(|known| known.as_str() == reason);
    if known.map(|known| known.status()) != Some(status) || error["code"] != status {
        return Err("code, reason and status don't fit".to_owned());
    }
    let detail = error.pointer("/details/0/message").filter(|_| status == 400);
    let end = detail.map_or(".", |message| message.as_str().unwrap_or_default());
    if !error["message"].as_str().is_some_and(|message| message.ends_with(end)) {
        return Err(format!("has no sentence that ends with `{end}`"));
    }
    if answer.header("x-request-id").is_empty() {
        return Err("has no request id".to_owned());
    }
    match expected {
        Expected::Status(expected) if status != *expected => Err(format!("should be {expected}")),
        Expected::Reason(expected) if reason != expected.as_str() => Err(format!("should be {expected}")),
        Expected::Field(field) if status != 400 || !names(answer, field) => {
            Err(format!("should name {field}"))
        }
        _ => Ok(()),
    }
}

/// Returns whether the response names a field. For a text in a list, the name of the list suffices.
fn names(answer: &Answer, field: &str) -> bool {
    let list = field.strip_suffix("[0]").unwrap_or(field);
    answer.fields().iter().any(|named| named == field || named == list)
}
