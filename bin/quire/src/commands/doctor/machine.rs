//! Checks of the machine: folders, disks, files, addresses and programs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use quire_domain::clock::IdGenerator as _;
use quire_storage::content::files::FileLocation;

use super::Findings;
use crate::client;
use crate::config::{DatabaseOptions, ListenOptions, PdfOptions, SearchOptions};
use crate::database::open_files;
use crate::system::SystemIds;

/// Free disk space for a warning, and for a failure, at which writes are about to fail.
const FREE_WARN: u64 = 2 << 30;
const FREE_FAIL: u64 = 256 << 20;
const REACH_TIMEOUT: Duration = Duration::from_secs(5);

/// Checks the data folder and the folder of the search index.
pub(super) fn examine_folders(findings: &mut Findings, options: &DatabaseOptions, search: &SearchOptions) {
    examine_folder(findings, "data folder", &options.data_dir);
    examine_folder(findings, "search folder", &search.directory(&options.data_dir));
}

fn examine_folder(findings: &mut Findings, about: &str, folder: &Path) {
    let shown = folder.display();
    // A folder that the first start will create is on the disk of its nearest existing ancestor.
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let Some(existing) = absolute.ancestors().find(|ancestor| ancestor.exists()) else {
        return findings.fail(about, format!("no parent folder of {shown} exists"));
    };
    if !existing.is_dir() {
        return findings.fail(about, format!("{} is not a folder", existing.display()));
    }
    if let Err(error) = tempfile::tempfile_in(existing) {
        return findings.fail(
            about,
            format!("{} can't be written: {error}. Give it to this account", existing.display()),
        );
    }
    let free = statvfs(existing)
        .map_or(u64::MAX, |stats| stats.blocks_available().saturating_mul(stats.fragment_size()));
    let mebibytes = free.div_euclid(1 << 20);
    match free {
        ..FREE_FAIL => {
            findings.fail(about, format!("{shown} has {mebibytes} MiB free: make room, or writes fail"))
        }
        FREE_FAIL..FREE_WARN => findings.warn(about, format!("{shown} has {mebibytes} MiB free: make room")),
        _ => findings.ok(about, format!("{shown} can be written and has {mebibytes} MiB free")),
    }
}

/// Checks the store of files by writing, reading and removing an object.
pub(super) fn examine_files(findings: &mut Findings, options: &DatabaseOptions) {
    let location = options.files();
    if let FileLocation::Folder(folder) = &location
        && !folder.exists()
    {
        return findings.ok("files", format!("the first start creates {location}"));
    }
    let probed = open_files(options).and_then(|store| {
        let probed = actix_web::rt::System::new().block_on(store.probe(SystemIds.uuid()));
        Ok(probed?)
    });
    match probed {
        Ok(()) => findings.ok("files", format!("objects in {location} can be written, read and removed")),
        Err(error) => findings.fail(
            "files",
            format!("{location} can't be used: {error:#}. Check QUIRE_FILES, the settings QUIRE_S3_… and the rights on it"),
        ),
    }
}

/// Checks the address and the public URL of the service.
pub(super) fn examine_addresses(findings: &mut Findings, listen: &ListenOptions) {
    let Some(base_url) = listen.configured_base_url() else {
        return match listen.bind.ip().is_loopback() {
            true => findings
                .ok("base URL", "QUIRE_BASE_URL is not set: the service is only reachable on this machine"),
            false => {
                findings.warn("base URL", "QUIRE_BASE_URL is not set: set it to the address that callers use")
            }
        };
    };
    let asked = actix_web::rt::System::new().block_on(async {
        let client = client::builder().timeout(REACH_TIMEOUT).build()?;
        Ok::<_, reqwest::Error>(client.get(format!("{base_url}/healthz")).send().await?.status())
    });
    match asked {
        Ok(status) if status.is_success() => findings.ok("base URL", format!("{base_url} answers")),
        Ok(status) => findings.warn(
            "base URL",
            format!("{base_url}/healthz answers {status}: check the proxy, and that it passes the path on"),
        ),
        Err(error) => findings.warn(
            "base URL",
            format!(
                "{base_url} does not answer ({}): check DNS, TLS and the proxy, or start the server",
                plain(&error)
            ),
        ),
    }
}

/// Returns the innermost cause, which does not contain the URL.
fn plain(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// Checks the PDF renderer.
pub(super) fn examine_pdf(findings: &mut Findings, options: &PdfOptions) {
    let program = match options.program() {
        Ok(program) => program,
        Err(error) => return findings.warn("PDFs", format!("{error:#}")),
    };
    let is_executable =
        fs::metadata(&program).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
    match is_executable {
        true => findings.ok("PDFs", format!("{} is installed", program.display())),
        false => findings.warn(
            "PDFs",
            format!(
                "{} is missing, so requests for PDFs get a 503: install it, or set QUIRE_PDF_BIN",
                program.display()
            ),
        ),
    }
}
