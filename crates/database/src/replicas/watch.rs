//! Thread that samples the primary's position and does the work on the primary that reads on replicas requested.

use std::sync::Weak;
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;

use super::{Replicas, written};

/// Pause between samples of the primary's position.
const PAUSE: Duration = Duration::from_millis(200);

/// Starts the thread for the primary at `url`. It ends when the last handle of the replicas is dropped.
pub(crate) fn watch(replicas: Weak<Replicas>, url: String) -> std::io::Result<()> {
    let run = move || {
        let mut connection = None;
        while let Some(replicas) = replicas.upgrade() {
            if let Err(error) = sample(&replicas, &url, &mut connection) {
                log::debug!("the position of the primary is unknown: {error:#}");
                connection = None;
            }
            drop(replicas);
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new().name("quire-replicas".into()).spawn(run).map(drop)
}

fn sample(replicas: &Replicas, url: &str, connection: &mut Option<PgConnection>) -> anyhow::Result<()> {
    let primary = match connection {
        Some(primary) => primary,
        None => {
            let mut opened = PgConnection::establish(url)?;
            opened.batch_execute("SET statement_timeout = '1s'; SET lock_timeout = '1s'")?;
            connection.insert(opened)
        }
    };
    let asked = Instant::now();
    replicas.samples.add(asked, written(primary)?);
    (replicas.on_primary)(primary)?;
    Ok(())
}
