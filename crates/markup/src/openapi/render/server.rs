//! Servers with variables in their URLs.

use super::super::json::Json;
use super::blocks::{code_text, list, text};
use super::schema::{enumeration, literal};
use super::style::scalar;
use crate::document::{Block, Inline};
use crate::limits::openapi::{MAX_SERVER_BYTES, MAX_VARIABLES};

/// Returns the URL of a server with the defaults of its variables. A variable without a default keeps its braces.
#[must_use]
pub fn server_url(server: &Json) -> Option<String> {
    let mut url = server.str("url")?.to_owned();
    for (name, variable) in server.entries_of("variables").iter().take(MAX_VARIABLES) {
        let default = variable.get("default").or_else(|| variable.items_of("enum").first());
        let longer = url.replace(&format!("{{{name}}}"), &default.map(scalar).unwrap_or_default());
        if default.is_some() && longer.len() <= MAX_SERVER_BYTES {
            url = longer;
        }
    }
    Some(url)
}

/// Returns a list of servers with their variables.
pub(super) fn listed(servers: &[Json]) -> Option<Block> {
    let items: Vec<Vec<Inline>> = servers.iter().filter_map(described).collect();
    (!items.is_empty()).then(|| list(items))
}

fn described(server: &Json) -> Option<Vec<Inline>> {
    let mut item = vec![code_text(server.str("url")?)];
    item.extend(server.str("description").map(|description| text(format!(" {description}"))));
    for (name, variable) in server.entries_of("variables").iter().take(MAX_VARIABLES) {
        item.extend([text("; "), code_text(format!("{{{name}}}"))]);
        if let Some(default) = variable.get("default") {
            item.extend([text(" is by default "), code_text(literal(default))]);
        }
        let values = variable.items_of("enum");
        if !values.is_empty() {
            item.push(text(", one of "));
            item.extend(enumeration(values, &[]));
        }
        item.extend(variable.str("description").map(|about| text(format!(": {about}"))));
    }
    Some(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_their_defaults() {
        let url = |text: &str| server_url(&Json::parse(text).unwrap());
        let server = r#"{"url": "https://{region}.a.example:{port}/{v}", "variables": {
            "region": {"enum": ["eu", "us"], "default": "us"}, "port": {"default": 8443}}}"#;
        assert_eq!(url(server).as_deref(), Some("https://us.a.example:8443/{v}"));
        assert_eq!(url(r#"{"url": "/{v}", "variables": {"v": {"enum": ["v2"]}}}"#).as_deref(), Some("/v2"));
        assert_eq!(url("{}"), None);
    }

    #[test]
    fn nested_variables_do_not_grow_without_bound() {
        let variables: Vec<String> = (0..40)
            .map(|n| format!(r#""v{n}": {{"default": "{}"}}"#, format!("{{v{}}}", n + 1).repeat(40)))
            .collect();
        let server = format!(r#"{{"url": "{{v0}}", "variables": {{{}}}}}"#, variables.join(","));
        assert!(server_url(&Json::parse(&server).unwrap()).unwrap().len() <= MAX_SERVER_BYTES);
    }
}
