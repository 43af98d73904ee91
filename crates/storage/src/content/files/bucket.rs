//! A bucket of a service that speaks S3: AWS, MinIO, R2, and Google Cloud Storage by its S3 interface.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::prefix::PrefixStore;
use object_store::signer::{SignedUrlOptions, Signer as _};
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig, path::Path as Key};

use super::failed;
use crate::{Error, Result};

/// Lifetime of an address that a browser is sent to.
const ADDRESS_LIFETIME: Duration = Duration::from_secs(5 * 60);
/// Time limit of one request, which reads or writes at most 8 MiB, or a file of an upload.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A request that fails with an error of the server, or finds no connection, is repeated twice, but not after this
/// time.
const RETRIES: usize = 2;
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);

/// Access to a bucket.
#[derive(Clone, Default)]
pub struct S3Options {
    /// The URL of the service; `None` for AWS. With a URL the bucket is named in the path, else in the host.
    pub endpoint: Option<String>,
    /// The region; `None` for us-east-1, which most other services ignore.
    pub region: Option<String>,
    /// The id of the access key and its secret; `None` for the role of the machine or container in AWS.
    pub access_key: Option<(String, String)>,
    /// The token of temporary access keys.
    pub session_token: Option<String>,
    /// Sends browsers to the bucket for the bytes of files.
    pub redirect: bool,
}

/// Access without its secrets.
impl fmt::Debug for S3Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Options")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("redirect", &self.redirect)
            .finish_non_exhaustive()
    }
}

/// Headers that the answer at an address has.
#[derive(Clone, Copy, Debug)]
pub struct AddressHeaders<'a> {
    /// `Content-Type`.
    pub content_type: &'a str,
    /// `Content-Disposition`.
    pub disposition: &'a str,
    /// `Cache-Control`.
    pub caching: &'a str,
}

/// An opened bucket.
#[derive(Debug)]
pub(super) struct Bucket {
    service: Arc<AmazonS3>,
    prefix: Key,
    redirect: bool,
}

impl Bucket {
    pub(super) fn open(name: &str, prefix: &str, options: &S3Options) -> Result<Self> {
        let wrong = |error: anyhow::Error| Error::Internal("the bucket of files can't be used", error);
        // Fails if the process has a cryptography provider already, which is used then.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = ClientOptions::new()
            .with_timeout(REQUEST_TIMEOUT)
            .with_connect_timeout(CONNECT_TIMEOUT)
            // A plain address is only reachable where the operator named one.
            .with_allow_http(true);
        let retry = RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: RETRIES,
            retry_timeout: RETRY_TIMEOUT,
        };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(name)
            .with_region(options.region.as_deref().unwrap_or("us-east-1"))
            .with_virtual_hosted_style_request(options.endpoint.is_none())
            .with_client_options(client)
            .with_retry(retry);
        if let Some(endpoint) = &options.endpoint {
            builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
        }
        if let Some((id, secret)) = &options.access_key {
            builder = builder.with_access_key_id(id).with_secret_access_key(secret);
        }
        if let Some(token) = &options.session_token {
            builder = builder.with_token(token);
        }
        let service = builder.build().map_err(|error| wrong(error.into()))?;
        let prefix = Key::parse(prefix).map_err(|error| wrong(error.into()))?;
        Ok(Self { service: Arc::new(service), prefix, redirect: options.redirect })
    }

    /// The objects below the prefix.
    pub(super) fn objects(&self) -> Arc<dyn ObjectStore> {
        let service = Arc::clone(&self.service);
        if self.prefix.as_ref().is_empty() {
            return service;
        }
        Arc::new(PrefixStore::new(service, self.prefix.clone()))
    }

    pub(super) fn gives_addresses(&self) -> bool {
        self.redirect
    }

    /// Signs an address of an object.
    pub(super) async fn address(&self, key: &Key, headers: &AddressHeaders<'_>) -> Result<String> {
        let key: Key = self.prefix.parts().chain(key.parts()).collect();
        let options = SignedUrlOptions::new().with_query([
            ("response-content-type", headers.content_type),
            ("response-content-disposition", headers.disposition),
            ("response-cache-control", headers.caching),
        ]);
        let signed = self.service.signed_url_opts(http::Method::GET, &key, ADDRESS_LIFETIME, &options).await;
        signed.map(String::from).map_err(|error| failed("an address of a file can't be signed", error))
    }
}
