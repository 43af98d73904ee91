//! Services available to jobs.

use std::time::Duration;

use quire_content::git::GitRunner;
use quire_content::imports::ImportRunner;
use quire_importer::fetch::Fetcher;
use quire_importer::source::GatherLimits;
use quire_storage::SystemStorage;

use crate::mail::Mailer;
use crate::pdf::PdfRenderer;

/// Services available to every kind of job.
#[derive(Clone)]
pub struct Services {
    /// The database and the file bytes.
    pub storage: SystemStorage,
    /// Fetches user-supplied URLs.
    pub fetcher: Fetcher,
    /// Runs imports, within the limits of the node.
    pub imports: ImportRunner,
    /// Synchronizes connected spaces, within the limits of the node.
    pub git: GitRunner,
    /// Limits of background imports.
    pub import_limits: GatherLimits,
    /// Age at which audit log entries are removed. `None` keeps them forever.
    pub audit_age: Option<Duration>,
    /// Renders books as PDFs.
    pub pdf: PdfRenderer,
    /// Sends mail; `None` if the deployment sends none.
    pub mailer: Option<Mailer>,
    /// Public base URL, for links in mails.
    pub base_url: String,
}
