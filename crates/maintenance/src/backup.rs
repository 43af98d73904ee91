//! `quire backup`: a whole deployment in one archive, while the server runs.

use std::collections::BTreeMap;
use std::path::Path;

use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_storage::content::files::FileStore;
use quire_storage::operations::snapshot::Snapshot;

use crate::archive::{FORMAT, Header, Kind, Manifest, Writer};
use crate::files::{Files, Object};
use crate::{Error, Result};

/// Deployment to back up.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// URL of the database.
    pub database_url: &'a str,
    /// Store of files.
    pub files: &'a FileStore,
    /// Version and build of this program, for the header.
    pub program: &'a str,
    /// Current time.
    pub now: Timestamp,
}

/// Writes a deployment to an archive: a snapshot of the database, then the files that it names. Meanwhile no files are
/// removed from the store. Missing and damaged files are counted in the manifest and left out.
///
/// # Errors
/// [`Error::Refused`] if the archive exists already; [`Error::Storage`] if the database or the store fails. Then no
/// archive is left behind.
pub fn back_up(source: &Source<'_>, path: &Path) -> Result<Manifest> {
    write_archive(source, Kind::Deployment, None, path)
}

/// Writes the whole deployment, or one organization.
pub(crate) fn write_archive(
    source: &Source<'_>,
    kind: Kind,
    organization: Option<OrganizationId>,
    path: &Path,
) -> Result<Manifest> {
    let files = Files::new(source.files.clone())?;
    let mut snapshot = Snapshot::take(source.database_url, organization).map_err(|error| match error {
        quire_storage::Error::NotFound => Error::Refused("there is no such organization".to_owned()),
        other => other.into(),
    })?;
    let tables = snapshot.catalogue().tables().to_vec();
    let header = Header {
        format: FORMAT,
        kind,
        quire: source.program.to_owned(),
        created_at: source.now.millis(),
        migrations: snapshot.migrations()?,
        organization,
        foreign_integrations: snapshot.foreign_integrations()?,
        columns: tables
            .iter()
            .map(|table| (table.name.clone(), table.columns.clone()))
            .collect::<BTreeMap<_, _>>(),
    };
    let mut writer = Writer::create(path, &header)?;
    for table in &tables {
        writer.begin_table(&table.name)?;
        snapshot.rows(table, |row| writer.row(&table.name, row))?;
    }
    snapshot.files(|file, size| {
        let object = Object::File(file);
        match files.read(object, size)? {
            Some(spooled) if spooled.size == size && spooled.hash == file.hash => {
                writer.object(object, spooled)
            }
            Some(_) | None => {
                writer.missing(object);
                Ok::<_, Error>(())
            }
        }
    })?;
    for (upload, size) in snapshot.uploads()? {
        // The upload is missing if the import ended after the snapshot. After a restore the import fails for that
        // reason.
        if let Some(spooled) = files.read(Object::Upload(upload), size)? {
            writer.object(Object::Upload(upload), spooled)?;
        }
    }
    drop(snapshot);
    writer.finish()
}
