//! Configuration schemas of integrations, and validation against them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::bounds::{
    CONFIGURATION_CHOICE_MAX, CONFIGURATION_CHOICES_MAX, CONFIGURATION_DEPTH_MAX, CONFIGURATION_MAX,
};
use crate::{object_only, patch, text_checks, texts};

/// Longest text on a button.
const BUTTON_TEXT_MAX: u64 = 30;
/// Most properties of a configuration.
const PROPERTIES_MAX: u64 = 50;

/// Configuration schemas by target of the installation.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct IntegrationConfigurations {
    /// Schema for installations on organizations.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub account: Option<ConfigurationSchema>,
    /// Schema for installations on spaces.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub space: Option<ConfigurationSchema>,
    /// Schema for installations on sites.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub site: Option<ConfigurationSchema>,
}

/// Configuration schema: either properties or a component of the script.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[validate(schema(function = "check_schema"))]
pub struct ConfigurationSchema {
    /// Properties by name.
    #[serde(deserialize_with = "object_only::present_by_name")]
    pub properties: Option<BTreeMap<String, ConfigurationProperty>>,
    /// Names of properties that an installation needs to become active.
    #[serde(deserialize_with = "patch::present")]
    pub required: Option<Vec<String>>,
    /// Id of the script component that renders the configuration. Excludes `properties`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    #[schema(value_type = texts::IntegrationPartId, required = false)]
    pub component_id: Option<String>,
}

/// Property of a configuration.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConfigurationProperty {
    /// Type of the property.
    #[serde(rename = "type")]
    pub property_type: PropertyType,
    /// Title of the property.
    #[serde(default, deserialize_with = "patch::present")]
    pub title: Option<String>,
    /// Description of the property.
    #[serde(default, deserialize_with = "patch::present")]
    pub description: Option<String>,
    /// Default value.
    #[serde(default, deserialize_with = "patch::present")]
    pub default: Option<Value>,
    /// Allowed values. Only for type `string`.
    #[serde(rename = "enum", default, deserialize_with = "patch::present")]
    pub choices: Option<Vec<String>>,
    /// URL that proposes values. Only for type `string`.
    #[serde(default, deserialize_with = "patch::present")]
    pub completion_url: Option<String>,
    /// URL that is called on a click. Only for type `button`.
    #[serde(default, deserialize_with = "patch::present")]
    pub callback_url: Option<String>,
    /// Text of the button. Only for type `button`.
    #[serde(default, deserialize_with = "patch::present")]
    pub button_text: Option<String>,
}

/// Type of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PropertyType {
    /// String.
    String,
    /// Number.
    Number,
    /// Boolean.
    Boolean,
    /// No value: a click calls the script.
    Button,
}

impl ConfigurationProperty {
    /// Checks a value.
    fn check(&self, value: &Value) -> Result<(), String> {
        match (self.property_type, value) {
            (PropertyType::String, Value::String(text)) => match &self.choices {
                Some(choices) if !choices.contains(text) => {
                    Err(format!("`{text}` is not one of the allowed values"))
                }
                _ => Ok(()),
            },
            (PropertyType::Number, Value::Number(_)) | (PropertyType::Boolean, Value::Bool(_)) => Ok(()),
            // A script may store the result of a click with the button.
            (PropertyType::Button, _) => Ok(()),
            (PropertyType::String, _) => Err("must be a string".to_owned()),
            (PropertyType::Number, _) => Err("must be a number".to_owned()),
            (PropertyType::Boolean, _) => Err("must be true or false".to_owned()),
        }
    }

    /// Returns the first bound that the definition breaks, or an invalid URL.
    fn bound_that_is_broken(&self) -> Option<String> {
        let said = |error: ValidationError| error.message.unwrap_or_default().into_owned();
        let value = text_checks::check::<0, CONFIGURATION_CHOICE_MAX>;
        let choices = self.choices.iter().flatten();
        let default = self.default.iter().filter_map(Value::as_str);
        if let Some(error) = choices.map(String::as_str).chain(default).find_map(|text| value(text).err()) {
            return Some(format!("has a value that {}", said(error)));
        }
        let choices = self.choices.as_deref().unwrap_or_default();
        let offered = text_checks::count::<0, CONFIGURATION_CHOICES_MAX, _>(choices);
        if let Err(error) = offered.and_then(|()| text_checks::distinct(choices)) {
            return Some(format!("has an `enum` that {}", said(error)));
        }
        // A path refers to the script itself.
        let address = |url: &String| texts::UrlPattern::check(url).and_then(|()| crate::urls::address(url));
        let urls = [("completion_url", &self.completion_url), ("callback_url", &self.callback_url)];
        let wrong = urls.into_iter().find_map(|(name, url)| Some((name, address(url.as_ref()?).err()?)));
        if let Some((name, error)) = wrong {
            return Some(format!("has a `{name}` that {}", said(error)));
        }
        let button =
            self.button_text.as_ref().and_then(|label| text_checks::check::<1, BUTTON_TEXT_MAX>(label).err());
        button.map(|error| format!("has a `button_text` that {}", said(error)))
    }

    /// Returns the problem of the definition.
    fn problem(&self) -> Option<String> {
        let long = |text: &Option<String>, most: usize| {
            text.as_ref().is_some_and(|text| text.chars().count() > most)
        };
        let of_string = self.choices.is_some() || self.completion_url.is_some();
        let of_button = self.callback_url.is_some() || self.button_text.is_some();
        if long(&self.title, 30) {
            return Some("has a title of more than 30 characters".to_owned());
        }
        if long(&self.description, 100) {
            return Some("has a description of more than 100 characters".to_owned());
        }
        if let Some(problem) = self.bound_that_is_broken() {
            return Some(problem);
        }
        match self.property_type {
            PropertyType::String if of_button => {
                Some("has keys that are allowed for a `button` only".to_owned())
            }
            PropertyType::Number | PropertyType::Boolean if of_string || of_button => {
                Some("has keys that are not allowed for its type".to_owned())
            }
            PropertyType::Button if self.callback_url.is_none() || self.button_text.is_none() => {
                Some("must have `callback_url` and `button_text`".to_owned())
            }
            PropertyType::Button if of_string || self.default.is_some() => {
                Some("has keys that are not allowed for its type".to_owned())
            }
            _ => self.default.as_ref().and_then(|value| {
                self.check(value).err().map(|problem| format!("has a default that is not valid: {problem}"))
            }),
        }
    }
}

impl ConfigurationSchema {
    /// Checks a configuration: returns each wrong name or value with its problem. Missing properties are allowed.
    /// Configurations of a component are checked only by the script.
    pub fn check(&self, configuration: &Map<String, Value>) -> Vec<(String, String)> {
        let Some(properties) = &self.properties else { return Vec::new() };
        let wrong = |(name, value): (&String, &Value)| {
            let problem = match properties.get(name) {
                None => Some("is not a property of the integration".to_owned()),
                Some(property) => property.check(value).err(),
            };
            problem.map(|problem| (name.clone(), problem))
        };
        configuration.iter().filter_map(wrong).collect()
    }

    /// Returns whether the configuration, with defaults, has all required properties.
    pub fn is_complete(&self, configuration: &Map<String, Value>) -> bool {
        let default = |name: &String| {
            self.properties.as_ref().and_then(|properties| properties.get(name)?.default.as_ref()).is_some()
        };
        self.required.iter().flatten().all(|name| configuration.contains_key(name) || default(name))
    }
}

/// Checks the size and depth of a configuration. [`ConfigurationSchema::check`] checks its content.
pub(super) fn check_size(configuration: &Map<String, Value>) -> Result<(), ValidationError> {
    configuration.values().try_for_each(text_checks::json::<CONFIGURATION_DEPTH_MAX>)?;
    let bytes = serde_json::to_vec(configuration).map_or(usize::MAX, |json| json.len());
    if bytes > CONFIGURATION_MAX {
        return Err(text_checks::error(
            "length",
            format!("must have at most {CONFIGURATION_MAX} bytes of JSON"),
        ));
    }
    Ok(())
}

/// Checks that a schema has exactly one of its two forms, and that its properties are consistent.
fn check_schema(schema: &ConfigurationSchema) -> Result<(), ValidationError> {
    let error = |message: String| Err(text_checks::error("configuration", message));
    let Some(properties) = &schema.properties else {
        return match schema.component_id {
            Some(_) if schema.required.is_some() => error("`required` requires `properties`".to_owned()),
            Some(_) => Ok(()),
            None => error("must have `properties` or `componentId`".to_owned()),
        };
    };
    if schema.component_id.is_some() {
        return error("must not have both `properties` and `componentId`".to_owned());
    }
    let count = u64::try_from(properties.len()).unwrap_or(u64::MAX);
    if count > PROPERTIES_MAX {
        return error(format!("must have at most {PROPERTIES_MAX} properties, has {count}"));
    }
    for (name, property) in properties {
        texts::IntegrationPartId::check(name)?;
        if let Some(problem) = property.problem() {
            return error(format!("`{name}` {problem}"));
        }
    }
    let required = schema.required.as_deref().unwrap_or_default();
    text_checks::distinct(required)?;
    match required.iter().find(|name| !properties.contains_key(*name)) {
        Some(name) => error(format!("requires `{name}`, which is not a property")),
        None => Ok(()),
    }
}
