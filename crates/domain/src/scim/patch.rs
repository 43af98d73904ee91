//! PATCH requests (RFC 7644, 3.5.2), applied to the JSON of a resource.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::filter::Filter;
use super::problem::{ScimProblem, ScimType};
use super::schemas::Kind;
use super::value::{Attributes, get, key, remove, set};
use crate::bounds::SCIM_OPERATIONS_MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Add,
    Replace,
    Remove,
}

/// Part of a resource that an operation changes.
struct Target<'a> {
    attribute: &'a str,
    filter: Option<Filter>,
    part: Option<&'a str>,
}

/// Applies the operations of a request, in order. Attributes that Quire does not have are ignored.
///
/// # Errors
/// Operations of the wrong form, unsupported paths, and changes of read-only attributes.
pub fn apply(resource: &mut Attributes, request: &Attributes, kind: Kind) -> Result<(), ScimProblem> {
    let operations = get(request, "Operations").and_then(Value::as_array);
    let operations = operations.ok_or_else(|| syntax("`Operations` must be a list."))?;
    if operations.len() > SCIM_OPERATIONS_MAX {
        return Err(syntax(&format!("`Operations` must have at most {SCIM_OPERATIONS_MAX} values.")));
    }
    for operation in operations {
        let operation = operation.as_object().ok_or_else(|| syntax("An operation must be an object."))?;
        let verb = verb(get(operation, "op").and_then(Value::as_str))?;
        // Unlike for other keys, null differs from absence: it clears the attribute.
        let value = key(operation, "value").and_then(|key| operation.get(&key));
        match get(operation, "path") {
            Some(Value::String(path)) => change(resource, verb, path, value, kind, true)?,
            Some(_) => return Err(ScimProblem::new(ScimType::InvalidPath, "`path` must be a string.")),
            None if verb == Verb::Remove => {
                return Err(ScimProblem::new(ScimType::NoTarget, "`remove` requires `path`."));
            }
            None => {
                let values = value.and_then(Value::as_object);
                let values = values.ok_or_else(|| syntax("`value` must be an object without `path`."))?;
                for (path, value) in values {
                    change(resource, verb, path, Some(value), kind, false)?;
                }
            }
        }
    }
    Ok(())
}

fn syntax(detail: &str) -> ScimProblem {
    ScimProblem::new(ScimType::InvalidSyntax, detail)
}

fn verb(text: Option<&str>) -> Result<Verb, ScimProblem> {
    match text.map(str::to_ascii_lowercase).as_deref() {
        Some("add") => Ok(Verb::Add),
        Some("replace") => Ok(Verb::Replace),
        Some("remove") => Ok(Verb::Remove),
        _ => Err(syntax("`op` must be `add`, `replace` or `remove`.")),
    }
}

/// Applies an operation to the attribute of a path. `is_strict`: the path was sent as such, so that a change of a
/// read-only attribute is refused instead of ignored.
fn change(
    resource: &mut Attributes,
    verb: Verb,
    path: &str,
    value: Option<&Value>,
    kind: Kind,
    is_strict: bool,
) -> Result<(), ScimProblem> {
    let target = target(path, kind)?;
    let is_named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(target.attribute));
    if is_named(kind.read_only()) {
        let detail = format!("`{}` is read-only.", target.attribute);
        return if is_strict { Err(ScimProblem::new(ScimType::Mutability, detail)) } else { Ok(()) };
    }
    if is_named(kind.lists()) {
        return change_list(resource, verb, &target, value);
    }
    match (target.filter, target.part) {
        (Some(_), _) => Err(unsupported(path)),
        (None, Some(part)) => {
            let mut object = object_of(resource, target.attribute);
            change_value(&mut object, verb, part, value)?;
            set(resource, target.attribute, Value::Object(object));
            Ok(())
        }
        (None, None) => change_value(resource, verb, target.attribute, value),
    }
}

fn target(path: &str, kind: Kind) -> Result<Target<'_>, ScimProblem> {
    let schema = kind.schema();
    let bare = path
        .split_at_checked(schema.len())
        .filter(|(urn, _)| urn.eq_ignore_ascii_case(schema))
        .and_then(|(_, rest)| rest.strip_prefix(':'))
        .unwrap_or(path);
    if bare.len() > 1_000 || bare.is_empty() {
        return Err(unsupported(""));
    }
    // Attributes of other schemas have dots in their URN.
    if bare.starts_with("urn:") {
        return Ok(Target { attribute: bare, filter: None, part: None });
    }
    match bare.split_once('[') {
        None => match bare.split_once('.') {
            None => Ok(Target { attribute: bare, filter: None, part: None }),
            Some((attribute, part)) => Ok(Target { attribute, filter: None, part: Some(part) }),
        },
        Some((attribute, rest)) => {
            let (filter, part) = rest.rsplit_once(']').ok_or_else(|| unsupported(path))?;
            let part = match part {
                "" => None,
                part => Some(part.strip_prefix('.').ok_or_else(|| unsupported(path))?),
            };
            Ok(Target { attribute, filter: Some(Filter::parse(filter)?), part })
        }
    }
}

fn unsupported(path: &str) -> ScimProblem {
    let shown: String = path.chars().take(100).collect();
    ScimProblem::new(ScimType::InvalidPath, format!("The path `{shown}` is not supported."))
}

fn object_of(resource: &Attributes, name: &str) -> Attributes {
    get(resource, name).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Changes a single value. Parts of an object that the value lacks are unchanged.
fn change_value(
    object: &mut Attributes,
    verb: Verb,
    name: &str,
    value: Option<&Value>,
) -> Result<(), ScimProblem> {
    if verb == Verb::Remove {
        remove(object, name);
        return Ok(());
    }
    match value {
        None => Err(syntax("`value` is missing.")),
        Some(Value::Object(parts)) => {
            let mut merged = object_of(object, name);
            for (part, value) in parts {
                set(&mut merged, part, value.clone());
            }
            set(object, name, Value::Object(merged));
            Ok(())
        }
        Some(value) => {
            set(object, name, value.clone());
            Ok(())
        }
    }
}

fn change_list(
    resource: &mut Attributes,
    verb: Verb,
    target: &Target<'_>,
    value: Option<&Value>,
) -> Result<(), ScimProblem> {
    let name = key(resource, target.attribute).unwrap_or_else(|| target.attribute.to_owned());
    let mut items = match resource.remove(&name) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    match (&target.filter, target.part) {
        (None, None) => change_items(&mut items, verb, value)?,
        (None, Some(_)) => return Err(unsupported(&format!("{name}.{}", target.part.unwrap_or_default()))),
        (Some(filter), part) => change_selected(&mut items, verb, filter, part, value)?,
    }
    resource.insert(name, Value::Array(items));
    Ok(())
}

/// Changes a whole list.
fn change_items(items: &mut Vec<Value>, verb: Verb, value: Option<&Value>) -> Result<(), ScimProblem> {
    let values = match value {
        Some(Value::Array(values)) => values.as_slice(),
        Some(Value::Null) => &[],
        Some(value) => std::slice::from_ref(value),
        None if verb == Verb::Remove => {
            items.clear();
            return Ok(());
        }
        None => return Err(syntax("`value` is missing.")),
    };
    match verb {
        Verb::Replace => *items = values.to_vec(),
        Verb::Add => {
            let known: HashSet<String> = items.iter().filter_map(value_of).map(str::to_owned).collect();
            let is_new = |value: &&Value| value_of(value).is_none_or(|value| !known.contains(value));
            items.extend(values.iter().filter(is_new).cloned());
        }
        Verb::Remove => {
            let removed: HashSet<&str> = values.iter().filter_map(value_of).collect();
            items.retain(|item| value_of(item).is_none_or(|value| !removed.contains(value)));
        }
    }
    Ok(())
}

/// Returns the `value` of an item, which identifies it in its list.
fn value_of(item: &Value) -> Option<&str> {
    get(item.as_object()?, "value")?.as_str()
}

/// Changes the items of a list that a filter selects.
fn change_selected(
    items: &mut Vec<Value>,
    verb: Verb,
    filter: &Filter,
    part: Option<&str>,
    value: Option<&Value>,
) -> Result<(), ScimProblem> {
    let selects =
        |item: &Value| item.as_object().is_some_and(|item| filter.matches(get(item, &filter.attribute)));
    if verb == Verb::Remove && part.is_none() {
        items.retain(|item| !selects(item));
        return Ok(());
    }
    if !items.iter().any(selects) {
        match verb {
            Verb::Remove => return Ok(()),
            Verb::Replace => {
                return Err(ScimProblem::new(ScimType::NoTarget, "The filter in `path` matches no value."));
            }
            Verb::Add => {
                items.push(Value::Object(Map::from_iter([(filter.attribute.clone(), filter.value.clone())])));
            }
        }
    }
    for item in items.iter_mut().filter(|item| selects(item)) {
        let Some(object) = item.as_object_mut() else { continue };
        match (part, value) {
            (Some(part), value) => change_value(object, verb, part, value)?,
            (None, Some(Value::Object(parts))) => {
                for (part, value) in parts {
                    set(object, part, value.clone());
                }
            }
            (None, _) => return Err(syntax("`value` must be an object.")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{Kind, ScimProblem, ScimType};

    fn applied(kind: Kind, resource: Value, operations: Value) -> Result<Value, ScimProblem> {
        let Value::Object(mut resource) = resource else { panic!() };
        let request = json!({"Operations": operations});
        super::apply(&mut resource, request.as_object().unwrap(), kind)?;
        Ok(Value::Object(resource))
    }

    fn user(operations: Value) -> Result<Value, ScimProblem> {
        let user = json!({
            "id": "1", "userName": "ada", "active": true, "name": {"givenName": "Ada"},
            "emails": [{"type": "work", "value": "a@b.example"}],
        });
        applied(Kind::User, user, operations)
    }

    #[test]
    fn single_values_are_set_merged_and_removed() {
        let after = user(json!([
            {"op": "Replace", "path": "ACTIVE", "value": "False"},
            {"op": "add", "path": "name.familyName", "value": "Lovelace"},
            {"op": "replace", "value": {"userName": "countess", "name": {"givenName": "A."}, "id": "2", "title": "x"}},
            {"op": "add", "value": {"name.familyName": "King", "urn:ietf:params:scim:schemas:core:2.0:User:displayName": "Ada"}},
            {"op": "add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "x"},
        ]))
        .unwrap();
        assert_eq!(after["active"], "False");
        assert_eq!(after["name"], json!({"givenName": "A.", "familyName": "King"}));
        assert_eq!(
            (&after["userName"], &after["id"], &after["displayName"]),
            (&json!("countess"), &json!("1"), &json!("Ada"))
        );
        let after = user(json!([{"op": "remove", "path": "name"}])).unwrap();
        assert!(after.get("name").is_none());
    }

    #[test]
    fn values_of_lists_are_selected() {
        let after = user(json!([
            {"op": "replace", "path": "emails[type eq \"work\"].value", "value": "c@d.example"},
            {"op": "add", "path": "emails[type eq \"home\"].value", "value": "e@f.example"},
        ]))
        .unwrap();
        assert_eq!(
            after["emails"],
            json!([{"type": "work", "value": "c@d.example"}, {"type": "home", "value": "e@f.example"}])
        );
        let after = user(json!([{"op": "remove", "path": "emails[type eq \"WORK\"]"}])).unwrap();
        assert_eq!(after["emails"], json!([]));
        let group = |operations| {
            applied(Kind::Group, json!({"members": [{"value": "1"}, {"value": "2"}]}), operations).unwrap()["members"].clone()
        };
        assert_eq!(
            group(json!([{"op": "add", "path": "members", "value": [{"value": "2"}, {"value": "3"}]}])),
            json!([{"value": "1"}, {"value": "2"}, {"value": "3"}])
        );
        assert_eq!(
            group(json!([{"op": "remove", "path": "members[value eq \"1\"]"}])),
            json!([{"value": "2"}])
        );
        assert_eq!(
            group(json!([{"op": "remove", "path": "members", "value": [{"value": "2"}]}])),
            json!([{"value": "1"}])
        );
        assert_eq!(group(json!([{"op": "remove", "path": "members"}])), json!([]));
        assert_eq!(
            group(json!([{"op": "replace", "path": "members", "value": {"value": "9"}}])),
            json!([{"value": "9"}])
        );
    }

    #[test]
    fn wrong_operations_are_refused_by_kind() {
        for (operation, kind) in [
            (json!({"op": "move", "path": "active"}), ScimType::InvalidSyntax),
            (json!({"op": "remove"}), ScimType::NoTarget),
            (json!({"op": "replace", "path": "active"}), ScimType::InvalidSyntax),
            (json!({"op": "replace", "value": 7}), ScimType::InvalidSyntax),
            (json!({"op": "replace", "path": "id", "value": "2"}), ScimType::Mutability),
            (json!({"op": "replace", "path": "groups", "value": []}), ScimType::Mutability),
            (
                json!({"op": "replace", "path": "emails[type eq \"x\"].value", "value": ""}),
                ScimType::NoTarget,
            ),
            (json!({"op": "replace", "path": "emails[type gt 1]", "value": {}}), ScimType::InvalidFilter),
            (json!({"op": "replace", "path": "emails[type eq 1", "value": {}}), ScimType::InvalidPath),
            (json!({"op": "replace", "path": "emails.value", "value": ""}), ScimType::InvalidPath),
            (json!({"op": "replace", "path": "", "value": ""}), ScimType::InvalidPath),
            (json!({"op": "replace", "path": 7, "value": ""}), ScimType::InvalidPath),
            (json!(7), ScimType::InvalidSyntax),
        ] {
            assert_eq!(user(json!([operation])).unwrap_err().kind, kind, "{operation}");
        }
        let many: Vec<Value> = (0..1_001).map(|_| json!({"op": "remove", "path": "title"})).collect();
        assert_eq!(user(Value::Array(many)).unwrap_err().kind, ScimType::InvalidSyntax);
        assert_eq!(user(json!({})).unwrap_err().kind, ScimType::InvalidSyntax);
    }
}
