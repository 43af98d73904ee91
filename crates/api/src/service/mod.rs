//! Operational endpoints: health, metrics, the OpenAPI document and its page.

pub mod docs;
pub mod document;
pub mod health;
pub mod metrics;
pub mod version;
