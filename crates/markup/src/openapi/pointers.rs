//! JSON pointers of pages in a specification.

use super::json::{escape, unescape};
use super::tags::DEFAULT;

/// Object of a specification at a JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// Operation.
    Operation {
        /// Path, with its parameters in braces.
        path: String,
        /// Method in lowercase.
        method: String,
    },
    /// Webhook.
    Webhook {
        /// Name.
        name: String,
        /// Method in lowercase.
        method: String,
    },
    /// Model.
    Model {
        /// Name.
        name: String,
    },
}

/// Returns the object at a pointer; `None` for an object of another kind.
#[must_use]
pub fn pointed(pointer: &str) -> Option<Pointed> {
    let (holder, name) = pointer.strip_prefix('/')?.rsplit_once('/')?;
    if matches!(holder, "components/schemas" | "definitions") {
        return Some(Pointed::Model { name: unescape(name) });
    }
    let (holder, key) = holder.split_once('/')?;
    let (key, method) = (unescape(key), name.to_owned());
    match holder {
        "paths" => Some(Pointed::Operation { path: key, method }),
        "webhooks" | "x-webhooks" => Some(Pointed::Webhook { name: key, method }),
        _ => None,
    }
}

/// Returns the pointer of an operation from its path and its method in any case.
#[must_use]
pub fn operation_pointer(path: &str, method: &str) -> String {
    format!("/paths/{}/{}", escape(path), method.to_lowercase())
}

/// Returns the possible pointers of a webhook from its name and its method in any case. Before OpenAPI 3.1, webhooks
/// were an extension.
#[must_use]
pub fn webhook_pointers(name: &str, method: &str) -> [String; 2] {
    ["webhooks", "x-webhooks"].map(|holder| format!("/{holder}/{}/{}", escape(name), method.to_lowercase()))
}

/// Returns the possible pointers of a model from its name, in OpenAPI 3 and in Swagger 2.
#[must_use]
pub fn model_pointers(name: &str) -> [String; 2] {
    ["components/schemas", "definitions"].map(|holder| format!("/{holder}/{}", escape(name)))
}

/// Returns the name of the page at a pointer: `tag-` and the name of the tag, `info` for the overview, or `info-` and
/// the number of the section. `None` for pages without a name.
#[must_use]
pub fn page_name(pointer: &str) -> Option<String> {
    match pointer {
        "/info" => Some("info".to_owned()),
        // Page of the operations without a tag.
        "/tags" => Some(format!("tag-{DEFAULT}")),
        _ => match pointer.strip_prefix("/tags/") {
            Some(tag) => Some(format!("tag-{}", unescape(tag))),
            None => pointer.strip_prefix("/info/description/").map(|number| format!("info-{number}")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Json, read};
    use super::*;

    #[test]
    fn objects_have_the_pointers_that_they_are_found_by() {
        for (path, method) in [("/a/{b~c}", "get"), ("/", "post")] {
            let found = pointed(&operation_pointer(path, method)).unwrap();
            assert_eq!(found, Pointed::Operation { path: path.to_owned(), method: method.to_owned() });
        }
        for pointer in webhook_pointers("new/pet", "POST") {
            let webhook = Pointed::Webhook { name: "new/pet".to_owned(), method: "post".to_owned() };
            assert_eq!(pointed(&pointer), Some(webhook));
        }
        for pointer in model_pointers("A~/B") {
            assert_eq!(pointed(&pointer), Some(Pointed::Model { name: "A~/B".to_owned() }));
        }
        for pointer in ["", "/", "/info", "/tags/0", "/components/schemas"] {
            assert_eq!(pointed(pointer), None, "{pointer}");
        }
    }

    #[test]
    fn pages_of_tags_and_sections_have_names() {
        for (pointer, name) in [
            ("/info", Some("info")),
            ("/info/description/3", Some("info-3")),
            ("/tags", Some("tag-default")),
            ("/tags/a~1b", Some("tag-a/b")),
            ("/paths/~1pets/get", None),
            ("/components/schemas", None),
        ] {
            assert_eq!(page_name(pointer).as_deref(), name, "{pointer}");
        }
    }

    #[test]
    fn pointers_of_pages_match_lookups() {
        let text = Json::parse(
            r#"{"openapi": "3.1.0", "info": {"title": "A"}, "paths": {"/a/{b~c}": {"get": {}}},
                "webhooks": {"made/it": {"post": {}}}, "components": {"schemas": {"A~B": {}}}}"#,
        );
        let pages = read(&text.unwrap().to_line()).unwrap().pages;
        let is_there = |pointer: &String| pages.iter().any(|page| page.pointer == *pointer);
        assert!(is_there(&operation_pointer("/a/{b~c}", "GET")));
        assert!(webhook_pointers("made/it", "post").iter().any(is_there));
        assert!(model_pointers("A~B").iter().any(is_there));
    }
}
