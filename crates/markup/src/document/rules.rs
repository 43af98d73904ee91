//! Rules of single values.

use super::ContentRef;
use super::schema::Rule;
use serde_json::Value;

/// Checks a value against a rule; the error says what it must be.
pub(super) fn check(value: &Value, rule: Rule) -> Result<(), String> {
    let (kept, wanted) = match rule {
        Rule::Text => (value.is_string(), "a string".to_owned()),
        Rule::Flag => (value.is_boolean(), "a boolean".to_owned()),
        Rule::Object => (value.is_object(), "an object".to_owned()),
        Rule::Count(least) => {
            (value.as_u64().is_some_and(|n| n >= least), format!("a whole number that is at least {least}"))
        }
        Rule::Length => (is_length(value), "a number or an object of unit and value".to_owned()),
        Rule::OneOf(names) => {
            (value.as_str().is_some_and(|name| names.contains(&name)), format!("one of {}", names.join(", ")))
        }
        Rule::Texts => {
            let texts = value.as_array().is_some_and(|values| values.iter().all(Value::is_string));
            (texts, "an array of strings".to_owned())
        }
        Rule::Tags => {
            let is_tag = |tag: &Value| tag.is_string() || tag.get("tag").is_some_and(Value::is_string);
            let tags = value.as_array().is_some_and(|values| values.iter().all(is_tag));
            (tags, "an array of names or of objects with a `tag`".to_owned())
        }
        Rule::FlagOrTexts => {
            let texts = value.as_array().is_some_and(|values| values.iter().all(Value::is_string));
            (texts || value.is_boolean(), "a boolean or an array of strings".to_owned())
        }
        Rule::HeadingId => (
            value.as_str().is_some_and(is_heading_id),
            "an anchor of small letters, digits and - . + _".to_owned(),
        ),
        Rule::Ref(kinds) => {
            let reference = ContentRef::from_value(value);
            let kept = reference.is_some_and(|found| kinds.is_empty() || kinds.contains(&found.kind()));
            let kinds = if kinds.is_empty() { "known".to_owned() } else { kinds.join(" or ") };
            (kept, format!("a reference of a {kinds} kind"))
        }
    };
    if kept { Ok(()) } else { Err(format!("must be {wanted}")) }
}

fn is_length(value: &Value) -> bool {
    value.is_number()
        || (value.get("value").is_some_and(Value::is_number)
            && value.get("unit").is_some_and(Value::is_string))
}

/// Whether a string may be the id of a heading: `^[-a-z0-9.+_]+$`.
pub(crate) fn is_heading_id(id: &str) -> bool {
    let allowed =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '+' | '_');
    !id.is_empty() && id.chars().all(allowed)
}
