//! Base backups of a cluster, and recovery from a base backup and the archived write-ahead log.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::Stdio;

use crate::binaries::Binaries;
use crate::cluster::{Cluster, Opened};
use crate::config::ClusterConfig;
use crate::connection::SUPERUSER;
use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;
use crate::{process, wire};

/// Log to replay, and the time at which the replay ends.
#[derive(Clone, Debug)]
pub struct Recovery<'a> {
    /// Folder of the archived write-ahead log; `None` to recover the state of the base backup.
    pub wal: Option<&'a Path>,
    /// Time in PostgreSQL's syntax; `None` for the end of the log.
    pub until: Option<&'a str>,
}

/// Passes a base backup of a running cluster to `copy`, as a tar stream of its data directory.
///
/// # Errors
/// [`ClusterError::BaseBackup`] if `pg_basebackup` fails; [`ClusterError::Io`] if `copy` does.
pub fn base_backup(
    config: &ClusterConfig,
    opened: &Opened,
    copy: impl FnOnce(&mut dyn Read) -> io::Result<()>,
) -> Result<(), ClusterError> {
    let layout = Layout::prepare(&config.data_dir)?;
    let wanted = layout.cluster_version()?.map(|major| (major, layout.data_dir.clone()));
    let wanted = wanted.as_ref().map(|(major, data_dir)| (*major, data_dir.as_path()));
    let program = Binaries::find(config.binaries.as_deref(), wanted)?.pg_basebackup();
    let mut command = process::bound_to_this_thread(&program, &layout.account);
    command.args(["--pgdata=-", "--format=tar", "--wal-method=fetch", "--checkpoint=fast", "--no-password"]);
    command.arg("--host").arg(opened.connection().socket_dir());
    command.args(["--port", &wire::PORT.to_string(), "--username", SUPERUSER]);
    // The messages of `pg_basebackup` are few, so the pipe holds them until the backup is complete.
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("run", &program)?;
    let mut stdout = child
        .stdout
        .take()
        .ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
        .context("read", &program)?;
    let copied = copy(&mut stdout);
    // If `copy` failed, `pg_basebackup` ends, because it writes to a closed pipe.
    drop(stdout);
    let output = child.wait_with_output().context("wait for", &program)?;
    copied.context("copy", &layout.data_dir)?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(ClusterError::BaseBackup { output: format!("{}, {}", output.status, stderr.trim()) })
}

/// Creates a cluster from a base backup: `extract` unpacks the stream of [`base_backup`] into a folder. PostgreSQL then
/// replays the archived log up to the requested time, and is stopped.
///
/// # Errors
/// [`ClusterError::Occupied`] if the data directory holds a cluster; [`ClusterError::Exited`], with the end of
/// PostgreSQL's log, if it cannot replay the log up to the requested time. Then no cluster is left behind.
pub fn recover(
    config: &ClusterConfig,
    recovery: &Recovery<'_>,
    extract: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), ClusterError> {
    let layout = Layout::prepare(&config.data_dir)?;
    if layout.cluster_version()?.is_some() {
        return Err(ClusterError::Occupied { data_dir: layout.data_dir });
    }
    let (unfinished, pgdata) = (layout.unfinished_pgdata(), layout.pgdata());
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).context("remove", &unfinished)?;
    }
    layout.make_dir(&unfinished)?;
    extract(&unfinished).context("unpack a copy to", &unfinished)?;
    let mut config = config.clone().with_setting("hot_standby", "off");
    // The replayed log must not be archived again, and recovery may take long.
    config.wal_archive = None;
    config.ready_timeout = std::time::Duration::from_secs(7 * 24 * 60 * 60);
    if let Some(wal) = recovery.wal {
        layout.account.check_can_enter(wal)?;
        let signal = unfinished.join("recovery.signal");
        File::create(&signal).context("make", &signal)?;
        config = config
            .with_setting("restore_command", crate::archive::WalArchive::restore_command(wal)?)
            .with_setting("recovery_target_action", "promote")
            .with_setting("recovery_target_timeline", "latest");
        if let Some(until) = recovery.until {
            // PostgreSQL reads this setting before it loads the abbreviations of time zones.
            let until = until.strip_suffix('Z').map_or_else(|| until.to_owned(), |time| format!("{time}+00"));
            config = config.with_setting("recovery_target_time", until.replace('T', " "));
        }
    }
    layout.assign_to_account(&unfinished)?;
    fs::rename(&unfinished, &pgdata).context("rename", &unfinished)?;
    match Cluster::start(&config) {
        Ok(cluster) => cluster.stop(),
        Err(error) => {
            // At the next start PostgreSQL would continue to recover, without these settings.
            fs::remove_dir_all(&pgdata).context("remove", &pgdata)?;
            Err(error)
        }
    }
}
