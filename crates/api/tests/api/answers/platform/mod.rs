//! Resources other than content: an organization with all of them, one area per file.

mod customization;
mod events;
mod integrations;
mod invites;
mod organizations;
mod service;
mod settings;
mod site_structure;
mod sites;
mod specifications;
mod teams;
mod users;
mod visitors;
mod webhooks;

use std::sync::OnceLock;
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_domain::ids::OrganizationId;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, MailSink, TestApp};
use serde_json::{Value, json};

use super::fixture::{World, once};
use crate::authenticator::app as app_with_passkeys;

/// URL without a server, where fetches and deliveries fail immediately.
const UNREACHABLE: &str = "http://127.0.0.1:1/absent";

/// Organization and its administrator.
struct Platform<'a> {
    app: &'a TestApp,
    admin: &'a Caller,
}

/// Returns the world of resources other than content.
pub fn world() -> &'static World {
    static WORLD: OnceLock<Option<World>> = OnceLock::new();
    once(&WORLD, make)
}

async fn make() -> World {
    let with_passkeys = app_with_passkeys().await;
    let app = app().await;
    let start = app.clock.now();
    let late = start.millis() - with_passkeys.clock.now().millis();
    with_passkeys.clock.advance(Duration::from_millis(late.unsigned_abs()));
    app.journal.open();
    let admin = app.as_role(Role::Admin);
    ask(&app, &admin).await;
    let handle = users::passkeys(&with_passkeys).await;
    let known = [
        (admin.user().to_string(), "admin"),
        (app.organization.to_string(), "organization"),
        (handle, "user handle"),
    ];
    World::recorded(&[&app, &with_passkeys], start, known.map(|(id, name)| (id, name.to_owned())).into())
}

/// Starts an application that sends mail and may fetch from this machine, where tests run servers.
async fn app() -> TestApp {
    let allow = vec!["127.0.0.1".parse().unwrap()];
    let fetch = FetchConfig { allow, timeout: Duration::from_millis(500), ..FetchConfig::default() };
    let settings = Settings { rate_limit: 0, mail: true, ..Settings::default() };
    let mut app = TestApp::start_with(settings, fetch).await;
    app.mail_to(&MailSink::start());
    app
}

/// Requests all operations that are not about content, as this administrator of the application's organization.
async fn ask(app: &TestApp, admin: &Caller) {
    let platform = Platform { app, admin };
    platform.name(admin, "Ada");
    platform.service().await;
    platform.myself().await;
    platform.people().await;
    platform.teams().await;
    platform.invites().await;
    platform.custom_fields().await;
    platform.oidc().await;
    platform.git().await;
    platform.git_hosts().await;
    platform.saml().await;
    platform.scim().await;
    platform.translations().await;
    platform.specifications().await;
    platform.webhooks().await;
    platform.events().await;
    platform.integrations().await;
    platform.sites().await;
    platform.search().await;
    platform.audit_log().await;
    platform.organizations().await;
    platform.inbox().await;
}

/// Returns the response, which must be a success.
#[track_caller]
fn done(answer: Answer) -> Answer {
    assert!(answer.status.is_success(), "{}: {}", answer.status, answer.json);
    answer
}

impl Platform<'_> {
    /// Returns a path below the organization.
    fn of(&self, rest: &str) -> String {
        format!("/v1/orgs/{}/{rest}", self.app.organization)
    }

    /// Gives a user a name and a photo.
    fn name(&self, caller: &Caller, name: &str) {
        let (user, mail) = (caller.user(), name.to_lowercase());
        let update = format!(
            "UPDATE users SET display_name = '{name}', email = '{mail}@acme.example', \
             photo_url = 'https://acme.example/{mail}.png' WHERE id = '{user}'"
        );
        self.execute(&update);
    }

    fn execute(&self, statement: &str) {
        self.app.connection().batch_execute(statement).unwrap();
    }

    /// Returns a new member of the organization, with a name.
    fn member(&self, name: &str, role: Option<Role>) -> Caller {
        self.member_of(self.app.organization, name, role)
    }

    /// Returns a new member of an organization, with a name.
    fn member_of(&self, organization: OrganizationId, name: &str, role: Option<Role>) -> Caller {
        let member = self.app.member_of(organization, role);
        self.name(&member, name);
        member
    }

    /// Creates a space of the organization and returns its id.
    async fn space(&self, title: &str) -> String {
        self.post(&self.of("spaces"), json!({ "title": title })).await.text("/id")
    }

    async fn get(&self, path: &str) -> Answer {
        done(self.admin.get(path).await)
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        done(self.admin.post(path, body).await)
    }

    async fn post_empty(&self, path: &str) -> Answer {
        done(self.admin.post_empty(path).await)
    }

    async fn put(&self, path: &str, body: Value) -> Answer {
        done(self.admin.put(path, body).await)
    }

    async fn patch(&self, path: &str, body: Value) -> Answer {
        done(self.admin.patch(path, body).await)
    }

    async fn delete(&self, path: &str) {
        done(self.admin.delete(path).await);
    }

    /// Requests a list in pages of one item, and then as a whole.
    async fn list(&self, path: &str, query: &str) {
        let next = self.get(&format!("{path}?limit=1&{query}")).await.text("/next/page");
        self.get(&format!("{path}?limit=1&{query}&page={next}")).await;
        self.get(&format!("{path}?{query}")).await;
    }
}
