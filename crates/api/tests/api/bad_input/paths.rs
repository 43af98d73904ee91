//! Invalid paths: impossible ids, missing resources, and resources of other organizations.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_api::route::Route;

use super::{Expected, Stage};
use crate::routes::parameter_name;

const UNKNOWN: &str = "0197f1d0-0000-7000-8000-0000000000ff";

/// Returns the route's request with one parameter replaced.
fn request(stage: &Stage, route: &Route, parameter: &str, value: &str) -> TestRequest {
    let path = stage.own.path_with(route, |name, own| if name == parameter { value.to_owned() } else { own });
    stage.own.request(route, &path)
}

/// Returns the routes whose paths name existing resources.
fn routes_to_what_is() -> impl Iterator<Item = Route> {
    Stage::routes().filter(|route| route.operation != "publishIntegration")
}

/// Returns the parameters that name resources of this service.
fn parameters(route: &Route) -> impl Iterator<Item = &'static str> + use<> {
    let of_git_host = |name: &&str| matches!(*name, "accountName" | "repositoryName" | "projectId");
    route.path.split('/').filter_map(parameter_name).filter(move |name| !of_git_host(name))
}

/// Returns whether the route creates a missing resource that this parameter names.
fn makes(route: &Route, parameter: &str) -> bool {
    route.method == Method::PUT && parameter == "specSlug"
}

#[actix_web::test]
async fn ids_that_cannot_be_are_not_found() {
    let long = "a".repeat(5_000);
    let impossible = [
        "nonsense",
        "0",
        "-1",
        "99999999999999999999",
        "%00",
        "a%00b",
        "..",
        "%2e%2e",
        "%2E%2E%2F%2E%2E",
        "..%2F..%2Fetc",
        ".",
        "%F0%9F%A4%B7",
        "%FF%FE",
        "%ED%A0%80",
        "%",
        "%zz",
        "'",
        "%27%3B--",
        "null",
        "%20",
        "*",
        &long,
        UNKNOWN,
        "00000000-0000-0000-0000-000000000000",
        "0197f1d000007000800000000000000f",
    ];
    let mut stage = Stage::set().await;
    for route in routes_to_what_is() {
        let before = stage.stored();
        for parameter in parameters(&route) {
            for value in impossible {
                let request = request(&stage, &route, parameter, value);
                let what = format!("{parameter} {value:.80}");
                // This PUT creates a missing resource, so it does not respond with 404.
                if makes(&route, parameter) {
                    continue;
                }
                stage.send(&what, &route, request, Expected::Status(404)).await;
            }
        }
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}

#[actix_web::test]
async fn what_belongs_to_others_is_not_found() {
    let mut stage = Stage::set().await;
    for route in routes_to_what_is() {
        let before = stage.stored();
        // Paths and documents of pages are equal in all spaces, and domain names are public. All other resources belong
        // to one organization.
        let differ = |name: &&str| !matches!(*name, "pagePath" | "documentId" | "subdomain" | "emailDomain");
        // An invite admits everyone who has its id, and any member of the organization can join any of its teams.
        if matches!(route.operation, "joinOrganizationWithInvite" | "addMemberToOrganizationTeamById") {
            continue;
        }
        for parameter in parameters(&route).filter(|name| differ(name) && !makes(&route, name)) {
            let foreign = stage.foreign.parameter(&route, parameter);
            let foreign = request(&stage, &route, parameter, &foreign);
            stage.send(&format!("foreign {parameter}"), &route, foreign, Expected::Status(404)).await;
            let is_visible = match parameter {
                "organizationId" => true,
                // Resources of the organization itself are visible to all its members.
                _ => parameters(&route).filter(|name| differ(name) && *name != "organizationId").count() == 1,
            };
            if is_visible {
                continue;
            }
            let other = stage.other.parameter(&route, parameter);
            let other = request(&stage, &route, parameter, &other);
            stage.send(&format!("{parameter} of another space"), &route, other, Expected::Status(404)).await;
        }
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}
