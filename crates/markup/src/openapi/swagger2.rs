//! Conversion of operations from Swagger 2 to OpenAPI 3. Models are the same in both.

use crate::limits::openapi::{MAX_MEDIA_TYPES, MAX_PAGE_BYTES};
use std::collections::HashSet;

use super::SpecError;
use super::json::Json;
use super::parts::{Parts, local};
use super::raw::RawObject;

/// Keys of a parameter or header that describe its value, which belong to a schema in OpenAPI 3.
const SCHEMA_KEYS: [&str; 17] = [
    "type",
    "format",
    "items",
    "default",
    "enum",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "example",
];
/// Default media type of bodies.
const DEFAULT_MEDIA: &str = "application/json";

/// Returns the servers equivalent to `schemes`, `host` and `basePath`.
pub(super) fn servers(root: &RawObject<'_>) -> Result<Json, SpecError> {
    let text = |key| Ok::<_, SpecError>(root.json(key)?.as_str().unwrap_or_default().to_owned());
    let (host, base) = (text("host")?, text("basePath")?);
    let schemes = root.json("schemes")?;
    let server = |url: String| Json::object([("url", Json::Text(url))]);
    let mut servers: Vec<Json> = Vec::new();
    if host.is_empty() {
        servers.extend((!base.is_empty()).then(|| server(base)));
    } else {
        let mut named: Vec<&str> = schemes.items().iter().filter_map(Json::as_str).collect();
        if named.is_empty() {
            named.push("https");
        }
        servers.extend(named.iter().map(|scheme| server(format!("{scheme}://{host}{base}"))));
    }
    Ok(Json::List(servers))
}

/// Converts an operation and the parameters that it shares with others of its path.
pub(super) fn operation(
    operation: &Json,
    shared: &Json,
    root: &RawObject<'_>,
    parts: &mut Parts<'_>,
) -> Result<(Json, Json), SpecError> {
    let media = |key: &str| -> Result<Vec<String>, SpecError> {
        let own = operation.get(key).cloned();
        let listed = own.map_or_else(|| root.json(key), Ok)?;
        let mut seen = HashSet::new();
        let named = listed.items().iter().filter_map(Json::as_str).filter(|media| seen.insert(*media));
        let named: Vec<String> = named.map(str::to_owned).collect();
        Ok(if named.is_empty() { vec![DEFAULT_MEDIA.to_owned()] } else { named })
    };
    let (consumes, mut produces) = (media("consumes")?, media("produces")?);
    produces.truncate(MAX_MEDIA_TYPES);
    // Counted before the shared parameters are copied into each operation.
    parts.spend(
        operation
            .weight(MAX_PAGE_BYTES)
            .saturating_mul(consumes.len().min(MAX_MEDIA_TYPES).max(produces.len())),
    )?;
    let mut parameters = Vec::new();
    let mut form = Vec::new();
    let mut body = None;
    for parameter in shared.items().iter().chain(operation.items_of("parameters")) {
        let parameter = followed(parameter, parts)?;
        match parameter.str("in") {
            Some("body") => body = Some(parameter),
            Some("formData") => form.push(parameter),
            _ => parameters.push(with_schema(&parameter)),
        }
    }
    let mut entries: Vec<(String, Json)> = Vec::new();
    for (key, value) in operation.entries() {
        match key.as_str() {
            "parameters" => {}
            "responses" => entries.push((key.clone(), responses(value, &produces, parts)?)),
            _ => entries.push((key.clone(), value.clone())),
        }
    }
    entries.push(("parameters".to_owned(), Json::List(parameters)));
    if let Some(body) = request_body(body.as_ref(), &form, &consumes) {
        entries.push(("requestBody".to_owned(), body));
    }
    Ok((Json::Object(entries), Json::Null))
}

fn request_body(body: Option<&Json>, form: &[Json], consumes: &[String]) -> Option<Json> {
    let described = |media: Vec<String>, schema: &Json| {
        let typed = media
            .into_iter()
            .take(MAX_MEDIA_TYPES)
            .map(|media| (media, Json::object([("schema", schema.clone())])));
        Json::Object(typed.collect())
    };
    if let Some(body) = body {
        let schema = body.get("schema").cloned().unwrap_or(Json::Null);
        return Some(Json::object([
            ("description", body.get("description").cloned().unwrap_or(Json::Null)),
            ("required", Json::Bool(body.flag("required"))),
            ("content", described(consumes.to_vec(), &schema)),
        ]));
    }
    if form.is_empty() {
        return None;
    }
    let has_file = form.iter().any(|parameter| parameter.str("type") == Some("file"));
    let of_form = consumes.iter().find(|media| media.contains("form")).cloned();
    let media = of_form.unwrap_or_else(|| {
        if has_file { "multipart/form-data" } else { "application/x-www-form-urlencoded" }.to_owned()
    });
    let properties = form.iter().filter_map(|parameter| {
        let mut schema = schema_of(parameter);
        schema.extend(parameter.get("description").map(|text| ("description".to_owned(), text.clone())));
        Some((parameter.str("name")?.to_owned(), Json::Object(schema)))
    });
    let encoded = form.iter().filter_map(|parameter| {
        let style = style_of(parameter);
        (!style.is_empty()).then(|| Some((parameter.str("name")?.to_owned(), Json::Object(style))))?
    });
    let encoding = Json::Object(encoded.collect());
    let required = form.iter().filter(|parameter| parameter.flag("required"));
    let schema = Json::object([
        ("type", Json::text("object")),
        ("properties", Json::Object(properties.collect())),
        ("required", Json::List(required.filter_map(|parameter| parameter.get("name").cloned()).collect())),
    ]);
    let typed = Json::object([("schema", schema), ("encoding", encoding)]);
    Some(Json::object([("content", Json::Object(vec![(media, typed)]))]))
}

fn responses(responses: &Json, produces: &[String], parts: &mut Parts<'_>) -> Result<Json, SpecError> {
    let mut entries = Vec::new();
    for (status, response) in responses.entries() {
        let response = followed(response, parts)?;
        let schema = response.get("schema");
        let examples = response.get("examples");
        let headers = response.entries_of("headers").iter();
        let headers = headers.map(|(name, header)| (name.clone(), with_schema(header))).collect();
        let content = produces.iter().filter(|_| schema.is_some() || examples.is_some()).map(|media| {
            let mut typed = Vec::new();
            typed.extend(schema.map(|schema| ("schema".to_owned(), schema.clone())));
            typed.extend(
                examples
                    .and_then(|all| all.get(media))
                    .map(|example| ("example".to_owned(), example.clone())),
            );
            (media.clone(), Json::Object(typed))
        });
        let description = response.get("description").cloned().unwrap_or(Json::Null);
        let content = Json::Object(content.collect());
        let response = Json::object([
            ("description", description),
            ("headers", Json::Object(headers)),
            ("content", content),
        ]);
        entries.push((status.clone(), response));
    }
    Ok(Json::Object(entries))
}

/// Returns the target of a reference; the value itself if it is not a valid reference.
fn followed(json: &Json, parts: &mut Parts<'_>) -> Result<Json, SpecError> {
    let target = match json.str("$ref").and_then(local) {
        Some(pointer) => parts.resolve(&pointer)?,
        None => None,
    };
    Ok(target.unwrap_or_else(|| json.clone()))
}

/// Returns a parameter or header with the keys that describe its value moved into a schema.
fn with_schema(parameter: &Json) -> Json {
    let is_of_schema = |key: &str| SCHEMA_KEYS.contains(&key);
    let mut entries: Vec<(String, Json)> =
        parameter.entries().iter().filter(|(key, _)| !is_of_schema(key)).cloned().collect();
    entries.extend(style_of(parameter));
    entries.push(("schema".to_owned(), Json::Object(schema_of(parameter))));
    Json::Object(entries)
}

/// Returns the style of OpenAPI 3 for the `collectionFormat` of a list, `csv` by default. `tsv` has no equivalent.
fn style_of(parameter: &Json) -> Vec<(String, Json)> {
    let format = parameter.str("collectionFormat").unwrap_or("csv");
    let style = match (parameter.str("in"), format) {
        _ if parameter.str("type") != Some("array") => return Vec::new(),
        (Some("query" | "formData"), "multi") => return vec![("explode".to_owned(), Json::Bool(true))],
        (Some("query" | "formData"), "ssv") => "spaceDelimited",
        (Some("query" | "formData"), "pipes") => "pipeDelimited",
        (Some("query" | "formData"), _) => "form",
        _ => "simple",
    };
    vec![("style".to_owned(), Json::text(style)), ("explode".to_owned(), Json::Bool(false))]
}

fn schema_of(parameter: &Json) -> Vec<(String, Json)> {
    parameter.entries().iter().filter(|(key, _)| SCHEMA_KEYS.contains(&key.as_str())).cloned().collect()
}
