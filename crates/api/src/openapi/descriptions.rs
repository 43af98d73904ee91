//! Descriptions of operations.
//!
//! Each file of `operations` has a section for each operation of a tag: the operation id as its heading, then the
//! effect, defaults, bounds and side effects of the operation.

use std::collections::HashMap;

macro_rules! files {
    ($($name:literal)*) => {
        [$(include_str!(concat!("operations/", $name, ".md"))),*]
    };
}

const FILES: &[&str] = &files! {
    "audit_log" "change_requests" "collections" "comments" "content" "custom_fields" "events" "integrations" "invites"
    "members" "openapi_specifications" "organizations" "permissions" "saml_and_sso" "search" "service" "sites" "spaces" "teams"
    "translations" "user" "webhooks"
};

/// Returns the description of each operation, by its id.
pub(super) fn descriptions() -> HashMap<&'static str, String> {
    let sections =
        FILES.iter().flat_map(|file| file.split("## ")).filter_map(|section| section.split_once('\n'));
    sections
        .map(|(operation, text)| (operation, text.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::v1::routes;

    #[test]
    fn each_operation_has_a_description_and_each_description_an_operation() {
        let headings = FILES.iter().flat_map(|file| file.lines()).filter_map(|line| line.strip_prefix("## "));
        let mut headings: Vec<&str> = headings.collect();
        headings.sort_unstable();
        let mut operations: Vec<&str> = routes().iter().map(|route| route.operation).collect();
        operations.sort_unstable();
        assert_eq!(headings, operations);
    }

    #[test]
    fn descriptions_are_distinct_sentences_that_open_with_a_verb() {
        let descriptions = descriptions();
        let distinct: BTreeSet<&String> = descriptions.values().collect();
        assert_eq!(distinct.len(), descriptions.len());
        for (operation, text) in descriptions {
            let verb = text.split(' ').next().unwrap_or_default();
            assert!(verb.starts_with(char::is_uppercase) && verb.ends_with('s'), "{operation}: {text}");
            assert!(text.ends_with('.') && text.len() < 500, "{operation}: {text}");
        }
    }

    #[test]
    fn a_description_says_more_than_the_summary() {
        let descriptions = descriptions();
        for route in routes() {
            let text = descriptions.get(route.operation).unwrap();
            // The verbs are left out, because their endings differ.
            let said =
                |text: &str| text.split_once(' ').map(|(_, rest)| rest.trim_end_matches('.').to_lowercase());
            assert_ne!(said(text), said(route.summary), "{}", route.operation);
        }
    }
}
