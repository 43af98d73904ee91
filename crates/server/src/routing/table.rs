//! Route table, searched by path.

use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

use actix_web::http::Method;
use matchit::Router;
use thiserror::Error;

use super::handler::BoxedHandler;
use crate::audit_rule::Recording;

/// Form of the end of a route's paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Exactly the pattern.
    Exact,
    /// With or without a slash after the pattern.
    OptionalSlash,
    /// The last segment of the pattern is a parameter for the rest of the path, including slashes. It may be empty.
    Rest,
}

/// Route: a method of a path.
pub struct Endpoint {
    /// Path with parameters in braces. Each parameter takes one non-empty segment.
    pub path: &'static str,
    /// Form of the end of the path.
    pub ending: Ending,
    /// Method; HEAD is answered like GET. `None` for all methods.
    pub method: Option<Method>,
    /// Possible audit log entries.
    pub recording: Option<Recording>,
    /// Handler.
    pub handler: BoxedHandler,
}

/// Error for two paths of a table that cannot be distinguished.
#[derive(Debug, Error)]
#[error("the route table does not accept the path {path}: {cause}")]
pub struct TableError {
    path: &'static str,
    cause: matchit::InsertError,
}

/// All routes of an application, created once and shared by the threads of the server.
pub struct RouteTable(Router<Arc<Resource>>);

/// Routes at one path.
struct Resource {
    /// Path below the base path of the server.
    pattern: String,
    parameters: Vec<&'static str>,
    endpoints: Vec<Endpoint>,
    /// Value of `Allow`.
    allowed: String,
}

/// Known path, with the route of the method if it has one.
#[derive(Clone)]
pub struct Matched {
    resource: Arc<Resource>,
    endpoint: Option<usize>,
}

/// Names and values of the parameters in a path.
pub type Parameters = Vec<(&'static str, String)>;

impl RouteTable {
    /// Creates the table. `base` is the path below which the routes are served. It precedes the patterns in logs and
    /// metrics, but not the paths that are looked up.
    ///
    /// # Errors
    /// Two paths that differ only in the names of their parameters.
    pub fn new(base: &str, endpoints: impl IntoIterator<Item = Endpoint>) -> Result<Self, TableError> {
        let mut trie = Router::new();
        for (path, endpoints) in by_path(endpoints) {
            let ending = endpoints.first().map_or(Ending::Exact, |endpoint| endpoint.ending);
            let resource = Arc::new(Resource::new(base, path, endpoints));
            for written in ending.written(path) {
                trie.insert(written, resource.clone()).map_err(|cause| TableError { path, cause })?;
            }
        }
        Ok(Self(trie))
    }

    /// Returns the resource of a path with its route for a method, and the parameters; `None` for an unknown path.
    #[must_use]
    pub fn at(&self, method: &Method, path: &str) -> Option<(Matched, Parameters)> {
        let found = self.0.at(path).ok()?;
        let resource = found.value.clone();
        // The trie omits the last parameter if the rest of the path is empty.
        let values =
            found.params.iter().map(|(_, value)| value.to_owned()).chain(iter::repeat(String::new()));
        let parameters = resource.parameters.iter().copied().zip(values).collect();
        let endpoint = resource.endpoints.iter().position(|endpoint| endpoint.answers(method));
        Some((Matched { resource, endpoint }, parameters))
    }
}

/// Groups the routes by path, in the order of their first occurrence.
fn by_path(endpoints: impl IntoIterator<Item = Endpoint>) -> Vec<(&'static str, Vec<Endpoint>)> {
    let mut paths: Vec<(&'static str, Vec<Endpoint>)> = Vec::new();
    let mut indexes = HashMap::new();
    for endpoint in endpoints {
        let index = *indexes.entry(endpoint.path).or_insert(paths.len());
        match paths.get_mut(index) {
            Some((_, known)) => known.push(endpoint),
            None => paths.push((endpoint.path, vec![endpoint])),
        }
    }
    paths
}

impl Ending {
    /// Returns the patterns of a path in the syntax of the trie, whose parameters are never empty.
    fn written(self, path: &str) -> Vec<String> {
        match (self, path.rsplit_once('/')) {
            (Self::OptionalSlash, _) => vec![path.to_owned(), format!("{path}/")],
            (Self::Rest, Some((before, rest))) => {
                vec![format!("{before}/{}", rest.replace('{', "{*")), format!("{before}/")]
            }
            (Self::Exact | Self::Rest, _) => vec![path.to_owned()],
        }
    }
}

impl Endpoint {
    fn answers(&self, method: &Method) -> bool {
        let asked = if method == Method::HEAD { &Method::GET } else { method };
        self.method.as_ref().is_none_or(|method| method == asked)
    }
}

impl Resource {
    fn new(base: &str, path: &'static str, endpoints: Vec<Endpoint>) -> Self {
        let parameter = |segment: &'static str| segment.strip_prefix('{')?.strip_suffix('}');
        let mut allowed: Vec<&str> =
            endpoints.iter().filter_map(|one| one.method.as_ref()).map(Method::as_str).collect();
        if allowed.contains(&"GET") {
            allowed.push("HEAD");
        }
        Self {
            pattern: format!("{base}{path}"),
            parameters: path.split('/').filter_map(parameter).collect(),
            allowed: allowed.join(", "),
            endpoints,
        }
    }
}

impl Matched {
    /// Returns the pattern of the path, with the base path.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.resource.pattern
    }

    /// Returns the possible audit log entries of the request.
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        self.endpoint()?.recording
    }

    pub(crate) fn endpoint(&self) -> Option<&Endpoint> {
        self.resource.endpoints.get(self.endpoint?)
    }

    pub(super) fn allowed(&self) -> &str {
        &self.resource.allowed
    }
}

#[cfg(test)]
mod tests {
    use actix_web::HttpResponse;

    use super::*;

    fn endpoint(method: Option<Method>, path: &'static str, ending: Ending) -> Endpoint {
        let handler = BoxedHandler::new(async || HttpResponse::Ok());
        Endpoint { path, ending, method, recording: None, handler }
    }

    fn table() -> RouteTable {
        let get = |path| endpoint(Some(Method::GET), path, Ending::Exact);
        let endpoints = [
            endpoint(Some(Method::GET), "/v1", Ending::OptionalSlash),
            get("/v1/spaces/search"),
            get("/v1/spaces/{spaceId}"),
            endpoint(Some(Method::PATCH), "/v1/spaces/{spaceId}", Ending::Exact),
            get("/v1/spaces/{id}/pages/{pageId}"),
            get("/v1/{kind}/search/{word}"),
            endpoint(Some(Method::GET), "/v1/spaces/{spaceId}/path/{pagePath}", Ending::Rest),
            endpoint(None, "/docs/{file}", Ending::Rest),
        ];
        RouteTable::new("/quire", endpoints).unwrap()
    }

    /// Returns the pattern of a path with its parameters, as `name=value`.
    fn found(path: &str) -> Option<String> {
        let (matched, parameters) = table().at(&Method::GET, path)?;
        let parameters = parameters.iter().map(|(name, value)| format!(" {name}={value}"));
        Some(format!("{}{}", matched.pattern(), parameters.collect::<String>()))
    }

    #[test]
    fn a_path_has_one_pattern_and_its_parameters() {
        for (path, expected) in [
            ("/v1", "/quire/v1"),
            ("/v1/", "/quire/v1"),
            ("/v1/spaces/a", "/quire/v1/spaces/{spaceId} spaceId=a"),
            ("/v1/spaces/a%2Fb", "/quire/v1/spaces/{spaceId} spaceId=a%2Fb"),
            ("/v1/spaces/{spaceId}", "/quire/v1/spaces/{spaceId} spaceId={spaceId}"),
            ("/v1/spaces/search", "/quire/v1/spaces/search"),
            ("/v1/spaces/searching", "/quire/v1/spaces/{spaceId} spaceId=searching"),
            ("/v1/spaces/a/pages/b", "/quire/v1/spaces/{id}/pages/{pageId} id=a pageId=b"),
            // A static segment without a matching route does not hide a parameter.
            ("/v1/spaces/search/b", "/quire/v1/{kind}/search/{word} kind=spaces word=b"),
            ("/v1/spaces/search/pages/b", "/quire/v1/spaces/{id}/pages/{pageId} id=search pageId=b"),
            ("/v1/spaces/a/path/", "/quire/v1/spaces/{spaceId}/path/{pagePath} spaceId=a pagePath="),
            (
                "/v1/spaces/a/path/b//c/",
                "/quire/v1/spaces/{spaceId}/path/{pagePath} spaceId=a pagePath=b//c/",
            ),
            ("/docs/", "/quire/docs/{file} file="),
        ] {
            assert_eq!(found(path).as_deref(), Some(expected), "{path}");
        }
    }

    #[test]
    fn other_paths_are_unknown() {
        let others = ["", "/", "//v1", "/v1//", "/V1", "/v1/spaces", "/v1/spaces/", "/v1/spaces//pages/b"];
        for path in
            others.into_iter().chain(["/v1/spaces/a/", "/v1/spaces/a/path", "/docs", "/v1/spaces/a/more"])
        {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn a_known_path_allows_its_methods() {
        let table = table();
        let allowed = |method: Method, path: &str| {
            let (matched, _) = table.at(&method, path).unwrap();
            (matched.endpoint().is_some(), matched.allowed().to_owned())
        };
        let space = "GET, PATCH, HEAD".to_owned();
        for method in [Method::GET, Method::HEAD, Method::PATCH] {
            assert_eq!(allowed(method, "/v1/spaces/a"), (true, space.clone()));
        }
        for method in [Method::POST, Method::OPTIONS] {
            assert_eq!(allowed(method, "/v1/spaces/a"), (false, space.clone()));
        }
        assert!(allowed(Method::DELETE, "/docs/a").0);
    }

    #[test]
    fn paths_that_only_name_their_parameters_differently_are_refused() {
        let twice = ["/a/{b}", "/a/{c}"].map(|path| endpoint(Some(Method::GET), path, Ending::Exact));
        let error = RouteTable::new("", twice).err().unwrap().to_string();
        assert!(error.contains("/a/{c}"), "{error}");
    }
}
