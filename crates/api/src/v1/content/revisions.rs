//! Revisions, their lists, and the changes between them.

use std::collections::HashMap;

use quire_content::computed::Computed;
use quire_content::differences::{PageVersions, UncountedRevision};
use quire_content::rendering::{Targets, resolve};
use quire_domain::object::RevisionTag;
use quire_domain::revisions::{
    ChangeSummary, DifferenceArrangement, DifferenceFormat, DifferenceQuery, ListedRevision, PageDifference,
    RevisionListQuery, RevisionSummary,
};
use quire_render::{DifferenceView, Options, Resolved, render_difference};
use quire_revision::{Change, Tree, diff};
use quire_storage::Storage;
use quire_storage::content::change_requests::ChangeRequestRecord;
use quire_storage::content::store::{ContentAt, RevisionFilter};

use super::answer::expanded;
use super::page_parts::{IN_PARTS, PageParts, Surroundings, in_tree_order};
use super::path::ContentPath;
use super::query::{ChangesQuery, ContentQuery};
use crate::prelude::*;
use crate::respond::{Conditional, ContentAnswer};
use crate::visitors::{Claims, Readable, readable_content};

pub async fn get_content(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let expansions = api.expansions_if(query.computed);
    let conditional = Conditional::of(&request);
    let (state, credentials) = (api.state.clone(), caller.credentials());
    let load = move |reader: &mut Reader<'_>| {
        let Readable { content, claims } =
            readable_content(reader, &caller, (path.space(), path.selector()))?;
        let conditional = conditional.clone().read_as(claims.as_ref().map(Claims::digest).as_deref());
        let revision = &content.revision;
        // Visitors do not see change requests.
        let merged_from = if claims.is_none() { reader.merged_from(&content)? } else { None };
        // The published URL can change without the revision, so it is part of the entity tag.
        let nothing = Tree::empty();
        let mut site = format!("{:?}", path.view(&state, &content, &nothing).site());
        let is_visitor = claims.is_some();
        if !is_visitor && content.role().is_none() {
            site.push_str(" without commits");
        }
        let known = |versions: &str| {
            let tag = conditional.tag(revision.id, &format!("{versions} {site}"));
            let has = conditional.has(&tag).then(|| ContentAnswer::not_modified(&tag));
            (tag, has.or_else(|| conditional.answer(&state.answers, &tag)))
        };
        let is_plain = expansions.as_ref().is_none_or(|expansions| expansions.is_plain(revision.root));
        if merged_from.is_none()
            && is_plain
            && let (_, Some(answer)) = known("")
        {
            return Ok(answer);
        }
        let (tree, computed) = expanded(reader, &content, expansions.as_ref())?;
        let view = path.view(&state, &content, &tree).with_git(query.metadata).with_computed(&computed);
        let merged_from =
            merged_from.map(|record| present::change_request(&state.urls, &record, content.space.head));
        let commits = |reader: &mut Reader<'_>| match query.metadata && !is_visitor {
            true => reader.imported_commits(&content),
            false => Ok(None),
        };
        if tree.page_count() >= IN_PARTS {
            let versions = computed.versions();
            let tag = conditional.tag(revision.id, &format!("{versions} {site} {merged_from:?}"));
            if conditional.has(&tag) {
                return Ok(ContentAnswer::not_modified(&tag));
            }
            let tags = reader.tags(&content, &tree)?;
            let origin = (merged_from, commits(reader)?);
            let surroundings = present::revision_around_pages(&view, revision, tags, origin);
            let surroundings = Surroundings::of_resource(&surroundings)?;
            let pages = in_tree_order(&tree, None, usize::MAX);
            let viewed = path.viewed(content.change_request.as_ref().map(ChangeRequestRecord::name));
            let shown = (viewed, tree.clone(), computed.clone());
            let parts = PageParts::new(state.clone(), shown, query.metadata, (surroundings, pages));
            return Ok(ContentAnswer::in_parts(&tag, Box::new(parts)));
        }
        let Some(merged_from) = merged_from else {
            let (tag, answer) = known(computed.versions());
            if let Some(answer) = answer {
                return Ok(answer);
            }
            let tags = reader.tags(&content, &tree)?;
            let resource = present::revision(&view, revision, tags, (None, commits(reader)?));
            return ContentAnswer::new(&state.answers, &tag, &resource);
        };
        // The change request can change without the revision, so the id of the revision does not suffice as a tag.
        let tags = reader.tags(&content, &tree)?;
        let resource = present::revision(&view, revision, tags, (Some(merged_from), None));
        ContentAnswer::next_to_revision(&conditional, revision.id, &resource)
    };
    api.state.read(credentials, load).await?.respond()
}

/// Maximum number of revisions per response that are compared with their parents.
const MOST_SUMMARIES: u16 = 50;

pub async fn list_revisions(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<RevisionListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<RevisionId>::new(format!("revisions of {space}: {query:?}"), &page)?;
    let (below, limit) = list.position();
    if query.summary && limit > MOST_SUMMARIES {
        return Err(ApiError::invalid_query(
            "limit",
            format!("must be 1 to {MOST_SUMMARIES} with summaries"),
        ));
    }
    let filter = RevisionFilter { author: query.author, kind: query.revision_type, page: query.changed_page };
    let (slice, uncounted, shows_git) = state
        .read(caller, move |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            let shows_git = content.role().is_some();
            let slice = reader.revisions_of_space(&content, filter, below, limit)?;
            let uncounted = if query.summary {
                let trees = reader.trees_of_listed(&content, &slice.items)?;
                UncountedRevision::load(reader, &content, &trees)?
            } else {
                Vec::new()
            };
            Ok((slice, uncounted, shows_git))
        })
        .await?;
    let count = move |_: &_| uncounted.iter().map(|revision| Ok(revision.count()?)).collect();
    let summaries: ApiResult<Vec<RevisionSummary>> = state.compute(count).await;
    let mut summaries = summaries?.into_iter();
    list.respond(
        &request,
        slice,
        |revision| revision.id,
        |revision| {
            Ok(ListedRevision {
                object: RevisionTag::Tag,
                id: revision.id,
                revision_type: revision.kind,
                parents: revision.parents,
                author: revision.author.map(|user| present::user(&state.urls, &user)),
                git: revision.git.filter(|_| shows_git),
                created_at: revision.created_at,
                summary: summaries.next(),
            })
        },
    )
}

/// Path parameter: the revision to compare with.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherRevision {
    other_revision_id: RevisionId,
}

/// Changes from one tree to another, with both versions of the documents to compare.
struct Differing {
    trees: [Tree; 2],
    changes: Vec<Change>,
    versions: Vec<PageVersions>,
}

impl Differing {
    /// Compares two trees and loads the documents of the first `limit` changes.
    fn load(
        reader: &mut Reader<'_>,
        content: &Authorized<ContentAt>,
        trees: [Tree; 2],
        limit: usize,
    ) -> ApiResult<Self> {
        let [before, after] = &trees;
        let changes = diff(before, after);
        let listed = changes.get(..limit).unwrap_or(&changes);
        let versions = PageVersions::of_changes(reader, content, [(&trees, listed)])?;
        Ok(Self { trees, changes, versions })
    }

    async fn summaries(&mut self, state: &State) -> ApiResult<HashMap<PageId, ChangeSummary>> {
        let versions = std::mem::take(&mut self.versions);
        let compare = |versions: PageVersions| Ok((versions.page, versions.compare()?.summary.into()));
        state.compute(move |_| versions.into_iter().map(compare).collect::<ApiResult<_>>()).await
    }
}

pub async fn get_changes(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(query): Query<ChangesQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let limit = query.limit();
    let (content, mut differing, merged_from, custom_fields) = state
        .read(caller, move |reader| {
            let (content, after) = reader.content_with_tree(path.space(), path.selector())?;
            let before = reader.tree_before(&content)?;
            let differing = Differing::load(reader, &content, [before, after], limit)?;
            let merged_from = reader.merged_from(&content)?;
            let custom_fields = reader.custom_field_changes(&content)?;
            Ok((content, differing, merged_from, custom_fields))
        })
        .await?;
    let summaries = differing.summaries(&state).await?;
    let merged_from =
        merged_from.map(|record| Box::new(present::change_request(&state.urls, &record, content.space.head)));
    let Differing { trees: [_, after], changes, .. } = differing;
    let view = path.view(&state, &content, &after);
    let changes = |merged_from| {
        let changes = present::changes(&view, changes, &summaries, limit, merged_from);
        present::with_custom_fields(changes, custom_fields, limit)
    };
    let revision = content.revision.id;
    match merged_from {
        None => respond::ok_of_revision(&request, revision, || Ok(changes(None))),
        merged_from => {
            let conditional = Conditional::of(&request);
            ContentAnswer::next_to_revision(&conditional, revision, &changes(merged_from))?.respond()
        }
    }
}

pub async fn compare_revisions(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(OtherRevision { other_revision_id }): Path<OtherRevision>,
    Query(query): Query<ChangesQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let limit = query.limit();
    let (content, mut differing) = state
        .read(caller, move |reader| {
            let (_, before) = reader.content_with_tree(path.space(), path.selector())?;
            let other = ContentSelector::Revision(other_revision_id);
            let content = reader.content(path.space(), other)?.authorize(Action::ViewSpace)?;
            let after = reader.tree(&content)?;
            let differing = Differing::load(reader, &content, [before, after], limit)?;
            Ok::<_, ApiError>((content, differing))
        })
        .await?;
    let summaries = differing.summaries(&state).await?;
    let Differing { trees: [_, after], changes, .. } = differing;
    let view = path.view(&state, &content, &after);
    respond::ok(&request, &present::changes(&view, changes, &summaries, limit, None))
}

/// Path parameters: a page, and the revision to compare with.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    page_id: PageId,
    other_revision_id: Option<RevisionId>,
}

pub async fn get_page_difference(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Compared { page_id, other_revision_id }): Path<Compared>,
    Query(DifferenceQuery { format, view }): Query<DifferenceQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (state, shared) = (&api.state, api.clone());
    let (versions, parsed, resolved) = state
        .read(caller, move |reader| {
            let (content, tree) = reader.content_with_tree(path.space(), path.selector())?;
            let trees = match other_revision_id {
                None => [reader.tree_before(&content)?, tree],
                Some(other) => {
                    let other = reader.content(path.space(), ContentSelector::Revision(other))?;
                    [tree, reader.tree(&other.authorize(Action::ViewSpace)?)?]
                }
            };
            let [before, after] = &trees;
            let versions = PageVersions::load(reader, &content, [before, after], &[page_id])?;
            let versions = versions.into_iter().next().ok_or_else(ApiError::not_found)?;
            let parsed = versions.parse()?;
            let resolved = match format {
                DifferenceFormat::Json => Resolved::default(),
                DifferenceFormat::Html => {
                    let presented = path.view(&shared.state, &content, after);
                    let expansions = shared.expansions();
                    let targets = Targets::new(&presented, &expansions, path.space(), after);
                    let documents = parsed.documents()?;
                    resolve(reader, caller, &content, targets, &Computed::default(), &documents.each_ref())?
                }
            };
            Ok((versions, parsed, resolved))
        })
        .await?;
    let highlighter = api.highlighter();
    let compare = move |_: &Storage| {
        let difference = parsed.compare();
        let PageVersions { page, ids, .. } = versions;
        if format == DifferenceFormat::Json {
            return Ok(PageDifference::new(page, ids, difference));
        }
        let view = match view {
            DifferenceArrangement::Inline => DifferenceView::Inline,
            DifferenceArrangement::Split => DifferenceView::Split,
        };
        let options = Options { links_headings: false, ..Options::english(&highlighter) };
        let rendered = render_difference(&difference, view, &resolved, &options);
        Ok(PageDifference::of_html(page, ids, &difference, rendered.html))
    };
    let difference = state.compute(compare).await?;
    respond::ok(&request, &difference)
}
