//! JSON pointers of pages in a specification.

use super::json::escape;

/// Returns the pointer of an operation from its path and its method in any case.
#[must_use]
pub fn operation_pointer(path: &str, method: &str) -> String {
    format!("/paths/{}/{}", escape(path), method.to_lowercase())
}

/// Returns the possible pointers of a webhook from its name and its method in any case: before OpenAPI 3.1 webhooks
/// were an extension.
#[must_use]
pub fn webhook_pointers(name: &str, method: &str) -> [String; 2] {
    ["webhooks", "x-webhooks"].map(|holder| format!("/{holder}/{}/{}", escape(name), method.to_lowercase()))
}

/// Returns the possible pointers of a model from its name: in OpenAPI 3 and in Swagger 2.
#[must_use]
pub fn model_pointers(name: &str) -> [String; 2] {
    ["components/schemas", "definitions"].map(|holder| format!("/{holder}/{}", escape(name)))
}

#[cfg(test)]
mod tests {
    use super::super::{Json, read};
    use super::*;

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
