//! Faults: each is injected, lasts for a while, and ends.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use diesel::connection::SimpleConnection as _;

use crate::deployment::Deployment;
use crate::dice::Dice;
use crate::node::set_clock;
use crate::signals;

/// Kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    ServerKilled,
    ServerStopped,
    DatabaseKilled,
    DatabaseStopped,
    BackendsEnded,
    DatabaseFull,
    DatabaseReadOnly,
    CommitsHang,
    FilesFull,
    ConnectionsCut,
    ClockJumps,
}

impl Fault {
    /// All kinds, with their names.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::ServerKilled, "server-killed"),
        (Self::ServerStopped, "server-stopped"),
        (Self::DatabaseKilled, "database-killed"),
        (Self::DatabaseStopped, "database-stopped"),
        (Self::BackendsEnded, "backends-ended"),
        (Self::DatabaseFull, "database-full"),
        (Self::DatabaseReadOnly, "database-read-only"),
        (Self::CommitsHang, "commits-hang"),
        (Self::FilesFull, "files-full"),
        (Self::ConnectionsCut, "connections-cut"),
        (Self::ClockJumps, "clock-jumps"),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(fault, _)| *fault == self).map_or("", |(_, name)| name)
    }

    /// Returns the reason why the fault cannot be injected here; `None` if it can.
    pub fn obstacle(self, deployment: &Deployment) -> Option<&'static str> {
        match self {
            Self::DatabaseFull if !deployment.database_disk.is_mounted() => Some("needs the right to mount"),
            Self::FilesFull if !deployment.files_disk.is_mounted() => Some("needs the right to mount"),
            Self::ClockJumps if deployment.clock.is_none() => {
                Some("needs libfaketime (Debian: apt-get install libfaketime, or --faketime)")
            }
            _ => None,
        }
    }

    /// Injects the fault, waits, and ends it. Returns a description for the report.
    pub async fn inject(self, deployment: &mut Deployment, dice: &mut Dice) -> Result<String> {
        let lasts = Duration::from_millis(dice.roll(800).saturating_add(150));
        let which = usize::try_from(dice.roll(2)).unwrap_or(0);
        let pause = || tokio::time::sleep(lasts);
        let mut about = format!("for {} ms", lasts.as_millis());
        match self {
            Self::ServerKilled => {
                deployment.node(which)?.kill()?;
                pause().await;
                deployment.node(which)?.launch()?;
                about = format!("node {which} {about}");
            }
            Self::ServerStopped => {
                deployment.node(which)?.signal("-STOP")?;
                pause().await;
                deployment.node(which)?.signal("-CONT")?;
                about = format!("node {which} {about}");
            }
            Self::DatabaseKilled => {
                deployment.cluster.kill()?;
                pause().await;
                deployment.cluster.launch()?;
            }
            Self::DatabaseStopped => {
                let pids = deployment.cluster.pids()?;
                signals::send("-STOP", &pids)?;
                pause().await;
                signals::send("-CONT", &pids)?;
            }
            Self::BackendsEnded => {
                let statement =
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'quire'";
                for _ in 0..dice.roll(3).saturating_add(1) {
                    deployment.cluster.administer("postgres")?.batch_execute(statement)?;
                    tokio::time::sleep(Duration::from_millis(dice.roll(200))).await;
                }
            }
            Self::DatabaseFull => {
                deployment.database_disk.fill()?;
                pause().await;
                deployment.database_disk.empty()?;
                deployment.cluster.recover()?;
            }
            Self::DatabaseReadOnly => {
                let set = |value: &str| -> Result<()> {
                    let mut connection = deployment.cluster.administer("postgres")?;
                    connection.batch_execute("SET default_transaction_read_only = off")?;
                    connection.batch_execute(&format!(
                        "ALTER SYSTEM SET default_transaction_read_only = {value}"
                    ))?;
                    Ok(connection.batch_execute("SELECT pg_reload_conf()")?)
                };
                set("on")?;
                pause().await;
                set("off")?;
            }
            Self::CommitsHang => {
                let set = |names: &str| -> Result<()> {
                    let mut connection = deployment.cluster.administer("postgres")?;
                    connection
                        .batch_execute(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"))?;
                    Ok(connection.batch_execute("SELECT pg_reload_conf()")?)
                };
                // Commits wait for the confirmation of a standby that does not exist.
                set("absent")?;
                pause().await;
                let reads = deployment.answers_reads().await;
                set("")?;
                ensure!(reads, "reads are not answered while COMMITs hang");
            }
            Self::FilesFull => {
                deployment.files_disk.fill()?;
                pause().await;
                deployment.files_disk.empty()?;
            }
            Self::ConnectionsCut => {
                for _ in 0..dice.roll(6).saturating_add(1) {
                    deployment.proxies.iter().for_each(crate::proxy::Proxy::cut);
                    tokio::time::sleep(Duration::from_millis(dice.roll(60))).await;
                }
            }
            Self::ClockJumps => {
                let hours = i64::try_from(dice.roll(9)).unwrap_or(0).saturating_sub(4);
                let seconds = hours.saturating_mul(3_600);
                let (_, file) = deployment.clock.as_ref().context("there is no clock")?;
                set_clock(file, seconds)?;
                pause().await;
                set_clock(file, 0)?;
                about = format!("by {hours} h {about}");
            }
        }
        Ok(about)
    }
}
