//! Location of the state: the database, the files, and the search index.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quire_postgres::WalArchive;
use quire_storage::content::files::{FileLocation, S3Options};
use quire_storage::content::search::IndexOptions;
use url::Url;

use super::values::bytes;
use crate::usage::WrongInput;

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

    /// Returns the configured master key undecoded, because errors must not print it.
    pub fn secret_key(&self) -> Option<&str> {
        self.secret_key.as_deref().filter(|key| !key.is_empty())
    }

    /// Returns the previous master keys.
    pub fn previous_secret_keys(&self) -> impl Iterator<Item = &str> {
        let keys = self.secret_key_previous.iter().flat_map(|keys| keys.split(','));
        keys.map(str::trim).filter(|key| !key.is_empty())
    }

    /// Returns the file of master keys, which is used if none is configured.
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

    /// Returns the flag that selects the same state in another command; empty for the default location.
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

/// Search index of the node.
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
    /// Disk space of the search index in bytes, beyond which it leaves out spaces; 0 for no bound
    #[arg(long, env = "QUIRE_SEARCH_DISK", value_name = "BYTES", default_value_t = 0)]
    search_disk: u64,
}

impl SearchOptions {
    const LEAST_HEAP: usize = 15 << 20;

    /// Returns the folder of the index.
    pub fn directory(&self, data_dir: &Path) -> PathBuf {
        let given = self.search_dir.as_ref().filter(|folder| !folder.as_os_str().is_empty());
        given.cloned().unwrap_or_else(|| data_dir.join("search"))
    }

    /// Returns the location and resources of the index.
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

fn files(text: &str) -> Result<FileLocation, String> {
    // An empty variable counts as an absent one.
    if text.is_empty() { Ok(FileLocation::Folder(PathBuf::new())) } else { text.parse() }
}

fn endpoint(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.map(|_| text.to_owned()).ok_or("it must be a URL such as https://minio.example.com".to_owned())
}
