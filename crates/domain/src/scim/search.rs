//! Search requests: the parameters of a list in a body (RFC 7644, 3.4.3).

use serde_json::Value;

use super::problem::ScimProblem;
use super::value::{Attributes, get};
use crate::bounds::SCIM_NAMES_MAX;

/// Parameters of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Filter, as it was written.
    pub filter: Option<String>,
    /// Number of the first resource, from 1.
    pub start_index: Option<i64>,
    /// Requested number of resources.
    pub count: Option<i64>,
    /// Names of the attributes to return; empty for all.
    pub attributes: Vec<String>,
    /// Names of attributes to leave out.
    pub excluded_attributes: Vec<String>,
}

impl SearchRequest {
    /// Reads a body. Sorting is ignored, as RFC 7644 allows.
    ///
    /// # Errors
    /// Values of the wrong type, and too many names of attributes.
    pub fn parse(body: &Attributes) -> Result<Self, ScimProblem> {
        let filter = match get(body, "filter") {
            None => None,
            Some(Value::String(filter)) => Some(filter.clone()).filter(|filter| !filter.trim().is_empty()),
            Some(_) => return Err(ScimProblem::value("filter", "must be a string")),
        };
        Ok(Self {
            filter,
            start_index: integer(body, "startIndex")?,
            count: integer(body, "count")?,
            attributes: names(body, "attributes")?,
            excluded_attributes: names(body, "excludedAttributes")?,
        })
    }
}

fn integer(body: &Attributes, name: &str) -> Result<Option<i64>, ScimProblem> {
    let Some(value) = get(body, name) else { return Ok(None) };
    let number = value.as_i64().or_else(|| value.as_u64().map(|_| i64::MAX));
    number.map(Some).ok_or_else(|| ScimProblem::value(name, "must be an integer"))
}

/// Returns a list of names. A single text holds names separated by commas, as in a query.
fn names(body: &Attributes, name: &str) -> Result<Vec<String>, ScimProblem> {
    let names: Option<Vec<String>> = match get(body, name) {
        None => Some(Vec::new()),
        Some(Value::String(list)) => Some(list.split(',').map(str::to_owned).collect()),
        Some(Value::Array(names)) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        Some(_) => None,
    };
    let names = names.ok_or_else(|| ScimProblem::value(name, "must be a list of strings"))?;
    if names.len() > SCIM_NAMES_MAX {
        return Err(ScimProblem::value(name, &format!("must have at most {SCIM_NAMES_MAX} values")));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::SearchRequest;
    use crate::scim::ScimType;

    fn parse(value: &Value) -> Result<SearchRequest, super::ScimProblem> {
        SearchRequest::parse(value.as_object().unwrap())
    }

    #[test]
    fn a_body_has_the_parameters_of_a_list() {
        let request = parse(&json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "FILTER": "userName eq \"a\"",
            "startIndex": 3, "count": -1, "attributes": ["userName", "name"], "excludedAttributes": null,
            "sortBy": "userName",
        }))
        .unwrap();
        assert_eq!(
            request,
            SearchRequest {
                filter: Some("userName eq \"a\"".to_owned()),
                start_index: Some(3),
                count: Some(-1),
                attributes: vec!["userName".to_owned(), "name".to_owned()],
                excluded_attributes: Vec::new(),
            }
        );
        assert_eq!(parse(&json!({})).unwrap(), SearchRequest::default());
        assert_eq!(parse(&json!({"startIndex": u64::MAX})).unwrap().start_index, Some(i64::MAX));
    }

    #[test]
    fn wrong_values_are_named() {
        let many: Vec<String> = (0..101).map(|number| format!("a{number}")).collect();
        for (body, name) in [
            (json!({"filter": 7}), "filter"),
            (json!({"startIndex": "1"}), "startIndex"),
            (json!({"count": 1.5}), "count"),
            (json!({"attributes": [7]}), "attributes"),
            (json!({"attributes": many}), "attributes"),
            (json!({"excludedAttributes": {}}), "excludedAttributes"),
        ] {
            let problem = parse(&body).unwrap_err();
            assert_eq!(problem.kind, ScimType::InvalidValue);
            assert!(problem.detail.starts_with(&format!("`{name}` ")), "{problem}");
        }
    }
}
