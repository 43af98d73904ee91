//! Refused and accepted bodies, compared with their schemas.

use quire_domain::bounds;
use quire_domain::change_requests::ChangeRequestUpdate;
use quire_domain::comments::{Comment, CommentCreate, CommentUpdate};
use quire_domain::content::{ContentChanges, DeleteFiles, InsertFiles};
use quire_domain::imports::{ImportRequest, ImportSource};
use quire_domain::oidc::OidcProviderUpdate;
use quire_domain::organizations::Organization;
use quire_domain::revisions::Revision;
use quire_domain::saml::SamlProviderCreate;
use quire_domain::spaces::{Space, SpaceCreate, SpaceUpdate};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use validator::Validate;

use crate::schema::Schemas;

const ID: &str = "0197f1d0-0000-7000-8000-000000000001";

/// Returns whether a body passes both deserialization and validation.
fn passes<T: DeserializeOwned + Validate>(body: &Value) -> bool {
    serde_json::from_value::<T>(body.clone()).is_ok_and(|body| body.validate().is_ok())
}

fn table<T: DeserializeOwned + Validate>(rows: impl IntoIterator<Item = (Value, bool)>) {
    for (body, expected) in rows {
        assert_eq!(passes::<T>(&body), expected, "{body}");
    }
}

#[test]
fn unknown_keys_pass_and_known_ones_of_the_wrong_type_do_not() {
    table::<SpaceCreate>([
        (json!({}), true),
        (json!({"newer": {"a": 1}}), true),
        (json!({"title": 1}), false),
        (json!({"title": null}), false),
        (json!({"title": "a\u{0}"}), false),
        (json!({"title": "ä".repeat(50)}), true),
        (json!({"title": "ä".repeat(51)}), false),
        (json!({"emoji": "🚀 🚀"}), false),
        (json!({"private": true}), true),
        (json!({"private": "yes"}), false),
        (json!({"parent": ID}), true),
        (json!({"parent": "root"}), false),
        (json!("a"), false),
    ]);
}

#[test]
fn the_level_and_the_pictures_of_a_space_can_be_null() {
    table::<SpaceUpdate>([
        (json!({"defaultLevel": null}), true),
        (json!({"defaultLevel": "comment"}), true),
        (json!({"defaultLevel": "inherit"}), true),
        (json!({"defaultLevel": "owner"}), false),
        (json!({"editMode": null}), false),
        (json!({"editMode": "frozen"}), false),
        (json!({"emoji": null, "icon": null}), true),
        (json!({"icon": "no url"}), false),
        (json!({"language": null}), true),
        (json!({"language": "xx"}), false),
    ]);
}

#[test]
fn no_patch_sets_the_status_merged() {
    table::<ChangeRequestUpdate>([
        (json!({"status": "archived"}), true),
        (json!({"status": "merged"}), false),
        (json!({"subject": ""}), true),
        (json!({"subject": "a".repeat(101)}), false),
    ]);
}

#[test]
fn a_comment_needs_a_body() {
    table::<CommentCreate>([
        (json!({"body": {"markdown": "a"}}), true),
        (json!({"body": {"markdown": "a"}, "page": ID, "node": "n"}), true),
        (json!({}), false),
        (json!({"body": {}}), false),
        (json!({"body": "a"}), false),
        (json!({"body": {"markdown": "a"}, "page": "x"}), false),
        (json!({"body": {"markdown": "a"}, "node": ""}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": {"text": "a"}}), true),
        (
            json!({"body": {"markdown": "a"}, "node": "n", "quote": {"text": "a".repeat(1_000), "offset": 7}}),
            true,
        ),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": {"text": "a".repeat(1_001)}}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": {"text": ""}}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": {"text": "a", "offset": -1}}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": {"text": "a", "offset": null}}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": {}}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": "a"}), false),
        (json!({"body": {"markdown": "a"}, "node": "n", "quote": null}), false),
    ]);
    table::<CommentUpdate>([
        (json!({}), true),
        (json!({"addedReactions": ["🚀", "1f680"]}), true),
        (json!({"addedReactions": [""]}), false),
        (json!({"removedReactions": vec!["🚀"; 51]}), false),
        (json!({"resolved": 1}), false),
    ]);
}

#[test]
fn a_rule_for_claims_gives_a_team_or_a_role() {
    let provider = |rules: Value| json!({"label": "Acme", "claimRules": rules});
    let rule = json!({"claim": "groups", "value": "docs", "role": "edit"});
    let of = |name: &str, value: &str| json!([{"claim": name, "value": value, "team": ID}]);
    table::<SamlProviderCreate>([
        (provider(json!([])), true),
        (provider(json!([rule])), true),
        (provider(json!([{"claim": "groups", "value": "docs", "team": ID, "role": "admin"}])), true),
        (provider(json!(vec![rule.clone(); 50])), true),
        (provider(json!(vec![rule.clone(); 51])), false),
        (provider(json!([{"claim": "groups", "value": "docs"}])), false),
        (provider(json!([{"claim": "groups", "value": "docs", "role": "owner"}])), false),
        (provider(json!([{"claim": "groups", "value": "docs", "role": null}])), false),
        (provider(json!([{"claim": "groups", "value": "docs", "team": "docs"}])), false),
        (provider(json!([{"claim": "groups", "role": "edit"}])), false),
        (provider(json!([{"value": "docs", "role": "edit"}])), false),
        (provider(json!([["groups", "docs", ID]])), false),
        (provider(json!(null)), false),
        (provider(of("", "docs")), false),
        (provider(of("groups", "")), false),
        (provider(of(&"ä".repeat(200), &"ä".repeat(500))), true),
        (provider(of(&"ä".repeat(201), "docs")), false),
        (provider(of("groups", &"ä".repeat(501))), false),
    ]);
    table::<OidcProviderUpdate>([
        (json!({"claimRules": []}), true),
        (json!({"claimRules": vec![rule.clone(); 50]}), true),
        (json!({"claimRules": vec![rule; 51]}), false),
        (json!({"claimRules": null}), false),
    ]);
}

#[test]
fn a_content_write_has_one_to_fifty_changes() {
    let delete = json!({"operation": "delete_page", "page": ID});
    table::<ContentChanges>([
        (json!({"changes": []}), false),
        (json!({"changes": vec![delete.clone(); 50]}), true),
        (json!({"changes": vec![delete.clone(); 51]}), false),
        (json!({}), false),
        (json!({"changes": [{"page": ID}]}), false),
        (json!({"changes": [{"operation": "explode", "page": ID}]}), false),
        (json!({"changes": [delete], "base": "x"}), false),
    ]);
}

#[test]
fn changes_are_checked_one_by_one() {
    let rows = [
        (json!({"operation": "insert_page", "document": {}}), true),
        (json!({"operation": "insert_page"}), false),
        (json!({"operation": "insert_page", "document": {}, "into": null}), true),
        (json!({"operation": "insert_page", "document": {}, "title": ""}), false),
        (json!({"operation": "insert_page", "document": {}, "slug": ""}), true),
        (json!({"operation": "insert_page", "document": {}, "slug": ".."}), false),
        (json!({"operation": "insert_page", "document": {}, "hidden": null}), false),
        (json!({"operation": "update_page", "page": ID, "emoji": ""}), true),
        (json!({"operation": "update_page", "page": ID, "at": -1}), false),
        (json!({"operation": "update_page", "page": ID, "cover": {"ref": {"kind": "url"}}}), true),
        (json!({"operation": "update_page", "page": ID, "cover": {"ref": "a"}}), false),
        (json!({"operation": "update_page", "page": ID, "layout": "poster"}), false),
        (json!({"operation": "insert_link", "target": {"kind": "url", "url": "a"}}), true),
        (json!({"operation": "insert_link", "target": "a"}), false),
        (json!({"operation": "insert_files", "files": []}), false),
        (json!({"operation": "insert_files", "files": [{"name": "a", "url": "b", "base64": "AA=="}]}), false),
        (json!({"operation": "insert_files", "files": [{"name": "a"}]}), false),
        (json!({"operation": "delete_files", "files": [ID]}), true),
        (json!({"operation": "revert_page", "page": ID, "block": ["n", ""]}), false),
    ];
    table::<ContentChanges>(rows.map(|(change, expected)| (json!({"changes": [change]}), expected)));
}

#[test]
fn an_import_names_one_of_eleven_sources() {
    for source in ImportSource::ALL {
        assert!(passes::<ImportRequest>(&json!({"url": "https://a.example", "source": source.as_str()})));
        assert_eq!(source.as_str().parse(), Ok(source));
    }
    table::<ImportRequest>([
        (json!({"url": "https://a.example", "source": "open-api"}), false),
        (json!({"url": "", "source": "zip"}), false),
        (json!({"source": "zip"}), false),
    ]);
}

#[test]
fn schemas_name_the_bounds_that_are_checked() {
    let space = Schemas::of::<SpaceCreate>();
    assert_eq!(space.named("SpaceTitle").unwrap()["maxLength"], bounds::SPACE_TITLE_MAX);
    let update = Schemas::of::<CommentUpdate>();
    assert_eq!(update.property("addedReactions").unwrap()["maxItems"], bounds::REACTIONS_MAX);
    assert_eq!(update.property("removedReactions").unwrap()["maxItems"], bounds::REACTIONS_MAX);
    for (schemas, list, max) in [
        (Schemas::of::<ContentChanges>(), "changes", bounds::CHANGES_MAX),
        (Schemas::of::<InsertFiles>(), "files", bounds::FILES_MAX),
        (Schemas::of::<DeleteFiles>(), "files", bounds::FILES_MAX),
    ] {
        let list = schemas.property(list).unwrap();
        assert_eq!((&list["minItems"], &list["maxItems"]), (&json!(1), &json!(max)));
    }
}

#[test]
fn every_key_of_a_schema_is_explained() {
    let all = [
        Schemas::of::<Space>(),
        Schemas::of::<Organization>(),
        Schemas::of::<Revision>(),
        Schemas::of::<Comment>(),
        Schemas::of::<ContentChanges>(),
    ];
    for schema in all.iter().flat_map(Schemas::all) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let explained = property["description"].is_string() || property["$ref"].is_string();
            assert!(explained || property["oneOf"].is_array() || name == "type", "{name}: {property}");
        }
    }
}
