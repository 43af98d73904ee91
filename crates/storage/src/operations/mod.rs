//! Operation of a deployment: the job queue, the audit log, webhooks and integrations, keys, snapshots and checks.

pub mod audit;
pub mod check;
pub mod diagnosis;
pub mod events;
pub mod idempotency;
pub mod integrations;
pub mod jobs;
pub mod keys;
pub mod outbox;
pub mod pdf;
pub mod presences;
pub mod snapshot;
pub mod webhooks;
