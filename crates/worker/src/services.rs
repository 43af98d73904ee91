//! What jobs work with.

use std::time::Duration;

use quire_content::imports::ImportRunner;
use quire_importer::fetch::Fetcher;
use quire_importer::source::GatherLimits;
use quire_storage::SystemStorage;

use crate::pdf::PdfRenderer;

/// What every kind of job may use.
#[derive(Clone)]
pub struct Services {
    /// The database and the file bytes.
    pub storage: SystemStorage,
    /// Fetches what users name by URL.
    pub fetcher: Fetcher,
    /// Runs imports, within the limits of the node.
    pub imports: ImportRunner,
    /// Bounds on imports that are watched.
    pub import_limits: GatherLimits,
    /// The age at which entries of the audit log are removed; without one they are kept forever.
    pub audit_age: Option<Duration>,
    /// Sets books as PDFs.
    pub pdf: PdfRenderer,
}
