//! A server under measurement, with its client and its content.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use quire_bench::client::Client;
use quire_bench::server::{Log, Server};

use crate::fixture::Fixture;
use crate::process::{self, Memory};

/// One binary that is measured.
pub(crate) struct Run {
    pub(crate) binary: String,
    pub(crate) server: Server,
    pub(crate) client: Client,
    pub(crate) fixture: Fixture,
    /// Memory shortly after the start.
    pub(crate) idle: Memory,
}

impl Run {
    /// Starts the server with its default log.
    pub(crate) async fn start(binary: &Path) -> Result<Self> {
        let server = Server::start(binary, Log::Default)?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let idle = process::memory(server.pid())?;
        let client = Client::new(&server)?;
        let fixture = Fixture::new(&server.organization);
        Ok(Self { binary: binary.display().to_string(), server, client, fixture, idle })
    }
}
