//! State of a node, shared by all handlers.

use std::sync::Arc;

use actix_web::web;
use quire_domain::error::Reason;
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite, Runner};
use quire_storage::idempotency::{AnswerSeal, NamedRequest};
use quire_storage::lookup::{
    ContentHead, ContentKey, ContentToWrite, Credentials, Found, FoundInBatch, SpaceKey, SpaceRecord,
};
use quire_storage::published::{FoundSite, SiteKey};
use quire_storage::{Error as StorageError, HeadKey, Known, Reader, Server, Storage, Turn, Tx};
use sha2::{Digest as _, Sha256};

use crate::answers::Answers;
use crate::batches::{Batched, Batches, RoutedBatches};
use crate::body_room::BodyRoom;
use crate::erased::{
    CommitWork, Erased, Failure, GroupWork, ReadWork, TxWork, Value, erase, restore, value_of,
};
use crate::error::{ApiError, ApiResult};
use crate::gate::{Gate, Use, busy};
use crate::held::{Conclude, Ended, hold};
use crate::idempotency::keyed::Keyed;
use crate::metrics::Metrics;
use crate::middleware::scope::RequestScope;
use crate::password_work::PasswordWork;
use crate::rate_limits::RateLimits;
use crate::readiness::Readiness;
use crate::settings::Settings;
use crate::signing::UrlSigner;
use crate::unread::UnreadRoom;
use crate::urls::Urls;

/// State of a node. No other node depends on it.
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
    /// Memory budget for request bodies.
    pub bodies: BodyRoom,
    /// Memory for responses that wait for their readers.
    pub unread: UnreadRoom,
    /// Cached response bodies of reads of content.
    pub answers: Answers,
    gate: Gate,
    heads: RoutedBatches<ContentKey, FoundInBatch<ContentHead>>,
    spaces: RoutedBatches<SpaceKey, FoundInBatch<SpaceRecord>>,
    sites: RoutedBatches<SiteKey, FoundSite>,
    writes: Batches<SpaceKey, FoundInBatch<ContentToWrite>>,
    readiness: Readiness,
    pub(crate) answer_seal: AnswerSeal,
    /// Inputs of the written form of content other than the content itself. Part of its entity tags.
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
        // Derived, so that it is the same on every node and needs no statement.
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
            bodies: BodyRoom::new(settings.max_bodies),
            unread: UnreadRoom::new(settings.max_unread),
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

    /// Runs `work` without a transaction, on a thread that may block. `work` only reads, and may run twice.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub async fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.read_with(credentials, work).await
    }

    /// As [`ServerState::read`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::read`].
    pub async fn read_with<T, E>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.read_as(Use::Read, credentials, work).await
    }

    /// As [`ServerState::read`], for searches of the index, of which fewer run at the same time.
    ///
    /// # Errors
    /// As [`ServerState::read`].
    pub async fn search<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.read_as(Use::Search, credentials, work).await
    }

    /// Stores rows ahead of the transaction that refers to them, each statement on its own. The work may run twice.
    ///
    /// Unlike in [`ServerState::read`], it has a permit for writes: its statements commit, and so wait for a synchronous
    /// standby or a full disk like any other COMMIT.
    ///
    /// # Errors
    /// As [`ServerState::read`].
    pub async fn store_ahead<T, E>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.read_as(Use::Write, credentials, work).await
    }

    async fn read_as<T, E>(
        &self,
        kind: Use,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let work: ReadWork = Box::new(move |reader| erase(work(reader)));
        restore(self.read_erased(kind, credentials, work).await)
    }

    async fn read_erased(&self, kind: Use, credentials: Credentials, work: ReadWork) -> Erased {
        let scope = RequestScope::current();
        settle(&scope).await?;
        let noting = move |reader: &mut Reader<'_>| {
            let result = work(reader);
            scope.note(reader);
            result
        };
        let route = RequestScope::current();
        let read = move |storage: &Storage| storage.read_replicated(route.route(), &credentials, noting);
        self.gate.clone().block(kind, Box::new(read)).await
    }

    /// Looks up content together with other requests.
    ///
    /// # Errors
    /// As [`Reader::content_head`]; 503 if too many lookups wait, no connection is free in time or the database is not
    /// reachable.
    pub async fn content_head(&self, key: ContentKey) -> ApiResult<Found<ContentHead>> {
        settle(&RequestScope::current()).await?;
        let alone = move |reader: &mut Reader<'_>| Ok(reader.content_head_of(&key)?);
        let found = self.heads.find(key, RequestScope::current().route()).await?;
        self.found(found, key.credentials, alone).await
    }

    /// Looks up a space together with other requests.
    ///
    /// # Errors
    /// As [`Reader::space`]; 503 if too many lookups wait, no connection is free in time or the database is not
    /// reachable.
    pub async fn space(&self, key: SpaceKey) -> ApiResult<Found<SpaceRecord>> {
        settle(&RequestScope::current()).await?;
        let alone = move |reader: &mut Reader<'_>| Ok(reader.space(key.space)?);
        let found = self.spaces.find(key, RequestScope::current().route()).await?;
        self.found(found, key.credentials, alone).await
    }

    /// Looks up a published site together with other requests, for a visitor without an API token.
    ///
    /// # Errors
    /// 503 if too many lookups wait, no connection is free in time or the database is not reachable.
    pub async fn published_site(&self, key: SiteKey) -> ApiResult<Option<FoundSite>> {
        settle(&RequestScope::current()).await?;
        let scope = RequestScope::current();
        match self.sites.find(key.clone(), scope.route()).await? {
            Batched::Found(site) => Ok(Some(site)),
            Batched::Absent if scope.route().server() == Some(Server::Primary) => Ok(None),
            Batched::Absent | Batched::Alone => {
                // A replica may lack what was just created; the primary decides.
                scope.route().note(Server::Primary);
                self.read(Credentials::ANONYMOUS, move |reader| Ok(reader.find_site(&key)?)).await
            }
        }
    }

    /// Looks up the current content of a space, which the request writes to, together with what other requests look up.
    ///
    /// # Errors
    /// As [`Reader::content`]; 503 when too many wait, no connection is free in time or the database is away.
    pub async fn content_to_write(&self, key: SpaceKey) -> ApiResult<(Found<ContentToWrite>, Known)> {
        settle(&RequestScope::current()).await?;
        let alone = move |reader: &mut Reader<'_>| Ok((reader.content_to_write(key.space)?, reader.known()));
        match self.writes.find(key).await? {
            Batched::Found(FoundInBatch { found, actor, tenant }) => {
                RequestScope::current().note_found(actor, tenant);
                Ok((found, Known::new(self.storage.clock().now(), actor, tenant)))
            }
            Batched::Absent => self.read(key.credentials, |reader| Ok(reader.not_found()?)).await,
            Batched::Alone => self.read(key.credentials, alone).await,
        }
    }

    /// Notes what a batch found for a request, and looks up `alone` what it didn't.
    async fn found<T: Send + 'static>(
        &self,
        batched: Batched<FoundInBatch<T>>,
        credentials: Credentials,
        alone: impl Fn(&mut Reader<'_>) -> ApiResult<Found<T>> + Send + 'static,
    ) -> ApiResult<Found<T>> {
        let is_on_primary = RequestScope::current().route().server() == Some(Server::Primary);
        match batched {
            Batched::Found(FoundInBatch { found, actor, tenant }) => {
                RequestScope::current().note_found(actor, tenant);
                Ok(found)
            }
            // A replica may lack what was just created; the primary decides.
            Batched::Absent if is_on_primary => {
                self.read(credentials, |reader| Ok(reader.not_found()?)).await
            }
            Batched::Absent | Batched::Alone => self.read(credentials, alone).await,
        }
    }

    /// Runs `work` in one transaction, on a thread that may block, and writes the audit log in it.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub async fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.transact_with(credentials, work).await
    }

    /// As [`ServerState::transact`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::transact`].
    pub async fn transact_with<T, E>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let work: TxWork = Box::new(move |tx| erase(work(tx)));
        restore(self.transact_erased(credentials, work).await)
    }

    async fn transact_erased(&self, credentials: Credentials, work: TxWork) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let noting = move |tx: &mut Tx<'_>| {
            let result = work(tx);
            scope.note(tx);
            let value = result?;
            scope.audit(tx);
            Ok(value)
        };
        let gate = self.gate.clone();
        if let Some(keyed) = keyed {
            let run = move |storage: &Storage, named: &NamedRequest, conclude: Conclude<'_>| {
                let work = |tx: &mut Tx<'_>| noting(tx).map_err(Ended::Work);
                storage.transact(&credentials, |tx| tx.once(named, work, conclude))
            };
            return hold(gate, &keyed, Box::new(run)).await;
        }
        gate.block(Use::Write, Box::new(move |storage| storage.transact(&credentials, noting))).await
    }

    /// Runs a transaction next to that of the request, without its audit log entry and its idempotency key.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub(crate) async fn transact_apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let work = |storage: &Storage| storage.transact(&Credentials::ANONYMOUS, work);
        self.gate.clone().run(Use::Write, work).await
    }

    /// Waits for the right to write to a head. It is acquired before the permit, so that a waiting writer holds nothing
    /// that other requests need.
    ///
    /// # Errors
    /// 503 if it is not available in time.
    pub async fn turn<E: From<StorageError>>(&self, head: HeadKey) -> Result<Turn, E> {
        let turn = tokio::time::timeout(self.settings.wait, self.storage.turn(head)).await;
        Ok(turn.map_err(|_| busy())?)
    }

    /// Writes to a head as [`Storage::write`] does, and writes the audit log with it.
    ///
    /// # Errors
    /// Errors of `prepare` and `commit`; 503 if no connection is free in time or the database is not reachable.
    pub async fn write<P: Send + 'static, T: Send + 'static>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> ApiResult<P> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.write_with(credentials, turn, prepare, commit).await
    }

    /// As [`ServerState::write`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::write`].
    pub async fn write_with<P, T, E>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> Result<P, E> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        P: Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let prepare: ReadWork = Box::new(move |reader| erase(prepare(reader)));
        let commit: CommitWork = Box::new(move |tx, prepared| erase(commit(tx, value_of(prepared)?)));
        restore(self.write_erased(credentials, turn, prepare, commit).await)
    }

    async fn write_erased(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: ReadWork,
        commit: CommitWork,
    ) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let seen = scope.clone();
        let noting = move |reader: &mut Reader<'_>| {
            let result = prepare(reader);
            seen.note(reader);
            result
        };
        let gate = self.gate.clone();
        let auditing = move |tx: &mut Tx<'_>, prepared: Value| {
            let value = commit(tx, prepared)?;
            scope.audit(tx);
            Ok(value)
        };
        if let Some(keyed) = keyed {
            let run = move |storage: &Storage, named: &NamedRequest, conclude: Conclude<'_>| {
                let prepare = |reader: &mut Reader<'_>| noting(reader).map_err(Ended::Work);
                let result = storage.write(&credentials, prepare, |tx, prepared| {
                    tx.once(named, |tx| auditing(tx, prepared).map_err(Ended::Work), conclude)
                });
                drop(turn);
                result
            };
            return hold(gate, &keyed, Box::new(run)).await;
        }
        let work = move |storage: &Storage| {
            let result = storage.write(&credentials, noting, auditing);
            drop(turn);
            result
        };
        gate.block(Use::Write, Box::new(work)).await
    }

    /// Commits a write together with those that wait for the same row, and writes the audit log with it. The caller has authorized it.
    ///
    /// # Errors
    /// The error of the write; 503 when its group or a connection doesn't come in time or the database is away.
    pub async fn commit_in_group<T, E>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static>,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let GroupWrite { known, documents, mut work } = write;
        let work: GroupWork = Box::new(move |tx| erase(work(tx)));
        restore(self.commit_erased(key, GroupWrite { known, documents, work }).await)
    }

    async fn commit_erased(&self, key: GroupKey, write: GroupWrite<GroupWork>) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let (change, GroupWrite { known, documents, mut work }) = (scope.pending(), write);
        let mut auditing = move |tx: &mut Tx<'_>| -> Erased {
            let value = work(tx)?;
            if let Some(change) = &change {
                tx.audit(change);
            }
            Ok(value)
        };
        if let Some(keyed) = keyed {
            let turn = match key.kind {
                GroupKind::Comments => None,
                GroupKind::Edits => Some(self.turn::<Failure>(key.head).await?),
            };
            let run = move |storage: &Storage, named: &NamedRequest, conclude: Conclude<'_>| {
                let work = |tx: &mut Tx<'_>| tx.once(named, |tx| auditing(tx).map_err(Ended::Work), conclude);
                let result = storage.commit_alone(key, GroupWrite { known, documents, work });
                drop(turn);
                result
            };
            let value = hold(self.gate.clone(), &keyed, Box::new(run)).await?;
            scope.note_audited();
            return Ok(value);
        }
        let write = GroupWrite { known, documents, work: auditing };
        let (answer, runner) = self.storage.join_group(key, write)?;
        if let Some(runner) = runner {
            // Of no request: the runner serves the others, too, when this one is cancelled.
            actix_web::rt::spawn(run_groups(self.gate.clone(), runner));
        }
        let answer = tokio::time::timeout(self.settings.wait, answer).await;
        let result = answer.map_err(|_| busy())?.map_err(crate::gate::failed)?;
        if result.is_ok() {
            scope.note_audited();
        }
        result
    }

    /// Checks that the token is valid: one statement.
    ///
    /// # Errors
    /// 401 if it is not valid; 503 if no connection is free in time.
    pub(crate) async fn check_token(&self, credentials: Credentials) -> ApiResult<()> {
        self.read(credentials, |reader| Ok(reader.actor().map(|_| ())?)).await
    }

    /// Checks that the database answers and has the schema of this binary. A success is cached for a second.
    ///
    /// # Errors
    /// 503 otherwise, and once the node is to stop.
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

    /// Has the node answer that it isn't ready, so that load balancers send it no more requests, while it serves those that
    /// still come.
    pub fn drain(&self) {
        self.readiness.drain();
    }

    /// Runs CPU-bound work on a thread that may block: parsing, planning, rendering in bulk.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no permit is free in time.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.compute_with(work).await
    }

    /// As [`ServerState::compute`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::compute`].
    pub async fn compute_with<T, E>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        settle(&RequestScope::current()).await?;
        self.gate.clone().run(Use::Read, work).await
    }
}

/// Returns the request if it has a new idempotency key and no transaction yet: its next transaction is the one with its
/// effect.
async fn open(scope: &RequestScope) -> Result<Option<Arc<Keyed>>, StorageError> {
    let Some(keyed) = scope.keyed() else { return Ok(None) };
    keyed.settle().await?;
    Ok(keyed.is_open().then(|| Arc::clone(keyed)))
}

/// Commits a transaction that waits for the response of the request.
async fn settle(scope: &RequestScope) -> Result<(), StorageError> {
    match scope.keyed() {
        None => Ok(()),
        Some(keyed) => keyed.settle().await,
    }
}

/// Commits groups of writes until none waits. Without a permit in time, the runner refuses those that wait.
async fn run_groups(gate: Gate, first: Runner) {
    let mut next = Some(first);
    while let Some(runner) = next {
        let turn = runner.turn().await;
        let commit = move |_: &Storage| {
            let next = runner.commit();
            drop(turn);
            erase(Ok::<_, StorageError>(next))
        };
        let committed = gate.clone().block(Use::Write, Box::new(commit)).await;
        next = restore::<_, StorageError>(committed).unwrap_or_default();
    }
}
