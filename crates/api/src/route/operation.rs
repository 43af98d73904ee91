//! Operation ids, from the names of handlers.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Words that operation ids write in capitals.
const CAPITALS: [&str; 3] = ["pdf", "saml", "sso"];

/// Operation ids by the paths of their handlers. They are never freed.
static IDS: LazyLock<Mutex<BTreeMap<&'static str, &'static str>>> = LazyLock::new(Mutex::default);

/// Returns the name of a function in camel case. `path` is its [type name](std::any::type_name_of_val). Rust does not
/// guarantee the form of type names, so a test compares the committed OpenAPI document with the routes.
pub(super) fn operation_id(path: &'static str) -> &'static str {
    let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
    ids.entry(path).or_insert_with(|| camel_case(path).leak())
}

fn camel_case(path: &str) -> String {
    let path = path.split('<').next().unwrap_or_default();
    let name = path.rsplit("::").next().unwrap_or_default();
    let mut id = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut letters = word.chars();
        match letters.next() {
            _ if CAPITALS.contains(&word) => id.push_str(&word.to_uppercase()),
            Some(first) if !id.is_empty() => id.extend(first.to_uppercase().chain(letters)),
            _ => id.push_str(word),
        }
    }
    // The resource is spelled so, unlike the OpenAPI document of this API.
    id.replace("OpenApiSpec", "OpenAPISpec")
}

#[cfg(test)]
mod tests {
    use super::operation_id;

    #[test]
    fn names_become_operation_ids() {
        let cases = [
            ("quire_api::v1::spaces::get_space_by_id", "getSpaceById"),
            ("quire_api::v1::saml::list_saml_providers", "listSAMLProviders"),
            ("quire_api::v1::pdf::download_pdf", "downloadPDF"),
            ("quire_api::v1::openapi_specs::list_open_api_specs", "listOpenAPISpecs"),
            ("quire_api::service::docs::get_open_api_document", "getOpenApiDocument"),
            ("quire_api::v1::permissions::grant_role<quire_domain::ids::SpaceId>", "grantRole"),
        ];
        for (path, id) in cases {
            assert_eq!(operation_id(path), id);
        }
    }
}
