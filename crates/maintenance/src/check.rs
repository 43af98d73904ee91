//! `quire check`: verification of a deployment.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream};
use quire_storage::content::files::{FileStore, StoredFile};
use quire_storage::operations::check::{RULES, check_content, check_foreign_key, check_rule};
use quire_storage::operations::snapshot::Snapshot;

use crate::Result;
use crate::files::{Files, Object};

/// Maximum number of examples per finding.
const EXAMPLES: usize = 10;
/// Concurrent lookups of files.
const AT_ONCE: usize = 16;
/// Files per batch of lookups.
const BATCH: usize = 1_000;

/// Extent of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// Read the bytes of all files and compare their hashes; otherwise only their sizes are compared.
    pub read_files: bool,
}

/// Inconsistency that a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// Number of rows or files.
    pub number: u64,
    /// One line about each of the first rows or files.
    pub examples: Vec<String>,
}

/// Outcome of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Findings by their subject.
    pub findings: BTreeMap<&'static str, Finding>,
    /// Number of documents, nodes of trees and revisions that were verified.
    pub content: quire_storage::operations::check::Verified,
    /// Number of files.
    pub files: u64,
    /// Number of rules and foreign keys.
    pub rules: usize,
}

impl Report {
    /// Returns the number of findings.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.findings.values().map(|finding| finding.number).sum()
    }

    fn note(&mut self, about: &'static str, line: &str) {
        let finding = self.findings.entry(about).or_default();
        finding.number = finding.number.saturating_add(1);
        if finding.examples.len() < EXAMPLES {
            finding.examples.push(line.to_owned());
        }
    }
}

/// Verifies the database at `url` and its files, without changes. Everything is read from one snapshot, while the
/// server may run.
///
/// # Errors
/// [`Error::Storage`](crate::Error::Storage) if the database or the store fails.
pub fn check(url: &str, store: &FileStore, options: CheckOptions) -> Result<Report> {
    let files = Files::new(store.clone())?;
    let mut report = Report::default();
    let mut snapshot = Snapshot::take(url, None)?;
    for key in snapshot.catalogue().foreign_keys().to_vec() {
        check_foreign_key(&mut snapshot, &key, |line| report.note("references", line))?;
        report.rules = report.rules.saturating_add(1);
    }
    for rule in &RULES {
        check_rule(&mut snapshot, rule, |line| report.note(rule.name, line))?;
        report.rules = report.rules.saturating_add(1);
    }
    let mut lookups = snapshot.twin(url)?;
    report.content = check_content(&mut snapshot, &mut lookups, |line| report.note("content", line))?;
    let mut batch = Vec::with_capacity(BATCH);
    snapshot.files(|file, size| {
        batch.push((file, size));
        if batch.len() == BATCH { check_files(&files, &mut batch, options, &mut report) } else { Ok(()) }
    })?;
    check_files(&files, &mut batch, options, &mut report)?;
    Ok(report)
}

/// Compares files with the store.
fn check_files(
    files: &Files,
    batch: &mut Vec<(StoredFile, u64)>,
    options: CheckOptions,
    report: &mut Report,
) -> Result<()> {
    let batch = std::mem::take(batch);
    report.files = report.files.saturating_add(u64::try_from(batch.len()).unwrap_or(u64::MAX));
    let sizes = stream::iter(&batch).map(async |(file, _)| files.store.size(file.space, file.hash).await);
    let sizes: Vec<_> = files.runtime.block_on(sizes.buffered(AT_ONCE).collect());
    for ((file, size), found) in batch.into_iter().zip(sizes) {
        let name = Object::File(file).name();
        match found? {
            None => report.note("files", &format!("{name} is missing")),
            Some(found) if found != size => {
                report.note("files", &format!("{name} has {found} bytes, not {size}"));
            }
            Some(_) if options.read_files => match files.read(Object::File(file), size)? {
                Some(spooled) if spooled.hash == file.hash => {}
                Some(spooled) => report.note("files", &format!("{name} has the hash {}", spooled.hash)),
                None => report.note("files", &format!("{name} is missing")),
            },
            Some(_) => {}
        }
    }
    Ok(())
}
