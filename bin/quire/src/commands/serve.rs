//! `quire serve`

use std::any::Any;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App, HttpServer, web};
use anyhow::Context;
use clap::Args;
use nix::sys::socket::setsockopt;
use nix::sys::socket::sockopt::TcpUserTimeout;
use nix::sys::stat::{Mode, umask};
use quire_api::{Api, ApiSettings, SignedAddresses};
use quire_content::git::GithubApp;
use quire_importer::fetch::{FetchConfig, Fetcher};
use quire_server::middleware::pace;
use quire_server::unread::PIECE;
use quire_server::{ServerState, Settings, State, UrlSigner};
use quire_storage::SystemStorage;
use quire_web::Sites;
use quire_worker::mail::Mailer;
use quire_worker::pdf::PdfRenderer;
use quire_worker::{Services, Worker};
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{
    DatabaseOptions, GithubOptions, ImportLimitOptions, LimitOptions, ListenOptions, MailOptions, PdfOptions,
    RetentionOptions, SearchOptions, cores,
};
use crate::database::Database;
use crate::{output, secret_key};

/// Time limit for requests in progress when the server stops, in seconds.
const DRAIN_SECONDS: u64 = 30;

/// Time limit for a client that reads none of the bytes sent to it, in milliseconds.
const UNREAD_MILLIS: u32 = 30_000;

/// Configuration of the server.
#[derive(Args)]
pub struct ServeOptions {
    #[command(flatten)]
    listen: ListenOptions,
    #[command(flatten)]
    database: DatabaseOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    imports: ImportLimitOptions,
    #[command(flatten)]
    retention: RetentionOptions,
    #[command(flatten)]
    pdf: PdfOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    mail: MailOptions,
    #[command(flatten)]
    github: GithubOptions,
}

/// Serves until SIGTERM or SIGINT, then stops the parts in reverse order of their start: requests, jobs, search index,
/// PostgreSQL.
///
/// # Errors
/// If the address cannot be bound, the database fails, or PostgreSQL does not stop.
pub fn run(options: &ServeOptions) -> anyhow::Result<()> {
    options.limits.check()?;
    secret_key::check(&options.database)?;
    options.database.s3.access()?;
    let mailer = options.mail.mailer()?;
    let github_app = options.github.app()?;
    let listener = options.listen.bind()?;
    // The additional connection updates the search index.
    let connections = options.limits.pool().saturating_add(Worker::CONNECTIONS).saturating_add(1);
    let database = Database::serve(&options.database, connections)?;
    // Set after the start of PostgreSQL, whose files other accounts may need. The server's own files are private.
    umask(Mode::S_IRWXG | Mode::S_IRWXO);
    for version in &database.migrated {
        log::info!("ran migration {version}");
    }
    let served = database
        .storage_with(
            &options.database,
            connections,
            options.limits.caches(),
            options.search.index(&options.database.data_dir),
        )
        .and_then(|storage| secret_key::unlock(&storage, &options.database).map(|_| storage))
        .and_then(|storage| {
            let kept = storage.storage().clone();
            let served = actix_web::rt::System::new().block_on(serve(
                options,
                listener,
                storage,
                (mailer, github_app),
            ));
            // The search index reads the database, so it stops first.
            kept.stop_search_index();
            served
        });
    let closed = database.close();
    served.and(closed)
}

async fn serve(
    options: &ServeOptions,
    listener: TcpListener,
    storage: SystemStorage,
    (mailer, github_app): (Option<Mailer>, Option<GithubApp>),
) -> anyhow::Result<()> {
    let base_url = options.listen.base_url(&listener)?;
    let address = listener.local_addr().context("the address to listen on can't be read")?;
    let (key, fresh) =
        storage.transact::<_, quire_storage::Error>(|tx| Ok((tx.deployment_key("urls")?, tx.is_fresh()?)))?;
    if options.listen.trust_hostnames() == Some(true) {
        storage.transact::<_, quire_storage::Error>(|tx| tx.trust_hostnames())?;
    }
    let settings = settings(options, base_url.clone(), mailer.is_some());
    let state = ServerState::new(storage.storage().clone(), UrlSigner::new(key), settings)?;
    let state: State = web::Data::new(state);
    storage.keep_search_index();
    let pdf = renderer(options, &state)?;
    let fetch = FetchConfig { allow: options.limits.fetch_allow.0.clone(), ..FetchConfig::default() };
    let fetcher = Fetcher::new(fetch);
    let limits = ApiSettings { imports: options.imports.waited(), github_app, ..ApiSettings::default() };
    let api = web::Data::new(Api::new(state.clone(), fetcher, limits, quire_web::endpoints())?);
    let sites = Sites::new(state.clone(), api.expansions(), api.highlighter(), api.git())?;
    actix_web::rt::spawn(sites.clone().free_unused());
    let services = Services {
        storage,
        fetcher: api.imports.fetcher.clone(),
        imports: api.imports.clone(),
        git: api.git.clone(),
        import_limits: options.imports.watched(),
        audit_age: options.retention.audit_age(),
        pdf,
        mailer,
        base_url: base_url.clone(),
    };
    let threads = threads(options.limits.pool());
    let app = move || {
        App::new()
            .wrap(from_fn(quire_web::find_host))
            .configure(quire_web::configure(sites.clone()))
            .configure(quire_api::configure(api.clone()))
            .wrap(from_fn(pace::pace))
    };
    let server = HttpServer::new(app)
        .workers(threads.workers)
        .worker_max_blocking_threads(threads.blocking)
        // The head and body of a response are written separately. Without this option the body waits 40 ms for the
        // acknowledgement of the head.
        .tcp_nodelay(true)
        .h1_write_buffer_size(PIECE)
        // A client that has closed its connection reads no response. Without this option a stream of events would end
        // only at its next write.
        .h1_allow_half_closed(false)
        .on_connect(|stream, _| end_if_unread(stream))
        .shutdown_timeout(DRAIN_SECONDS)
        .disable_signals()
        .listen(listener)
        .context("the address can't be served")?
        .run();
    let jobs = Worker::start(services).context("the jobs can't be run")?;
    let welcome = quire_web::welcome_url(&state);
    stop_on_signal(server.handle(), state, options.listen.drain())?;
    output::line(&format!("Quire listens on http://{address} and shows its API at {base_url}/docs"));
    if fresh {
        output::line(&hint(&welcome, &options.database));
    }
    let served = server.await.context("the server failed");
    jobs.stop();
    log::info!("stopped serving");
    served
}

/// Makes the kernel close a connection whose client reads nothing for some time, even if the client still answers
/// keep-alive probes. Actix Web releases the pending body only when the connection is closed.
fn end_if_unread(stream: &dyn Any) {
    let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
    #[cfg(target_os = "linux")]
    if let Err(error) = setsockopt(stream, TcpUserTimeout, &UNREAD_MILLIS) {
        log::debug!("a connection has no time limit for unread bytes: {error}");
    }
}

fn settings(options: &ServeOptions, base_url: String, mail: bool) -> Settings {
    let limits = &options.limits;
    Settings {
        base_url,
        build: env!("QUIRE_BUILD").to_owned(),
        max_body: limits.max_body,
        max_upload: limits.max_upload,
        max_bodies: limits.max_bodies,
        max_unread: limits.max_unread,
        caches: limits.caches(),
        answer_cache: limits.answer_cache,
        concurrency: usize::try_from(limits.pool()).unwrap_or(usize::MAX),
        rate_limit: limits.rate_limit,
        peer_rate_limit: limits.peer_rate_limit,
        cors_origins: options.listen.cors_origins.0.clone(),
        proxies: options.listen.proxies(),
        own_hostnames: options.listen.own_hostnames.0.clone(),
        trust_hostnames: options.listen.trust_hostnames(),
        mail,
        ..Settings::default()
    }
}

/// Returns the PDF renderer. The start does not depend on the program: it need not exist yet.
fn renderer(options: &ServeOptions, state: &ServerState) -> anyhow::Result<PdfRenderer> {
    let addresses = SignedAddresses::new(&state.settings.base_url, state.signer.clone());
    let mut renderer = PdfRenderer::new(options.pdf.program()?, Arc::new(addresses));
    renderer.fonts = options.pdf.fonts()?;
    Ok(renderer)
}

/// Stops the server at SIGTERM or SIGINT. For the drain time before, `/readyz` answers 503 and requests are still
/// accepted, so that load balancers stop sending requests. Another signal ends the drain time.
fn stop_on_signal(server: actix_web::dev::ServerHandle, state: State, drain: Duration) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM can't be caught")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT can't be caught")?;
    actix_web::rt::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        state.drain();
        if !drain.is_zero() {
            log::info!("stopping in {} s: /readyz answers 503", drain.as_secs());
            tokio::select! {
                () = tokio::time::sleep(drain) => {}
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        log::info!("stopping: requests have {DRAIN_SECONDS} s to end");
        server.stop(true).await;
    });
    Ok(())
}

/// Numbers of threads.
#[derive(Debug, PartialEq, Eq)]
struct Threads {
    workers: usize,
    blocking: usize,
}

/// Returns one worker per core, each with as many blocking threads as there are connections. Permits bound the threads
/// in use to the number of connections in total: measured, this keeps the 99th percentile of requests at 10 ms instead
/// of 150 to 500 ms. With fewer threads, writes of one worker that wait for a COMMIT could occupy all of its threads,
/// and its reads would have a permit but no thread.
fn threads(pool: u32) -> Threads {
    let pool = usize::try_from(pool).unwrap_or(usize::MAX).max(1);
    Threads { workers: cores().min(pool), blocking: pool }
}

/// Returns instructions for the first steps, on a deployment without an organization.
fn hint(welcome: &str, database: &DatabaseOptions) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "quire".to_owned());
    format!(
        "There is no organization yet. Make one in a browser:\n  {welcome}\nor with a token for scripts:\n  \
         {program} admin bootstrap{} --organization \"Acme\" --email ada@example.com --name \"Ada\"",
        database.flag_for_others()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_worker_has_a_thread_for_each_connection() {
        for pool in [0, 1, 2, 3, 7, 64, 1_000] {
            let Threads { workers, blocking } = threads(pool);
            assert!(workers >= 1 && workers <= blocking, "{pool}");
            assert_eq!(blocking, usize::try_from(pool).unwrap().max(1));
        }
    }
}
