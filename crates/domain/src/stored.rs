//! Wrappers for columns whose types are wider than those of the domain, for `#[diesel(deserialize_as = …)]` on fields.
//! Ids, times, positions, hashes, roles and enums need none: their types are the domain's own.
//!
//! | Field | `deserialize_as` |
//! |---|---|
//! | elements of an array | [`Elements`] of `Vec<Option<_>>` or `Option<Vec<Option<_>>>` |
//! | list or map in JSON | [`Json`] of `Value` |
//! | optional value in JSON | [`Json`] of `Option<Value>` |
//! | SHA-256 as an array, optional or not | [`Sha256`] of `Vec<u8>` or `Option<Vec<u8>>` |
//! | number that is never negative, optional or not | [`Number`] of `i32`, `i64`, `Option<i32>` or `Option<i64>` |

use std::array::TryFromSliceError;
use std::num::TryFromIntError;

use diesel::deserialize::{self, FromStaticSqlRow, Queryable};
use diesel::pg::Pg;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::integrations::IntegrationConfigurations;

/// Elements of an array. PostgreSQL allows nulls in arrays; stored arrays have none.
#[derive(Debug)]
pub struct Elements<T>(T);

/// Number that is never negative.
#[derive(Debug)]
pub struct Number<T>(T);

/// JSON of a column.
#[derive(Debug)]
pub struct Json<T>(T);

/// SHA-256 of a column, as an array of bytes.
#[derive(Debug)]
pub struct Sha256<T>(T);

/// Implements diesel's trait for a wrapper around the value of a column.
macro_rules! queryable {
    ($($wrapper:ident)+) => {$(
        impl<T, ST> Queryable<ST, Pg> for $wrapper<T>
        where
            T: FromStaticSqlRow<ST, Pg>,
        {
            type Row = T;

            fn build(row: T) -> deserialize::Result<Self> {
                Ok(Self(row))
            }
        }
    )+};
}

queryable!(Elements Number Json Sha256);

impl<T> From<Elements<Vec<Option<T>>>> for Vec<T> {
    fn from(elements: Elements<Vec<Option<T>>>) -> Self {
        elements.0.into_iter().flatten().collect()
    }
}

impl<T> From<Elements<Option<Vec<Option<T>>>>> for Option<Vec<T>> {
    fn from(elements: Elements<Option<Vec<Option<T>>>>) -> Self {
        elements.0.map(|elements| elements.into_iter().flatten().collect())
    }
}

impl TryFrom<Number<i32>> for u64 {
    type Error = TryFromIntError;

    fn try_from(number: Number<i32>) -> Result<Self, TryFromIntError> {
        number.0.try_into()
    }
}

impl TryFrom<Number<i64>> for u64 {
    type Error = TryFromIntError;

    fn try_from(number: Number<i64>) -> Result<Self, TryFromIntError> {
        number.0.try_into()
    }
}

impl TryFrom<Number<Option<i32>>> for Option<u16> {
    type Error = TryFromIntError;

    fn try_from(number: Number<Option<i32>>) -> Result<Self, TryFromIntError> {
        number.0.map(u16::try_from).transpose()
    }
}

impl TryFrom<Number<Option<i64>>> for Option<u64> {
    type Error = TryFromIntError;

    fn try_from(number: Number<Option<i64>>) -> Result<Self, TryFromIntError> {
        number.0.map(u64::try_from).transpose()
    }
}

impl TryFrom<Sha256<Vec<u8>>> for [u8; 32] {
    type Error = TryFromSliceError;

    fn try_from(hash: Sha256<Vec<u8>>) -> Result<Self, TryFromSliceError> {
        hash.0.as_slice().try_into()
    }
}

impl TryFrom<Sha256<Option<Vec<u8>>>> for Option<[u8; 32]> {
    type Error = TryFromSliceError;

    fn try_from(hash: Sha256<Option<Vec<u8>>>) -> Result<Self, TryFromSliceError> {
        hash.0.map(|hash| hash.as_slice().try_into()).transpose()
    }
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
