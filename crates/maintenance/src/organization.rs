//! `quire admin organization export` and `import`: moves one organization to another deployment.

use std::path::Path;

use quire_domain::ids::OrganizationId;
use quire_storage::MIGRATIONS;
use quire_storage::migrations::Status;
use quire_storage::operations::keys::MasterKeys;
use quire_storage::operations::snapshot::{Load, Policy};

use crate::Result;
use crate::archive::{self, Kind, Manifest};
use crate::backup::{Source, write_archive};
use crate::error::refuse;
use crate::files::Files;
use crate::restore::{Batch, Loading, Restored, Target, Verify};

/// Writes one organization completely to an archive: its content and files, its members with their tokens, and the keys
/// of the deployment that it depends on, which stay wrapped by the master key.
///
/// # Errors
/// [`Error::Refused`](crate::Error::Refused) if the organization does not exist or the archive exists already.
pub fn export_organization(
    source: &Source<'_>,
    organization: OrganizationId,
    path: &Path,
) -> Result<Manifest> {
    write_archive(source, Kind::Organization, Some(organization), path)
}

/// Verifies an archive of an organization, then adds it to a deployment with the same schema, in one transaction.
/// `keys` are the master keys of the deployment and must include the archive's master key.
///
/// # Errors
/// [`Error::Refused`](crate::Error::Refused) for a damaged archive, an archive of another version, and conflicts: an
/// id, hostname or e-mail address that is taken, other keys of the deployment, a missing integration. Then nothing was
/// changed.
pub fn import_organization(path: &Path, target: &Target<'_>, keys: &MasterKeys) -> Result<Restored> {
    let (header, _) = archive::read(path, &mut Verify)?;
    if header.kind != Kind::Organization {
        return refuse(format!("{} holds a whole deployment: `quire restore` restores it", path.display()));
    }
    let known = match MIGRATIONS.status(target.database_url)? {
        Status::Current => MIGRATIONS.known()?,
        _ => return refuse("the schema of the deployment does not match this program: run `quire migrate`"),
    };
    if known != header.migrations {
        return refuse(
            "the archive is of another version of Quire: bring both deployments to the same version first",
        );
    }
    let files = Files::new(target.files.clone())?;
    let mut load = Load::begin(target.database_url, Policy::Organization)?;
    // Checked first, because a conflict of one of its other rows would be reported instead.
    if let Some(organization) = header.organization
        && load.has_organization(organization)?
    {
        return refuse("the organization already exists in this deployment");
    }
    let missing = load.missing_integrations(&header.foreign_integrations)?;
    if !missing.is_empty() {
        return refuse(format!(
            "the organization has installed integrations of others that this deployment lacks: {}. Uninstall them, or move \
             their organizations first",
            missing.join(", ")
        ));
    }
    let mut loading = Loading { load: &mut load, files: &files, rows: Batch::default(), keys: Some(keys) };
    let (header, manifest) = archive::read(path, &mut loading)?;
    loading.end_rows()?;
    load.commit(Some(keys))?;
    Load::analyze(target.database_url)?;
    Ok(Restored { header, manifest, migrated: Vec::new() })
}
