//! Bucket of a service with an S3 API: AWS, MinIO, R2, and Google Cloud Storage through its S3 interface.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::prefix::PrefixStore;
use object_store::signer::{SignedUrlOptions, Signer as _};
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig, path::Path as Key};

use super::failed;
use crate::{Error, Result};

/// Lifetime of the signed URLs that browsers are redirected to.
const ADDRESS_LIFETIME: Duration = Duration::from_secs(5 * 60);
/// Timeout of one request, which reads or writes at most 8 MiB, or a file of an upload.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of retries of a request after a server error or a failed connection. No retry starts after this time.
const RETRIES: usize = 2;
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);

/// Access to a bucket.
#[derive(Clone, Default)]
pub struct S3Options {
    /// URL of the service; `None` for AWS. With a URL the bucket is part of the path, otherwise of the host name.
    pub endpoint: Option<String>,
    /// Region; `None` for us-east-1, which most other services ignore.
    pub region: Option<String>,
    /// Access key id and secret; `None` for the AWS role of the machine or container.
    pub access_key: Option<(String, String)>,
    /// Session token of temporary access keys.
    pub session_token: Option<String>,
    /// `true` to redirect browsers to the bucket for file contents.
    pub redirect: bool,
}

/// Omits the secrets.
impl fmt::Debug for S3Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Options")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("redirect", &self.redirect)
            .finish_non_exhaustive()
    }
}

/// Response headers of a signed URL.
#[derive(Clone, Copy, Debug)]
pub struct AddressHeaders<'a> {
    /// `Content-Type`.
    pub content_type: &'a str,
    /// `Content-Disposition`.
    pub disposition: &'a str,
    /// `Cache-Control`.
    pub caching: &'a str,
}

/// Open bucket.
#[derive(Debug)]
pub(super) struct Bucket {
    service: Arc<AmazonS3>,
    prefix: Key,
    redirect: bool,
}

impl Bucket {
    pub(super) fn open(name: &str, prefix: &str, options: &S3Options) -> Result<Self> {
        let wrong = |error: anyhow::Error| Error::Internal("the bucket of files can't be used", error);
        // Fails if the process already has a cryptography provider. That provider is used then.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = ClientOptions::new()
            .with_timeout(REQUEST_TIMEOUT)
            .with_connect_timeout(CONNECT_TIMEOUT)
            // Plain HTTP is used only if the operator configured such an endpoint.
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

    /// Returns the objects below the prefix.
    pub(super) fn objects(&self) -> Arc<dyn ObjectStore> {
        let service = Arc::clone(&self.service);
        if self.prefix.as_ref().is_empty() {
            return service;
        }
        Arc::new(PrefixStore::new(service, self.prefix.clone()))
    }

    pub(super) fn has_signed_urls(&self) -> bool {
        self.redirect
    }

    /// Returns a signed URL of an object.
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
