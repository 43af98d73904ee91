//! Attributes in JSON. Their names are case-insensitive (RFC 7643, 2.1), and null is the same as an absent value (2.5).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;

use super::problem::ScimProblem;
use crate::clock::Timestamp;

/// Attributes of a resource, or of a complex attribute.
pub(super) type Attributes = Map<String, Value>;

/// Metadata of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// Name of the resource type.
    pub resource_type: &'static str,
    /// Creation time.
    pub created: Timestamp,
    /// Time of the last change.
    pub last_modified: Timestamp,
    /// URL of the resource.
    pub location: String,
}

/// Member of a group, or group of a user.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Id of the resource.
    pub value: String,
    /// Title of a group; `None` for a member, because clients compare the members with the ones that they sent.
    pub display: Option<String>,
    /// URL of the resource.
    #[serde(rename = "$ref", default)]
    pub url: String,
}

/// Returns the key under which an object holds an attribute.
pub(super) fn key(object: &Attributes, name: &str) -> Option<String> {
    object.keys().find(|key| key.eq_ignore_ascii_case(name)).cloned()
}

/// Returns the value of an attribute; `None` for null.
pub(super) fn get<'a>(object: &'a Attributes, name: &str) -> Option<&'a Value> {
    let found = object
        .get(name)
        .or_else(|| object.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value));
    found.filter(|value| !value.is_null())
}

/// Sets an attribute under its existing key, or under `name`.
pub(super) fn set(object: &mut Attributes, name: &str, value: Value) {
    let key = key(object, name).unwrap_or_else(|| name.to_owned());
    object.insert(key, value);
}

/// Removes an attribute.
pub(super) fn remove(object: &mut Attributes, name: &str) {
    if let Some(key) = key(object, name) {
        object.remove(&key);
    }
}

/// Returns a text of at most `longest` characters; `None` if it is absent or blank.
///
/// # Errors
/// A value of another type, a text that is too long, and control characters.
pub(super) fn text(object: &Attributes, name: &str, longest: u64) -> Result<Option<String>, ScimProblem> {
    let Some(value) = get(object, name) else { return Ok(None) };
    let text = value.as_str().ok_or_else(|| ScimProblem::value(name, "must be a string"))?;
    if u64::try_from(text.chars().count()).unwrap_or(u64::MAX) > longest {
        return Err(ScimProblem::value(name, &format!("must have at most {longest} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(ScimProblem::value(name, "must not contain control characters"));
    }
    Ok(Some(text.to_owned()).filter(|text| !text.trim().is_empty()))
}

/// Returns a boolean. Entra ID sends booleans as texts such as `"False"`.
///
/// # Errors
/// A value of another type.
pub(super) fn boolean(object: &Attributes, name: &str) -> Result<Option<bool>, ScimProblem> {
    match get(object, name) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(Some(true)),
        Some(Value::String(text)) if text.eq_ignore_ascii_case("false") => Ok(Some(false)),
        Some(_) => Err(ScimProblem::value(name, "must be a boolean")),
    }
}

/// Returns the objects of a list. A single object counts as a list.
///
/// # Errors
/// Values of other types, and a list of more than `most`.
pub(super) fn objects<'a>(
    object: &'a Attributes,
    name: &str,
    most: usize,
) -> Result<Option<Vec<&'a Attributes>>, ScimProblem> {
    let items = match get(object, name) {
        None => return Ok(None),
        Some(Value::Array(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    if items.len() > most {
        return Err(ScimProblem::value(name, &format!("must have at most {most} values")));
    }
    let objects = items.iter().map(Value::as_object).collect::<Option<_>>();
    objects.map(Some).ok_or_else(|| ScimProblem::value(name, "must be a list of objects"))
}
