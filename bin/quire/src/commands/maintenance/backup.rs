//! `quire backup` and `quire restore`

use std::path::PathBuf;

use clap::Args;
use quire_maintenance::{Manifest, Source, Target, back_up, restore};

use super::{now, program, sentence, size};
use crate::config::DatabaseOptions;
use crate::database::{Database, open_files};
use crate::output;

/// A backup to be written.
#[derive(Args)]
pub struct BackupOptions {
    /// The archive, which must not exist
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOptions,
}

/// A backup to be restored.
#[derive(Args)]
pub struct RestoreOptions {
    /// The archive
    file: PathBuf,
    /// Restore although the store has files, of an interrupted restore or of the deployment itself
    #[arg(long)]
    keep_files: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl BackupOptions {
    /// Writes the database and the files to one archive, with or without a running server.
    ///
    /// # Errors
    /// If the database or the store fails, or files are missing. In the latter case the archive is complete except for
    /// them.
    pub fn run(&self) -> anyhow::Result<()> {
        let files = open_files(&self.database)?;
        let manifest = Database::reach(&self.database)?.during(|database| {
            let program = program();
            let source =
                Source { database_url: database.url(), files: &files, program: &program, now: now() };
            back_up(&source, &self.file).map_err(sentence)
        })?;
        output::line(&format!("Wrote {} with {}.", self.file.display(), content(&manifest)));
        complain(&manifest)
    }
}

impl RestoreOptions {
    /// Verifies an archive and restores it to an empty deployment.
    ///
    /// # Errors
    /// If the archive is damaged, newer than this program or an archive of an organization, or the deployment is not
    /// empty.
    pub fn run(&self) -> anyhow::Result<()> {
        let files = open_files(&self.database)?;
        let restored = Database::own(&self.database)?.during(|database| {
            let target = Target { database_url: database.url(), files: &files, keep_files: self.keep_files };
            restore(&self.file, &target).map_err(sentence)
        })?;
        output::line(&format!("Restored {}.", content(&restored.manifest)));
        for version in &restored.migrated {
            output::line(&format!("Ran migration {version}."));
        }
        let key = self.database.secret_key_file();
        if self.database.secret_key().is_none() && !key.exists() {
            output::line(&format!(
                "The archive has no master key: copy the deployment's key to {} (mode 600), or set \
                 QUIRE_SECRET_KEY, before `quire serve`.",
                key.display()
            ));
        }
        complain(&restored.manifest)
    }
}

fn content(manifest: &Manifest) -> String {
    let files = manifest.files.number.saturating_add(manifest.uploads.number);
    let bytes = manifest.files.bytes.saturating_add(manifest.uploads.bytes);
    format!("{} rows and {files} files ({})", manifest.rows(), size(bytes))
}

/// Fails if files were missing when the archive was written.
fn complain(manifest: &Manifest) -> anyhow::Result<()> {
    if manifest.missing == 0 {
        return Ok(());
    }
    for name in &manifest.missing_names {
        output::error(&format!("{name} was missing or damaged"));
    }
    anyhow::bail!(
        "{} files of the database were missing or damaged when the archive was written; everything else is in it",
        manifest.missing
    )
}
