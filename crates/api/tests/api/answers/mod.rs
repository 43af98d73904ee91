//! Golden files of each endpoint's responses with every field, and of its requests with every key.
//!
//! Two worlds are made, one for content and one for other resources. In them each operation is requested in many
//! variants. The exchanges are compared with a golden file per operation in `snapshots/answers`, and with the schemas
//! in the OpenAPI document.

mod examples;
mod fixture;
mod golden;
mod known_gaps;
mod names;
mod platform;
mod schema;
mod selection;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quire_api::route::Route;
use quire_api::routes;

use self::fixture::{Kept, World};
use self::known_gaps::{Gap, UNANSWERED, UNSENT};
use self::schema::{Document, Fields};

/// Returns whether a route is about spaces, collections, change requests, content or comments.
fn is_about_content(route: &Route) -> bool {
    let path = route.path;
    let of_organization = ["spaces", "collections", "change-requests"]
        .map(|part| format!("/v1/orgs/{{organizationId}}/{part}"));
    (path.starts_with("/v1/spaces/") && !path.contains("/custom-fields"))
        || path.starts_with("/v1/collections/")
        || of_organization.contains(&path.to_owned())
}

/// Returns the world that requests a route.
fn world(route: &Route) -> &'static World {
    if is_about_content(route) { fixture::content() } else { platform::world() }
}

fn kept_of(route: &Route) -> Vec<&'static Kept> {
    world(route).kept.iter().filter(|kept| kept.operation == route.operation).collect()
}

#[test]
fn each_operation_answers_as_its_golden_file_says() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots/answers");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let different = routes().into_iter().filter(|route| {
        let text = golden::golden(&kept_of(route), &world(route).names);
        let compare = || settings.bind(|| insta::assert_snapshot!(route.operation, text));
        catch_unwind(AssertUnwindSafe(compare)).is_err()
    });
    let different: Vec<_> = different.map(|route| route.operation).collect();
    assert!(different.is_empty(), "{different:#?}");
}

#[test]
fn each_golden_file_is_of_an_operation() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/snapshots/answers");
    let names =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = names.filter(|name| !name.ends_with(".snap.new")).collect();
    let operations = routes().into_iter().map(|route| format!("{}.snap", route.operation)).collect();
    assert_eq!(files, operations);
}

#[test]
fn each_operation_was_successful() {
    let silent = routes().into_iter().filter(|route| kept_of(route).is_empty());
    assert_eq!(silent.map(|route| route.operation).collect::<Vec<_>>(), Vec::<&str>::new());
}

/// Operations other than GETs that change nothing, or have no user to whom an idempotency key could belong.
const UNNAMED: [&str; 13] = [
    "signInWithPasskey",
    "startPasskeySignIn",
    "signInWithCode",
    "searchSiteContent",
    "resolvePublishedContentByUrl",
    "getComputedDocument",
    "getComputedRevision",
    "convertPageContentInChangeRequest",
    "receiveGitHook",
    "registerWithInvite",
    "renderDocument",
    "renderDocumentInChangeRequest",
    "trackEventsInSiteById",
];

#[test]
fn each_write_is_answered_once() {
    let mut answered_again = BTreeSet::new();
    for route in routes().iter().filter(|route| !UNNAMED.contains(&route.operation)) {
        let processed = kept_of(route).into_iter().filter(|kept| kept.was_repeated == Some(false));
        answered_again.extend(processed.map(|kept| (kept.operation, kept.path.clone())));
    }
    assert_eq!(answered_again, BTreeSet::new());
}

#[test]
fn each_change_honours_if_match() {
    let mut ignored = BTreeSet::new();
    for route in routes() {
        let others = kept_of(&route).into_iter().filter_map(|kept| kept.with_another_tag);
        ignored.extend(others.filter(|status| *status != 412).map(|status| (route.operation, status)));
    }
    assert_eq!(ignored, BTreeSet::new());
}

#[test]
fn each_status_is_one_that_the_document_names() {
    let document = Document::current();
    let mut unknown = BTreeSet::new();
    for route in routes() {
        let answered = kept_of(&route).into_iter().map(|kept| kept.status);
        let unnamed = answered.filter(|status| !document.allows_status(&route, *status));
        unknown.extend(unnamed.map(|status| format!("{}: {status}", route.operation)));
    }
    assert_eq!(unknown, BTreeSet::new());
}

#[test]
fn every_field_of_each_operations_answer_has_a_value() {
    let document = Document::current();
    let mut wrong = Vec::new();
    for route in routes() {
        let mut own = Fields::new();
        for status in [route.status, 202] {
            if let Some(schema) = document.answer(&route, status) {
                document.own(schema, route.operation, &mut own);
            }
        }
        let answered = kept_of(&route).into_iter().flat_map(|kept| kept.answered.clone()).collect();
        compare(&route, &own, &answered, UNANSWERED, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_key_and_parameter_of_each_operation_is_sent() {
    let document = Document::current();
    let mut wrong = Vec::new();
    for route in routes() {
        let mut keys = Fields::new();
        if let Some(schema) = document.body(&route) {
            document.possible(schema, route.operation, &mut keys);
        }
        keys.extend(document.query(&route).into_iter().map(|(name, _)| format!("?{name}")));
        let used = kept_of(&route).into_iter().flat_map(|kept| kept.used.clone()).collect();
        compare(&route, &keys, &used, UNSENT, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Reports fields that are missing without a known gap, and fields that are present despite one.
fn compare(route: &Route, possible: &Fields, present: &Fields, gaps: &[&[Gap]], wrong: &mut Vec<String>) {
    for field in possible {
        let reason = gaps.iter().copied().flatten().find(|(operations, fields, _)| {
            known_gaps::names(operations, route.operation) && known_gaps::names(fields, field)
        });
        match (present.contains(field), reason) {
            (false, None) => wrong.push(format!("{}: {field} is missing", route.operation)),
            (true, Some((.., reason))) => {
                wrong.push(format!("{}: {field} is there, although {reason}", route.operation));
            }
            _ => {}
        }
    }
}

#[test]
fn every_gap_is_one() {
    let document = Document::current();
    let mut unused: Vec<&Gap> = Vec::new();
    for (gaps, sent) in [(UNANSWERED, false), (UNSENT, true)] {
        let fields = |route: &Route| {
            let mut fields = Fields::new();
            let schemas = match sent {
                true => vec![document.body(route)],
                false => vec![document.answer(route, route.status), document.answer(route, 202)],
            };
            for schema in schemas.into_iter().flatten() {
                document.possible(schema, route.operation, &mut fields);
            }
            fields.extend(document.query(route).into_iter().map(|(name, _)| format!("?{name}")));
            fields
        };
        unused.extend(gaps.iter().copied().flatten().filter(|(operations, names, _)| {
            let mut routes =
                routes().into_iter().filter(|route| known_gaps::names(operations, route.operation));
            !routes.any(|route| fields(&route).iter().any(|field| known_gaps::names(names, field)))
        }));
    }
    assert!(unused.is_empty(), "{unused:#?}");
}

#[test]
fn every_field_has_a_value_somewhere() {
    let document = Document::current();
    let (mut possible, mut present) = (Fields::new(), Fields::new());
    for route in routes() {
        for status in [route.status, 202] {
            if let Some(schema) = document.answer(&route, status) {
                document.possible(schema, route.operation, &mut possible);
            }
        }
    }
    for world in [fixture::content(), platform::world()] {
        present.extend(world.kept.iter().flat_map(|kept| kept.answered.clone()));
    }
    let is_known = |field: &str| {
        let mut everywhere =
            UNANSWERED.iter().copied().flatten().filter(|(operations, ..)| *operations == "*");
        everywhere.any(|(_, fields, _)| known_gaps::names(fields, field))
    };
    let missing: Vec<_> = possible.difference(&present).filter(|field| !is_known(field)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
