//! `quire check`

use clap::Args;
use quire_maintenance::{CheckOptions, check};
use quire_storage::MIGRATIONS;
use quire_storage::migrations::Status;

use super::sentence;
use crate::config::DatabaseOptions;
use crate::database::{Database, open_files};
use crate::output;
use crate::usage::WrongInput;

/// A deployment to be verified.
#[derive(Args)]
pub struct CheckCommand {
    /// Read the bytes of all files and compare their hashes, not only their sizes
    #[arg(long)]
    read_files: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl CheckCommand {
    /// Verifies the database and the files, with or without a running server, and prints the findings.
    ///
    /// # Errors
    /// If there are findings, or the database or the store fails.
    pub fn run(&self) -> anyhow::Result<()> {
        let files = open_files(&self.database)?;
        let report = Database::reach(&self.database)?.during(|database| {
            match MIGRATIONS.status(database.url())? {
                Status::Current => {}
                other => {
                    let sentence =
                        format!("the schema does not match this program ({other:?}): run `quire migrate`");
                    return Err(WrongInput(sentence).into());
                }
            }
            check(database.url(), &files, CheckOptions { read_files: self.read_files }).map_err(sentence)
        })?;
        for (about, finding) in &report.findings {
            for example in &finding.examples {
                output::line(&format!("{about}: {example}"));
            }
            let shown = u64::try_from(finding.examples.len()).unwrap_or(u64::MAX);
            if finding.number > shown {
                output::line(&format!("{about}: {} more", finding.number.saturating_sub(shown)));
            }
        }
        output::line(&format!(
            "Verified {} documents, {} nodes of trees, {} revisions, {} files, and {} rules.",
            report.content.documents,
            report.content.nodes,
            report.content.revisions,
            report.files,
            report.rules
        ));
        match report.wrong() {
            0 => Ok(()),
            wrong => anyhow::bail!("{wrong} problems were found"),
        }
    }
}
