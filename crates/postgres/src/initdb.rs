//! Creates a new cluster.

use std::fs;

use crate::binaries::Binaries;
use crate::connection::SUPERUSER;
use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;
use crate::process;

/// Creates the cluster under a temporary name first, so that a crash does not leave a partial cluster under its name.
pub(crate) fn create(layout: &Layout, binaries: &Binaries, durable: bool) -> Result<(), ClusterError> {
    // `C.UTF-8` sorts by code point like `C`, but also classifies letters beyond ASCII. Some systems lack it.
    match run(layout, binaries, durable, "C.UTF-8") {
        Err(ClusterError::Initialise { output }) if output.contains("locale") => {
            log::warn!("the locale C.UTF-8 is missing here, so that PostgreSQL takes C");
            run(layout, binaries, durable, "C")?;
        }
        other => other?,
    }
    let (unfinished, pgdata) = (layout.unfinished_pgdata(), layout.pgdata());
    fs::rename(&unfinished, &pgdata).context("rename", &unfinished)?;
    fs::File::open(&layout.data_dir).and_then(|folder| folder.sync_all()).context("sync", &layout.data_dir)
}

fn run(layout: &Layout, binaries: &Binaries, durable: bool, locale: &str) -> Result<(), ClusterError> {
    let folder = layout.unfinished_pgdata();
    if folder.exists() {
        fs::remove_dir_all(&folder).context("remove", &folder)?;
    }
    layout.make_dir(&folder)?;
    let program = binaries.initdb();
    let mut command = process::bound_to_this_thread(&program, &layout.account);
    command.arg("--pgdata").arg(&folder);
    command.args(["--username", SUPERUSER, "--encoding", "UTF8", "--locale", locale]);
    // Only the cluster's account can enter the socket's folder, and there is no other way to connect.
    command.args(["--data-checksums", "--auth-local", "trust", "--auth-host", "reject", "--no-instructions"]);
    if !durable {
        command.arg("--no-sync");
    }
    let output = command.output().context("run", &program)?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(ClusterError::Initialise { output: format!("{}, {}", output.status, stderr.trim()) })
}
