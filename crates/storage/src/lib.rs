#![doc = include_str!("../README.md")]

pub mod content;
pub mod lookup;
pub mod migrations;
pub mod operations;
pub mod people;
pub mod sites;
#[cfg(test)]
mod statement_check;
mod storage;
mod transaction;

use lookup::{detail_views, views};
use storage::system;
use transaction::end_of_transaction;

use quire_domain::{schema, stored as diesel_types};

pub use content::store::{HeadKey, Turn};
pub use lookup::list;
pub use migrations::MIGRATIONS;
pub use quire_database::{
    Error, LogPosition, ReadCounts, ReadRoute, Result, Server, StatementCounter, optimistic, session,
};
pub use storage::system::{SystemReader, SystemStorage, SystemTx};
pub use storage::{CacheBudget, Options, Storage, door};
pub use transaction::{LookupFacts, Reader, Tenant, Tx, group_commit};

/// Converts a time from the database to the domain's type.
fn to_timestamp(time: time::OffsetDateTime) -> Result<quire_domain::clock::Timestamp> {
    time.try_into().map_err(|_| Error::corrupt("a time is out of range", anyhow::anyhow!("{time}")))
}

/// Converts a word from the database to a domain enumeration.
fn parse_enum<T: serde::de::DeserializeOwned>(word: &str) -> Result<T> {
    use serde::de::IntoDeserializer;
    T::deserialize(IntoDeserializer::<serde::de::value::Error>::into_deserializer(word))
        .map_err(|error| Error::corrupt("a stored word is unknown", anyhow::Error::from(error)))
}
