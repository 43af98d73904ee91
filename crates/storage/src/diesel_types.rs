//! Conversions from stored values to the domain's types, for `#[diesel(deserialize_as = …)]` on the fields of a row.
//!
//! | Field | `deserialize_as` |
//! |---|---|
//! | id, time stamp | `Uuid`, `OffsetDateTime` |
//! | optional id or time stamp, ids | `Stored<Option<Uuid>>`, `Stored<Option<OffsetDateTime>>`, `Stored<Vec<Option<Uuid>>>` |
//! | optional role | `Stored<Option<i16>>` |
//! | word of an enumeration | `Stored<String>`, `Stored<Option<String>>` |
//! | array of words or texts | `Stored<Vec<Option<String>>>`, `Stored<Option<Vec<Option<String>>>>` |
//! | position | `Stored<String>` |
//! | hash | `Stored<Vec<u8>>` |
//! | JSON of an optional value, list or map | `Stored<Option<Value>>`, `Stored<Value>` |

use diesel::deserialize::{FromStaticSqlRow, Queryable};
use diesel::pg::Pg;
use quire_domain::Role;
use quire_domain::integrations::IntegrationConfigurations;
use quire_domain::sites::RedirectDestination;
use quire_revision::{Position, TreeHash};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::hierarchy::stored_position;
use crate::lookup::role_from_rank;
use crate::{Error, parse_enum};

/// A value as the database has it.
#[derive(Debug)]
pub struct Stored<T>(pub(crate) T);

impl<T, ST> Queryable<ST, Pg> for Stored<T>
where
    T: FromStaticSqlRow<ST, Pg>,
{
    type Row = T;

    fn build(row: T) -> diesel::deserialize::Result<Self> {
        Ok(Self(row))
    }
}

impl<T: From<Uuid>> From<Stored<Option<Uuid>>> for Option<T> {
    fn from(stored: Stored<Option<Uuid>>) -> Self {
        stored.0.map(T::from)
    }
}

/// Arrays hold no nulls, which their types do not say.
impl<T: From<Uuid>> From<Stored<Vec<Option<Uuid>>>> for Vec<T> {
    fn from(stored: Stored<Vec<Option<Uuid>>>) -> Self {
        stored.0.into_iter().flatten().map(T::from).collect()
    }
}

impl<T: TryFrom<OffsetDateTime>> TryFrom<Stored<Option<OffsetDateTime>>> for Option<T> {
    type Error = T::Error;

    fn try_from(stored: Stored<Option<OffsetDateTime>>) -> Result<Self, T::Error> {
        stored.0.map(T::try_from).transpose()
    }
}

impl TryFrom<Stored<Option<i16>>> for Option<Role> {
    type Error = Error;

    fn try_from(stored: Stored<Option<i16>>) -> Result<Self, Error> {
        role_from_rank(stored.0)
    }
}

impl TryFrom<Stored<String>> for Position {
    type Error = Error;

    fn try_from(stored: Stored<String>) -> Result<Self, Error> {
        stored_position(&stored.0)
    }
}

impl TryFrom<Stored<Vec<u8>>> for TreeHash {
    type Error = Error;

    fn try_from(stored: Stored<Vec<u8>>) -> Result<Self, Error> {
        tree_hash(&stored.0)
    }
}

/// Converts a stored hash of a tree.
pub(crate) fn tree_hash(bytes: &[u8]) -> Result<TreeHash, Error> {
    let bytes = bytes.try_into();
    bytes
        .map(TreeHash::from_bytes)
        .map_err(|error| Error::corrupt("a hash is cut", anyhow::Error::from(error)))
}

impl<T: DeserializeOwned> TryFrom<Stored<Option<Value>>> for Option<T> {
    type Error = serde_json::Error;

    fn try_from(json: Stored<Option<Value>>) -> Result<Self, serde_json::Error> {
        json.0.map(serde_json::from_value).transpose()
    }
}

impl<T: DeserializeOwned> TryFrom<Stored<Value>> for Vec<T> {
    type Error = serde_json::Error;

    fn try_from(json: Stored<Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(json.0)
    }
}

impl TryFrom<Stored<Value>> for RedirectDestination {
    type Error = serde_json::Error;

    fn try_from(stored: Stored<Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(stored.0)
    }
}

impl TryFrom<Stored<Value>> for Map<String, Value> {
    type Error = serde_json::Error;

    fn try_from(json: Stored<Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(json.0)
    }
}

impl TryFrom<Stored<Option<Value>>> for IntegrationConfigurations {
    type Error = serde_json::Error;

    fn try_from(json: Stored<Option<Value>>) -> Result<Self, serde_json::Error> {
        Ok(json.0.map(serde_json::from_value).transpose()?.unwrap_or_default())
    }
}

/// A value that a column holds as a word.
pub(crate) trait Word: Sized {
    /// Returns the value of a word.
    fn of_word(word: String) -> Result<Self, Error>;
}

impl Word for String {
    fn of_word(word: String) -> Result<Self, Error> {
        Ok(word)
    }
}

impl<T: Word> TryFrom<Stored<Option<String>>> for Option<T> {
    type Error = Error;

    fn try_from(stored: Stored<Option<String>>) -> Result<Self, Error> {
        stored.0.map(T::of_word).transpose()
    }
}

impl<T: Word> TryFrom<Stored<Vec<Option<String>>>> for Vec<T> {
    type Error = Error;

    fn try_from(stored: Stored<Vec<Option<String>>>) -> Result<Self, Error> {
        stored.0.into_iter().flatten().map(T::of_word).collect()
    }
}

impl<T: Word> TryFrom<Stored<Option<Vec<Option<String>>>>> for Option<Vec<T>> {
    type Error = Error;

    fn try_from(stored: Stored<Option<Vec<Option<String>>>>) -> Result<Self, Error> {
        stored.0.map(|words| Stored(words).try_into()).transpose()
    }
}

/// Declares the domain's enumerations that columns hold as words.
macro_rules! words {
    ($($name:ty),* $(,)?) => {$(
        impl Word for $name {
            fn of_word(word: String) -> Result<Self, Error> {
                parse_enum(&word)
            }
        }

        impl TryFrom<Stored<String>> for $name {
            type Error = Error;

            fn try_from(word: Stored<String>) -> Result<Self, Error> {
                parse_enum(&word.0)
            }
        }
    )*};
}

words!(
    quire_domain::audit::AuditOutcome,
    quire_domain::change_requests::Status,
    quire_domain::custom_fields::CustomFieldType,
    quire_domain::integrations::IntegrationCategory,
    quire_domain::integrations::IntegrationScope,
    quire_domain::integrations::IntegrationTarget,
    quire_domain::integrations::IntegrationVisibility,
    quire_domain::integrations::Selection,
    quire_domain::openapi_specs::ProcessError,
    quire_domain::openapi_specs::ProcessingState,
    quire_domain::openapi_specs::SpecSlug,
    quire_domain::reviews::ReviewStatus,
    quire_domain::revisions::RevisionType,
    quire_domain::spaces::EditMode,
    quire_domain::sites::SiteType,
    quire_domain::sites::SiteVisibility,
    quire_domain::translations::Language,
    quire_domain::webhooks::DeliveryState,
    quire_domain::webhooks::EventKind,
);
