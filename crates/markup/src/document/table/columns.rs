//! Types of columns and their properties.

use super::super::rules::{Rule, keeps};
use super::super::schema::{Field, Need, may, must};
use serde_json::{Map, Value};

/// Text alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    Left,
    Center,
    Right,
}

impl Alignment {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
        }
    }

    pub(crate) fn from_wire(name: &str) -> Option<Self> {
        [Self::Left, Self::Center, Self::Right].into_iter().find(|alignment| alignment.as_str() == name)
    }
}

/// Types of columns.
pub(super) const COLUMN_TYPES: [&str; 9] =
    ["text", "number", "checkbox", "files", "content-ref", "users", "rating", "select", "image"];

/// Fit modes of images in cells.
pub(crate) const OBJECT_FITS: [&str; 3] = ["contain", "fill", "cover"];

/// Returns whether this is a type of columns.
pub(crate) fn is_column_type(name: &str) -> bool {
    COLUMN_TYPES.contains(&name)
}

/// Returns the properties of a column type besides id, title and type.
pub(super) fn fields_of(kind: &str) -> &'static [Field] {
    const MULTIPLE: Field = must!("multiple", Rule::Flag);
    match kind {
        "text" => &[
            must!("textAlignment", Rule::OneOf(&["center", "right", "left"])),
            may!("verticalAlignment", Rule::OneOf(&["top", "middle", "bottom"])),
        ],
        "users" => &[MULTIPLE],
        "rating" => &[must!("max", Rule::Number)],
        "select" => &[MULTIPLE, must!("options", Rule::Options)],
        _ => &[],
    }
}

/// Returns valid properties for a column type: removes invalid ones and adds defaults for missing required ones.
pub(super) fn settled(kind: &str, mut properties: Map<String, Value>) -> Map<String, Value> {
    for field in fields_of(kind) {
        if properties.get(field.name).is_some_and(|value| !keeps(value, field.rule)) {
            properties.remove(field.name);
        }
        if matches!(field.need, Need::Always) {
            properties.entry(field.name).or_insert_with(|| usual(field.name));
        }
    }
    properties
}

/// Returns the default of a required property.
fn usual(name: &str) -> Value {
    match name {
        "textAlignment" => Alignment::Left.as_str().into(),
        "multiple" => false.into(),
        "max" => 5.into(),
        _ => Value::Array(Vec::new()),
    }
}
