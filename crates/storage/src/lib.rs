#![doc = include_str!("../README.md")]

mod cache_budget;
pub mod content;
mod detail_views;
mod diesel_types;
pub mod door;
mod end_of_transaction;
mod execute;
pub mod group_commit;
mod group_write;
pub mod list;
pub mod lookup;
pub mod migrations;
pub mod operations;
pub mod people;
pub mod sites;
#[cfg(test)]
mod statement_check;
mod storage;
mod system;
mod transaction;
mod views;

use quire_domain::schema;

pub use cache_budget::CacheBudget;
pub use content::store::{HeadKey, Turn};
pub use migrations::MIGRATIONS;
pub use quire_database::{
    Error, LogPosition, ReadCounts, ReadRoute, Result, Server, StatementCounter, optimistic, session,
};
pub use storage::{Options, Storage};
pub use system::{SystemReader, SystemStorage, SystemTx};
pub use transaction::{Known, Reader, Tenant, Tx};

/// A time from the database as one of the domain.
fn to_timestamp(time: time::OffsetDateTime) -> Result<quire_domain::clock::Timestamp> {
    time.try_into().map_err(|_| Error::corrupt("a time is out of range", anyhow::anyhow!("{time}")))
}

/// A word from the database as one of the domain's enumerations.
fn parse_enum<T: serde::de::DeserializeOwned>(word: &str) -> Result<T> {
    use serde::de::IntoDeserializer;
    T::deserialize(IntoDeserializer::<serde::de::value::Error>::into_deserializer(word))
        .map_err(|error| Error::corrupt("a stored word is unknown", anyhow::Error::from(error)))
}
