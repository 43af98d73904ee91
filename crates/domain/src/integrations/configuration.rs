//! What can be configured where an integration is installed, and whether somebody did so rightly.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bounds::{
    CONFIGURATION_CHOICE_MAX, CONFIGURATION_CHOICES_MAX, CONFIGURATION_DEPTH_MAX, CONFIGURATION_MAX,
};
use crate::features::{ToSchema, Validate, ValidationError};
use crate::{patch, strict, text, texts};

/// Longest text on a button.
const BUTTON_TEXT_MAX: u64 = 30;
/// Most properties of a configuration.
const PROPERTIES_MAX: u64 = 50;

/// What can be configured, by where the integration is installed.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct IntegrationConfigurations {
    /// On an organization.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub account: Option<ConfigurationSchema>,
    /// On a space.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub space: Option<ConfigurationSchema>,
    /// On a site.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub site: Option<ConfigurationSchema>,
}

/// What can be configured in one place: properties, or whatever a component of the script asks for.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[validate(schema(function = "check_schema"))]
pub struct ConfigurationSchema {
    /// The properties by their names.
    #[serde(deserialize_with = "strict::present_by_name", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub properties: Option<BTreeMap<String, ConfigurationProperty>>,
    /// The names of those that an installation needs before it works.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub required: Option<Vec<String>>,
    /// The component of the script that asks instead.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    #[schema(value_type = texts::IntegrationPartId, required = false)]
    pub component_id: Option<String>,
}

/// A property of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConfigurationProperty {
    /// What it takes.
    #[serde(rename = "type")]
    pub property_type: PropertyType,
    /// Title of the property.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// Description of the property.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// The value that it has when none is given.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default: Option<Value>,
    /// The values that it takes; of a `string`.
    #[serde(
        rename = "enum",
        default,
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub choices: Option<Vec<String>>,
    /// Where values are proposed; of a `string`.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub completion_url: Option<String>,
    /// Where a click leads; of a `button`.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub callback_url: Option<String>,
    /// What stands on it; of a `button`.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub button_text: Option<String>,
}

/// What a property takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PropertyType {
    /// A text.
    String,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// Nothing: a click tells the script to do something.
    Button,
}

impl ConfigurationProperty {
    /// Checks a value.
    fn check(&self, value: &Value) -> Result<(), String> {
        match (self.property_type, value) {
            (PropertyType::String, Value::String(text)) => match &self.choices {
                Some(choices) if !choices.contains(text) => Err(format!("`{text}` is none of its values")),
                _ => Ok(()),
            },
            (PropertyType::Number, Value::Number(_)) | (PropertyType::Boolean, Value::Bool(_)) => Ok(()),
            // A script may keep with a button what came of its click.
            (PropertyType::Button, _) => Ok(()),
            (PropertyType::String, _) => Err("must be a text".to_owned()),
            (PropertyType::Number, _) => Err("must be a number".to_owned()),
            (PropertyType::Boolean, _) => Err("must be true or false".to_owned()),
        }
    }

    /// What is too long, too much or no address.
    fn bound_that_is_broken(&self) -> Option<String> {
        let said = |error: ValidationError| error.message.unwrap_or_default().into_owned();
        let value = text::check::<0, CONFIGURATION_CHOICE_MAX>;
        let choices = self.choices.iter().flatten();
        let default = self.default.iter().filter_map(Value::as_str);
        if let Some(error) = choices.map(String::as_str).chain(default).find_map(|text| value(text).err()) {
            return Some(format!("has a value that {}", said(error)));
        }
        let choices = self.choices.as_deref().unwrap_or_default();
        let offered = text::count::<0, CONFIGURATION_CHOICES_MAX, _>(choices);
        if let Err(error) = offered.and_then(|()| text::distinct(choices)) {
            return Some(format!("has an `enum` that {}", said(error)));
        }
        // A path leads to the script itself.
        let address =
            |url: &String| texts::UrlPattern::check(url).and_then(|()| crate::addresses::address(url));
        let urls = [("completion_url", &self.completion_url), ("callback_url", &self.callback_url)];
        let wrong = urls.into_iter().find_map(|(name, url)| Some((name, address(url.as_ref()?).err()?)));
        if let Some((name, error)) = wrong {
            return Some(format!("has a `{name}` that {}", said(error)));
        }
        let button =
            self.button_text.as_ref().and_then(|label| text::check::<1, BUTTON_TEXT_MAX>(label).err());
        button.map(|error| format!("has a `button_text` that {}", said(error)))
    }

    /// What is wrong with its definition.
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
            PropertyType::String if of_button => Some("has keys of a `button`".to_owned()),
            PropertyType::Number | PropertyType::Boolean if of_string || of_button => {
                Some("has keys of another type".to_owned())
            }
            PropertyType::Button if self.callback_url.is_none() || self.button_text.is_none() => {
                Some("needs `callback_url` and `button_text`".to_owned())
            }
            PropertyType::Button if of_string || self.default.is_some() => {
                Some("has keys of another type".to_owned())
            }
            _ => self.default.as_ref().and_then(|value| {
                self.check(value).err().map(|problem| format!("has a default that is wrong: {problem}"))
            }),
        }
    }
}

impl ConfigurationSchema {
    /// Checks a configuration: each name and value that is wrong, with what is wrong with it. What is missing isn't wrong yet. Where a
    /// component asks, the script alone knows what is right.
    pub fn check(&self, configuration: &Map<String, Value>) -> Vec<(String, String)> {
        let Some(properties) = &self.properties else { return Vec::new() };
        let wrong = |(name, value): (&String, &Value)| {
            let problem = match properties.get(name) {
                None => Some("is no property of the integration".to_owned()),
                Some(property) => property.check(value).err(),
            };
            problem.map(|problem| (name.clone(), problem))
        };
        configuration.iter().filter_map(wrong).collect()
    }

    /// Whether a configuration, with the defaults, has all that an installation needs.
    pub fn is_complete(&self, configuration: &Map<String, Value>) -> bool {
        let default = |name: &String| {
            self.properties.as_ref().and_then(|properties| properties.get(name)?.default.as_ref()).is_some()
        };
        self.required.iter().flatten().all(|name| configuration.contains_key(name) || default(name))
    }
}

/// Checks that a configuration isn't larger or deeper than anyone writes. Whether it is right is for [`ConfigurationSchema::check`] to say.
pub(super) fn check_size(configuration: &Map<String, Value>) -> Result<(), ValidationError> {
    configuration.values().try_for_each(text::json::<CONFIGURATION_DEPTH_MAX>)?;
    let bytes = serde_json::to_vec(configuration).map_or(usize::MAX, |json| json.len());
    if bytes > CONFIGURATION_MAX {
        return Err(text::error("length", format!("must have at most {CONFIGURATION_MAX} bytes of JSON")));
    }
    Ok(())
}

/// Checks that a schema says one of the two, and that its properties fit together.
fn check_schema(schema: &ConfigurationSchema) -> Result<(), ValidationError> {
    let error = |message: String| Err(text::error("configuration", message));
    let Some(properties) = &schema.properties else {
        return match schema.component_id {
            Some(_) if schema.required.is_some() => error("`required` goes with `properties`".to_owned()),
            Some(_) => Ok(()),
            None => error("needs `properties` or `componentId`".to_owned()),
        };
    };
    if schema.component_id.is_some() {
        return error("has either `properties` or `componentId`".to_owned());
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
    text::distinct(required)?;
    match required.iter().find(|name| !properties.contains_key(*name)) {
        Some(name) => error(format!("requires `{name}`, which is no property")),
        None => Ok(()),
    }
}
