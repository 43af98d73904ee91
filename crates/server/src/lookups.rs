//! Lookups that share a statement with other requests ([decision 11](../../../docs/adr/0011-batched-lookups.md)).

use quire_storage::content::spaces::SpaceRecord;
use quire_storage::content::store::{ContentHead, ContentToWrite};
use quire_storage::lookup::{ContentKey, Credentials, Found, FoundInBatch, SpaceKey};
use quire_storage::sites::published::{FoundSite, SiteKey};
use quire_storage::{LookupFacts, Reader, Server};

use crate::batches::Batched;
use crate::door::settle;
use crate::error::ApiResult;
use crate::middleware::scope::RequestScope;
use crate::state::ServerState;

impl ServerState {
    /// Looks up content together with other requests.
    ///
    /// # Errors
    /// See [`Reader::content_head`]; 503 if too many lookups wait, no connection is free in time or the database is not
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
    /// See [`Reader::space`]; 503 if too many lookups wait, no connection is free in time or the database is not
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
                // A replica may lack a new site; the primary decides.
                scope.route().note(Server::Primary);
                self.read(Credentials::ANONYMOUS, move |reader| Ok(reader.find_site(&key)?)).await
            }
        }
    }

    /// Looks up the current content of a space that the request writes to, together with other requests.
    ///
    /// # Errors
    /// See [`Reader::content`]; 503 if too many lookups wait, no connection is free in time or the database is not
    /// reachable.
    pub async fn content_to_write(&self, key: SpaceKey) -> ApiResult<(Found<ContentToWrite>, LookupFacts)> {
        settle(&RequestScope::current()).await?;
        let alone = move |reader: &mut Reader<'_>| Ok((reader.content_to_write(key.space)?, reader.known()));
        match self.writes.find(key).await? {
            Batched::Found(FoundInBatch { found, actor, tenant }) => {
                RequestScope::current().note_found(actor, tenant);
                Ok((found, LookupFacts::new(self.storage.clock().now(), actor, tenant)))
            }
            Batched::Absent => self.read(key.credentials, |reader| Ok(reader.not_found()?)).await,
            Batched::Alone => self.read(key.credentials, alone).await,
        }
    }

    /// Records the actor and resource found by a batch. If the batch failed, it looks up the key with `alone`.
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
            // A replica may lack a new resource; the primary decides.
            Batched::Absent if is_on_primary => {
                self.read(credentials, |reader| Ok(reader.not_found()?)).await
            }
            Batched::Absent | Batched::Alone => self.read(credentials, alone).await,
        }
    }
}
