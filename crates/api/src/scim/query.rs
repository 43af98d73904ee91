//! Parameters of lists and resources.

use actix_web::FromRequest as _;
use actix_web::dev::Payload;
use quire_domain::bounds::{SCIM_NAMES_MAX, SCIM_PAGE_MAX};
use quire_domain::scim::{Filter, Kind, ScimProblem, ScimType, SearchRequest};
use quire_storage::people::scim::{Part, Selected};

use super::ScimResult;
use crate::prelude::*;

/// Default number of resources on a page.
const USUAL: i64 = 100;

/// Query parameters.
#[derive(Clone, Debug, Default, Deserialize, Validate)]
#[serde(rename_all = "camelCase", default)]
struct Parameters {
    filter: Option<String>,
    start_index: Option<i64>,
    count: Option<i64>,
    attributes: Option<String>,
    excluded_attributes: Option<String>,
}

/// Part of a list that the client requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Number of the first resource, from 1.
    pub(super) start: u64,
    limit: u16,
}

impl Window {
    fn of(request: &SearchRequest) -> Self {
        let limit = request.count.unwrap_or(USUAL).clamp(0, i64::from(SCIM_PAGE_MAX));
        Self {
            start: u64::try_from(request.start_index.unwrap_or(1).max(1)).unwrap_or(1),
            limit: u16::try_from(limit).unwrap_or(SCIM_PAGE_MAX),
        }
    }

    pub(super) fn part(self) -> Part {
        Part { offset: self.start.saturating_sub(1), limit: self.limit }
    }

    /// Returns the part of a second list that follows a first one in the same page. `total` is the length of the first
    /// list, `on_page` the number of its items on the page.
    pub(super) fn part_after(self, total: u64, on_page: usize) -> Part {
        let on_page = u16::try_from(on_page).unwrap_or(u16::MAX);
        let Part { offset, limit } = self.part();
        Part { offset: offset.saturating_sub(total), limit: limit.saturating_sub(on_page) }
    }
}

/// Attributes that the client requests (RFC 7644, 3.9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Projection {
    only: Vec<String>,
    excluded: Vec<String>,
}

impl Projection {
    /// Reads the parameters of a request about resources of a kind.
    pub(super) fn of(request: &HttpRequest, kind: Kind) -> ScimResult<Self> {
        Ok(Self::new(&parameters(request)?, kind))
    }

    fn new(request: &SearchRequest, kind: Kind) -> Self {
        let names = |list: &[String]| {
            let names = list.iter().map(|name| bare(name.trim(), kind).to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        Self { only: names(&request.attributes), excluded: names(&request.excluded_attributes) }
    }

    /// Returns whether the projection keeps an attribute.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|one| one.eq_ignore_ascii_case(name));
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.excluded)
    }

    /// Removes the other attributes. The id and the schemas are always kept.
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

/// List that the client requests.
#[derive(Clone, Debug)]
pub(super) struct ListQuery {
    pub(super) selected: Selected,
    pub(super) window: Window,
    pub(super) projection: Projection,
}

impl ListQuery {
    /// Reads the query parameters of a list.
    ///
    /// # Errors
    /// Filters on attributes other than the name or the external id.
    pub(super) fn of(request: &HttpRequest, kind: Kind) -> ScimResult<Self> {
        Ok(Self::new(&parameters(request)?, kind)?)
    }

    /// Reads a search request.
    ///
    /// # Errors
    /// The errors of [`Self::of`].
    pub(super) fn new(request: &SearchRequest, kind: Kind) -> Result<Self, ScimProblem> {
        let selected = match &request.filter {
            None => Selected::All,
            Some(text) => selected(&Filter::parse(text)?, kind)?,
        };
        Ok(Self { selected, window: Window::of(request), projection: Projection::new(request, kind) })
    }
}

/// Users and groups that the client requests. A filter on an attribute that one of the two kinds lacks selects none of
/// that kind (RFC 7644, 3.4.2.1).
#[derive(Clone, Debug)]
pub(super) struct MixedQuery {
    pub(super) users: Option<ListQuery>,
    pub(super) groups: Option<ListQuery>,
    pub(super) window: Window,
}

impl MixedQuery {
    /// Reads a search request.
    ///
    /// # Errors
    /// The errors of [`ListQuery`], for each kind that has the attribute.
    pub(super) fn new(request: &SearchRequest) -> Result<Self, ScimProblem> {
        let filter = request.filter.as_deref().map(Filter::parse).transpose()?;
        let query = |kind: Kind| {
            let is_possible = filter.as_ref().is_none_or(|filter| {
                let name = bare(&filter.attribute, kind);
                kind.attributes().iter().any(|attribute| attribute.eq_ignore_ascii_case(name))
            });
            is_possible.then(|| ListQuery::new(request, kind)).transpose()
        };
        let (users, groups) = (query(Kind::User)?, query(Kind::Group)?);
        if users.is_none() && groups.is_none() {
            return Err(unsupported("`userName`, `displayName` of groups"));
        }
        Ok(Self { users, groups, window: Window::of(request) })
    }
}

/// Returns the attribute that holds the name of a resource.
fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "userName",
        Kind::Group => "displayName",
    }
}

/// Returns the attribute in a path, without the URN of the schema and the sub-attribute.
fn bare(name: &str, kind: Kind) -> &str {
    let schema = kind.schema();
    let rest = name
        .split_at_checked(schema.len())
        .filter(|(urn, _)| urn.eq_ignore_ascii_case(schema))
        .and_then(|(_, rest)| rest.strip_prefix(':'));
    let name = rest.unwrap_or(name);
    name.split_once('.').map_or(name, |(attribute, _)| attribute)
}

fn selected(filter: &Filter, kind: Kind) -> Result<Selected, ScimProblem> {
    let is_for = |attribute| filter.is_for(kind.schema(), attribute);
    let name = name_of(kind);
    match &filter.value {
        Value::String(value) if is_for(name) => Ok(Selected::Named(value.clone())),
        Value::String(value) if is_for("externalId") => Ok(Selected::External(value.clone())),
        _ => Err(unsupported(&format!("`{name}`"))),
    }
}

fn unsupported(names: &str) -> ScimProblem {
    ScimProblem::new(
        ScimType::InvalidFilter,
        format!("Filters must compare {names} or `externalId` with a string."),
    )
}

fn parameters(request: &HttpRequest) -> ScimResult<SearchRequest> {
    let Query(parameters) = Query::<Parameters>::from_request(request, &mut Payload::None).into_inner()?;
    let Parameters { filter, start_index, count, attributes, excluded_attributes } = parameters;
    let names = |list: Option<String>| {
        let list = list.unwrap_or_default();
        list.split(',').take(SCIM_NAMES_MAX).map(str::to_owned).collect()
    };
    let (attributes, excluded_attributes) = (names(attributes), names(excluded_attributes));
    Ok(SearchRequest { filter, start_index, count, attributes, excluded_attributes })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use quire_domain::scim::{GROUP_SCHEMA, Kind, SearchRequest, USER_SCHEMA};
    use quire_storage::people::scim::{Part, Selected};
    use serde_json::json;

    use super::{ListQuery, MixedQuery, Projection};

    fn list(query: &str) -> Result<ListQuery, super::super::ScimError> {
        let request = TestRequest::get().uri(&format!("/?{query}")).to_http_request();
        ListQuery::of(&request, Kind::User)
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
    #[test]
    fn a_mixed_list_has_only_kinds_with_the_attribute_of_the_filter() {
        let of = |filter: &str| {
            let filter = Some(filter.to_owned());
            MixedQuery::new(&SearchRequest { filter, ..SearchRequest::default() })
        };
        for (filter, kinds) in [
            ("externalId eq \"a\"", (true, true)),
            ("userName eq \"a\"", (true, false)),
            (format!("{GROUP_SCHEMA}:displayName eq \"a\"").as_str(), (false, true)),
        ] {
            let query = of(filter).unwrap();
            assert_eq!((query.users.is_some(), query.groups.is_some()), kinds, "{filter}");
        }
        // Users have these attributes, but no filter supports them.
        for filter in ["displayName eq \"a\"", "title eq \"a\"", "name.givenName eq \"a\"", "a"] {
            assert!(of(filter).is_err(), "{filter}");
        }
    }

    #[test]
    fn the_second_list_follows_the_first() {
        let window = |start_index, count| {
            let request = SearchRequest { start_index, count, ..SearchRequest::default() };
            MixedQuery::new(&request).unwrap().window
        };
        let part = |offset, limit| Part { offset, limit };
        assert_eq!(window(Some(4), Some(5)).part_after(5, 2), part(0, 3));
        assert_eq!(window(Some(8), Some(5)).part_after(5, 0), part(2, 5));
        assert_eq!(window(None, Some(5)).part_after(9, 5), part(0, 0));
    }
}
