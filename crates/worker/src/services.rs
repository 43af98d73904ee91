//! What jobs work with.

use quire_importer::fetch::Fetcher;
use quire_storage::Storage;

use crate::pdf::PdfRenderer;

/// What every kind of job may use.
#[derive(Clone)]
pub struct Services {
    /// The database and the file bytes.
    pub storage: Storage,
    /// Fetches what users name by URL.
    pub fetcher: Fetcher,
    /// Sets books as PDFs.
    pub pdf: PdfRenderer,
}
