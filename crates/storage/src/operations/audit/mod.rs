//! The audit log: one row for a request that changed something, written in the transaction that changed it; for a
//! command of the operator; and for an attempt that only administrators are allowed.

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

/// A request that changes something, before it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The id of the operation in the API.
    pub operation: Cow<'static, str>,
    /// The HTTP method.
    pub method: String,
    /// The path, without its query.
    pub path: String,
    /// The thing that the path names last: its kind, and its id.
    pub named: Option<(String, String)>,
    /// The address that the request came from.
    pub address: Option<IpAddr>,
    /// The id of the request.
    pub request_id: String,
}
