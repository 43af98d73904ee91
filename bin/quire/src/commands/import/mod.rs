//! `quire import`: imports a folder, a file or a URL into a space of a server, and shows the progress.

mod display;
mod input;
mod server;

use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use quire_domain::ids::{ImportId, PageId, SpaceId};
use quire_domain::imports::{
    Import, ImportPhase, ImportReportEntry, ImportResult, ImportSource, ImportState,
};
use tokio::signal::unix::{SignalKind, signal};

use self::display::{Display, Unit};
use self::input::ImportInput;
use self::server::Server;
use crate::config::base_url;
use crate::output;
use crate::usage::WrongInput;

/// Interval between two requests for the progress.
const POLL: Duration = Duration::from_millis(500);
/// Consecutive failed requests before giving up. An import continues after a restart of the server, so some may fail.
const MISSED: u32 = 120;

/// Content and destination of an import.
#[derive(Args)]
pub struct ImportOptions {
    /// A folder, a file, or the URL of a file or website
    #[arg(value_name = "FOLDER|FILE|URL")]
    what: String,
    /// The id of the destination space
    #[arg(long, value_name = "ID", value_parser = id::<SpaceId>)]
    space: SpaceId,
    /// The destination change request, by its id or number [default: the main content]
    #[arg(long, value_name = "ID|NUMBER")]
    change_request: Option<String>,
    /// The page to replace; other imported pages go below it [default: below the root]
    #[arg(long, value_name = "ID", value_parser = id::<PageId>)]
    page: Option<PageId>,
    /// The source: website, docx, markdown, html, zip, confluence, github-wiki, dropbox-paper, notion, quip,
    /// google-docs, or a generator: gitbook, mdbook, mkdocs, docusaurus, vitepress, myst, starlight, nextra,
    /// fumadocs, mintlify [default: by the name of the file]
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    source: Option<ImportSource>,
    /// The URL of the server
    #[arg(long, env = "QUIRE_URL", value_name = "URL", default_value = "http://127.0.0.1:8080", value_parser = base_url)]
    url: String,
    /// The token to import with
    #[arg(long, env = "QUIRE_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// Imports, and prints skipped content with the reasons. Ctrl-C cancels the import on the server.
///
/// # Errors
/// If the content cannot be packed or sent, the server refuses it, the import fails, or it is cancelled.
pub fn run(options: &ImportOptions) -> anyhow::Result<()> {
    let token = options.token.as_deref().filter(|token| !token.is_empty());
    let token = token.ok_or_else(|| WrongInput("QUIRE_TOKEN (or --token) is needed".to_owned()))?;
    let server = Server::new(&options.url, token)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut display = Display::on_stderr();
    let ended = runtime.block_on(import(options, &server, &mut display));
    display.end();
    report(&ended?)
}

async fn import(options: &ImportOptions, server: &Server, display: &mut Display) -> anyhow::Result<Import> {
    // Installed before the import starts, so that Ctrl-C always cancels it.
    let mut interrupt = signal(SignalKind::interrupt()).context("Ctrl-C can't be caught")?;
    display.show("packing", 0, None, Unit::Things);
    let input = ImportInput::find(&options.what, options.source)?;
    let mut path = vec!["spaces".to_owned(), options.space.to_string()];
    path.extend(options.change_request.iter().flat_map(|key| ["change-requests".to_owned(), key.clone()]));
    path.push("content".to_owned());
    path.extend(options.page.iter().flat_map(|page| ["page".to_owned(), page.to_string()]));
    path.push("import".to_owned());
    let begun = tokio::select! {
        begun = server.begin(&path, input, display) => begun?,
        _ = interrupt.recv() => bail!("cancelled before it started"),
    };
    let (space, import) = (begun.space, begun.id);
    tokio::select! {
        ended = watch(server, begun, display) => ended,
        _ = interrupt.recv() => cancel(server, space, import).await,
    }
}

/// Polls an import until it has ended.
async fn watch(server: &Server, mut import: Import, display: &mut Display) -> anyhow::Result<Import> {
    let mut missed = 0;
    while !import.status.is_final() {
        show(display, &import);
        tokio::time::sleep(POLL).await;
        match server.import(import.space, import.id).await {
            Ok(now) => (import, missed) = (now, 0),
            Err(error) if error.may_pass() && missed < MISSED => missed += 1,
            Err(error) => return Err(error).context("the progress of the import can no longer be read"),
        }
    }
    Ok(import)
}

fn show(display: &mut Display, import: &Import) {
    let label = match (import.status, import.phase) {
        (ImportState::Pending, _) => "waiting",
        (_, None) => "beginning",
        (_, Some(phase)) => phase.as_str(),
    };
    let unit = match (import.phase, import.source) {
        (Some(ImportPhase::Fetching), source) if source != ImportSource::Website => Unit::Bytes,
        _ => Unit::Things,
    };
    display.show(label, import.progress.done, import.progress.total, unit);
}

/// Cancels an import. If it has already ended, returns it with its result.
async fn cancel(server: &Server, space: SpaceId, import: ImportId) -> anyhow::Result<Import> {
    if !server.cancel(space, import).await.context("the import can't be cancelled")? {
        output::error("it was too late to cancel the import");
    }
    Ok(server.import(space, import).await?)
}

/// Prints the result of an import.
fn report(import: &Import) -> anyhow::Result<()> {
    match (import.status, &import.result, &import.error) {
        (
            ImportState::Succeeded,
            Some(ImportResult { revision, imported_resources, total_resources, report }),
            _,
        ) => {
            report.iter().for_each(|entry| output::line(&line(entry)));
            output::line(&format!(
                "{imported_resources} of {total_resources} pages and files imported: revision {revision}"
            ));
            Ok(())
        }
        (ImportState::Cancelled, ..) => bail!("the import was cancelled: nothing was changed"),
        (_, _, Some(error)) => bail!("the import failed: {}", server::sentence(error)),
        _ => bail!("the import failed without a message"),
    }
}

fn line(ImportReportEntry { path, status, message, .. }: &ImportReportEntry) -> String {
    let status = serde_json::to_value(status).ok();
    let status = status.as_ref().and_then(|status| status.as_str()).unwrap_or_default().to_owned();
    match path.as_str() {
        "" => format!("{status}: {message}"),
        path => format!("{status}: {path}: {message}"),
    }
}

fn id<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "it is not an id such as 01a1b2c3-0000-7000-8000-000000000000".to_owned())
}

fn source(text: &str) -> Result<ImportSource, String> {
    text.parse().map_err(|_| {
        let names: Vec<&str> = ImportSource::ALL.iter().map(|source| source.as_str()).collect();
        format!("it must be one of {}", names.join(", "))
    })
}
