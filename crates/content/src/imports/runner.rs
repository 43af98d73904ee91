//! Runner of all imports: gathers, plans, stores the files, and then stores one revision or nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use quire_domain::ids::{ChangeRequestId, FileId, PageId, RevisionId, SpaceId};
use quire_domain::imports::{ImportPhase, ImportResult, ImportSource};
use quire_domain::policy::Action;
use quire_importer::apply::{Placement, Repository, check_destination};
use quire_importer::fetch::Fetcher;
use quire_importer::plan::{GeneratedIds, ImportPlan, PlannedFile, plan_with};
use quire_importer::progress::Progress;
use quire_importer::refusal;
use quire_importer::source::{self, Announced, GatherLimits};
use quire_importer::spool::PIECE;
use quire_importer::tree::SourceTree;
use quire_revision::BlobHash;
use quire_storage::content::store::{ContentAt, ContentSelector, ImportedCommits};
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::optimistic::commit_draft;
use quire_storage::{Error as StorageError, Reader, Tx};

use super::draft::{Draft, misplaced};
use super::input::{Destination, Import, ImportInput};
use super::limiter::ImportLimiter;
use crate::door::Door;
use crate::error::{Error, Result};
use crate::expected::ExpectedRevisions;
use crate::pacing::pause_after;

/// Number of files written concurrently. Each write waits for the disk.
const PARALLEL_FILES: usize = 4;

/// Runner of the imports of a node, within its limits.
#[derive(Clone, Debug)]
pub struct ImportRunner {
    /// Fetcher of URLs that users supply.
    pub fetcher: Fetcher,
    /// Limits of the node.
    pub limiter: ImportLimiter,
}

/// Outcome of an import.
pub(crate) struct Imported {
    /// Result for the user.
    pub(crate) result: ImportResult,
    /// Change request with the changes of one side that conflict with those of the side whose version stays.
    pub(crate) change_request: Option<ChangeRequestId>,
}

/// Files to plan an import from.
struct Gathered {
    source: ImportSource,
    tree: SourceTree,
    /// Field of the request that named the files.
    field: &'static str,
}

impl ImportRunner {
    /// Refuses an import that would fail in the end, before anything is fetched or uploaded.
    ///
    /// # Errors
    /// 404, 403 and 409 for an invalid destination. 412 for a head that is not expected.
    pub async fn preflight(
        &self,
        door: &impl Door,
        credentials: Credentials,
        destination: Destination,
        expected: ExpectedRevisions,
    ) -> Result<()> {
        let Destination { space, selector, page } = destination;
        let check = move |reader: &mut Reader<'_>| {
            let content = reader.content(space, selector)?.authorize(Action::EditContent)?;
            content.require_editable()?;
            expected.check(content.revision.id)?;
            let Some(page) = page else { return Ok(()) };
            let tree = reader.tree(&content)?;
            check_destination(tree.page(page).ok_or(StorageError::NotFound)?).map_err(misplaced)
        };
        door.read(credentials, check).await
    }

    /// Runs an import. `finish` ends the transaction that stores it, and may cancel it.
    ///
    /// # Errors
    /// A refusal of content that cannot be fetched, read or placed. The errors of the storage and of `finish`.
    pub async fn run(
        &self,
        door: &impl Door,
        import: Import,
        input: ImportInput,
        progress: &Progress,
        finish: impl Fn(&mut Tx<'_>, &ImportResult) -> Result<()> + Clone + Send + 'static,
    ) -> Result<ImportResult> {
        let gathered = self.gather(input, import.limits, progress).await?;
        self.run_gathered(door, import, gathered, progress, finish).await
    }

    /// Like [`ImportRunner::run`], for files that the caller has read.
    ///
    /// # Errors
    /// The errors of [`ImportRunner::run`].
    pub async fn run_files(
        &self,
        door: &impl Door,
        import: Import,
        (source, tree): (ImportSource, SourceTree),
        progress: &Progress,
        finish: impl Fn(&mut Tx<'_>, &ImportResult) -> Result<()> + Clone + Send + 'static,
    ) -> Result<ImportResult> {
        let gathered = Gathered { source, tree, field: "file" };
        self.run_gathered(door, import, gathered, progress, finish).await
    }

    /// Replaces the content of a space by the content of a repository, with an existing plan if there is one. `known`
    /// has the hashes of files whose bytes are in the space already. The contents of these files are not read. The
    /// revision lists `commits`.
    ///
    /// # Errors
    /// The errors of [`ImportRunner::run`].
    pub(crate) async fn run_repository(
        &self,
        door: &impl Door,
        (import, commits): (Import, Option<ImportedCommits>),
        (tree, planned): (SourceTree, Option<ImportPlan>),
        (repository, known): (Repository, HashMap<String, BlobHash>),
        finish: impl Fn(&mut Tx<'_>, &ImportResult, Option<ChangeRequestId>) -> Result<()>
        + Clone
        + Send
        + 'static,
    ) -> Result<Imported> {
        let Import { credentials, destination, expected, .. } = import;
        let progress = Progress::default();
        let (mut plan, hashes) =
            self.place_repository(door, destination.space, (tree, planned), known, &progress).await?;
        let result = plan.result();
        let placement = Placement::replacing(plan, hashes, repository);
        let stored = (placement, result, commits);
        self.store(door, credentials, destination, stored, (expected, &progress), finish).await
    }

    /// Stores the content of a repository as a revision that no head points to. The parameters are the same as in
    /// [`ImportRunner::run_repository`]. `finish` ends the transaction, and may cancel it.
    ///
    /// # Errors
    /// The errors of [`ImportRunner::run`].
    pub(crate) async fn run_standalone(
        &self,
        door: &impl Door,
        (credentials, space, revision): (Credentials, SpaceId, RevisionId),
        (tree, planned): (SourceTree, Option<ImportPlan>),
        (repository, known): (Repository, HashMap<String, BlobHash>),
        finish: impl FnOnce(&mut Tx<'_>) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let progress = Progress::default();
        let (plan, hashes) = self.place_repository(door, space, (tree, planned), known, &progress).await?;
        let placement = Placement::replacing(plan, hashes, repository);
        let read = move |reader: &mut Reader<'_>| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
            Ok((reader.tree(&content)?, content))
        };
        let (before, content) = door.read(credentials, read).await?;
        let (storage, drafting) = (door.storage().clone(), progress.clone());
        let draft = move || Draft::new(&storage, &placement, before, &drafting);
        let draft = Arc::new(self.limiter.compute(draft).await?);
        let _permit = self.limiter.permit().await?;
        self.store_ahead(door, credentials, &draft, content, &progress).await?;
        let store = move |tx: &mut Tx<'_>| {
            let content = tx.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
            draft.store_standalone(tx, &content, revision)?;
            finish(tx)
        };
        door.transact(credentials, store).await
    }

    /// Plans the content of a repository, stores its files, and returns their hashes.
    async fn place_repository(
        &self,
        door: &impl Door,
        space: SpaceId,
        (tree, planned): (SourceTree, Option<ImportPlan>),
        known: HashMap<String, BlobHash>,
        progress: &Progress,
    ) -> Result<(ImportPlan, HashMap<FileId, BlobHash>)> {
        let source = ImportSource::Gitbook;
        let mut plan = match planned {
            Some(plan) => plan,
            None => self.plan(door, Gathered { source, tree, field: "url" }, progress).await?,
        };
        let files = plan.files.clone();
        let is_known = |file: &PlannedFile| known.contains_key(&file.source_path);
        plan.files.retain(|file| !is_known(file));
        let mut hashes = self.put_files(door, space, &plan, progress).await?;
        hashes.extend(files.iter().filter_map(|file| Some((file.id, *known.get(&file.source_path)?))));
        plan.files = files;
        Ok((plan, hashes))
    }

    /// Plans an import.
    async fn plan(
        &self,
        door: &impl Door,
        Gathered { source, tree, field }: Gathered,
        progress: &Progress,
    ) -> Result<ImportPlan> {
        progress.enter(ImportPhase::Planning, None);
        let (storage, progress) = (door.storage().clone(), progress.clone());
        let plan = self.limiter.compute(move || {
            plan_with(source, tree, &mut GeneratedIds(storage.ids()), &progress).map_err(|error| {
                match refusal::of_planning(field, &error) {
                    Some(refused) => refused.into(),
                    None => Error::internal("the documents of an import can't be read back", error),
                }
            })
        });
        plan.await
    }

    async fn run_gathered(
        &self,
        door: &impl Door,
        import: Import,
        gathered: Gathered,
        progress: &Progress,
        finish: impl Fn(&mut Tx<'_>, &ImportResult) -> Result<()> + Clone + Send + 'static,
    ) -> Result<ImportResult> {
        let Import { credentials, destination, expected, change, .. } = import;
        let mut plan = self.plan(door, gathered, progress).await?;
        let hashes = self.put_files(door, destination.space, &plan, progress).await?;
        let result = plan.result();
        let placement = Placement::new(plan, hashes, destination.page);
        let finish = move |tx: &mut Tx<'_>, result: &ImportResult, _| {
            finish(tx, result)?;
            if let Some(change) = &change {
                tx.audit(change);
            }
            Ok(())
        };
        let stored = (placement, result, None);
        Ok(self.store(door, credentials, destination, stored, (expected, progress), finish).await?.result)
    }

    async fn gather(
        &self,
        input: ImportInput,
        limits: GatherLimits,
        progress: &Progress,
    ) -> Result<Gathered> {
        let field = input.field();
        let (source, gathered) = match input {
            ImportInput::Url { url, source } => {
                (source, source::gather(&self.fetcher, limits, source, &url, progress).await)
            }
            ImportInput::Upload { source, file_name, content } => {
                let (announced, progress) = (Announced { content_type: None, file_name }, progress.clone());
                let open = move || Ok(source::open(source, limits, &announced, content, &progress));
                (source, self.limiter.compute(open).await?)
            }
        };
        let tree = gathered.map_err(|error| match refusal::of_gathering(field, &error) {
            Some(refused) => refused.into(),
            None => Error::internal("the content of an import can't be gathered", error),
        });
        Ok(Gathered { source, tree: tree?, field })
    }

    /// Stores the bytes of the plan's files, a few at a time. They are never all in memory.
    async fn put_files(
        &self,
        door: &impl Door,
        space: SpaceId,
        plan: &ImportPlan,
        progress: &Progress,
    ) -> Result<HashMap<FileId, BlobHash>> {
        // Each document counts twice: it is drafted, then stored.
        let documents = plan.pages.len().saturating_add(plan.reusable_contents.len());
        let units = plan.files.len().saturating_add(documents.saturating_mul(2));
        progress.enter(ImportPhase::Storing, u64::try_from(units).ok());
        let (files, threads) = (door.storage().files(), self.fetcher.threads());
        let put = plan.files.iter().map(|file| {
            let (id, content) = (file.id, file.content.clone());
            async move {
                let hashed = content.clone();
                let unreadable = |error| Error::internal("a file of an import can't be read", error);
                let hash = move || BlobHash::of_pieces(hashed.parts(PIECE)).map_err(unreadable);
                let hash = self.limiter.compute(hash).await?;
                files.put_pieces(space, hash, content.stream(PIECE, threads)).await?;
                progress.advance(1);
                Ok((id, hash))
            }
        });
        stream::iter(put).buffer_unordered(PARALLEL_FILES).try_collect().await
    }

    /// Stores the revision. It is drafted before the transaction, and drafted again if the content changed meanwhile.
    async fn store(
        &self,
        door: &impl Door,
        credentials: Credentials,
        Destination { space, selector, .. }: Destination,
        (placement, result, commits): (
            Placement,
            impl Fn(RevisionId, &HashMap<PageId, PageId>) -> ImportResult + Clone + Send + 'static,
            Option<ImportedCommits>,
        ),
        (expected, progress): (ExpectedRevisions, &Progress),
        finish: impl Fn(&mut Tx<'_>, &ImportResult, Option<ChangeRequestId>) -> Result<()>
        + Clone
        + Send
        + 'static,
    ) -> Result<Imported> {
        let (placement, commits) = (Arc::new(placement), commits.map(Arc::new));
        let draft = || {
            let (storage, placement) = (door.storage().clone(), Arc::clone(&placement));
            let progress = progress.clone();
            async move {
                let read = move |reader: &mut Reader<'_>| {
                    let content = reader.content(space, selector)?.authorize(Action::EditContent)?;
                    Ok((reader.tree(&content)?, content))
                };
                let (before, content) = door.read(credentials, read).await?;
                let draft = move || Draft::new(&storage, &placement, before, &progress);
                let draft = self.limiter.compute(draft).await?;
                Ok::<_, Error>((Arc::new(draft), content))
            }
        };
        let commit = |(draft, found): (Arc<Draft>, Authorized<ContentAt>)| {
            let (placement, expected) = (Arc::clone(&placement), expected.clone());
            let (result, finish, commits) = (result.clone(), finish.clone(), commits.clone());
            async move {
                // Storing a large import takes a while. The permit bounds the database connections that imports hold.
                let _permit = self.limiter.permit().await?;
                let head = found.head_key();
                self.store_ahead(door, credentials, &draft, found, progress).await?;
                let find = move |reader: &mut Reader<'_>| {
                    Ok(reader.content(space, selector)?.authorize(Action::EditContent)?)
                };
                let store = move |tx: &mut Tx<'_>, content: Authorized<ContentAt>| {
                    let head = tx.lock_for_edit(&content)?;
                    expected.check(head.revision.id)?;
                    let origin = (&*placement, commits.as_deref());
                    let drafted = draft.commit(origin, tx, (&content, &head))?;
                    let result = result(drafted.revision, &drafted.pages);
                    finish(tx, &result, drafted.change_request)?;
                    Ok(Imported { result, change_request: drafted.change_request })
                };
                door.write(credentials, door.turn(head).await?, find, store).await
            }
        };
        commit_draft(draft, commit).await
    }

    /// Stores the documents and the tree of a draft ahead of its transaction.
    async fn store_ahead(
        &self,
        door: &impl Door,
        credentials: Credentials,
        draft: &Arc<Draft>,
        content: Authorized<ContentAt>,
        progress: &Progress,
    ) -> Result<()> {
        let (content, mut from) = (Arc::new(content), 0_usize);
        loop {
            let reading = Arc::clone(draft);
            // The caller holds a permit to compute.
            let batch = self.fetcher.threads().run(move || reading.batch(from)).await;
            let batch = batch.map_err(|error| Error::internal("the work of an import failed", error))??;
            if batch.is_empty() {
                break;
            }
            from = from.saturating_add(batch.len());
            let stored = u64::try_from(batch.len()).unwrap_or(u64::MAX);
            let (content, started) = (Arc::clone(&content), Instant::now());
            door.store_ahead(credentials, move |reader| Ok(reader.store_ahead(&content, &batch, None)?))
                .await?;
            progress.advance(stored);
            pause_after(started).await;
        }
        let draft = Arc::clone(draft);
        door.store_ahead(credentials, move |reader| draft.store_tree(reader, &content)).await
    }
}
