//! Import as requested.

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
    /// Main content, or the content of a change request.
    pub selector: ContentSelector,
    /// Page whose document the import replaces. `None` to import below the root.
    pub page: Option<PageId>,
}

/// Content to import.
#[derive(Debug)]
pub enum ImportInput {
    /// Content to fetch.
    Url {
        /// Address of the content.
        url: String,
        /// Kind of the content.
        source: ImportSource,
    },
    /// Uploaded content.
    Upload {
        /// Kind of the content.
        source: ImportSource,
        /// Name of the uploaded file.
        file_name: Option<String>,
        /// Bytes of the uploaded file.
        content: Content,
    },
}

impl ImportInput {
    /// Returns the field of the request that names the content.
    pub(super) fn field(&self) -> &'static str {
        match self {
            Self::Url { .. } => "url",
            Self::Upload { .. } => "file",
        }
    }
}

/// Import as requested, without its content.
#[derive(Debug)]
pub struct Import {
    /// Credentials of the importing user.
    pub credentials: Credentials,
    /// Target.
    pub destination: Destination,
    /// Limits on the gathered content.
    pub limits: GatherLimits,
    /// Accepted head revisions.
    pub expected: ExpectedRevisions,
    /// Entry of the audit log, written with the revision.
    pub change: Option<Change>,
}
