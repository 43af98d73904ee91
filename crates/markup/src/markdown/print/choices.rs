//! Printer of select columns as HTML.

use crate::markdown_html::escape;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Returns the element with the options of a column; `None` if HTML cannot express all of them.
pub(super) fn offered(column: &Value) -> Option<String> {
    let options = options(column)?;
    let multiple = if column.get("multiple")?.as_bool()? { " multiple" } else { "" };
    let options = options.iter().map(|option| {
        let part = |name: &str| escape(text(option, name));
        format!(
            "<option value=\"{}\" label=\"{}\" color=\"{}\"></option>",
            part("value"),
            part("label"),
            part("color")
        )
    });
    Some(format!("<select{multiple}>{}</select>", options.collect::<String>()))
}

/// Returns the labels of the chosen options. The commas between them are inside their elements, as in GitBook. `None`
/// if a choice is not an option of the column.
pub(super) fn chosen(column: &Value, names: &[&str]) -> Option<String> {
    let options = options(column).filter(|_| !names.is_empty())?;
    let named = (1..).zip(names).map(|(number, name)| {
        let option = options.iter().find(|option| text(option, "value") == *name)?;
        let label = escape(text(option, "label"));
        let comma = if number < names.len() { ", " } else { "" };
        Some(format!("<span data-option=\"{}\">{label}{comma}</span>", escape(name)))
    });
    named.collect()
}

/// Returns the options of a column, if HTML can express them.
fn options(column: &Value) -> Option<Vec<&Map<String, Value>>> {
    let is_select = column.get("type").and_then(Value::as_str) == Some("select");
    let options = column.get("options").filter(|_| is_select)?.as_array()?;
    let mut known = BTreeSet::new();
    let mut sayable = |option: &&Map<String, Value>| {
        option.len() == 3
            && ["value", "label", "color"].iter().all(|name| !text(option, name).is_empty())
            && known.insert(text(option, "value").to_owned())
    };
    let options: Vec<_> = options.iter().map(Value::as_object).collect::<Option<_>>()?;
    options.iter().all(&mut sayable).then_some(options)
}

fn text<'o>(option: &'o Map<String, Value>, name: &str) -> &'o str {
    option.get(name).and_then(Value::as_str).unwrap_or_default()
}
