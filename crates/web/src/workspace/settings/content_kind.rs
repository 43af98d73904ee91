//! Differences between spaces and collections in their settings.

use maud::{Markup, html};
use quire_domain::Role;
use quire_domain::custom_fields::CustomFieldFacts;
use quire_domain::ids::{CollectionId, OrganizationId};
use quire_domain::merge_rules::MergeRules;
use quire_domain::policy::Action;
use quire_domain::spaces::EditMode;
use quire_markup::emoji_character;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::collections::CollectionRecord;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::Authorized;
use quire_storage::people::permissions::Shared;
use serde_json::Value;

use crate::workspace::forms::{Field, Select};

/// Edit modes of a space.
const EDIT_MODES: [(&str, &str); 2] =
    [("live", "Directly, and by change requests"), ("locked", "By change requests only")];

/// Custom field with its value.
pub(super) type CustomField = (CustomFieldFacts, Option<Value>);

/// Differences between the settings of spaces and collections.
pub(super) trait Content: Sized {
    const KIND: &'static str;
    const ADMINISTER: Action;

    fn organization(&self) -> OrganizationId;
    fn title(&self) -> &str;
    fn parent(&self) -> Option<CollectionId>;
    fn default_level(&self) -> Option<Role>;
    /// Returns the API path of the resource.
    fn url(&self) -> String;
    /// Returns the paths of the page and of its settings, below the path of the deployment.
    fn path(&self) -> (String, String);
    /// Returns the fields that only this kind has.
    fn fields(&self) -> Markup;
    fn shared(item: &Authorized<Self>) -> Shared<'_>;

    /// Returns the merge rules of a space.
    fn merge_rules(&self) -> Option<MergeRules> {
        None
    }

    /// Loads the custom fields of a space with their values.
    fn custom_fields(_: &mut Reader<'_>, _: &Authorized<Self>) -> ApiResult<Vec<CustomField>> {
        Ok(Vec::new())
    }
}

/// Implements the accessors that have the same names for both kinds.
macro_rules! facts {
    () => {
        fn organization(&self) -> OrganizationId {
            self.organization
        }

        fn title(&self) -> &str {
            &self.title
        }

        fn parent(&self) -> Option<CollectionId> {
            self.parent
        }

        fn default_level(&self) -> Option<Role> {
            self.default_level
        }
    };
}

impl Content for SpaceRecord {
    const KIND: &'static str = "space";
    const ADMINISTER: Action = Action::AdministerSpace;

    facts!();

    fn url(&self) -> String {
        format!("spaces/{}", self.id)
    }

    fn path(&self) -> (String, String) {
        (format!("/s/{}", self.id), format!("/s/{}/~", self.id))
    }

    fn fields(&self) -> Markup {
        let mode = match self.edit_mode {
            EditMode::Live => "live",
            EditMode::Locked => "locked",
        };
        html! {
            (Field { name: "emoji", label: "Emoji", value: &emoji_character(&self.emoji), clears: true, longest: 32, ..Field::default() })
            (Select { name: "editMode", label: "Pages are changed", options: &EDIT_MODES, value: mode, hint: None })
            (Field {
                name: "language",
                label: "Language",
                value: self.language.map_or("", |language| language.as_str()),
                hint: Some("Code such as en, de or pt-br."),
                clears: true,
                longest: 16,
                ..Field::default()
            })
        }
    }

    fn shared(item: &Authorized<Self>) -> Shared<'_> {
        Shared::Space(item)
    }

    fn merge_rules(&self) -> Option<MergeRules> {
        Some(self.merge_rules.clone())
    }

    fn custom_fields(reader: &mut Reader<'_>, item: &Authorized<Self>) -> ApiResult<Vec<CustomField>> {
        Ok(reader.custom_fields_of_space(item)?.fields)
    }
}

impl Content for CollectionRecord {
    const KIND: &'static str = "collection";
    const ADMINISTER: Action = Action::AdministerCollection;

    facts!();

    fn url(&self) -> String {
        format!("collections/{}", self.id)
    }

    fn path(&self) -> (String, String) {
        (format!("/c/{}", self.id), format!("/c/{}", self.id))
    }

    fn fields(&self) -> Markup {
        html! {
            (Field {
                name: "description",
                label: "Description",
                value: self.description.as_deref().unwrap_or_default(),
                clears: true,
                ..Field::default()
            })
        }
    }

    fn shared(item: &Authorized<Self>) -> Shared<'_> {
        Shared::Collection(item)
    }
}
