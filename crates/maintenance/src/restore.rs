//! `quire restore`: restores an archive to an empty deployment.

use std::path::Path;

use quire_storage::MIGRATIONS;
use quire_storage::content::files::FileStore;
use quire_storage::operations::snapshot::{Load, Policy, Table};

use crate::Result;
use crate::archive::{self, Header, Kind, Manifest, Visitor};
use crate::error::refuse;
use crate::files::{Files, Object, Spooled};

/// Maximum number of rows per statement, and their size in bytes.
const BATCH: usize = 2_000;
const BATCH_BYTES: usize = 4 << 20;

/// Empty deployment as the target of a restore.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// URL of the database.
    pub database_url: &'a str,
    /// Store of files.
    pub files: &'a FileStore,
    /// `true` to restore although the store has objects.
    pub keep_files: bool,
}

/// Outcome of a restore.
#[derive(Clone, Debug)]
pub struct Restored {
    /// Header of the archive.
    pub header: Header,
    /// Manifest of the archive.
    pub manifest: Manifest,
    /// Migrations that were run on the restored rows, because the archive has an older schema.
    pub migrated: Vec<String>,
}

/// Verifies an archive, then restores it to an empty deployment. The rows are written in one transaction, which commits
/// after all files are stored. An interrupted restore leaves the database empty and can be repeated.
///
/// # Errors
/// [`Error::Refused`](crate::Error::Refused) for a damaged or newer archive, an archive of an organization, or a target
/// that is not empty. Then nothing was changed, apart from the schema of an empty database.
pub fn restore(path: &Path, target: &Target<'_>) -> Result<Restored> {
    let (header, _) = archive::read(path, &mut Verify)?;
    if header.kind != Kind::Deployment {
        return refuse(format!(
            "{} holds an organization: `quire admin organization import` adds it to a deployment",
            path.display()
        ));
    }
    let files = Files::new(target.files.clone())?;
    MIGRATIONS.run_only(target.database_url, &header.migrations)?;
    let mut load = Load::begin(target.database_url, Policy::Whole)?;
    if let Some(table) = load.occupied_table()? {
        return refuse(format!(
            "the database is not empty: {table} has rows. Restore to an empty database, or to a new data folder"
        ));
    }
    if !target.keep_files && !files.runtime.block_on(target.files.is_empty())? {
        return refuse(
            "the store of files is not empty. Restore to an empty one; or give --keep-files, if an earlier restore was \
             interrupted or the files are those of the deployment",
        );
    }
    let mut loading = Loading { load: &mut load, files: &files, rows: Batch::default(), keys: None };
    let (header, manifest) = archive::read(path, &mut loading)?;
    loading.end_rows()?;
    load.commit(None)?;
    let migrated = MIGRATIONS.run(target.database_url)?;
    Load::analyze(target.database_url)?;
    Ok(Restored { header, manifest, migrated })
}

/// Visitor that only verifies an archive.
pub(crate) struct Verify;

impl Visitor for Verify {
    fn header(&mut self, _: &Header) -> Result<()> {
        Ok(())
    }

    fn rows(&mut self, _: &str, _: Vec<String>) -> Result<()> {
        Ok(())
    }

    fn object(&mut self, _: Object, _: Spooled) -> Result<()> {
        Ok(())
    }
}

/// Collected rows of one table.
#[derive(Default)]
pub(crate) struct Batch {
    table: Option<Table>,
    rows: Vec<String>,
    bytes: usize,
}

/// Visitor that writes rows and objects.
pub(crate) struct Loading<'a> {
    pub(crate) load: &'a mut Load,
    pub(crate) files: &'a Files,
    pub(crate) rows: Batch,
    pub(crate) keys: Option<&'a quire_storage::operations::keys::MasterKeys>,
}

impl Loading<'_> {
    /// Writes the collected rows.
    pub(crate) fn end_rows(&mut self) -> Result<()> {
        let Batch { table, rows, .. } = std::mem::take(&mut self.rows);
        match table {
            Some(table) if !rows.is_empty() => Ok(self.load.rows(&table, &rows, self.keys)?),
            _ => Ok(()),
        }
    }
}

impl Visitor for Loading<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        for (name, columns) in &header.columns {
            match self.load.catalogue().table(name) {
                Some(table) if table.columns == *columns => {}
                Some(_) => {
                    return refuse(format!(
                        "the table {name} of the database has other columns than the archive"
                    ));
                }
                None => return refuse(format!("the database lacks the table {name} of the archive")),
            }
        }
        Ok(())
    }

    fn rows(&mut self, table: &str, rows: Vec<String>) -> Result<()> {
        if self.rows.table.as_ref().is_none_or(|open| open.name != table) {
            self.end_rows()?;
            self.rows.table = self.load.catalogue().table(table).cloned();
        }
        for row in rows {
            self.rows.bytes = self.rows.bytes.saturating_add(row.len());
            self.rows.rows.push(row);
            if self.rows.rows.len() >= BATCH || self.rows.bytes >= BATCH_BYTES {
                let table = self.rows.table.clone();
                self.end_rows()?;
                self.rows.table = table;
            }
        }
        Ok(())
    }

    fn object(&mut self, object: Object, spooled: Spooled) -> Result<()> {
        self.end_rows()?;
        self.files.write(object, spooled)
    }
}
