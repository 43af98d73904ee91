//! Archive format: a tar stream, compressed with Zstandard.
//!
//! | Entry, in this order | Content |
//! |---|---|
//! | `quire-archive.json` | the [`Header`] |
//! | `database/<table>/<number>` | rows, one per line: a JSON string with the row in PostgreSQL's text form |
//! | `files/<space>/<hash>` | bytes of a file |
//! | `uploads/<space>/<import>` | an upload of a pending import |
//! | `manifest.json` | the [`Manifest`] |
//!
//! The manifest comes last, so a truncated archive has none. It has the counts and hashes of all entries before it. The
//! name of a file is the hash of its bytes.

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

/// Format version that is written, and the newest one that can be read.
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

/// First entry of an archive, with the data that the rest depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// Version of the format.
    pub format: u32,
    /// Content of the archive.
    pub kind: Kind,
    /// Version and build of the program that wrote the archive.
    pub quire: String,
    /// Time of the snapshot, in milliseconds since 1970.
    pub created_at: i64,
    /// Versions of the migrations that the database had run.
    pub migrations: Vec<String>,
    /// Id of the organization. Absent for a deployment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<OrganizationId>,
    /// Integrations of other organizations that the organization has installed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign_integrations: Vec<(Uuid, String)>,
    /// Columns of each table.
    pub columns: BTreeMap<String, Vec<String>>,
}

/// Last entry of an archive: counts and hashes of all other entries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Rows, by table.
    pub tables: BTreeMap<String, TableCounts>,
    /// Files.
    pub files: FileCounts,
    /// Uploads.
    pub uploads: FileCounts,
    /// Number of files that rows name and that the store lacked, or had with other bytes.
    pub missing: u64,
    /// Names of the first missing files.
    pub missing_names: Vec<String>,
}

/// Rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCounts {
    /// Number of rows.
    pub rows: u64,
    /// SHA-256 of all entries of the table, concatenated in order.
    pub sha256: String,
}

/// Objects of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    /// Number of objects.
    pub number: u64,
    /// Total size in bytes.
    pub bytes: u64,
    /// SHA-256 of the lines `<name> <size> <hash>` of all objects.
    pub sha256: String,
}

impl Manifest {
    /// Returns the number of rows of all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.values().map(|table| table.rows).sum()
    }
}

fn rows_name(table: &str, number: u64) -> String {
    format!("database/{table}/{number:06}")
}

impl Object {
    /// Returns the name of the object's entry.
    pub(crate) fn name(self) -> String {
        match self {
            Self::File(StoredFile { space, hash }) => format!("files/{space}/{hash}"),
            Self::Upload(StoredUpload { space, import }) => format!("uploads/{space}/{import}"),
        }
    }

    /// Returns the object of an entry; `None` for other entries.
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
