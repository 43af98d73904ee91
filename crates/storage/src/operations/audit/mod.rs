//! Audit log: one row for each request that changed something, written in the transaction of the change; for each
//! command of the operator; and for each refused attempt of an action that only administrators may do.

mod list;
#[cfg(test)]
mod plans;
mod sweep;
mod write;

use std::borrow::Cow;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

pub use list::{AuditPosition, RecordedActor};
pub use write::Command;
pub(crate) use write::Entry;

/// Request that changes something, before it is completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Operation id in the API.
    pub operation: Cow<'static, str>,
    /// HTTP method.
    pub method: String,
    /// Path, without its query.
    pub path: String,
    /// Last object in the path: its kind and its id.
    pub named: Option<(String, String)>,
    /// Client address.
    pub address: Option<IpAddr>,
    /// Request id.
    pub request_id: String,
}
