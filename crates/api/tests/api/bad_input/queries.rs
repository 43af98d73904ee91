//! Invalid query parameters.

use actix_web::test::TestRequest;
use quire_api::route::Route;
use quire_domain::list::Cursor;
use serde_json::{Value, json};
use utoipa::openapi::Required;
use utoipa::openapi::path::Parameter;

use super::{Expected, Stage};

/// Returns the route's path with one query parameter.
fn request(stage: &Stage, route: &Route, parameter: &str, value: &str) -> TestRequest {
    let path = stage.own.path(route);
    let path = path.split('?').next().unwrap_or_default();
    // Parameters that others require are kept.
    let required = [
        ("query", "&query=guide"),
        ("source", "&source=/old"),
        ("path", "&path=README.md"),
        ("ref", "&ref=refs/heads/main"),
    ];
    let is_missing = |name| {
        let is_required = |other: &Parameter| other.name == name && matches!(other.required, Required::True);
        parameter != name && route.parameters().iter().any(is_required)
    };
    let rest: String = required.iter().filter(|(name, _)| is_missing(*name)).map(|(_, rest)| *rest).collect();
    let uri = format!("{path}?{parameter}={value}{rest}");
    stage.own.request(route, &uri)
}

/// Impossible ids, encoded for a query.
const IMPOSSIBLE: [&str; 3] = ["nonsense", "0197f1d0", "%F0%9F%A4%B7"];

fn is_list(route: &Route) -> bool {
    route.parameters().iter().any(|parameter| parameter.name == "limit")
}

/// Returns values that a parameter of this schema does not accept, encoded for a query.
fn wrong_values(stage: &Stage, is_list: bool, name: &str, schema: &Value) -> Vec<String> {
    let mut wrong = vec!["a%00b".to_owned(), "%00".to_owned()];
    let alternatives = stage.document.alternatives(schema);
    let has = |keyword: &str, value: &str| alternatives.iter().any(|s| s.get(keyword) == Some(&json!(value)));
    let number = |keyword: &str| alternatives.iter().find_map(|s| s.get(keyword)?.as_u64());
    if alternatives.iter().any(|schema| schema.contains_key("enum")) {
        wrong.extend(["nonsense", "%F0%9F%A4%B7", "OPEN%20", "a%20b"].map(str::to_owned));
    } else if has("type", "integer") {
        wrong.extend(["abc", "-1", "1.5", "99999999999999999999", "", "%F0%9F%A4%B7"].map(str::to_owned));
        wrong.extend(number("minimum").and_then(|least| least.checked_sub(1)).map(|least| least.to_string()));
        wrong.extend(number("maximum").map(|most| (most + 1).to_string()));
    } else if has("type", "boolean") {
        wrong.extend(["maybe", "2", "%F0%9F%A4%B7"].map(str::to_owned));
    } else if has("format", "uuid") && !is_list {
        wrong.extend(IMPOSSIBLE.map(str::to_owned));
    } else if let Some(most) = number("maxLength") {
        wrong.push("a".repeat(usize::try_from(most).unwrap() + 1));
    }
    if number("minLength").is_some() {
        wrong.push(String::new());
    }
    if name == "page" {
        let elsewhere = Cursor::seal("elsewhere", &json!(["a", 1])).unwrap();
        wrong.extend(["!", "abc", "%F0%9F%A4%B7", "AAAAAAAAAAAAAAAA", elsewhere.as_str()].map(str::to_owned));
    }
    wrong
}

#[actix_web::test]
async fn each_parameter_with_a_wrong_value_is_named() {
    let mut stage = Stage::set().await;
    for route in Stage::routes() {
        let before = stage.stored();
        for (name, schema) in stage.document.query(&route) {
            for value in wrong_values(&stage, is_list(&route), &name, &schema) {
                let request = request(&stage, &route, &name, &value);
                stage.send(&format!("{name}={value:.60}"), &route, request, Expected::Field(&name)).await;
            }
        }
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}

#[actix_web::test]
async fn an_id_that_cannot_exist_matches_nothing_in_a_list() {
    let stage = Stage::set().await;
    let mut filters = Vec::new();
    for route in Stage::routes().filter(is_list) {
        for (name, schema) in stage.document.query(&route) {
            // For an array of ids, the items have the schema of the ids.
            let ids = schema.get("items").unwrap_or(&schema);
            if !stage.document.alternatives(ids).iter().any(|one| one.get("format") == Some(&json!("uuid"))) {
                continue;
            }
            for id in IMPOSSIBLE {
                let answer = stage.admin.send(request(&stage, &route, &name, id)).await.expect(200);
                let found = (answer.at("/count"), answer.at("/items"));
                assert_eq!(found, (&json!(0), &json!([])), "{}: {name}={id}", route.operation);
            }
            filters.push(format!("{} {name}", route.operation));
        }
    }
    for known in ["listSites space", "listChangeRequestsForSpace contributor", "listIntegrations owner"] {
        assert!(filters.iter().any(|filter| filter == known), "{known} is not among {filters:?}");
    }
}

#[actix_web::test]
async fn a_cursor_opens_its_own_list_only() {
    let mut stage = Stage::set().await;
    let spaces = format!("/v1/orgs/{}/spaces?limit=1", stage.app.organization);
    let cursor = stage.admin.get(&spaces).await.expect(200).text("/next/page");
    for route in Stage::routes().filter(|route| route.operation != "listSpacesInOrganizationById") {
        if stage.document.query(&route).iter().any(|(name, _)| name == "page") {
            let request = request(&stage, &route, "page", &cursor);
            stage.send("a cursor of spaces", &route, request, Expected::Field("page")).await;
        }
    }
    stage.report();
}

#[actix_web::test]
async fn a_needed_parameter_is_missed_by_its_name() {
    let mut stage = Stage::set().await;
    for route in
        Stage::routes().filter(|route| route.parameters().iter().any(|parameter| parameter.name == "query"))
    {
        let parameters = route.parameters();
        let needed = parameters.iter().find(|parameter| parameter.name == "query").unwrap();
        assert!(needed.required == Required::True, "{} doesn't say that it needs it", route.operation);
        let path = stage.own.path(&route);
        let request = TestRequest::with_uri(path.split('?').next().unwrap_or_default());
        stage.send("no query", &route, request, Expected::Field("query")).await;
    }
    stage.report();
}
