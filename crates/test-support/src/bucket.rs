//! Bucket for tests on the server that `scripts/with-s3` starts.

use std::env;
use std::sync::atomic::{AtomicU32, Ordering};

use quire_storage::content::files::{FileLocation, FileStore, S3Options};

/// Environment variable with the URL of the S3 server, which has a bucket `quire-tests`.
pub const S3_URL_VARIABLE: &str = "QUIRE_TEST_S3_URL";

/// Part of a bucket that no other test uses.
#[derive(Clone, Debug)]
pub struct TestBucket {
    /// Location of the part.
    pub location: FileLocation,
    /// Access to the bucket.
    pub access: S3Options,
}

impl TestBucket {
    /// Returns a new part of the bucket. Without a server, prints a message and returns `None`.
    ///
    /// # Panics
    /// Without a server if `CI` is set, because continuous integration must not skip tests.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "tests have no configuration but the environment")]
    #[allow(clippy::print_stderr, reason = "the reader of a test's output learns that it did nothing")]
    pub fn new() -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Ok(url) = env::var(S3_URL_VARIABLE) else {
            assert!(env::var_os("CI").is_none(), "{S3_URL_VARIABLE} is not set: run scripts/with-s3");
            eprintln!("left out: {S3_URL_VARIABLE} is not set (scripts/with-s3 starts a server)");
            return None;
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let location = format!("s3://quire-tests/tests/{}-{number}", std::process::id());
        let access = S3Options {
            endpoint: Some(url),
            access_key: Some(("tests".to_owned(), "secret".to_owned())),
            ..S3Options::default()
        };
        Some(Self { location: location.parse().expect("it is the location of a bucket"), access })
    }

    /// Opens the store.
    ///
    /// # Panics
    /// If the access is refused.
    #[must_use]
    pub fn store(&self) -> FileStore {
        FileStore::open(&self.location, &self.access).expect("the bucket can be used")
    }
}
