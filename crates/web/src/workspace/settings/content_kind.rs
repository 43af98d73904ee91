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
use quire_storage::content::collections::{CollectionRecord, ListedCollection};
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::Authorized;
use quire_storage::people::permissions::Shared;
use serde_json::{Value, json};

use crate::workspace::directory::MOST_OFFERED;
use crate::workspace::forms::{ApiForm, Field, Select};

/// Edit modes of a space.
const EDIT_MODES: [(&str, &str); 2] =
    [("live", "Directly, and by change requests"), ("locked", "By change requests only")];

/// Custom field with its value.
pub(super) type CustomField = (CustomFieldFacts, Option<Value>);

/// Space or collection in the same collection: its pointer in the API, and its title.
pub(super) type Sibling = (Value, String);

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

    /// Returns the form of the picture that replaces the emoji. Only for spaces.
    fn picture(&self) -> Markup {
        html! {}
    }

    /// Returns the merge rules of a space.
    fn merge_rules(&self) -> Option<MergeRules> {
        None
    }

    /// Returns the others of this kind in the same collection, in their order.
    fn siblings(
        reader: &mut Reader<'_>,
        item: &Authorized<Self>,
        collections: &[ListedCollection],
    ) -> ApiResult<Vec<Sibling>>;

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
            // Without an entry, the emoji of a space with a picture is not sent, because it would replace the picture.
            (Field {
                name: "emoji",
                label: "Emoji",
                value: &if self.icon.is_some() { String::new() } else { emoji_character(&self.emoji) },
                hint: self.icon.as_ref().map(|_| "Replaces the picture of the space."),
                clears: self.icon.is_none(),
                longest: 32,
                ..Field::default()
            })
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

    fn picture(&self) -> Markup {
        html! {
            h2 { "Picture" }
            (ApiForm { method: "PATCH", url: &self.url(), submit: "Save the picture", ..ApiForm::default() }.with(Field {
                name: "icon",
                label: "Address of a picture",
                kind: "url",
                value: self.icon.as_deref().unwrap_or_default(),
                hint: Some("A square picture in place of the emoji. Leave empty for the emoji."),
                clears: true,
                ..Field::default()
            }))
        }
    }

    fn shared(item: &Authorized<Self>) -> Shared<'_> {
        Shared::Space(item)
    }

    fn siblings(
        reader: &mut Reader<'_>,
        item: &Authorized<Self>,
        _: &[ListedCollection],
    ) -> ApiResult<Vec<Sibling>> {
        let spaces = reader.spaces_of(item.organization, None, MOST_OFFERED)?.items;
        let siblings = spaces.into_iter().map(|listed| listed.space);
        let siblings = siblings.filter(|space| space.parent == item.parent && space.id != item.id);
        let pointer = |space: &Self| json!({ "type": "space", "space": space.id });
        Ok(siblings.map(|space| (pointer(&space), space.title.clone())).collect())
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

    fn siblings(
        _: &mut Reader<'_>,
        item: &Authorized<Self>,
        collections: &[ListedCollection],
    ) -> ApiResult<Vec<Sibling>> {
        let siblings = collections.iter().map(|listed| &listed.collection);
        let siblings = siblings.filter(|other| other.parent == item.parent && other.id != item.id);
        let pointer = |other: &Self| json!({ "type": "collection", "collection": other.id });
        Ok(siblings.map(|other| (pointer(other), other.title.clone())).collect())
    }

    fn shared(item: &Authorized<Self>) -> Shared<'_> {
        Shared::Collection(item)
    }
}
