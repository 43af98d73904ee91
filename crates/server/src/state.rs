//! State of a node, shared by all handlers.

use actix_web::web;
use quire_auth::passkey::RelyingParty;
use quire_domain::error::Reason;
use quire_storage::Storage;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::content::store::{ContentHead, ContentToWrite};
use quire_storage::door::Use;
use quire_storage::lookup::{ContentKey, FoundInBatch, SpaceKey};
use quire_storage::operations::idempotency::AnswerSeal;
use quire_storage::sites::published::{FoundSite, SiteKey};
use sha2::{Digest as _, Sha256};

use crate::batches::{Batches, RoutedBatches};
use crate::body_budget::BodyBudget;
use crate::error::{ApiError, ApiResult};
use crate::gate::Gate;
use crate::metrics::Metrics;
use crate::password_work::PasswordWork;
use crate::rate_limits::RateLimits;
use crate::readiness::Readiness;
use crate::response_cache::Answers;
use crate::settings::Settings;
use crate::signing::UrlSigner;
use crate::unread::UnreadBudget;
use crate::urls::Urls;

/// State of a node, independent of other nodes.
pub struct ServerState {
    /// Database and file bytes.
    pub storage: Storage,
    /// URLs of resources.
    pub urls: Urls,
    /// Signer of URLs that work without a token.
    pub signer: UrlSigner,
    /// Settings of the deployment.
    pub settings: Settings,
    /// Prometheus metrics.
    pub metrics: Metrics,
    pub(crate) rate_limits: RateLimits,
    pub(crate) passwords: PasswordWork,
    /// WebAuthn relying party, if browsers support passkeys for the base URL.
    pub(crate) relying_party: Option<RelyingParty>,
    /// Memory budget for request bodies.
    pub bodies: BodyBudget,
    /// Memory budget for unsent response bytes.
    pub unread: UnreadBudget,
    /// Cached response bodies of content reads.
    pub answers: Answers,
    pub(crate) gate: Gate,
    pub(crate) heads: RoutedBatches<ContentKey, FoundInBatch<ContentHead>>,
    pub(crate) spaces: RoutedBatches<SpaceKey, FoundInBatch<SpaceRecord>>,
    pub(crate) sites: RoutedBatches<SiteKey, FoundSite>,
    pub(crate) writes: Batches<SpaceKey, FoundInBatch<ContentToWrite>>,
    readiness: Readiness,
    pub(crate) answer_seal: AnswerSeal,
    /// Inputs of the JSON of content other than the content itself. They are part of its entity tags.
    pub(crate) representation_version: String,
}

/// Extractor of the state.
pub type State = web::Data<ServerState>;

impl ServerState {
    /// Creates the state of a node.
    ///
    /// # Errors
    /// A failure to create the metrics.
    pub fn new(storage: Storage, signer: UrlSigner, settings: Settings) -> anyhow::Result<Self> {
        let representation_version =
            format!("{} {} {}", env!("CARGO_PKG_VERSION"), settings.base_url, signer.sign("writing"));
        let metrics = Metrics::new(&storage)?;
        // The key is derived, so that it is the same on every node and needs no statement.
        let answer_seal = AnswerSeal::new(Sha256::digest(signer.sign("idempotent answers")).into());
        let answers = Answers::new(settings.answer_cache.unwrap_or(settings.caches.answers()));
        let answer_bytes = answers.bytes();
        metrics.export_caches(move || vec![("answers", answer_bytes())]);
        let gate = Gate::new(storage.clone(), settings.concurrency, settings.wait);
        Ok(Self {
            storage,
            urls: Urls::new(&settings.base_url),
            signer,
            metrics,
            rate_limits: RateLimits::new(&settings),
            passwords: PasswordWork::new(settings.wait),
            relying_party: RelyingParty::of(&settings.base_url),
            bodies: BodyBudget::new(settings.max_bodies),
            unread: UnreadBudget::new(settings.max_unread),
            answers,
            heads: RoutedBatches::new(&gate, |reader, keys| reader.content_heads(keys)),
            spaces: RoutedBatches::new(&gate, |reader, keys| reader.spaces_in_batch(keys)),
            sites: RoutedBatches::new(&gate, |reader, keys| reader.find_sites(keys)),
            writes: Batches::new(gate.clone(), |reader, keys| reader.contents_to_write(keys)),
            gate,
            answer_seal,
            readiness: Readiness::default(),
            settings,
            representation_version,
        })
    }

    /// Checks that the database responds and has the schema of this binary. A success is cached for one second.
    ///
    /// # Errors
    /// 503 if the check fails or the node is shutting down.
    pub async fn ready(&self) -> ApiResult<()> {
        if self.readiness.is_draining() {
            return Err(ApiError::new(Reason::Unavailable).with_message("The node is about to stop."));
        }
        if !self.readiness.is_known() {
            self.gate.clone().run(Use::Read, |storage| storage.check_ready()).await?;
            self.readiness.note();
        }
        Ok(())
    }

    /// Makes the readiness check fail, so that load balancers send no more requests. The node still serves requests
    /// that arrive.
    pub fn drain(&self) {
        self.readiness.drain();
    }

    /// Returns whether the node is shutting down.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.readiness.is_draining()
    }
}
