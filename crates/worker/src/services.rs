//! What jobs work with.

use quire_importer::fetch::Fetcher;
use quire_importer::source::GatherLimits;
use quire_storage::Storage;

use crate::pdf::PdfRenderer;

/// What every kind of job may use.
#[derive(Clone)]
pub struct Services {
    /// The database and the file bytes.
    pub storage: Storage,
    /// Fetches what users name by URL.
    pub fetcher: Fetcher,
    /// Bounds on imports that are watched.
    pub imports: GatherLimits,
    /// Sets books as PDFs.
    pub pdf: PdfRenderer,
}
