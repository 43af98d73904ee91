//! Positions of spaces and collections: moves within an organization and transfers between organizations.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError, ValidationErrors};

use crate::ids::{CollectionId, OrganizationId, SpaceId};
use crate::patch::{self, Patch};
use crate::{object_only, text_checks};

/// Request body to move a space or a collection. At least one key is required.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContentMove {
    /// Id of the new parent collection; `null` for the root of the organization. If absent, only the position in the
    /// current parent changes.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<CollectionId>)]
    pub parent: Patch<CollectionId>,
    /// Position among the siblings. Default: the end.
    #[serde(deserialize_with = "object_only::present")]
    #[schema(nullable = false)]
    pub position: Option<ContentPosition>,
}

impl Validate for ContentMove {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = ValidationErrors::new();
        match &self.position {
            Some(position) => drop(errors.merge_self("position", position.validate())),
            None if self.parent.is_keep() => {
                errors.add("parent", text_checks::error("needed", "is required if `position` is absent"));
            }
            None => {}
        }
        finished(errors)
    }
}

/// Position among siblings: before one, after one, or between two. Default: the end.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContentPosition {
    /// Sibling that follows.
    #[serde(deserialize_with = "object_only::present")]
    pub before: Option<ContentPointer>,
    /// Sibling that precedes.
    #[serde(deserialize_with = "object_only::present")]
    pub after: Option<ContentPointer>,
}

impl Validate for ContentPosition {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = ValidationErrors::new();
        for (name, pointer) in [("before", &self.before), ("after", &self.after)] {
            if let Some(pointer) = pointer {
                errors.merge_self(name, pointer.validate());
            }
        }
        finished(errors)
    }
}

/// Space or collection, with its id in the key of its type.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentPointer {
    /// Type of the resource.
    #[serde(rename = "type")]
    pub kind: ContentKind,
    /// Id of the space. Required for the type `space`.
    #[serde(default, deserialize_with = "patch::present")]
    pub space: Option<SpaceId>,
    /// Id of the collection. Required for the type `collection`.
    #[serde(default, deserialize_with = "patch::present")]
    pub collection: Option<CollectionId>,
}

/// Type of an item in a collection or at the root of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    /// Space.
    Space,
    /// Collection.
    Collection,
}

impl ContentKind {
    /// Returns the key that holds the id of a resource of this type.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Collection => "collection",
        }
    }
}

impl Validate for ContentPointer {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let is_there = match self.kind {
            ContentKind::Space => self.space.is_some(),
            ContentKind::Collection => self.collection.is_some(),
        };
        let mut errors = ValidationErrors::new();
        if !is_there {
            let message = format!("is required for the type `{}`", self.kind.key());
            errors.add(self.kind.key(), ValidationError::new("needed").with_message(Cow::Owned(message)));
        }
        finished(errors)
    }
}

/// Request body to transfer a space or a collection to another organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ContentTransfer {
    /// Id of the new organization.
    pub organization: OrganizationId,
}

fn finished(errors: ValidationErrors) -> Result<(), ValidationErrors> {
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::error::field_errors;

    const ID: &str = "0197f1d0-0000-7000-8000-000000000001";

    /// Returns the failing fields; `None` if the body cannot be parsed.
    fn faults(body: Value) -> Option<Vec<String>> {
        let body: ContentMove = serde_json::from_value(body).ok()?;
        let errors = body.validate().err().unwrap_or_default();
        Some(field_errors(&errors).into_iter().map(|error| error.field).collect())
    }

    #[test]
    fn a_move_needs_a_parent_or_a_position() {
        assert_eq!(faults(json!({})).unwrap(), ["parent"]);
        assert_eq!(faults(json!({"parent": null})).unwrap(), [""; 0]);
        assert_eq!(faults(json!({"parent": ID})).unwrap(), [""; 0]);
        assert_eq!(faults(json!({"position": {}})).unwrap(), [""; 0]);
        assert_eq!(faults(json!({"position": null})), None);
        assert_eq!(faults(json!({"position": []})), None);
    }

    #[test]
    fn a_sibling_is_named_by_the_key_of_its_type() {
        let before = |pointer: Value| faults(json!({"position": {"before": pointer}}));
        assert_eq!(before(json!({"type": "space", "space": ID})).unwrap(), [""; 0]);
        assert_eq!(before(json!({"type": "collection", "collection": ID})).unwrap(), [""; 0]);
        assert_eq!(before(json!({"type": "space"})).unwrap(), ["position.before.space"]);
        assert_eq!(
            before(json!({"type": "collection", "space": ID})).unwrap(),
            ["position.before.collection"]
        );
        assert_eq!(before(json!({"space": ID})), None);
        assert_eq!(before(json!({"type": "page", "space": ID})), None);
        assert_eq!(before(json!({"type": "space", "space": null})), None);
    }
}
