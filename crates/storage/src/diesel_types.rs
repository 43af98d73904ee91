//! Values of columns whose types say less than those of the domain, for `#[diesel(deserialize_as = …)]` on the fields
//! of a row. Ids, times, positions, hashes, roles and words need none: columns hold the types of the domain.
//!
//! | Field | `deserialize_as` |
//! |---|---|
//! | ids, words or texts of an array | [`Elements`] of `Vec<Option<Uuid>>`, `Vec<Option<String>>` or `Option<Vec<Option<String>>>` |
//! | list or map in JSON | [`Json`] of `Value` |
//! | optional value in JSON | [`Json`] of `Option<Value>` |
//! | SHA-256 as an array, optional or not | [`Sha256`] of `Vec<u8>` or `Option<Vec<u8>>` |
//! | optional number that is never negative | [`Count`] |

use std::num::TryFromIntError;

use diesel::deserialize::{FromStaticSqlRow, Queryable};
use diesel::pg::Pg;
use diesel::sql_types::{BigInt, Nullable};
use quire_domain::integrations::{IntegrationCategory, IntegrationConfigurations, IntegrationScope};
use quire_domain::translations::Language;
use quire_domain::webhooks::EventKind;
use quire_revision::TreeHash;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{Error, parse_enum};

/// Elements of an array. The types of arrays allow nulls, which no array has.
#[derive(Debug)]
pub struct Elements<T>(T);

/// JSON of a column.
#[derive(Debug)]
pub struct Json<T>(T);

/// SHA-256 of a column, as an array.
#[derive(Debug)]
pub struct Sha256<T>(T);

impl TryFrom<Sha256<Vec<u8>>> for [u8; 32] {
    type Error = Error;

    fn try_from(hash: Sha256<Vec<u8>>) -> Result<Self, Error> {
        let cut = |_| Error::corrupt("a hash is cut", anyhow::anyhow!("it does not have 32 bytes"));
        hash.0.try_into().map_err(cut)
    }
}

impl TryFrom<Sha256<Option<Vec<u8>>>> for Option<[u8; 32]> {
    type Error = Error;

    fn try_from(hash: Sha256<Option<Vec<u8>>>) -> Result<Self, Error> {
        hash.0.map(|hash| Sha256(hash).try_into()).transpose()
    }
}

/// Optional number that is never negative.
#[derive(Debug)]
pub struct Count(Option<i64>);

impl Queryable<Nullable<BigInt>, Pg> for Count {
    type Row = Option<i64>;

    fn build(row: Option<i64>) -> diesel::deserialize::Result<Self> {
        Ok(Self(row))
    }
}

impl TryFrom<Count> for Option<u64> {
    type Error = TryFromIntError;

    fn try_from(count: Count) -> Result<Self, TryFromIntError> {
        count.0.map(u64::try_from).transpose()
    }
}

/// Implements diesel's trait for a wrapper around the value of a column.
macro_rules! queryable {
    ($($wrapper:ident)+) => {$(
        impl<T, ST> Queryable<ST, Pg> for $wrapper<T>
        where
            T: FromStaticSqlRow<ST, Pg>,
        {
            type Row = T;

            fn build(row: T) -> diesel::deserialize::Result<Self> {
                Ok(Self(row))
            }
        }
    )+};
}

queryable!(Elements Json Sha256);

impl<T: From<Uuid>> From<Elements<Vec<Option<Uuid>>>> for Vec<T> {
    fn from(ids: Elements<Vec<Option<Uuid>>>) -> Self {
        ids.0.into_iter().flatten().map(T::from).collect()
    }
}

/// Converts a stored hash of a tree.
pub(crate) fn tree_hash(bytes: &[u8]) -> Result<TreeHash, Error> {
    let bytes = bytes.try_into();
    bytes
        .map(TreeHash::from_bytes)
        .map_err(|error| Error::corrupt("a hash is cut", anyhow::Error::from(error)))
}

impl<T: DeserializeOwned> TryFrom<Json<Option<Value>>> for Option<T> {
    type Error = serde_json::Error;

    fn try_from(json: Json<Option<Value>>) -> Result<Self, serde_json::Error> {
        json.0.map(serde_json::from_value).transpose()
    }
}

impl<T: DeserializeOwned> TryFrom<Json<Value>> for Vec<T> {
    type Error = serde_json::Error;

    fn try_from(json: Json<Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(json.0)
    }
}

impl TryFrom<Json<Value>> for Map<String, Value> {
    type Error = serde_json::Error;

    fn try_from(json: Json<Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(json.0)
    }
}

impl TryFrom<Json<Option<Value>>> for IntegrationConfigurations {
    type Error = serde_json::Error;

    fn try_from(json: Json<Option<Value>>) -> Result<Self, serde_json::Error> {
        Ok(json.0.map(serde_json::from_value).transpose()?.unwrap_or_default())
    }
}

/// A value that an array holds as a word.
pub(crate) trait Word: Sized {
    /// Returns the value of a word.
    fn of_word(word: String) -> Result<Self, Error>;
}

impl Word for String {
    fn of_word(word: String) -> Result<Self, Error> {
        Ok(word)
    }
}

/// Declares the domain's enumerations that arrays hold as words.
macro_rules! words {
    ($($name:ty),* $(,)?) => {$(
        impl Word for $name {
            fn of_word(word: String) -> Result<Self, Error> {
                parse_enum(&word)
            }
        }
    )*};
}

words!(EventKind, IntegrationCategory, IntegrationScope, Language);

impl<T: Word> TryFrom<Elements<Vec<Option<String>>>> for Vec<T> {
    type Error = Error;

    fn try_from(words: Elements<Vec<Option<String>>>) -> Result<Self, Error> {
        words.0.into_iter().flatten().map(T::of_word).collect()
    }
}

impl<T: Word> TryFrom<Elements<Option<Vec<Option<String>>>>> for Option<Vec<T>> {
    type Error = Error;

    fn try_from(words: Elements<Option<Vec<Option<String>>>>) -> Result<Self, Error> {
        words.0.map(|words| Elements(words).try_into()).transpose()
    }
}
