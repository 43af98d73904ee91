//! Users.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::problem::ScimProblem;
use super::schemas::USER_SCHEMA;
use super::value::{Attributes, Meta, Reference, boolean, get, objects, text};
use crate::bounds::{DISPLAY_NAME_MAX, EMAIL_MAX, SCIM_EMAILS_MAX, SCIM_NAME_MAX};
use crate::emails;
use crate::ids::UserId;

/// Name of a person.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScimName {
    /// Given name.
    pub given_name: Option<String>,
    /// Family name.
    pub family_name: Option<String>,
}

/// E-mail address of a person.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScimEmail {
    /// Address, as it was sent.
    pub value: String,
    /// Label, such as `work`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// `true` for the address of the account.
    pub primary: Option<bool>,
}

/// Attributes that are kept as the identity provider sent them.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScimAttributes {
    /// Display name.
    pub display_name: Option<String>,
    /// Parts of the name.
    pub name: Option<ScimName>,
    /// E-mail addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub emails: Vec<ScimEmail>,
}

/// User as a request describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserInput {
    /// Name by which the identity provider knows the user, often an e-mail address.
    pub user_name: String,
    /// Id of the user at the identity provider.
    pub external_id: Option<String>,
    /// `false` for a user without access; `None` if a PATCH request removed the attribute, which counts as `true`.
    pub active: Option<bool>,
    /// Other attributes.
    pub attributes: ScimAttributes,
}

impl UserInput {
    /// Reads a user. Attributes that Quire does not have are ignored.
    ///
    /// # Errors
    /// A missing user name, and values of the wrong type or length.
    pub fn parse(resource: &Attributes) -> Result<Self, ScimProblem> {
        let user_name = text(resource, "userName", SCIM_NAME_MAX)?
            .ok_or_else(|| ScimProblem::value("userName", "is required"))?;
        let name = match get(resource, "name") {
            None => None,
            Some(name) => Some(parse_name(
                name.as_object().ok_or_else(|| ScimProblem::value("name", "must be an object"))?,
            )?),
        };
        Ok(Self {
            user_name,
            external_id: text(resource, "externalId", SCIM_NAME_MAX)?,
            active: boolean(resource, "active")?,
            attributes: ScimAttributes {
                display_name: text(resource, "displayName", DISPLAY_NAME_MAX)?,
                name: name.filter(|name| *name != ScimName::default()),
                emails: parse_emails(resource)?,
            },
        })
    }

    /// Returns the user with the default of `active`, `true`, for requests that create or replace a user. Only a PATCH
    /// request leaves it absent.
    #[must_use]
    pub fn with_defaults(self) -> Self {
        Self { active: Some(self.is_active()), ..self }
    }

    /// Returns whether the user has access.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.active.unwrap_or(true)
    }

    /// Returns the e-mail address of the account in its canonical form: the primary one, the first one, or the user
    /// name if that is an address.
    #[must_use]
    pub fn email(&self) -> Option<String> {
        let emails = &self.attributes.emails;
        let primary = emails.iter().find(|email| email.primary == Some(true)).or_else(|| emails.first());
        emails::canonical(primary.map_or(&self.user_name, |email| &email.value))
    }

    /// Returns the name that other users see.
    #[must_use]
    pub fn display_name(&self) -> String {
        let ScimAttributes { display_name, name, .. } = &self.attributes;
        let parts = name.iter().flat_map(|name| [&name.given_name, &name.family_name]).flatten();
        let composed = parts.map(String::as_str).collect::<Vec<_>>().join(" ");
        let chosen = match display_name {
            Some(name) => name,
            None if composed.is_empty() => &self.user_name,
            None => &composed,
        };
        chosen.chars().take(usize::try_from(DISPLAY_NAME_MAX).unwrap_or(usize::MAX)).collect()
    }
}

fn parse_name(name: &Attributes) -> Result<ScimName, ScimProblem> {
    let part = |key| text(name, key, DISPLAY_NAME_MAX);
    Ok(ScimName { given_name: part("givenName")?, family_name: part("familyName")? })
}

fn parse_emails(resource: &Attributes) -> Result<Vec<ScimEmail>, ScimProblem> {
    let mut emails: Vec<ScimEmail> = Vec::new();
    for email in objects(resource, "emails", SCIM_EMAILS_MAX)?.unwrap_or_default() {
        let Some(value) = text(email, "value", EMAIL_MAX)? else { continue };
        if emails::canonical(&value).is_none() {
            return Err(ScimProblem::value(
                "emails.value",
                "must be an e-mail address such as ada@example.com",
            ));
        }
        let primary = boolean(email, "primary")?;
        if primary == Some(true) {
            // The last address that is declared primary replaces the others (RFC 7644, 3.5.2).
            for before in emails.iter_mut().filter(|before| before.primary == Some(true)) {
                before.primary = Some(false);
            }
        }
        emails.push(ScimEmail { value, kind: text(email, "type", DISPLAY_NAME_MAX)?, primary });
    }
    Ok(emails)
}

/// User as the server describes it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScimUser {
    schemas: [&'static str; 1],
    /// Id.
    pub id: UserId,
    /// Id of the user at the identity provider.
    pub external_id: Option<String>,
    /// Name by which the identity provider knows the user.
    pub user_name: String,
    /// `false` for a user without access; `None` if a PATCH request removed the attribute.
    pub active: Option<bool>,
    /// Other attributes.
    #[serde(flatten)]
    pub attributes: ScimAttributes,
    /// Teams of the user.
    pub groups: Vec<Reference>,
    /// Metadata.
    pub meta: Meta,
}

impl ScimUser {
    /// Returns a user.
    #[must_use]
    pub fn new(id: UserId, input: UserInput, groups: Vec<Reference>, meta: Meta) -> Self {
        let UserInput { user_name, external_id, active, attributes } = input;
        Self { schemas: [USER_SCHEMA], id, external_id, user_name, active, attributes, groups, meta }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::UserInput;
    use crate::scim::ScimType;

    fn parse(value: &Value) -> Result<UserInput, super::ScimProblem> {
        UserInput::parse(value.as_object().unwrap())
    }

    #[test]
    fn names_have_no_case_and_unknown_attributes_are_ignored() {
        let user = parse(&json!({
            "USERNAME": "ada", "Active": "False", "title": 7, "externalId": null,
            "name": {"givenname": "Ada", "familyName": "Lovelace", "formatted": "x"},
            "emails": [{"value": "a@b.example", "primary": true}, {"value": "Ada@Example.com", "primary": "True"}],
        }))
        .unwrap();
        assert_eq!(
            (user.user_name.as_str(), user.active, user.external_id.as_deref()),
            ("ada", Some(false), None)
        );
        assert_eq!(user.display_name(), "Ada Lovelace");
        assert_eq!(user.email().unwrap(), "ada@example.com");
        assert_eq!(user.attributes.emails[0].primary, Some(false));
    }

    #[test]
    fn a_user_name_can_be_the_address() {
        let user = parse(&json!({"userName": "Ada@Example.com"})).unwrap();
        assert_eq!(
            (user.email().unwrap().as_str(), user.display_name().as_str()),
            ("ada@example.com", "Ada@Example.com")
        );
        assert_eq!((user.active, user.is_active()), (None, true));
        assert_eq!(user.with_defaults().active, Some(true));
        assert_eq!(parse(&json!({"userName": "ada"})).unwrap().email(), None);
    }

    #[test]
    fn wrong_values_are_named() {
        let emails: Vec<Value> = (0..30).map(|n| json!({"value": format!("{n}@example.com")})).collect();
        for (value, attribute) in [
            (json!({}), "userName"),
            (json!({"userName": 7}), "userName"),
            (json!({"userName": "  "}), "userName"),
            (json!({"userName": "a\u{0}"}), "userName"),
            (json!({"userName": "a".repeat(256)}), "userName"),
            (json!({"userName": "a", "active": 1}), "active"),
            (json!({"userName": "a", "name": "b"}), "name"),
            (json!({"userName": "a", "emails": ["b"]}), "emails"),
            (json!({"userName": "a", "emails": emails}), "emails"),
            (json!({"userName": "a", "emails": [{"value": "b"}]}), "emails.value"),
        ] {
            let problem = parse(&value).unwrap_err();
            assert_eq!(problem.kind, ScimType::InvalidValue);
            assert!(problem.detail.starts_with(&format!("`{attribute}` ")), "{problem}");
        }
    }
}
