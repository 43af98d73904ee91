//! Values of columns whose types say less than those of the domain, for `#[diesel(deserialize_as = …)]` on the fields
//! of a row. Ids, times, positions, hashes, roles and words need none: columns hold the types of the domain.
//!
//! | Field | `deserialize_as` |
//! |---|---|
//! | elements of an array | [`Elements`] of `Vec<Option<_>>` or `Option<Vec<Option<_>>>` |
//! | list or map in JSON | [`Json`] of `Value` |
//! | optional value in JSON | [`Json`] of `Option<Value>` |
//! | SHA-256 as an array, optional or not | [`Sha256`] of `Vec<u8>` or `Option<Vec<u8>>` |
//! | optional number that is never negative | [`Number`] of `Option<i32>` or `Option<i64>` |

use diesel::deserialize::{FromStaticSqlRow, Queryable};
use diesel::pg::Pg;
use quire_domain::integrations::IntegrationConfigurations;
pub use quire_domain::stored::{Elements, Number};
use quire_revision::TreeHash;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Error;

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

queryable!(Json Sha256);

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
