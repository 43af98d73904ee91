//! Custom fields: typed metadata of spaces. An organization defines the fields, each space holds values.

use std::collections::BTreeMap;

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::bounds;
use crate::clock::Timestamp;
use crate::ids::CustomFieldId;
#[cfg(feature = "postgres")]
use crate::schema::custom_fields;
#[cfg(feature = "postgres")]
use crate::stored::Elements;
use crate::{object_only, patch, text_checks, texts};

/// Stored fields of a custom field, which responses contain unchanged.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = custom_fields, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct CustomFieldFacts {
    /// Id of the field.
    pub id: CustomFieldId,
    /// Name of the custom field in requests. Unique in the organization and immutable.
    pub name: String,
    /// Title of the custom field.
    pub title: String,
    /// Description of the custom field.
    pub description: String,
    /// Type of the values.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "postgres", diesel(column_name = type_))]
    pub field_type: CustomFieldType,
    /// Text shown while the custom field has no value.
    pub placeholder: String,
    /// Allowed values. Present only for the `select` types.
    #[schema(nullable = false)]
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Elements<Option<Vec<Option<String>>>>))]
    pub options: Option<Vec<String>>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Custom field of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CustomField {
    /// Facts of the field.
    #[serde(flatten)]
    pub facts: CustomFieldFacts,
    /// URLs of the field.
    pub urls: CustomFieldUrls,
    /// Permissions of the caller on the custom field.
    pub permissions: CustomFieldPermissions,
}

/// URLs of a custom field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomFieldUrls {
    /// URL of the field in this API.
    pub location: String,
}

/// Permissions of the caller on the definition of a custom field. The permissions of a space decide on its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomFieldPermissions {
    /// `true` if the caller may see the custom field.
    pub view: bool,
    /// `true` if the caller may update and delete the custom field.
    pub edit: bool,
}

/// Type of the values of a custom field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CustomFieldType {
    /// String.
    Text,
    /// Number.
    Number,
    /// Boolean.
    Boolean,
    /// List of strings.
    Tags,
    /// List of options.
    #[serde(rename = "select:multi")]
    SelectMulti,
    /// One option.
    #[serde(rename = "select:single")]
    SelectSingle,
}

impl CustomFieldType {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Tags => "tags",
            Self::SelectMulti => "select:multi",
            Self::SelectSingle => "select:single",
        }
    }

    /// Returns whether the type is one of the `select` types.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::SelectMulti | Self::SelectSingle)
    }

    /// Checks a value against the field's `options`.
    ///
    /// # Errors
    /// A sentence without a subject that describes the problem.
    pub fn check(self, value: &Value, options: &[String]) -> Result<(), String> {
        match (self, value) {
            (Self::Text, Value::String(value)) => long_enough(value, 0),
            (Self::Number, Value::Number(_)) | (Self::Boolean, Value::Bool(_)) => Ok(()),
            (Self::SelectSingle, Value::String(value)) => one_of(value, options),
            (Self::Tags, Value::Array(values)) => each(values, |value| long_enough(value, 1)),
            (Self::SelectMulti, Value::Array(values)) => each(values, |value| one_of(value, options)),
            (Self::Text, _) => Err("must be a string".to_owned()),
            (Self::Number, _) => Err("must be a number".to_owned()),
            (Self::Boolean, _) => Err("must be true or false".to_owned()),
            (Self::SelectSingle, _) => Err("must be one of the field's options".to_owned()),
            (Self::Tags | Self::SelectMulti, _) => Err("must be a list of strings".to_owned()),
        }
    }
}

fn long_enough(value: &str, least: usize) -> Result<(), String> {
    if value.is_empty() && least > 0 {
        return Err("must not contain an empty string".to_owned());
    }
    texts::CustomFieldText::check(value)
        .map_err(|error| error.message.map_or_else(|| "is too long".to_owned(), std::borrow::Cow::into_owned))
}

fn one_of(value: &str, options: &[String]) -> Result<(), String> {
    if options.iter().any(|option| option == value) {
        return Ok(());
    }
    Err(format!("`{value}` is not one of the field's options"))
}

/// Checks each item of a list of texts, and that no item occurs twice.
fn each(values: &[Value], check: impl Fn(&str) -> Result<(), String>) -> Result<(), String> {
    let most = bounds::CUSTOM_FIELD_TEXTS_MAX;
    if u64::try_from(values.len()).unwrap_or(u64::MAX) > most {
        return Err(format!("must have at most {most} items, has {}", values.len()));
    }
    let mut seen = std::collections::BTreeSet::new();
    for value in values {
        let Value::String(value) = value else { return Err("must be a list of strings".to_owned()) };
        check(value)?;
        if !seen.insert(value) {
            return Err(format!("contains `{value}` twice"));
        }
    }
    Ok(())
}

/// Request body to create a custom field.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomFieldCreate {
    /// Name of the custom field in requests. Immutable.
    #[validate(custom(function = "texts::CustomFieldName::check"))]
    pub name: texts::CustomFieldName,
    /// Type of the values. Immutable.
    #[serde(rename = "type")]
    pub field_type: CustomFieldType,
    /// Title of the custom field. Default: its name.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CustomFieldTitle::check"))]
    #[schema(value_type = texts::CustomFieldTitle, required = false)]
    pub title: Option<texts::CustomFieldTitle>,
    /// Description of the custom field.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CustomFieldDescription::check"))]
    #[schema(value_type = texts::CustomFieldDescription, required = false)]
    pub description: Option<texts::CustomFieldDescription>,
    /// Text shown while the custom field has no value.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CustomFieldPlaceholder::check"))]
    #[schema(value_type = texts::CustomFieldPlaceholder, required = false)]
    pub placeholder: Option<texts::CustomFieldPlaceholder>,
    /// Allowed values. Required for the `select` types and not allowed for others.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "check_options"))]
    #[schema(value_type = Vec<texts::CustomFieldOption>, min_items = 1, max_items = 50, required = false)]
    pub options: Option<Vec<texts::CustomFieldOption>>,
}

/// Request body to update a custom field. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomFieldUpdate {
    /// Title of the custom field.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CustomFieldTitle::check"))]
    #[schema(value_type = texts::CustomFieldTitle, required = false)]
    pub title: Option<texts::CustomFieldTitle>,
    /// Description of the custom field.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CustomFieldDescription::check"))]
    #[schema(value_type = texts::CustomFieldDescription, required = false)]
    pub description: Option<texts::CustomFieldDescription>,
    /// Text shown while the custom field has no value.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CustomFieldPlaceholder::check"))]
    #[schema(value_type = texts::CustomFieldPlaceholder, required = false)]
    pub placeholder: Option<texts::CustomFieldPlaceholder>,
    /// Allowed values. Options in use cannot be removed.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_options"))]
    #[schema(value_type = Vec<texts::CustomFieldOption>, min_items = 1, max_items = 50, required = false)]
    pub options: Option<Vec<texts::CustomFieldOption>>,
}

/// Custom field of a space, with its value.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceCustomField {
    /// Definition of the custom field.
    pub custom_field: CustomField,
    /// Value of the custom field. Absent if not set.
    #[schema(nullable = false)]
    pub value: Option<FieldValue>,
}

/// Value of a custom field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum FieldValue {
    /// Value of a `text` or `select:single` field.
    Text(String),
    /// Value of a `number` field.
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    /// Value of a `boolean` field.
    Boolean(bool),
    /// Value of a `tags` or `select:multi` field.
    Texts(Vec<String>),
}

impl From<FieldValue> for Value {
    fn from(value: FieldValue) -> Self {
        match value {
            FieldValue::Text(value) => Self::String(value),
            FieldValue::Number(value) => Self::Number(value),
            FieldValue::Boolean(value) => Self::Bool(value),
            FieldValue::Texts(values) => values.into_iter().collect(),
        }
    }
}

/// Request body to set custom field values of a space. Applied atomically.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomFieldValuesUpdate {
    /// New values by field name, 1 to 100. Other fields keep their values.
    #[serde(deserialize_with = "object_only::objects_by_name")]
    #[validate(custom(function = "some_values"))]
    pub values: BTreeMap<String, NewFieldValue>,
}

/// New value of a custom field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewFieldValue {
    /// New value; `null` removes the value.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub value: Option<FieldValue>,
}

/// Checks the options of a custom field.
fn check_options(values: &[texts::CustomFieldOption]) -> Result<(), ValidationError> {
    texts::CustomFieldOption::check_list::<1, { bounds::CUSTOM_FIELD_OPTIONS_MAX }>(values)?;
    text_checks::distinct(&text_checks::contents(values))
}

/// Returns the problem with the presence or absence of options for a type.
pub fn options_fit_type(field_type: CustomFieldType, given: bool) -> Option<&'static str> {
    match (field_type.has_options(), given) {
        (true, false) => Some("are required for a `select` type"),
        (false, true) => Some("are only allowed for the `select` types"),
        _ => None,
    }
}

fn some_values(values: &BTreeMap<String, NewFieldValue>) -> Result<(), ValidationError> {
    let (count, most) = (u64::try_from(values.len()).unwrap_or(u64::MAX), bounds::CUSTOM_FIELDS_MAX);
    if (1..=most).contains(&count) {
        return Ok(());
    }
    Err(text_checks::error("length", format!("must have 1 to {most} entries, has {count}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_type_takes_its_own_values() {
        let options = ["a".to_owned(), "b".to_owned()];
        let table = [
            (CustomFieldType::Text, json!("x"), true),
            (CustomFieldType::Text, json!(""), true),
            (CustomFieldType::Text, json!("ä".repeat(256)), true),
            (CustomFieldType::Text, json!("ä".repeat(257)), false),
            (CustomFieldType::Text, json!(1), false),
            (CustomFieldType::Number, json!(-1.5), true),
            (CustomFieldType::Number, json!("1"), false),
            (CustomFieldType::Boolean, json!(false), true),
            (CustomFieldType::Boolean, json!("true"), false),
            (CustomFieldType::Tags, json!([]), true),
            (CustomFieldType::Tags, json!(["x", "y"]), true),
            (CustomFieldType::Tags, json!(["x", "x"]), false),
            (CustomFieldType::Tags, json!([""]), false),
            (CustomFieldType::Tags, json!([1]), false),
            (CustomFieldType::Tags, json!("x"), false),
            (CustomFieldType::SelectSingle, json!("a"), true),
            (CustomFieldType::SelectSingle, json!("c"), false),
            (CustomFieldType::SelectSingle, json!(["a"]), false),
            (CustomFieldType::SelectMulti, json!(["b", "a"]), true),
            (CustomFieldType::SelectMulti, json!(["c"]), false),
            (CustomFieldType::SelectMulti, json!(["a", "a"]), false),
        ];
        for (field_type, value, good) in table {
            assert_eq!(field_type.check(&value, &options).is_ok(), good, "{field_type:?} {value}");
        }
        let many: Value = (0..101).map(|number| number.to_string()).collect();
        assert!(CustomFieldType::Tags.check(&many, &[]).is_err());
    }

    #[test]
    fn names_and_options_are_checked() {
        let field = |json: Value| {
            serde_json::from_value::<CustomFieldCreate>(json).is_ok_and(|field| field.validate().is_ok())
        };
        assert!(field(json!({"name": "a-b_0", "type": "text"})));
        for name in ["", "A", "a b", "ä", &"a".repeat(51)] {
            assert!(!field(json!({"name": name, "type": "text"})), "{name}");
        }
        assert!(options_fit_type(CustomFieldType::Text, true).is_some());
        assert!(options_fit_type(CustomFieldType::SelectMulti, false).is_some());
        assert!(options_fit_type(CustomFieldType::SelectMulti, true).is_none());
        assert!(!field(json!({"name": "a", "type": "select:multi", "options": []})));
        assert!(!field(json!({"name": "a", "type": "select:multi", "options": ["x", "x"]})));
        assert!(field(json!({"name": "a", "type": "select:single", "options": ["x"]})));
        assert!(!field(json!({"name": "a", "type": "other"})));
    }

    #[test]
    fn a_value_may_be_null_but_not_absent() {
        let value = |json: Value| serde_json::from_value::<NewFieldValue>(json);
        assert_eq!(value(json!({"value": null})).unwrap().value, None);
        assert_eq!(value(json!({"value": 1})).unwrap().value.map(Value::from), Some(json!(1)));
        assert!(value(json!({})).is_err());
        assert!(value(json!({"value": {}})).is_err());
    }
}
