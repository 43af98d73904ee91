//! Query parameters of lists and resources.

use actix_web::FromRequest as _;
use actix_web::dev::Payload;
use quire_domain::bounds::SCIM_PAGE_MAX;
use quire_domain::scim::{Filter, Kind, ScimProblem, ScimType};
use quire_storage::people::scim::{Part, Selected};

use super::ScimResult;
use crate::prelude::*;

/// Resources on a page unless the client asks for another number.
const USUAL: i64 = 100;
/// Most attributes that a client names.
const NAMES: usize = 100;

#[derive(Clone, Debug, Default, Deserialize, Validate)]
#[serde(rename_all = "camelCase", default)]
struct Parameters {
    filter: Option<String>,
    start_index: Option<i64>,
    count: Option<i64>,
    attributes: Option<String>,
    excluded_attributes: Option<String>,
}

/// Part of a list that a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Number of the first resource, from 1.
    pub(super) start: u64,
    limit: u16,
}

impl Window {
    pub(super) fn part(self) -> Part {
        Part { offset: self.start.saturating_sub(1), limit: self.limit }
    }
}

/// Attributes that a client wants to see (RFC 7644, 3.9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Projection {
    only: Vec<String>,
    excluded: Vec<String>,
}

impl Projection {
    /// Reads the parameters of a request about resources of a kind.
    pub(super) fn of(request: &HttpRequest, kind: Kind) -> ScimResult<Self> {
        Ok(parameters(request)?.projection(kind))
    }

    /// Returns whether an attribute is wanted.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|one| one.eq_ignore_ascii_case(name));
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.excluded)
    }

    /// Removes the attributes that are not wanted. The id and the schemas stay.
    pub(super) fn apply(&self, resource: Value) -> Value {
        match resource {
            Value::Object(mut attributes) => {
                attributes.retain(|name, _| matches!(name.as_str(), "id" | "schemas") || self.has(name));
                Value::Object(attributes)
            }
            other => other,
        }
    }
}

/// List that a client asks for.
#[derive(Clone, Debug)]
pub(super) struct ListQuery {
    pub(super) selected: Selected,
    pub(super) window: Window,
    pub(super) projection: Projection,
}

impl ListQuery {
    /// Reads the parameters of a list. `name`: attribute that names a resource.
    ///
    /// # Errors
    /// Filters other than on the name or the id at the identity provider.
    pub(super) fn of(request: &HttpRequest, kind: Kind, name: &str) -> ScimResult<Self> {
        let parameters = parameters(request)?;
        let selected = match &parameters.filter {
            None => Selected::All,
            Some(text) => selected(&Filter::parse(text)?, kind, name)?,
        };
        let limit = parameters.count.unwrap_or(USUAL).clamp(0, i64::from(SCIM_PAGE_MAX));
        let window = Window {
            start: u64::try_from(parameters.start_index.unwrap_or(1).max(1)).unwrap_or(1),
            limit: u16::try_from(limit).unwrap_or(SCIM_PAGE_MAX),
        };
        Ok(Self { selected, window, projection: parameters.projection(kind) })
    }
}

impl Parameters {
    fn projection(&self, kind: Kind) -> Projection {
        let names = |list: &Option<String>| {
            let names = list.iter().flat_map(|list| list.split(',')).take(NAMES);
            names.map(|name| bare(name.trim(), kind).to_owned()).filter(|name| !name.is_empty()).collect()
        };
        Projection { only: names(&self.attributes), excluded: names(&self.excluded_attributes) }
    }
}

/// Returns the attribute of a name, which may have the URN of the schema and name a part of the attribute.
fn bare(name: &str, kind: Kind) -> &str {
    let schema = kind.schema();
    let rest = name
        .split_at_checked(schema.len())
        .filter(|(urn, _)| urn.eq_ignore_ascii_case(schema))
        .and_then(|(_, rest)| rest.strip_prefix(':'));
    let name = rest.unwrap_or(name);
    name.split_once('.').map_or(name, |(attribute, _)| attribute)
}

fn selected(filter: &Filter, kind: Kind, name: &str) -> Result<Selected, ScimProblem> {
    let is_for = |attribute| filter.is_for(kind.schema(), attribute);
    match &filter.value {
        Value::String(value) if is_for(name) => Ok(Selected::Named(value.clone())),
        Value::String(value) if is_for("externalId") => Ok(Selected::External(value.clone())),
        _ => {
            let detail = format!("Filters compare `{name}` or `externalId` with a text.");
            Err(ScimProblem::new(ScimType::InvalidFilter, detail))
        }
    }
}

fn parameters(request: &HttpRequest) -> ScimResult<Parameters> {
    let Query(parameters) = Query::<Parameters>::from_request(request, &mut Payload::None).into_inner()?;
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use quire_domain::scim::{Kind, USER_SCHEMA};
    use quire_storage::people::scim::{Part, Selected};
    use serde_json::json;

    use super::{ListQuery, Projection};

    fn list(query: &str) -> Result<ListQuery, super::super::ScimError> {
        let request = TestRequest::get().uri(&format!("/?{query}")).to_http_request();
        ListQuery::of(&request, Kind::User, "userName")
    }

    #[test]
    fn a_list_has_a_bounded_part() {
        for (query, offset, limit) in [
            ("", 0, 100),
            ("startIndex=1&count=10", 0, 10),
            ("startIndex=11&count=0", 10, 0),
            ("startIndex=-5&count=-5", 0, 0),
            ("startIndex=9223372036854775807&count=1000000", 9_223_372_036_854_775_806, 200),
        ] {
            assert_eq!(list(query).unwrap().window.part(), Part { offset, limit }, "{query}");
        }
        assert!(list("count=many").is_err());
        assert!(list("filter=title%20eq%20%22a%22").is_err());
        let named = list("filter=userName%20eq%20%22ada%20l%22").unwrap();
        assert_eq!(named.selected, Selected::Named("ada l".to_owned()));
    }

    #[test]
    fn attributes_are_chosen_by_name() {
        let of = |query: &str| {
            let request = TestRequest::get().uri(&format!("/?{query}")).to_http_request();
            let projection = Projection::of(&request, Kind::User).unwrap();
            projection.apply(json!({"id": 1, "schemas": [], "userName": 2, "name": 3, "groups": 4}))
        };
        assert_eq!(of("attributes=USERNAME"), json!({"id": 1, "schemas": [], "userName": 2}));
        assert_eq!(
            of(&format!("attributes={USER_SCHEMA}:name.givenName")),
            json!({"id": 1, "schemas": [], "name": 3})
        );
        assert_eq!(
            of("excludedAttributes=groups,id"),
            json!({"id": 1, "schemas": [], "userName": 2, "name": 3})
        );
    }
}
