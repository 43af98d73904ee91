#![doc = include_str!("../README.md")]

pub mod audit;
mod cache_budget;
pub mod change_requests;
pub mod check;
pub mod collections;
pub mod comments;
pub mod content;
mod credentials;
pub mod custom_fields;
mod detail_views;
pub mod diagnosis;
mod end_of_transaction;
mod error;
pub mod events;
pub mod files;
pub mod first_run;
mod functions;
pub mod git_installations;
pub mod git_syncs;
pub mod group_commit;
mod group_write;
pub mod hierarchy;
pub mod idempotency;
pub mod imports;
pub mod inbox;
pub mod integrations;
pub mod invites;
pub mod jobs;
pub mod keys;
pub mod links;
pub mod list;
mod log_position;
pub mod lookup;
pub mod mails;
pub mod members;
mod merge_rules;
pub mod migrations;
pub mod oidc;
pub mod openapi_specs;
pub mod optimistic;
pub mod organizations;
pub mod passkeys;
pub mod passwords;
pub mod pdf;
pub mod permissions;
mod pool;
pub mod presences;
pub mod published;
mod replicas;
pub mod user_sessions;
pub mod users;
#[rustfmt::skip]
mod execute;
mod diesel_types;
mod head_queue;
pub mod notifications;
mod purges;
pub mod renderers;
pub mod reviews;
pub mod saml;
mod schema;
pub mod scim;
mod sealing;
pub mod search;
pub mod second_factors;
pub mod session;
pub mod sign_in_links;
pub mod sites;
pub mod snapshot;
pub mod spaces;
mod statement;
mod storage;
mod system;
pub mod teams;
pub mod tokens;
mod transaction;
pub mod translations;
mod views;
pub mod webhooks;

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
