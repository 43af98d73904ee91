//! The archive: a tar stream, compressed with Zstandard.
//!
//! | Entry, in this order | Content |
//! |---|---|
//! | `quire-archive.json` | the [`Header`] |
//! | `database/<table>/<number>` | rows, each a line: a JSON string that holds the row as PostgreSQL writes it |
//! | `files/<space>/<hash>` | bytes of a file |
//! | `uploads/<space>/<import>` | an upload that waits for its import |
//! | `manifest.json` | the [`Manifest`] |
//!
//! The manifest comes last, so an archive that was cut off has none. It counts and hashes all that precedes it; the
//! bytes of a file have the hash of its name.

mod read;
mod write;

use std::collections::BTreeMap;

use quire_domain::ids::OrganizationId;
use quire_storage::content::files::{StoredFile, StoredUpload};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::files::Object;

pub(crate) use read::{Visitor, read};
pub(crate) use write::Writer;

/// The format that is written, and the newest one that is read.
pub(crate) const FORMAT: u32 = 1;

pub(crate) const HEADER: &str = "quire-archive.json";
pub(crate) const MANIFEST: &str = "manifest.json";

/// Content of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A whole deployment.
    Deployment,
    /// One organization.
    Organization,
}

/// The first entry: what is needed to read the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// Content of the archive.
    pub kind: Kind,
    /// The version and build of the program that wrote it.
    pub quire: String,
    /// Time of the snapshot, in milliseconds since 1970.
    pub created_at: i64,
    /// The versions of the migrations that the database had run.
    pub migrations: Vec<String>,
    /// The organization, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<OrganizationId>,
    /// Integrations of others that it has installed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign_integrations: Vec<(Uuid, String)>,
    /// The columns of each table.
    pub columns: BTreeMap<String, Vec<String>>,
}

/// The last entry: counts and hashes of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The rows of each table.
    pub tables: BTreeMap<String, TableCounts>,
    /// The files.
    pub files: FileCounts,
    /// The uploads.
    pub uploads: FileCounts,
    /// Number of files that rows name and the store lacked, or had with other bytes.
    pub missing: u64,
    /// Names of the first of them.
    pub missing_names: Vec<String>,
}

/// Rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCounts {
    /// Their number.
    pub rows: u64,
    /// The SHA-256 of all entries of the table, one after the other.
    pub sha256: String,
}

/// Objects of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    /// Their number.
    pub number: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The SHA-256 of the lines `<name> <size> <hash>` of all.
    pub sha256: String,
}

impl Manifest {
    /// Number of rows of all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.values().map(|table| table.rows).sum()
    }
}

fn rows_name(table: &str, number: u64) -> String {
    format!("database/{table}/{number:06}")
}

impl Object {
    /// The name of the entry.
    pub(crate) fn name(self) -> String {
        match self {
            Self::File(StoredFile { space, hash }) => format!("files/{space}/{hash}"),
            Self::Upload(StoredUpload { space, import }) => format!("uploads/{space}/{import}"),
        }
    }

    /// The object of an entry.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('/');
        let (kind, space, last) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        match kind {
            "files" => Some(Self::File(StoredFile { space, hash: last.parse().ok()? })),
            "uploads" => Some(Self::Upload(StoredUpload { space, import: last.parse().ok()? })),
            _ => None,
        }
    }
}
