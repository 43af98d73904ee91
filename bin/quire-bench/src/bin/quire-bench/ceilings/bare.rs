//! `quire-bare` as a child process.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use quire_bench::client::Client;

use crate::load::{Figures, Load, Requests, Wrk};
use crate::process;

/// A route of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Answers bytes.
    Bytes,
    /// Executes a prepared statement before it answers the bytes.
    Statement,
}

impl Route {
    const fn path(self) -> &'static str {
        match self {
            Self::Bytes => "/body",
            Self::Statement => "/statement",
        }
    }

    /// Its name in the report.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bare route",
            Self::Statement => "bare route with one statement",
        }
    }
}

/// A server that answers any bytes from one route.
pub(crate) struct Bare {
    child: Child,
    client: Client,
}

impl Bare {
    /// Starts the program, which is in the folder of this one.
    pub(crate) fn start() -> Result<Self> {
        let program = std::env::current_exe()?.with_file_name("quire-bare");
        let mut child = Command::new(&program)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} can't be started", program.display()))?;
        let stdout = child.stdout.take().context("quire-bare has no standard output")?;
        let mut port = String::new();
        BufReader::new(stdout).read_line(&mut port)?;
        let client = Client::at(&format!("http://127.0.0.1:{}", port.trim()), "")?;
        Ok(Self { child, client })
    }

    /// Sets the database of the statement. Connections to an earlier one are kept, so that there is one for a run.
    pub(crate) async fn set_database(&self, url: String) -> Result<()> {
        self.client.put_bytes("/database", url.into_bytes()).await
    }

    /// Its figures at 16 connections with this body.
    pub(crate) async fn measure(
        &self,
        wrk: &Wrk,
        route: Route,
        body: Vec<u8>,
        seconds: u64,
    ) -> Result<Figures> {
        self.client.put_bytes("/body", body).await?;
        let requests = Requests::Gets(vec![route.path().to_owned()]);
        let load =
            Load { base: self.client.base(), headers: &[], requests: &requests, connections: 16, seconds };
        let before = process::cpu(self.child.id())?;
        let result = wrk.run(&load).await?;
        anyhow::ensure!(result.over_399 == 0.0, "{} answers of the bare route are errors", result.over_399);
        let after = process::cpu(self.child.id())?;
        Ok(Figures {
            connections: 16,
            requests_per_second: result.requests / result.seconds,
            p50_ms: Some(result.p50_ms),
            p99_ms: Some(result.p99_ms),
            server_cpu_ms: Some((after.server_ms - before.server_ms) / result.requests.max(1.0)),
            ..Figures::default()
        })
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
