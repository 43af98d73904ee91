//! Every field that answers about content can have, has a value in some answer.

mod rich;
mod schema;

use actix_web::http::Method;
use quire_api::route::Route;
use quire_test_support::TestApp;

use self::schema::{Document, Fields};
use crate::routes::{crowd, fill};

/// Fields that nothing fills: those of a synchronisation with Git, which this service doesn't have, of authentication by integrations,
/// whose scripts aren't run, and files of computed revisions, which specifications have none of.
const UNFILLED: [&str; 14] = [
    "ComputedRevision.files",
    "GitCommit.createdByService",
    "GitCommit.message",
    "GitCommit.oid",
    "GitCommit.ref",
    "GitCommit.url",
    "GitSync.installationProvider",
    "GitSync.integration",
    "GitSync.repoName",
    "GitSync.updatedAt",
    "GitSync.url",
    "Revision.git",
    "Space.gitSync",
    "VisitorAuth.integration",
];

/// Whether a field is what a list says of its next page: every list is walked elsewhere.
fn is_next_page(field: &str) -> bool {
    field.ends_with("List.next")
}

/// The routes about spaces, collections, change requests, content and comments.
fn is_about_content(route: &Route) -> bool {
    let path = route.path;
    let of_organization = ["spaces", "collections", "change-requests"]
        .map(|part| format!("/v1/orgs/{{organizationId}}/{part}"));
    (path.starts_with("/v1/spaces/") && !path.contains("/custom-fields"))
        || path.starts_with("/v1/collections/")
        || of_organization.contains(&path.to_owned())
}

#[actix_web::test]
async fn every_field_has_a_value_somewhere() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let mut fixture = fill(&app, app.organization, space, &admin).await;
    crowd(&app, &mut fixture, &admin).await;
    let document = Document::current();
    let (mut possible, mut present) = (Fields::new(), Fields::new());
    let routes: Vec<Route> = quire_api::routes().into_iter().filter(is_about_content).collect();
    for route in &routes {
        let Some(schema) = document.answer(route) else { continue };
        document.possible(schema, route.operation, &mut possible);
        if route.method == Method::GET {
            let answer = admin.send(fixture.request(route, &fixture.path(route))).await.expect(200);
            document.present(schema, route.operation, &answer.json, &mut present);
        }
    }
    for (operation, answer) in rich::answers(&app, &fixture, &admin).await {
        let route = routes.iter().find(|route| route.operation == operation);
        let route = route.unwrap_or_else(|| panic!("there is no {operation}"));
        document.present(document.answer(route).unwrap(), operation, &answer, &mut present);
    }
    let missing: Vec<_> = possible
        .difference(&present)
        .filter(|field| !UNFILLED.contains(&field.as_str()) && !is_next_page(field))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let unknown: Vec<_> = present.difference(&possible).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}
