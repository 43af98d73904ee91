//! Where spaces and collections stand: moves among siblings, transfers between organizations.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::features::{ToSchema, Validate, ValidationError, ValidationErrors};
use crate::ids::{CollectionId, OrganizationId, SpaceId};
use crate::patch::{self, Patch};
use crate::{strict, text};

/// Request body to move a space or a collection. At least one key is needed.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContentMove {
    /// The collection to move it to; `null` for the organization's root. When absent, it stays where it is, and only its position
    /// there changes.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<CollectionId>)]
    pub parent: Patch<CollectionId>,
    /// Its place among what stands there; the end when absent.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub position: Option<ContentPosition>,
}

#[cfg(feature = "validation")]
impl Validate for ContentMove {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = ValidationErrors::new();
        match &self.position {
            Some(position) => drop(errors.merge_self("position", position.validate())),
            None if self.parent.is_keep() => {
                errors.add("parent", text::error("needed", "is needed, unless there is a `position`"));
            }
            None => {}
        }
        finished(errors)
    }
}

/// A place among siblings: before one of them, after one of them, or between two. Neither is the end.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContentPosition {
    /// What it shall stand before.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<ContentPointer>,
    /// What it shall stand after.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<ContentPointer>,
}

#[cfg(feature = "validation")]
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

/// A space or a collection, named by the key that is its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentPointer {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ContentKind,
    /// The space, when it is one.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub space: Option<SpaceId>,
    /// The collection, when it is one.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub collection: Option<CollectionId>,
}

/// What stands in a collection or at an organization's root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    /// A space.
    Space,
    /// A collection.
    Collection,
}

impl ContentKind {
    /// The key that holds the id of such a thing.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Collection => "collection",
        }
    }
}

#[cfg(feature = "validation")]
impl Validate for ContentPointer {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let is_there = match self.kind {
            ContentKind::Space => self.space.is_some(),
            ContentKind::Collection => self.collection.is_some(),
        };
        let mut errors = ValidationErrors::new();
        if !is_there {
            let message = format!("is needed with the type `{}`", self.kind.key());
            errors.add(self.kind.key(), ValidationError::new("needed").with_message(Cow::Owned(message)));
        }
        finished(errors)
    }
}

/// The body that gives a space or a collection to another organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ContentTransfer {
    /// The organization that gets it.
    pub organization: OrganizationId,
}

#[cfg(feature = "validation")]
fn finished(errors: ValidationErrors) -> Result<(), ValidationErrors> {
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::error::field_errors;

    const ID: &str = "0197f1d0-0000-7000-8000-000000000001";

    /// The fields that are at fault; `None` when the body can't even be read.
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
