//! `quire doctor`: reports problems of the configuration and the machine, and remedies.

mod database;
mod machine;

use clap::Args;

use crate::config::{DatabaseOptions, LimitOptions, ListenOptions, PdfOptions, SearchOptions};
use crate::output;

/// The configuration to be examined.
#[derive(Args)]
pub struct DoctorOptions {
    #[command(flatten)]
    listen: ListenOptions,
    #[command(flatten)]
    database: DatabaseOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    pdf: PdfOptions,
    #[command(flatten)]
    search: SearchOptions,
}

/// Outcome of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Ok,
    /// The deployment works, but a change is recommended.
    Warn,
    /// The deployment does not work.
    Fail,
}

/// Outcomes so far.
#[derive(Default)]
struct Findings {
    failed: u64,
    warned: u64,
}

impl Findings {
    fn ok(&mut self, about: &str, sentence: impl AsRef<str>) {
        self.note(Verdict::Ok, about, sentence.as_ref());
    }

    fn warn(&mut self, about: &str, sentence: impl AsRef<str>) {
        self.note(Verdict::Warn, about, sentence.as_ref());
    }

    fn fail(&mut self, about: &str, sentence: impl AsRef<str>) {
        self.note(Verdict::Fail, about, sentence.as_ref());
    }

    fn note(&mut self, verdict: Verdict, about: &str, sentence: &str) {
        let word = match verdict {
            Verdict::Ok => "OK  ",
            Verdict::Warn => "WARN",
            Verdict::Fail => "FAIL",
        };
        match verdict {
            Verdict::Ok => {}
            Verdict::Warn => self.warned = self.warned.saturating_add(1),
            Verdict::Fail => self.failed = self.failed.saturating_add(1),
        }
        output::line(&format!("{word} {about}: {sentence}"));
    }
}

impl DoctorOptions {
    /// Checks the configuration, the database, the files and the machine, and prints a line about each.
    ///
    /// # Errors
    /// If a check fails.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut findings = Findings::default();
        match self.limits.check() {
            Ok(()) => findings.ok("configuration", "the values are well-formed"),
            Err(error) => findings.fail("configuration", format!("{error:#}")),
        }
        machine::examine_folders(&mut findings, &self.database, &self.search);
        machine::examine_files(&mut findings, &self.database);
        database::examine(&mut findings, &self.database, &self.limits);
        machine::examine_addresses(&mut findings, &self.listen);
        machine::examine_pdf(&mut findings, &self.pdf);
        output::line(&format!("{} failures, {} warnings", findings.failed, findings.warned));
        anyhow::ensure!(findings.failed == 0, "the deployment does not work with this configuration");
        Ok(())
    }
}
