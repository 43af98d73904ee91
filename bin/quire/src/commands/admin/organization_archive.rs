//! `quire admin organization export` and `import`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use quire_domain::ids::OrganizationId;
use quire_maintenance::{Source, Target, export_organization, import_organization};
use serde::Serialize;

use super::record;
use crate::commands::maintenance::{now, program, sentence};
use crate::config::DatabaseOptions;
use crate::database::{Database, open_files};
use crate::{output, secret_key};

/// Moving an organization to another deployment.
#[derive(Subcommand)]
pub enum ArchiveCommand {
    /// Write an organization with all its data to an archive, while the server runs
    Export(Export),
    /// Add the organization of an archive to this deployment
    Import(Import),
}

/// An organization to be exported.
#[derive(Args)]
pub struct Export {
    /// The organization's id
    #[arg(long, value_name = "ID")]
    organization: OrganizationId,
    /// The archive, which must not exist
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOptions,
}

/// An archive to be imported.
#[derive(Args)]
pub struct Import {
    /// The archive
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOptions,
}

/// Numbers of rows and objects, as JSON output.
#[derive(Serialize)]
struct Moved {
    organization: Option<OrganizationId>,
    rows: u64,
    files: u64,
    bytes: u64,
    missing: u64,
}

impl ArchiveCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// If the organization does not exist, or an import conflicts with the deployment.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Export(export) => export.run(),
            Self::Import(import) => import.run(),
        }
    }
}

impl Export {
    fn run(self) -> anyhow::Result<()> {
        let Self { organization, file, database: options } = self;
        let files = open_files(&options)?;
        let manifest = Database::reach(&options)?.during(|database| {
            let program = program();
            let source =
                Source { database_url: database.url(), files: &files, program: &program, now: now() };
            export_organization(&source, organization, &file).map_err(sentence)
        })?;
        output::json(&Moved {
            organization: Some(organization),
            rows: manifest.rows(),
            files: manifest.files.number,
            bytes: manifest.files.bytes,
            missing: manifest.missing,
        })
    }
}

impl Import {
    fn run(self) -> anyhow::Result<()> {
        let Self { file, database: options } = self;
        let files = open_files(&options)?;
        let restored = Database::join(&options)?.during(|database| {
            let storage = database.storage(&options, 1)?;
            let keys = secret_key::unlock_with_keys(&storage, &options)?;
            let target = Target { database_url: database.url(), files: &files, keep_files: true };
            let restored = import_organization(&file, &target, &keys).map_err(sentence)?;
            if let Some(organization) = restored.header.organization {
                super::transact_on(&storage, |tx| {
                    record(tx, organization, "admin.organization-import", ("organization", organization))
                })?;
            }
            Ok(restored)
        })?;
        let manifest = restored.manifest;
        output::json(&Moved {
            organization: restored.header.organization,
            rows: manifest.rows(),
            files: manifest.files.number,
            bytes: manifest.files.bytes,
            missing: manifest.missing,
        })
    }
}
