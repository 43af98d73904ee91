#![doc = include_str!("../README.md")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test without its database or application can only fail, and the sentence says why"
)]

mod app;
mod app_content;
mod archives;
mod bucket;
mod caller;
mod clock;
mod cluster;
mod content;
mod database;
mod described;
mod editor;
mod git_server;
mod journal;
mod mail_sink;
mod oidc_provider;
mod pooler;
mod saml_provider;
mod servers;
mod store;

pub use app::TestApp;
pub use archives::{unzipped, zipped};
pub use bucket::{S3_URL_VARIABLE, TestBucket};
pub use caller::{Answer, Caller};
pub use clock::{FakeClock, TestIds};
pub use cluster::{DATABASE_URL_VARIABLE, TestCluster, test_cluster};
pub use database::TestDatabase;
pub use editor::{ContentEditor, empty_document};
pub use git_server::{GIT_CREDENTIALS, GITHUB_APP_KEY, GitRepository, GitServer, LARGE};
pub use journal::{Exchange, Journal};
pub use mail_sink::{MailSink, ReceivedMail};
pub use oidc_provider::OidcProvider;
pub use pooler::{PoolMode, Pooler};
pub use saml_provider::{SamlPerson, SamlProvider, SamlRequest};
pub use servers::PostgresServer;
pub use store::{TestStore, TestUser};
