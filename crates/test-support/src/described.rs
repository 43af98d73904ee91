//! Check of error statuses against the API description.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use actix_web::http::{Method, StatusCode};
use serde_json::Value;

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(operations);

/// Operation of the API description.
struct Operation {
    method: String,
    /// Segments of the path. `None` for a parameter.
    path: Vec<Option<String>>,
    statuses: BTreeSet<u16>,
}

impl Operation {
    /// Returns the number of literal segments of the path if the operation matches a request. A parameter at the end
    /// can match several segments.
    fn matches(&self, method: &Method, segments: &[&str]) -> Option<usize> {
        let ends_in_parameter = matches!(self.path.last(), Some(None));
        let has_length =
            self.path.len() == segments.len() || (ends_in_parameter && segments.len() > self.path.len());
        let agree = |(expected, segment): (&Option<String>, &&str)| {
            expected.as_deref().is_none_or(|expected| expected == *segment)
        };
        let is_it = self.method.eq_ignore_ascii_case(method.as_str())
            && has_length
            && self.path.iter().zip(segments).all(agree);
        is_it.then(|| self.path.iter().flatten().count())
    }
}

fn operations() -> Vec<Operation> {
    let document = quire_api::document_json("").expect("the committed description is valid");
    let document: Value = serde_json::from_str(&document).expect("the description is JSON");
    let paths = document.get("paths").and_then(Value::as_object).expect("the description has paths");
    let of_path = |(path, methods): (&String, &Value)| {
        let methods = methods.as_object().expect("a path has operations").clone();
        let path: Vec<_> =
            path.split('/').map(|name| (!name.starts_with('{')).then(|| name.to_owned())).collect();
        methods.into_iter().filter_map(move |(method, operation)| {
            let responses = operation.get("responses")?.as_object()?;
            let statuses = responses.keys().filter_map(|status| status.parse().ok()).collect();
            Some(Operation { method, path: path.clone(), statuses })
        })
    };
    paths.iter().flat_map(of_path).collect()
}

/// Checks that the API description lists the status of an error. Requests without an operation pass.
///
/// # Panics
/// If the status is missing. Clients generated from the description would not expect it.
pub(crate) fn check_error(method: &Method, target: &str, status: StatusCode) {
    // Range requests are defined by HTTP, not by the description.
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || status == StatusCode::RANGE_NOT_SATISFIABLE {
        return;
    }
    let path = target.split('?').next().unwrap_or_default();
    // Other paths may belong to sites with a host name.
    if !path.starts_with("/v1/") {
        return;
    }
    let segments: Vec<&str> = path.split('/').collect();
    let matching = OPERATIONS
        .iter()
        .filter_map(|operation| operation.matches(method, &segments).map(|literals| (literals, operation)));
    let Some((_, operation)) = matching.max_by_key(|(literals, _)| *literals) else { return };
    assert!(
        operation.statuses.contains(&status.as_u16()),
        "{method} {target}: {status} is not described, only {:?}",
        operation.statuses
    );
}
