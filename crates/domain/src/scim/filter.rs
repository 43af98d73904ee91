//! Filters: the comparison of one attribute with a value, which identity providers use to find a resource.

use serde_json::Value;

use super::problem::{ScimProblem, ScimType};

/// Filter of the form `attribute eq value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Attribute, as it was written.
    pub attribute: String,
    /// Value: a text, boolean or number.
    pub value: Value,
}

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Every other form of filter.
    pub fn parse(text: &str) -> Result<Self, ScimProblem> {
        let unsupported = || {
            let detail = "The filter must have the form `attribute eq \"value\"`.";
            ScimProblem::new(ScimType::InvalidFilter, detail)
        };
        let (attribute, rest) = text.trim().split_once(' ').ok_or_else(unsupported)?;
        let (operator, value) = rest.trim_start().split_once(' ').ok_or_else(unsupported)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "$-_.:".contains(c);
        if !operator.eq_ignore_ascii_case("eq") || !attribute.chars().all(is_name) {
            return Err(unsupported());
        }
        let value: Value = serde_json::from_str(value.trim()).map_err(|_| unsupported())?;
        match value {
            Value::String(_) | Value::Bool(_) | Value::Number(_) => {
                Ok(Self { attribute: attribute.to_owned(), value })
            }
            Value::Null | Value::Array(_) | Value::Object(_) => Err(unsupported()),
        }
    }

    /// Returns whether the filter compares this attribute, written with or without the URN of its schema.
    #[must_use]
    pub fn is_for(&self, schema: &str, name: &str) -> bool {
        let written = self.attribute.as_str();
        let bare = written
            .split_at_checked(schema.len())
            .filter(|(urn, _)| urn.eq_ignore_ascii_case(schema))
            .and_then(|(_, rest)| rest.strip_prefix(':'));
        bare.unwrap_or(written).eq_ignore_ascii_case(name)
    }

    /// Returns whether the value of an attribute equals the value of the filter. Texts are compared without case.
    #[must_use]
    pub fn matches(&self, value: Option<&Value>) -> bool {
        match (value, &self.value) {
            (Some(Value::String(found)), Value::String(wanted)) => {
                let found = found.chars().flat_map(char::to_lowercase);
                found.eq(wanted.chars().flat_map(char::to_lowercase))
            }
            (Some(found), wanted) => found == wanted,
            (None, _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Filter;
    use crate::scim::{ScimType, USER_SCHEMA};

    #[test]
    fn one_comparison_is_understood() {
        let filter = Filter::parse(r#"userName eq "ada \"l\" and b""#).unwrap();
        assert_eq!(filter.value, json!("ada \"l\" and b"));
        assert!(filter.is_for(USER_SCHEMA, "username") && !filter.is_for(USER_SCHEMA, "name"));
        let filter = Filter::parse(&format!("{USER_SCHEMA}:userName  EQ  \"Ada\"")).unwrap();
        assert!(filter.is_for(USER_SCHEMA, "userName"));
        assert!(
            filter.matches(Some(&json!("aDA"))) && !filter.matches(Some(&json!(1))) && !filter.matches(None)
        );
        assert!(Filter::parse("primary eq true").unwrap().matches(Some(&json!(true))));
    }

    #[test]
    fn other_filters_are_refused() {
        for text in [
            "",
            "userName",
            "userName eq",
            "userName eq ada",
            "userName co \"a\"",
            "userName eq \"a\" or userName eq \"b\"",
            "(userName eq \"a\")",
            "userName eq null",
            "userName eq []",
        ] {
            assert_eq!(Filter::parse(text).unwrap_err().kind, ScimType::InvalidFilter, "{text}");
        }
    }
}
