//! The configuration: one small struct per concern. Each option is a flag and an environment variable; nothing else in
//! Quire reads the environment.

use std::convert::Infallible;
use std::fs::File;
use std::io::Read as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use log::LevelFilter;
use quire_content::git::{GithubApp, GithubAppError};
use quire_importer::fetch::AllowRule;
use quire_importer::source::GatherLimits;
use quire_importer::tree;
use quire_postgres::WalArchive;
use quire_server::urls::host_name;
use quire_server::{ForwardedHeader, Proxies, Proxy};
use quire_storage::CacheBudget;
use quire_storage::content::files::{FileLocation, S3Options};
use quire_storage::content::git_installations::GitAppInstallation;
use quire_storage::content::search::IndexOptions;
use quire_worker::mail::Mailer;
use url::Url;

use crate::usage::WrongInput;

/// Logging options.
#[derive(Args, Debug)]
pub struct LogOptions {
    /// The log level (error, warn, info, debug, trace), or levels of modules, such as `info,quire_importer=debug`
    #[arg(long, env = "QUIRE_LOG", value_name = "LEVELS", default_value = "info", value_parser = log_levels, global = true)]
    pub log: String,
}

/// Location of the state.
#[derive(Args, Debug)]
pub struct DatabaseOptions {
    /// The folder of the private PostgreSQL and the files
    #[arg(long, env = "QUIRE_DATA_DIR", value_name = "FOLDER", default_value = Self::DATA_DIR)]
    pub data_dir: PathBuf,
    /// A PostgreSQL to use instead of a private one, as a libpq URL
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,
    /// A direct connection to that PostgreSQL for migrations, if DATABASE_URL leads through a pooler, as a libpq URL
    #[arg(
        long,
        env = "QUIRE_MIGRATE_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        requires = "database_url"
    )]
    migrate_database_url: Option<String>,
    /// Standbys of that PostgreSQL that serve reads, as libpq URLs of one server each, separated by spaces
    #[arg(
        long,
        env = "QUIRE_READ_DATABASE_URL",
        value_name = "URLS",
        hide_env_values = true,
        requires = "database_url"
    )]
    read_database_url: Option<String>,
    /// Milliseconds from which an SQL statement is logged as slow; 0 logs none
    #[arg(long, env = "QUIRE_SLOW_STATEMENT", value_name = "MILLISECONDS", default_value_t = 1_000)]
    slow_statement: u64,
    /// The folder of `initdb` and `postgres` [default: searched for]
    #[arg(long, env = "QUIRE_POSTGRES_BIN", value_name = "FOLDER")]
    postgres_bin: Option<PathBuf>,
    /// A folder for the write-ahead log of the private PostgreSQL, or a command with %p and %f, for recovery to any
    /// moment
    #[arg(long, env = "QUIRE_WAL_ARCHIVE", value_name = "FOLDER OR COMMAND")]
    wal_archive: Option<String>,
    /// The folder of uploaded and imported files, or a bucket as s3://bucket/prefix [default: `files` in the data
    /// folder]
    #[arg(long, env = "QUIRE_FILES", value_name = "FOLDER OR URL", value_parser = files)]
    files: Option<FileLocation>,
    #[command(flatten)]
    pub s3: BucketOptions,
    /// The master key of the keys in the database: 32 bytes in base64 [default: `secret.key` in the data folder,
    /// created if missing]
    #[arg(long, env = "QUIRE_SECRET_KEY", value_name = "KEY", hide_env_values = true)]
    secret_key: Option<String>,
    /// Previous master keys, separated by commas, to open keys that they wrapped while QUIRE_SECRET_KEY is being
    /// replaced
    #[arg(long, env = "QUIRE_SECRET_KEY_PREVIOUS", value_name = "KEYS", hide_env_values = true)]
    secret_key_previous: Option<String>,
}

impl DatabaseOptions {
    const DATA_DIR: &str = "./quire-data";

    /// Returns the operator's database; `None` for a private cluster.
    pub fn database_url(&self) -> Option<&str> {
        self.database_url.as_deref().filter(|url| !url.is_empty())
    }

    /// Returns the direct connection for migrations, if it differs from [`Self::database_url`].
    pub fn migrate_database_url(&self) -> Option<&str> {
        self.migrate_database_url.as_deref().filter(|url| !url.is_empty())
    }

    /// Returns the URLs of the standbys that serve reads.
    pub fn read_database_urls(&self) -> Vec<String> {
        let urls = self.read_database_url.iter().flat_map(|urls| urls.split_whitespace());
        urls.map(str::to_owned).collect()
    }

    /// Returns the duration from which an SQL statement is logged.
    pub fn slow_statement(&self) -> Option<Duration> {
        (self.slow_statement > 0).then(|| Duration::from_millis(self.slow_statement))
    }

    /// Returns the configured folder of PostgreSQL's programs.
    pub fn postgres_bin(&self) -> Option<&Path> {
        self.postgres_bin.as_deref().filter(|folder| !folder.as_os_str().is_empty())
    }

    /// Returns the archive of the private cluster's write-ahead log.
    pub fn wal_archive(&self) -> Option<WalArchive> {
        self.wal_archive.as_deref().filter(|text| !text.is_empty()).and_then(|text| text.parse().ok())
    }

    /// Returns the configured master key, undecoded, since errors must not print it.
    pub fn secret_key(&self) -> Option<&str> {
        self.secret_key.as_deref().filter(|key| !key.is_empty())
    }

    /// Returns the previous master keys.
    pub fn previous_secret_keys(&self) -> impl Iterator<Item = &str> {
        let keys = self.secret_key_previous.iter().flat_map(|keys| keys.split(','));
        keys.map(str::trim).filter(|key| !key.is_empty())
    }

    /// Returns the file of master keys, used if none is configured.
    pub fn secret_key_file(&self) -> PathBuf {
        self.data_dir.join("secret.key")
    }

    /// Returns the folder of the private cluster.
    pub fn cluster_dir(&self) -> PathBuf {
        self.data_dir.join("postgres")
    }

    /// Returns the location of file bytes.
    pub fn files(&self) -> FileLocation {
        let given = self.files.clone().filter(|files| *files != FileLocation::Folder(PathBuf::new()));
        given.unwrap_or_else(|| FileLocation::Folder(self.data_dir.join("files")))
    }

    /// Returns the flag that selects the same state in another command; empty for the default.
    pub fn flag_for_others(&self) -> String {
        match (self.database_url(), self.data_dir == Path::new(Self::DATA_DIR)) {
            (None, false) => format!(" --data-dir {}", self.data_dir.display()),
            _ => String::new(),
        }
    }
}

/// Access to the bucket of files.
#[derive(Args, Debug)]
pub struct BucketOptions {
    /// The URL of a service that speaks S3, such as MinIO [default: AWS]
    #[arg(long, env = "QUIRE_S3_ENDPOINT", value_name = "URL", value_parser = endpoint)]
    s3_endpoint: Option<String>,
    /// The region of the bucket [default: us-east-1]
    #[arg(long, env = "QUIRE_S3_REGION", value_name = "REGION")]
    s3_region: Option<String>,
    /// The id of the access key [default: the role of the machine in AWS]
    #[arg(long, env = "QUIRE_S3_ACCESS_KEY", value_name = "ID", hide_env_values = true)]
    s3_access_key: Option<String>,
    /// The secret of the access key
    #[arg(long, env = "QUIRE_S3_SECRET_KEY", value_name = "SECRET", hide_env_values = true)]
    s3_secret_key: Option<String>,
    /// The session token of a temporary access key
    #[arg(long, env = "QUIRE_S3_SESSION_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    s3_session_token: Option<String>,
    /// Send browsers to the bucket for the bytes of files (true or false)
    #[arg(long, env = "QUIRE_S3_REDIRECT", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", default_value_t = false, action = clap::ArgAction::Set)]
    s3_redirect: bool,
}

impl BucketOptions {
    /// Returns the access to buckets.
    ///
    /// # Errors
    /// A sentence that names the variable if only one half of the access key is given.
    pub fn access(&self) -> anyhow::Result<S3Options> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        let access_key = match (given(&self.s3_access_key), given(&self.s3_secret_key)) {
            (Some(id), Some(secret)) => Some((id, secret)),
            (None, None) => None,
            (Some(_), None) => {
                return Err(WrongInput(
                    "QUIRE_S3_SECRET_KEY: QUIRE_S3_ACCESS_KEY needs its secret".to_owned(),
                )
                .into());
            }
            (None, Some(_)) => {
                return Err(
                    WrongInput("QUIRE_S3_ACCESS_KEY: QUIRE_S3_SECRET_KEY needs its id".to_owned()).into()
                );
            }
        };
        Ok(S3Options {
            endpoint: given(&self.s3_endpoint),
            region: given(&self.s3_region),
            access_key,
            session_token: given(&self.s3_session_token),
            redirect: self.s3_redirect,
        })
    }
}

/// The search index of the node.
#[derive(Args, Debug)]
pub struct SearchOptions {
    /// The folder of the search index [default: `search` in the data folder]
    #[arg(long, env = "QUIRE_SEARCH_DIR", value_name = "FOLDER")]
    search_dir: Option<PathBuf>,
    /// Memory for indexing, for all threads together, in bytes
    #[arg(long, env = "QUIRE_SEARCH_HEAP", value_name = "BYTES", default_value_t = 32 << 20, value_parser = bytes)]
    search_heap: usize,
    /// Indexing threads; each takes at least 15 MiB of the memory
    #[arg(long, env = "QUIRE_SEARCH_THREADS", value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    search_threads: u8,
    /// Disk space of the search index from which spaces are left out, in bytes; 0 for no bound
    #[arg(long, env = "QUIRE_SEARCH_DISK", value_name = "BYTES", default_value_t = 0)]
    search_disk: u64,
}

impl SearchOptions {
    const LEAST_HEAP: usize = 15 << 20;

    /// The folder of the index.
    pub fn directory(&self, data_dir: &Path) -> PathBuf {
        let given = self.search_dir.as_ref().filter(|folder| !folder.as_os_str().is_empty());
        given.cloned().unwrap_or_else(|| data_dir.join("search"))
    }

    /// Location and resources of the index.
    pub fn index(&self, data_dir: &Path) -> IndexOptions {
        let threads = usize::from(self.search_threads);
        let heap_bytes = self.search_heap.max(Self::LEAST_HEAP.saturating_mul(threads));
        let disk_bytes = (self.search_disk > 0).then_some(self.search_disk);
        IndexOptions {
            directory: Some(self.directory(data_dir)),
            heap_bytes,
            threads,
            disk_bytes,
            ..IndexOptions::default()
        }
    }
}

/// Addresses of the service.
#[derive(Args, Debug)]
pub struct ListenOptions {
    /// The address and port to listen on; port 0 selects a free one
    #[arg(long, env = "QUIRE_BIND", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub bind: SocketAddr,
    /// The public URL; everything is served below its path [default: http:// and the address]
    #[arg(long, env = "QUIRE_BASE_URL", value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,
    /// Host names of the service besides that of the public URL, separated by commas; no site gets one of them
    #[arg(long, env = "QUIRE_OWN_HOSTNAMES", value_name = "HOSTNAMES", default_value = "", hide_default_value = true, value_parser = host_names)]
    pub own_hostnames: CommaSeparated<String>,
    /// Host names of sites count without a proof (true or false) [default: while there is one organization]
    #[arg(long, env = "QUIRE_TRUST_HOSTNAMES", value_name = "BOOL", num_args = 0..=1, default_value = "", hide_default_value = true, default_missing_value = "true", value_parser = trust)]
    trust_hostnames: Trust,
    /// Origins allowed for browsers (CORS), separated by commas
    #[arg(long, env = "QUIRE_CORS_ORIGINS", value_name = "ORIGINS", default_value = "", hide_default_value = true, value_parser = origins)]
    pub cors_origins: CommaSeparated<String>,
    /// Seconds after SIGTERM for which /readyz answers 503 and requests are still accepted, for load balancers
    #[arg(long, env = "QUIRE_DRAIN_SECONDS", value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=600))]
    drain_seconds: u64,
    /// Addresses and networks of trusted proxies, separated by commas: the client address is read from their header
    #[arg(long, env = "QUIRE_TRUSTED_PROXIES", value_name = "ADDRESSES", default_value = "", hide_default_value = true, value_parser = words::<Proxy>)]
    trusted_proxies: CommaSeparated<Proxy>,
    /// The header in which the proxies pass the client address: x-forwarded-for or forwarded
    #[arg(long, env = "QUIRE_FORWARDED_HEADER", value_name = "HEADER", default_value = "x-forwarded-for", value_parser = header)]
    forwarded_header: ForwardedHeader,
    /// Replaced option; refused so that no deployment silently loses the client addresses that it relies on
    #[arg(long, env = "QUIRE_TRUST_FORWARDED", hide = true, num_args = 0..=1, default_missing_value = "true", value_parser = replaced)]
    trust_forwarded: Option<Infallible>,
}

impl ListenOptions {
    /// Returns whether host names of sites count without a proof; `None`: while there is one organization.
    pub fn trust_hostnames(&self) -> Option<bool> {
        self.trust_hostnames.0
    }

    /// The trusted proxies.
    pub fn proxies(&self) -> Proxies {
        Proxies { trusted: self.trusted_proxies.0.clone(), header: self.forwarded_header }
    }

    /// Returns the time for which requests are accepted after the signal to stop.
    pub fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds)
    }

    /// Returns the configured base URL.
    pub fn configured_base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// Binds the address.
    ///
    /// # Errors
    /// A sentence that names the variable if the address does not belong to this machine or is in use.
    pub fn bind(&self) -> anyhow::Result<TcpListener> {
        let listener = TcpListener::bind(self.bind);
        listener
            .map_err(|error| WrongInput(format!("QUIRE_BIND: can't listen on {}: {error}", self.bind)).into())
    }

    /// Returns the base URL for the bound address. A server that listens on all addresses uses this machine's.
    pub fn base_url(&self, listener: &TcpListener) -> anyhow::Result<String> {
        if let Some(url) = &self.base_url {
            return Ok(url.clone());
        }
        let address = listener.local_addr().context("the address that was taken can't be read")?;
        Ok(match address.ip().is_unspecified() {
            true => format!("http://localhost:{}", address.port()),
            false => format!("http://{address}"),
        })
    }
}

/// Trust in host names of sites; `None`: while there is one organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust(Option<bool>);

/// Limits on requests.
#[derive(Args, Debug)]
pub struct LimitOptions {
    /// Requests per minute and user; 0 for no limit
    #[arg(long, env = "QUIRE_RATE_LIMIT", value_name = "REQUESTS", default_value_t = 6_000, value_parser = requests)]
    pub rate_limit: u32,
    /// Requests per minute and client address without a valid token; 0 for no limit
    #[arg(long, env = "QUIRE_PEER_RATE_LIMIT", value_name = "REQUESTS", default_value_t = 6_000, value_parser = requests)]
    pub peer_rate_limit: u32,
    /// Maximum size of a JSON body in bytes
    #[arg(long, env = "QUIRE_MAX_BODY", value_name = "BYTES", default_value_t = 4 << 20, value_parser = bytes)]
    pub max_body: usize,
    /// Maximum size of an upload in bytes
    #[arg(long, env = "QUIRE_MAX_UPLOAD", value_name = "BYTES", default_value_t = 32 << 20, value_parser = bytes)]
    pub max_upload: usize,
    /// Memory for the bodies and uploads of all concurrent requests, in bytes
    #[arg(long, env = "QUIRE_MAX_BODIES", value_name = "BYTES", default_value_t = 256 << 20, value_parser = bytes)]
    pub max_bodies: usize,
    /// Memory for the bytes of all responses that wait for their readers, in bytes
    #[arg(long, env = "QUIRE_MAX_UNREAD", value_name = "BYTES", default_value_t = 64 << 20, value_parser = bytes)]
    pub max_unread: usize,
    /// Bytes of memory for all caches: of answers, documents, trees of pages and what is derived from them
    #[arg(long, env = "QUIRE_CACHE", value_name = "BYTES", default_value_t = CacheBudget::DEFAULT_BYTES)]
    cache: u64,
    /// Bytes of finished answers to reads of content among them; 0 keeps none [default: 13/32 of the caches]
    #[arg(long, env = "QUIRE_ANSWER_CACHE", value_name = "BYTES")]
    pub answer_cache: Option<u64>,
    /// Hosts, host:port or blocks of addresses that may be fetched from although they are not public, separated by
    /// commas
    #[arg(long, env = "QUIRE_FETCH_ALLOW", value_name = "RULES", default_value = "", hide_default_value = true, value_parser = words::<AllowRule>)]
    pub fetch_allow: CommaSeparated<AllowRule>,
    /// Database connections, and concurrent requests that use the database [default: three per core]
    #[arg(long, env = "QUIRE_POOL", value_name = "CONNECTIONS", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pool: Option<u32>,
}

impl LimitOptions {
    /// Checks the limits against each other.
    ///
    /// # Errors
    /// A sentence that names the variable if the largest body or upload exceeds the memory for all of them.
    pub fn check(&self) -> anyhow::Result<()> {
        let largest = self.max_body.max(self.max_upload);
        if self.max_bodies >= largest {
            return Ok(());
        }
        let message = format!(
            "QUIRE_MAX_BODIES (or --max-bodies) can't be `{}`: it must be at least the largest body or upload, {largest}",
            self.max_bodies
        );
        Err(WrongInput(message).into())
    }

    /// The memory of all caches.
    pub fn caches(&self) -> CacheBudget {
        CacheBudget::new(self.cache)
    }

    /// Connections to the database. Measured: three a core carry the most requests; many more only lengthen the tail.
    pub fn pool(&self) -> u32 {
        self.pool.unwrap_or_else(|| u32::try_from(cores().saturating_mul(3)).unwrap_or(u32::MAX))
    }
}

/// Retention times.
#[derive(Args, Debug)]
pub struct RetentionOptions {
    /// Days after which audit log entries are removed; 0 keeps them forever
    #[arg(long, env = "QUIRE_AUDIT_DAYS", value_name = "DAYS", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=36_500))]
    audit_days: u32,
}

impl RetentionOptions {
    /// Returns the age at which audit log entries are removed; `None` keeps them forever.
    pub fn audit_age(&self) -> Option<Duration> {
        let seconds = u64::from(self.audit_days).saturating_mul(24 * 60 * 60);
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }
}

/// The server that mail is sent through.
#[derive(Args, Debug)]
pub struct MailOptions {
    /// The SMTP server for mail, as smtp://user:password@host:port, or smtps:// for TLS from the start
    #[arg(long, env = "QUIRE_SMTP_URL", value_name = "URL", hide_env_values = true)]
    smtp_url: Option<String>,
    /// The sender of mail, such as `Quire <quire@example.com>`
    #[arg(long, env = "QUIRE_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
}

impl MailOptions {
    /// Returns what sends mail; `None` without a server.
    ///
    /// # Errors
    /// A sentence that names the variable, without its value.
    pub fn mailer(&self) -> anyhow::Result<Option<Mailer>> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        match (given(&self.smtp_url), given(&self.mail_from)) {
            (None, _) => Ok(None),
            (Some(_), None) => {
                Err(WrongInput("QUIRE_MAIL_FROM: QUIRE_SMTP_URL needs a sender".to_owned()).into())
            }
            (Some(url), Some(from)) => match Mailer::new(&url, &from) {
                Ok(mailer) => Ok(Some(mailer)),
                Err(error) => Err(WrongInput(error.to_string()).into()),
            },
        }
    }
}

/// The GitHub App that connections to repositories may use.
#[derive(Args, Debug)]
pub struct GithubOptions {
    /// The number or the client id of a GitHub App that connections may use in place of tokens
    #[arg(long, env = "QUIRE_GITHUB_APP_ID", value_name = "ID")]
    github_app_id: Option<String>,
    /// Its private key in PEM, or the file with it
    #[arg(long, env = "QUIRE_GITHUB_APP_KEY", value_name = "PEM OR FILE", hide_env_values = true)]
    github_app_key: Option<String>,
    /// The URL of the API of a GitHub Enterprise Server, which ends with /api/v3 [default: github.com]
    #[arg(long, env = "QUIRE_GITHUB_APP_API", value_name = "URL")]
    github_app_api: Option<String>,
    /// Installations of the app that organizations may use, as organization=installation, separated by commas
    #[arg(long, env = "QUIRE_GITHUB_APP_INSTALLATIONS", value_name = "INSTALLATIONS", default_value = "", hide_default_value = true, value_parser = installations)]
    github_app_installations: CommaSeparated<GitAppInstallation>,
}

impl GithubOptions {
    /// Beginning of a key, which no path has.
    const PEM: &str = "-----BEGIN";

    /// Longest file with a key.
    const KEY_BYTES: u64 = 64 << 10;

    /// Returns the app; `None` without an id.
    ///
    /// # Errors
    /// A sentence that names the variable, without the key.
    pub fn app(&self) -> anyhow::Result<Option<GithubApp>> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        let (id, key) = match (given(&self.github_app_id), given(&self.github_app_key)) {
            (None, None) => return Ok(None),
            (Some(id), Some(key)) => (id, key),
            (Some(_), None) => {
                let message = "QUIRE_GITHUB_APP_KEY: QUIRE_GITHUB_APP_ID needs the key of the app";
                return Err(WrongInput(message.to_owned()).into());
            }
            (None, Some(_)) => {
                let message = "QUIRE_GITHUB_APP_ID: QUIRE_GITHUB_APP_KEY needs the id of the app";
                return Err(WrongInput(message.to_owned()).into());
            }
        };
        let key = if key.trim_start().starts_with(Self::PEM) { key } else { Self::read(Path::new(&key))? };
        let api = given(&self.github_app_api).unwrap_or_else(|| GithubApp::API.to_owned());
        let installations = self.github_app_installations.0.clone();
        let app = GithubApp::new(&id, key.trim(), &api, installations).map_err(|error| {
            let name = match error {
                GithubAppError::Id => "QUIRE_GITHUB_APP_ID",
                GithubAppError::Key => "QUIRE_GITHUB_APP_KEY",
                GithubAppError::Api => "QUIRE_GITHUB_APP_API",
            };
            WrongInput(format!("{name}: {error}"))
        })?;
        Ok(Some(app))
    }

    /// Reads the file with the key. The path is in no error, because it may be a key that was cut.
    fn read(path: &Path) -> anyhow::Result<String> {
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(Self::KEY_BYTES).read_to_string(&mut text));
        match read {
            Ok(_) => Ok(text),
            Err(error) => {
                Err(WrongInput(format!("QUIRE_GITHUB_APP_KEY: the file can't be read: {error}")).into())
            }
        }
    }
}

/// Limits on imports.
#[derive(Args, Debug)]
pub struct ImportLimitOptions {
    /// Time limit for fetching in a synchronous import, in seconds
    #[arg(long, env = "QUIRE_IMPORT_SECONDS", value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    import_seconds: u64,
    /// Time limit for fetching in a background import, in seconds
    #[arg(long, env = "QUIRE_IMPORT_WATCHED_SECONDS", value_name = "SECONDS", default_value_t = 900, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    import_watched_seconds: u64,
    /// Maximum size of an import in bytes: as received, unpacked, and in total for a website
    #[arg(long, env = "QUIRE_IMPORT_BYTES", value_name = "BYTES", default_value_t = 512 << 20, value_parser = bytes)]
    import_bytes: usize,
    /// Maximum size of the parsed text of an import in bytes: its pages and tables of contents, not its files
    #[arg(long, env = "QUIRE_IMPORT_TEXT_BYTES", value_name = "BYTES", default_value_t = tree::MAX_TEXT, value_parser = bytes)]
    import_text_bytes: usize,
    /// Maximum number of entries in the archive of an import that may be documentation; there may be ten times as many
    /// in all
    #[arg(long, env = "QUIRE_IMPORT_ENTRIES", value_name = "ENTRIES", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    import_entries: u64,
    /// Maximum number of pages of an imported website
    #[arg(long, env = "QUIRE_IMPORT_PAGES", value_name = "PAGES", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    import_pages: u64,
}

impl ImportLimitOptions {
    /// Returns the limits of synchronous imports.
    pub fn waited(&self) -> GatherLimits {
        let limits =
            GatherLimits { timeout: Duration::from_secs(self.import_seconds), ..GatherLimits::default() };
        let mut limits = limits.with_bytes(u64::try_from(self.import_bytes).unwrap_or(u64::MAX));
        limits.max_text = self.import_text_bytes;
        limits.archive.max_entries = self.import_entries;
        limits.crawl.max_pages = usize::try_from(self.import_pages).unwrap_or(usize::MAX);
        limits
    }

    /// Returns the limits of background imports: the same except for the time.
    pub fn watched(&self) -> GatherLimits {
        GatherLimits { timeout: Duration::from_secs(self.import_watched_seconds), ..self.waited() }
    }
}

/// PDF rendering options.
#[derive(Args, Debug)]
pub struct PdfOptions {
    /// The PDF renderer [default: `quire-pdf` in the folder of this program]
    #[arg(long, env = "QUIRE_PDF_BIN", value_name = "FILE")]
    pdf_bin: Option<PathBuf>,
    /// A folder of fonts, for characters missing in the built-in and system fonts
    #[arg(long, env = "QUIRE_PDF_FONTS", value_name = "FOLDER")]
    pdf_fonts: Option<PathBuf>,
}

impl PdfOptions {
    /// Returns the program, which need not exist yet.
    ///
    /// # Errors
    /// If the path of this program is unknown.
    pub fn program(&self) -> anyhow::Result<PathBuf> {
        if let Some(program) = self.pdf_bin.as_ref().filter(|program| !program.as_os_str().is_empty()) {
            // The renderer runs in another folder.
            return std::path::absolute(program)
                .context("QUIRE_PDF_BIN: the folder of this process is unknown");
        }
        let own = std::env::current_exe().context("the path of this program is unknown")?;
        Ok(own.with_file_name("quire-pdf"))
    }

    /// Returns the operator's fonts.
    ///
    /// # Errors
    /// If the current folder is unknown.
    pub fn fonts(&self) -> anyhow::Result<Vec<PathBuf>> {
        let folders = self.pdf_fonts.iter().filter(|folder| !folder.as_os_str().is_empty());
        folders
            .map(std::path::absolute)
            .collect::<Result<_, _>>()
            .context("QUIRE_PDF_FONTS: the folder of this process is unknown")
    }
}

/// Returns the number of the machine's cores.
pub fn cores() -> usize {
    available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Values separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommaSeparated<T>(pub Vec<T>);

fn words<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<CommaSeparated<T>, String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| word.parse().map_err(|error: T::Err| error.to_string()))
        .collect::<Result<_, _>>()
        .map(CommaSeparated)
}

fn installations(text: &str) -> Result<CommaSeparated<GitAppInstallation>, String> {
    let CommaSeparated(words) = words::<String>(text)?;
    let read = |word: &String| {
        let (organization, id) = word.split_once('=')?;
        let id = id.trim().parse().ok().filter(|id| *id > 0)?;
        Some(GitAppInstallation { organization: organization.trim().parse().ok()?, id })
    };
    let read = |word: &String| {
        read(word).ok_or_else(|| {
            format!(
                "`{word}` is not the id of an organization and the number of an installation, joined with `=`"
            )
        })
    };
    words.iter().map(read).collect::<Result<_, _>>().map(CommaSeparated)
}

fn log_levels(text: &str) -> Result<String, String> {
    let level = |part: &str| part.rsplit('=').next().unwrap_or(part).trim().parse::<LevelFilter>();
    match text.split(',').find(|part| level(part).is_err()) {
        None => Ok(text.to_owned()),
        Some(part) => Err(format!("`{part}` has no level: error, warn, info, debug, trace or off")),
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "it must be an address and a port, such as 127.0.0.1:8080".to_owned())
}

fn files(text: &str) -> Result<FileLocation, String> {
    // An empty variable is as good as an absent one.
    if text.is_empty() { Ok(FileLocation::Folder(PathBuf::new())) } else { text.parse() }
}

fn endpoint(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.map(|_| text.to_owned()).ok_or("it must be a URL such as https://minio.example.com".to_owned())
}

fn header(text: &str) -> Result<ForwardedHeader, &'static str> {
    text.parse()
}

fn replaced(_: &str) -> Result<Infallible, &'static str> {
    Err("it was replaced by QUIRE_TRUSTED_PROXIES, the addresses of the trusted proxies")
}

fn requests(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "it must be a number of requests a minute, such as 6000, or 0".to_owned())
}

fn bytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bytes @ 1..) => Ok(bytes),
        _ => Err("it must be a number of bytes, such as 4194304".to_owned()),
    }
}

/// Parses a URL without query and fragment, and removes its trailing slash.
pub fn base_url(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or("it must be a URL such as https://docs.example.com/quire")?;
    if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
        return Err("it must have nothing but a host and a path".to_owned());
    }
    if url.path().contains(['{', '}']) {
        return Err("its path must not have braces".to_owned());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Parses host names of the service.
fn host_names(text: &str) -> Result<CommaSeparated<String>, String> {
    let CommaSeparated(names) = words::<String>(text)?;
    let read = |name: &String| match host_name(name) {
        Some(host) => Ok(host),
        None => Err(format!("`{name}` is not a host name such as docs.example.com")),
    };
    names.iter().map(read).collect::<Result<_, _>>().map(CommaSeparated)
}

fn trust(text: &str) -> Result<Trust, String> {
    match text {
        "" => Ok(Trust(None)),
        "true" => Ok(Trust(Some(true))),
        "false" => Ok(Trust(Some(false))),
        _ => Err("it must be true or false".to_owned()),
    }
}

/// Parses origins as sent by browsers.
fn origins(text: &str) -> Result<CommaSeparated<String>, String> {
    let CommaSeparated(origins) = words::<String>(text)?;
    let is_origin =
        |text: &&String| Url::parse(text).is_ok_and(|url| url.origin().ascii_serialization() == **text);
    match origins.iter().find(|origin| !is_origin(origin)) {
        None => Ok(CommaSeparated(origins)),
        Some(other) => Err(format!("`{other}` is not an origin such as https://app.example.com")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_separated_by_commas_and_may_be_empty() {
        assert_eq!(words::<u8>(" 1, 2,"), Ok(CommaSeparated(vec![1, 2])));
        assert_eq!(words::<u8>(""), Ok(CommaSeparated(vec![])));
        assert!(words::<u8>("1,x").is_err());
    }

    #[test]
    fn base_urls_have_a_host_and_a_path() {
        for (text, expected) in [
            ("https://docs.example.com", Some("https://docs.example.com")),
            ("https://docs.example.com/", Some("https://docs.example.com")),
            ("http://127.0.0.1:8080/quire/", Some("http://127.0.0.1:8080/quire")),
            ("docs.example.com", None),
            ("ftp://docs.example.com", None),
            ("https://ada@docs.example.com", None),
            ("https://docs.example.com/?a=b", None),
            ("", None),
        ] {
            assert_eq!(base_url(text).ok().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn host_names_are_lower_case_and_trust_has_a_default() {
        let names = host_names("Quire.Internal.Example:8443, docs.example.").unwrap();
        assert_eq!(names.0, ["quire.internal.example", "docs.example"]);
        assert!(host_names("https://docs.example").is_err());
        assert_eq!([trust("").unwrap().0, trust("true").unwrap().0], [None, Some(true)]);
        assert!(trust("yes").is_err());
    }

    #[test]
    fn mail_needs_a_server_and_a_sender() {
        let mailer = |url: &str, from: &str| {
            let given = |text: &str| Some(text.to_owned());
            MailOptions { smtp_url: given(url), mail_from: given(from) }.mailer()
        };
        assert!(mailer("", "").unwrap().is_none() && mailer("", "quire@example.com").unwrap().is_none());
        assert!(mailer("smtps://a:b@mail.example.com", "quire@example.com").unwrap().is_some());
        let error = mailer("smtp://mail.example.com", "").unwrap_err().to_string();
        assert!(error.starts_with("QUIRE_MAIL_FROM"), "{error}");
        let error = mailer("smtp://ada:secret@", "quire@example.com").unwrap_err().to_string();
        assert!(error.starts_with("QUIRE_SMTP_URL") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn an_app_needs_an_id_and_a_key() {
        const KEY: &str = include_str!("../../../crates/test-support/src/oidc_provider.pem");
        let app = |id: &str, key: &str, api: &str| {
            let given = |text: &str| Some(text.to_owned());
            let github_app_installations = CommaSeparated(Vec::new());
            let (github_app_id, github_app_key, github_app_api) = (given(id), given(key), given(api));
            GithubOptions { github_app_id, github_app_key, github_app_api, github_app_installations }.app()
        };
        assert!(app("", "", "").unwrap().is_none());
        assert_eq!(app("7", KEY, "").unwrap().unwrap().origin(), "https://github.com");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.pem");
        std::fs::write(&path, KEY).unwrap();
        let of_file = app("7", path.to_str().unwrap(), "https://git.example.org/api/v3").unwrap().unwrap();
        assert_eq!(of_file.origin(), "https://git.example.org");
        for (id, key, api, name) in [
            ("7", "", "", "QUIRE_GITHUB_APP_KEY"),
            ("", KEY, "", "QUIRE_GITHUB_APP_ID"),
            ("a b", KEY, "", "QUIRE_GITHUB_APP_ID"),
            ("7", "hunter2", "", "QUIRE_GITHUB_APP_KEY"),
            ("7", "-----BEGIN hunter2", "", "QUIRE_GITHUB_APP_KEY"),
            ("7", KEY, "git.example.org", "QUIRE_GITHUB_APP_API"),
        ] {
            let error = app(id, key, api).unwrap_err().to_string();
            assert!(error.starts_with(name) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn installations_have_organizations() {
        let id = "01975d1e-0000-7000-8000-000000000001";
        let read = installations(&format!("{id}=7, {id} = 8")).unwrap().0;
        assert_eq!(read.iter().map(|found| found.id).collect::<Vec<_>>(), [7, 8]);
        assert!(installations("").unwrap().0.is_empty());
        for other in ["7", "acme=7", &format!("{id}=0"), &format!("{id}=seven")] {
            assert!(installations(other).is_err(), "{other}");
        }
    }

    #[test]
    fn origins_are_as_browsers_send_them() {
        assert_eq!(origins("https://a.example, http://b.example:81").unwrap().0.len(), 2);
        for other in ["a.example", "https://a.example/", "https://a.example/path", "*"] {
            assert!(origins(other).is_err(), "{other}");
        }
    }

    #[test]
    fn log_levels_are_checked_and_addresses_and_sizes_too() {
        assert!(log_levels("info,quire_importer=debug").is_ok());
        assert!(log_levels("loud").unwrap_err().contains("`loud`"));
        assert!(address("localhost").is_err() && address("[::1]:0").is_ok());
        assert!(bytes("0").is_err() && bytes("4 MiB").is_err() && bytes("1").is_ok());
    }
}
