//! An import as requested.

use quire_domain::ids::{PageId, SpaceId};
use quire_domain::imports::ImportSource;
use quire_importer::source::GatherLimits;
use quire_importer::spool::Content;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_storage::operations::audit::Change;

use crate::expected::ExpectedRevisions;

/// Target of an import.
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    /// The space.
    pub space: SpaceId,
    /// Its main content or a change request's.
    pub selector: ContentSelector,
    /// The page whose document the import replaces; `None`: below the root.
    pub page: Option<PageId>,
}

/// The content to import.
#[derive(Debug)]
pub enum ImportInput {
    /// To be fetched.
    Url {
        /// Address of the content.
        url: String,
        /// Kind of the content.
        source: ImportSource,
    },
    /// Uploaded.
    Upload {
        /// Kind of the content.
        source: ImportSource,
        /// The name of the file.
        file_name: Option<String>,
        /// The bytes.
        content: Content,
    },
}

impl ImportInput {
    /// The field of the request that names the content.
    pub(super) fn field(&self) -> &'static str {
        match self {
            Self::Url { .. } => "url",
            Self::Upload { .. } => "file",
        }
    }
}

/// An import as requested, apart from its content.
#[derive(Debug)]
pub struct Import {
    /// The credentials of the user who imports.
    pub credentials: Credentials,
    /// Its target.
    pub destination: Destination,
    /// Bounds on what is gathered.
    pub limits: GatherLimits,
    /// The heads that it may be stored on.
    pub expected: ExpectedRevisions,
    /// The entry of the audit log, written with the revision.
    pub change: Option<Change>,
}
