//! `quire base-backup` and `quire recover`: point-in-time recovery of the private PostgreSQL.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use quire_domain::clock::Timestamp;
use quire_postgres::{Recovery, base_backup, recover};
use tempfile::NamedTempFile;

use super::size;
use crate::config::DatabaseOptions;
use crate::database::{Database, cluster_config, with_variable};
use crate::output;
use crate::usage::WrongInput;

/// Compression level, as for archives.
const LEVEL: i32 = 3;

/// A copy of the private PostgreSQL to be written.
#[derive(Args)]
pub struct BaseBackupOptions {
    /// The copy, which must not exist
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOptions,
}

/// A private PostgreSQL to be recovered.
#[derive(Args)]
pub struct RecoverOptions {
    /// The copy that `quire base-backup` wrote
    file: PathBuf,
    /// The folder of the archived write-ahead log [default: only what the copy has]
    #[arg(long, value_name = "FOLDER")]
    wal: Option<PathBuf>,
    /// The moment to recover, such as 2027-01-31T12:00:00Z [default: the end of the log]
    #[arg(long, value_name = "TIME", requires = "wal")]
    until: Option<Timestamp>,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl BaseBackupOptions {
    /// Writes a base backup of the private PostgreSQL while it runs.
    ///
    /// # Errors
    /// If the database is not the private PostgreSQL, or `pg_basebackup` fails. Then no file is left behind.
    pub fn run(&self) -> anyhow::Result<()> {
        let path = &self.file;
        if path.exists() {
            return Err(WrongInput(format!("{} already exists", path.display())).into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let config = cluster_config(&self.database, 1);
        Database::reach(&self.database)?.during(|database| {
            let Some(cluster) = database.cluster() else { return refuse_foreign() };
            let mut temporary = NamedTempFile::new_in(folder)?;
            base_backup(&config, cluster, |copy| {
                let mut encoder = zstd::stream::write::Encoder::new(temporary.as_file_mut(), LEVEL)?;
                encoder.include_checksum(true)?;
                io::copy(copy, &mut encoder)?;
                encoder.finish()?.sync_all()
            })?;
            temporary
                .persist_noclobber(path)
                .with_context(|| format!("{} can't be written", path.display()))?;
            Ok(())
        })?;
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        output::line(&format!("Wrote {} ({}).", path.display(), size(bytes)));
        if self.database.wal_archive().is_none() {
            output::line("QUIRE_WAL_ARCHIVE is not set: only the moment of this copy can be recovered.");
        }
        Ok(())
    }
}

impl RecoverOptions {
    /// Creates the private PostgreSQL of a new data folder from a base backup and the archived log.
    ///
    /// # Errors
    /// If the folder holds a PostgreSQL, or the log does not reach the requested time. Then nothing is left behind.
    pub fn run(&self) -> anyhow::Result<()> {
        if self.database.database_url().is_some() {
            return refuse_foreign();
        }
        let config = cluster_config(&self.database, 1);
        let wal = self.wal.as_deref().map(std::path::absolute).transpose()?;
        if let Some(wal) = wal.as_deref().filter(|wal| !wal.is_dir()) {
            return Err(WrongInput(format!("{} is not a folder", wal.display())).into());
        }
        let until = self.until.map(|until| until.to_string());
        let copy =
            File::open(&self.file).with_context(|| format!("{} can't be read", self.file.display()))?;
        let recovery = Recovery { wal: wal.as_deref(), until: until.as_deref() };
        recover(&config, &recovery, |folder| extract(copy, folder)).map_err(with_variable)?;
        output::line(
            "Recovered. Put the files and the master key in place, then start `quire serve`, and run `quire check`.",
        );
        Ok(())
    }
}

fn extract(copy: File, folder: &Path) -> io::Result<()> {
    let mut decoder = zstd::stream::read::Decoder::new(copy)?;
    let mut archive = tar::Archive::new(&mut decoder);
    archive.set_preserve_permissions(true);
    archive.unpack(folder)?;
    // The checksum is at the end of the stream.
    let mut rest = Vec::new();
    decoder.take(1 << 20).read_to_end(&mut rest).map(drop)
}

fn refuse_foreign<T>() -> anyhow::Result<T> {
    let sentence =
        "DATABASE_URL names your own PostgreSQL: use its tools, such as pg_basebackup, or `quire backup`";
    Err(WrongInput(sentence.to_owned()).into())
}
