//! Rules for single property values.

use super::{COLORS, ContentRef};
use crate::html::address;
use serde_json::Value;

/// Rule for one value of `data`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    Text,
    Flag,
    Number,
    /// An object whose values are numbers.
    Numbers,
    /// An integer of at least this value.
    Count(u64),
    /// A number, or an object of `unit` and `value`.
    Length,
    OneOf(&'static [&'static str]),
    Texts,
    Object,
    /// References to tags.
    Tags,
    /// `true`, `false`, or a list of names.
    FlagOrTexts,
    HeadingId,
    /// The name of a color.
    Color,
    /// A link address with an allowed scheme.
    Link,
    /// An address that may be embedded.
    Embed,
    /// The action of a button without a link.
    Action,
    /// The options of a select column.
    Options,
    /// A reference of one of these kinds; of any kind if the list is empty.
    Ref(&'static [&'static str]),
}

/// Checks a value against a rule. The error describes valid values.
pub(super) fn check(value: &Value, rule: Rule) -> Result<(), String> {
    if keeps(value, rule) {
        return Ok(());
    }
    match (rule, ContentRef::from_value(value)) {
        (Rule::Ref(_), Some(reference)) if !runs_no_script(&reference) => {
            Err("must not have a URL that runs code".to_owned())
        }
        _ => Err(format!("must be {}", wanted(rule))),
    }
}

/// Returns whether a value satisfies a rule.
pub(super) fn keeps(value: &Value, rule: Rule) -> bool {
    match rule {
        Rule::Text => value.is_string(),
        Rule::Flag => value.is_boolean(),
        Rule::Number => value.is_number(),
        Rule::Numbers => value.as_object().is_some_and(|numbers| numbers.values().all(Value::is_number)),
        Rule::Object => value.is_object(),
        Rule::Count(least) => value.as_u64().is_some_and(|number| number >= least),
        Rule::Length => is_length(value),
        Rule::OneOf(names) => value.as_str().is_some_and(|name| names.contains(&name)),
        Rule::Texts => all(value, Value::is_string),
        Rule::Tags => all(value, |tag| keeps(tag, Rule::Ref(&["tag"]))),
        Rule::FlagOrTexts => value.is_boolean() || all(value, Value::is_string),
        Rule::HeadingId => value.as_str().is_some_and(is_heading_id),
        Rule::Color => value.as_str().is_some_and(|name| COLORS.contains(&name)),
        Rule::Action => is_action(value),
        Rule::Link => value.as_str().is_some_and(address::runs_no_script),
        Rule::Embed => value.as_str().is_some_and(address::is_embed),
        Rule::Options => all(value, is_option),
        Rule::Ref(kinds) => {
            let reference = ContentRef::from_value(value);
            reference.is_some_and(|found| {
                (kinds.is_empty() || kinds.contains(&found.kind())) && runs_no_script(&found)
            })
        }
    }
}

/// Returns the description of valid values.
fn wanted(rule: Rule) -> String {
    match rule {
        Rule::Text => "a string".to_owned(),
        Rule::Flag => "a boolean".to_owned(),
        Rule::Number => "a number".to_owned(),
        Rule::Numbers => "an object of numbers".to_owned(),
        Rule::Object => "an object".to_owned(),
        Rule::Count(least) => format!("a whole number that is at least {least}"),
        Rule::Length => "a number or an object of unit and value".to_owned(),
        Rule::OneOf(names) => format!("one of {}", names.join(", ")),
        Rule::Color => format!("one of {}", COLORS.join(", ")),
        Rule::Texts => "an array of strings".to_owned(),
        Rule::Tags => "an array of references of the tag kind".to_owned(),
        Rule::FlagOrTexts => "a boolean or an array of strings".to_owned(),
        Rule::HeadingId => "an anchor of lower-case letters, digits and - . + _".to_owned(),
        Rule::Action => "`search` or `ask` with an optional query, or `select` with a slug".to_owned(),
        Rule::Link => "an address with an allowed scheme, such as https".to_owned(),
        Rule::Embed => "a web address or a path".to_owned(),
        Rule::Options => "an array of objects with a value, a label and a color".to_owned(),
        Rule::Ref([]) => "a reference of a known kind".to_owned(),
        Rule::Ref(kinds) => {
            format!("a reference of a {} kind", kinds.join(" or "))
        }
    }
}

fn all(value: &Value, keeps: impl Fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|values| values.iter().all(keeps))
}

/// Returns whether a reference is safe: not a URL that could execute code.
fn runs_no_script(reference: &ContentRef) -> bool {
    !matches!(reference, ContentRef::Url { url } if !address::runs_no_script(url))
}

fn is_length(value: &Value) -> bool {
    value.is_number()
        || (value.get("value").is_some_and(Value::is_number)
            && value.get("unit").is_some_and(Value::is_string))
}

fn is_action(value: &Value) -> bool {
    let text = |name: &str| value.get(name).map(Value::is_string);
    match value.get("action").and_then(Value::as_str) {
        Some("search" | "ask") => text("query") != Some(false),
        Some("select") => text("slug") == Some(true),
        _ => false,
    }
}

fn is_option(value: &Value) -> bool {
    ["value", "label", "color"].iter().all(|name| value.get(name).is_some_and(Value::is_string))
}

/// Returns whether a string may be the id of a heading: `^[-a-z0-9.+_]+$`.
pub(crate) fn is_heading_id(id: &str) -> bool {
    let allowed =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '+' | '_');
    !id.is_empty() && id.chars().all(allowed)
}
