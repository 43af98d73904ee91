//! Conversion of validation errors to the details of an error body.

use validator::{ValidationError, ValidationErrors, ValidationErrorsKind};

use super::{FieldError, KEY};

/// Field name under which the validator reports a rule over several keys of an object.
const WHOLE: &str = "__all__";

/// Returns every failing field with its path as the caller wrote it (`changes[0].noIndex`), sorted by path.
pub fn field_errors(errors: &ValidationErrors) -> Vec<FieldError> {
    let mut found = Vec::new();
    collect("", errors, &mut found);
    found.sort();
    found
}

fn collect(prefix: &str, errors: &ValidationErrors, found: &mut Vec<FieldError>) {
    for (name, kind) in errors.errors() {
        let field = match name.as_ref() {
            WHOLE => prefix.to_owned(),
            name => join(prefix, &camel_case(name)),
        };
        match kind {
            ValidationErrorsKind::Struct(nested) => collect(&field, nested, found),
            ValidationErrorsKind::List(items) => {
                for (index, nested) in items {
                    collect(&format!("{field}[{index}]"), nested, found);
                }
            }
            ValidationErrorsKind::Field(errors) => {
                found.extend(errors.iter().map(|error| {
                    let key = error.params.get(KEY).and_then(|key| key.as_str());
                    let field = key.map_or_else(|| field.clone(), |key| join(&field, key));
                    FieldError { field, message: message(error) }
                }));
            }
        }
    }
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// Converts a Rust field name to its key in the body. Mostly camel case; `ref` and keys with capitals are special.
fn camel_case(name: &str) -> String {
    match name {
        "reference" => return "ref".to_owned(),
        "sso_url" => return "ssoURL".to_owned(),
        "photo_url" => return "photoURL".to_owned(),
        "fallback_url" => return "fallbackURL".to_owned(),
        "logout_url" => return "logoutURL".to_owned(),
        "client_id" => return "clientID".to_owned(),
        "entity_id" => return "entityID".to_owned(),
        "custom_instance_url" => return "customInstanceURL".to_owned(),
        "repo_cache_id" => return "repoCacheID".to_owned(),
        "repo_commit_url" => return "repoCommitURL".to_owned(),
        "repo_tree_url" => return "repoTreeURL".to_owned(),
        _ => {}
    }
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Returns the error's own sentence. The built-in checks of the validator have no sentence, but name their bounds.
fn message(error: &ValidationError) -> String {
    if let Some(message) = &error.message {
        return message.clone().into_owned();
    }
    match (error.params.get("min"), error.params.get("max")) {
        (Some(min), Some(max)) => format!("must be {min} to {max}"),
        (Some(min), None) => format!("must be at least {min}"),
        (None, Some(max)) => format!("must be at most {max}"),
        (None, None) => format!("is not a valid {}", error.code),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use validator::Validate;

    use super::*;
    use crate::content::ContentChanges;
    use crate::list::PageQuery;
    use crate::spaces::SpaceUpdate;

    fn failing(body: &impl Validate) -> Vec<(String, String)> {
        let errors = body.validate().err().unwrap_or_default();
        field_errors(&errors).into_iter().map(|error| (error.field, error.message)).collect()
    }

    fn pair(field: &str, message: &str) -> (String, String) {
        (field.to_owned(), message.to_owned())
    }

    #[test]
    fn every_failing_field_is_named_once_and_in_order() {
        let body: SpaceUpdate =
            serde_json::from_value(json!({"title": "t".repeat(51), "emoji": ""})).unwrap();
        assert_eq!(
            failing(&body),
            [
                pair("emoji", "must have 1 to 50 characters, has 0"),
                pair("title", "must have at most 50 characters, has 51"),
            ]
        );
        assert_eq!(failing(&SpaceUpdate::default()), []);
    }

    #[test]
    fn paths_go_into_lists_and_speak_the_language_of_the_body() {
        let id = "0197f1d0-0000-7000-8000-000000000001";
        let body: ContentChanges = serde_json::from_value(json!({"changes": [
            {"operation": "delete_page", "page": id},
            {"operation": "update_page", "page": id, "slug": "A/B", "document": {"markdown": "a\u{0}"}},
            {"operation": "insert_files", "files": [{"name": "a.png", "base64": "AAAA"}, {"name": "", "url": "https://a.example/"}]},
            {"operation": "insert_reusable_content", "title": "", "document": {}},
        ]}))
        .unwrap();
        assert_eq!(
            failing(&body),
            [
                pair("changes[1].document", "must not contain a NUL character"),
                pair("changes[1].slug", "must consist of lowercase letters, digits and `-._`"),
                pair("changes[2].files[0]", "must have a `contentType` with `base64`"),
                pair("changes[2].files[1].name", "must have 1 to 256 characters, has 0"),
                pair("changes[3].title", "must have 1 to 512 characters, has 0"),
            ]
        );
    }

    #[test]
    fn query_parameters_are_named_too() {
        let query = PageQuery { page: Some("\0".to_owned()), limit: Some(1001) };
        assert_eq!(
            failing(&query),
            [pair("limit", "must be 1 to 1000"), pair("page", "must not contain a NUL character")]
        );
    }

    #[test]
    fn names_become_camel_case() {
        assert_eq!(camel_case("no_robots_index"), "noRobotsIndex");
        assert_eq!(camel_case("title"), "title");
        assert_eq!(camel_case("reference"), "ref");
    }
}
