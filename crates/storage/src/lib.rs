#![doc = include_str!("../README.md")]

mod cache_budget;
pub mod content;
mod credentials;
mod detail_views;
mod diesel_types;
mod end_of_transaction;
mod error;
#[rustfmt::skip]
mod execute;
mod functions;
pub mod group_commit;
mod group_write;
mod head_queue;
pub mod list;
mod log_position;
pub mod lookup;
pub mod migrations;
pub mod operations;
pub mod optimistic;
pub mod people;
mod pool;
mod replicas;
mod schema;
mod sealing;
pub mod session;
pub mod sites;
mod statement;
mod storage;
mod system;
mod transaction;
mod views;

pub use cache_budget::CacheBudget;
pub use error::{Error, Result};
pub use head_queue::{HeadKey, Turn};
pub use log_position::LogPosition;
pub use pool::StatementCounter;
pub use replicas::{ReadCounts, ReadRoute, Server};
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
