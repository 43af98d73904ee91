//! Presentation of changes of content, conflicts and merges.

use std::collections::HashMap;

use quire_content::WriteMerge;
use quire_content::page_body::{cover, layout};
use quire_domain::ChangeRequest;
use quire_domain::bounds::LIST_LIMIT_MAX;
use quire_domain::change_requests::{BlockConflict, ConflictedPage, MergeConflict};
use quire_domain::content::{ContentMerge, MergedDocument};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{PageId, RevisionId, SpaceId};
use quire_domain::revisions::{
    ChangeSummary, ChangedFile, ChangedPage, ChangedReusableContent, Delta, Dimensions, FileAttributes,
    PageAttributes, PageType, ReusableContentAttributes, RevisionChange, RevisionChanges,
};
use quire_revision::{
    BlobHash, Change, Conflict, ConflictKind, EntryId, FileNode, ReusableContentNode, Tree, diff,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::content::{ContentView, FileAddress, file, reusable_content};
use crate::error::{ApiError, ApiResult};
use crate::state::ServerState;

/// Returns the first `limit` changes, and the number of the others. `summaries` has the numbers for pages whose
/// document changed.
#[must_use]
pub fn changes(
    view: &ContentView<'_>,
    changes: Vec<Change>,
    summaries: &HashMap<PageId, ChangeSummary>,
    limit: usize,
    merged_from: Option<Box<ChangeRequest>>,
) -> RevisionChanges {
    let more = u64::try_from(changes.len().saturating_sub(limit)).unwrap_or(u64::MAX);
    let changes = changes.into_iter().take(limit).map(|change| view.change(change, summaries)).collect();
    RevisionChanges { merged_from, changes, more: (more > 0).then_some(more) }
}

impl ContentView<'_> {
    fn change(&self, change: Change, summaries: &HashMap<PageId, ChangeSummary>) -> RevisionChange {
        let summary = |page: &quire_revision::ChangedPage| summaries.get(&page.id).copied();
        match change {
            Change::PageCreated { page } => {
                RevisionChange::PageCreated { summary: summary(&page), page: changed_page(page) }
            }
            Change::PageEdited { page, attributes } => RevisionChange::PageEdited {
                summary: summary(&page),
                page: changed_page(page),
                attributes: Box::new(page_attributes(*attributes)),
            },
            Change::PageMoved { page, parent } => {
                RevisionChange::PageMoved { page: changed_page(page), parent: each(parent, changed_page) }
            }
            Change::PageDeleted { page } => {
                RevisionChange::PageDeleted { summary: summary(&page), page: changed_page(page) }
            }
            Change::FileCreated { file } => RevisionChange::FileCreated { file: self.changed_file(&file) },
            Change::FileEdited { file, attributes } => RevisionChange::FileEdited {
                attributes: Box::new(self.file_attributes(&file, attributes)),
                file: self.changed_file(&file),
            },
            Change::FileDeleted { file } => RevisionChange::FileDeleted { file: self.changed_file(&file) },
            Change::ReusableContentCreated { content } => {
                RevisionChange::ReusableContentCreated { reusable_content: changed_content(&content) }
            }
            Change::ReusableContentEdited { content, attributes } => RevisionChange::ReusableContentEdited {
                reusable_content: changed_content(&content),
                attributes: ReusableContentAttributes {
                    title: attributes.title.map(same),
                    document: attributes.document.map(same),
                },
            },
            Change::ReusableContentDeleted { content } => {
                RevisionChange::ReusableContentDeleted { reusable_content: changed_content(&content) }
            }
        }
    }

    fn changed_file(&self, node: &FileNode) -> ChangedFile {
        ChangedFile {
            id: node.id,
            name: node.name.clone(),
            content_type: node.content_type.clone(),
            download_url: self.download_url(node.blob, node.name.clone(), node.content_type.clone()),
        }
    }

    /// Returns the changed attributes of a file. The download URL changes with the bytes. Each URL is signed with the
    /// name and media type of its own revision.
    fn file_attributes(
        &self,
        after: &FileNode,
        attributes: quire_revision::FileAttributes,
    ) -> FileAttributes {
        let quire_revision::FileAttributes { name, blob, size, content_type, dimensions } = attributes;
        let text = |delta: &Option<quire_revision::Delta<String>>, now: &str| {
            let before = delta.as_ref().and_then(|delta| delta.before.clone());
            before.unwrap_or_else(|| now.to_owned())
        };
        let download_url = blob.map(|blob| Delta {
            before: blob.before.map(|blob| {
                self.download_url(blob, text(&name, &after.name), text(&content_type, &after.content_type))
            }),
            after: blob
                .after
                .map(|blob| self.download_url(blob, after.name.clone(), after.content_type.clone())),
        });
        let pixels = |size: quire_revision::Dimensions| Dimensions { width: size.width, height: size.height };
        FileAttributes {
            name: name.map(same),
            download_url,
            size: size.map(same),
            content_type: content_type.map(same),
            dimensions: dimensions.map(|delta| each(delta, pixels)),
        }
    }

    fn download_url(&self, blob: BlobHash, name: String, content_type: String) -> String {
        FileAddress { space: self.space, blob, name, content_type }.url(self.urls, self.signer)
    }
}

fn changed_page(page: quire_revision::ChangedPage) -> ChangedPage {
    ChangedPage {
        id: page.id,
        page_type: match page.page_type {
            quire_revision::PageType::Document => PageType::Document,
            quire_revision::PageType::Group => PageType::Group,
            quire_revision::PageType::Link => PageType::Link,
            quire_revision::PageType::Computed => PageType::Computed,
        },
        title: page.title,
        path: page.path,
    }
}

fn page_attributes(attributes: quire_revision::PageAttributes) -> PageAttributes {
    let quire_revision::PageAttributes {
        title,
        link_title,
        slug,
        description,
        emoji,
        icon,
        cover: covers,
        layout: layouts,
        document,
        target,
        // The API reference has no attribute for the source of a placeholder.
        computed: _,
        hidden,
        no_index,
        no_robots_index,
    } = attributes;
    PageAttributes {
        title: title.map(same),
        link_title: link_title.map(same),
        description: description.map(same),
        slug: slug.map(same),
        document: document.map(same),
        cover: covers.map(|covers| Delta {
            before: covers.before.as_ref().and_then(cover),
            after: covers.after.as_ref().and_then(cover),
        }),
        emoji: emoji.map(same),
        icon: icon.map(same),
        layout: layouts.map(|layouts| each(layouts, |stored| layout(&stored))),
        target: target.map(same),
        hidden: hidden.map(same),
        no_index: no_index.map(same),
        no_robots_index: no_robots_index.map(same),
    }
}

fn changed_content(content: &ReusableContentNode) -> ChangedReusableContent {
    ChangedReusableContent { id: content.id, title: content.title.clone(), document: content.document }
}

fn same<T>(delta: quire_revision::Delta<T>) -> Delta<T> {
    each(delta, |value| value)
}

fn each<T, U>(delta: quire_revision::Delta<T>, turn: impl Fn(T) -> U) -> Delta<U> {
    Delta { before: delta.before.map(&turn), after: delta.after.map(&turn) }
}

/// Returns the conflicts of a merge in a space. Values have the same form as in other resources.
///
/// # Errors
/// A conflict kind without a name, or a value of the wrong kind.
pub fn conflicts(
    state: &ServerState,
    space: SpaceId,
    conflicts: Vec<Conflict>,
) -> ApiResult<Vec<MergeConflict>> {
    conflicts.into_iter().map(|found| conflict(state, space, found)).collect()
}

fn conflict(state: &ServerState, space: SpaceId, conflict: Conflict) -> ApiResult<MergeConflict> {
    let Conflict { id, page, file, reusable_content, kind, base, ours, theirs, blocks } = conflict;
    let page = page.map(|page| ConflictedPage {
        id: page.id,
        title: page.title,
        path: page.path.unwrap_or_default(),
    });
    let shown = |side: Option<Value>| side.map(|value| side_of(state, space, kind, value)).transpose();
    let (base, ours, theirs) = (shown(base)?, shown(ours)?, shown(theirs)?);
    let blocks = blocks.iter().map(block_conflict).collect();
    Ok(MergeConflict {
        id: id.to_string(),
        page,
        file,
        reusable_content,
        kind: name(kind)?,
        base,
        ours,
        theirs,
        blocks,
    })
}

/// Returns a conflict of blocks, each version as a document.
pub fn block_conflict(conflict: &quire_revision::BlockConflict) -> BlockConflict {
    let document =
        |blocks: &[Value]| json!({"object": "document", "data": {}, "nodes": conflict.as_document(blocks)});
    BlockConflict {
        id: conflict.id.to_string(),
        path: conflict.path.clone(),
        length: conflict.length,
        base: document(&conflict.base),
        ours: document(&conflict.ours),
        theirs: document(&conflict.theirs),
    }
}

/// Returns the value of one side in its wire form, which differs from the stored form for records and layouts.
fn side_of(state: &ServerState, space: SpaceId, kind: ConflictKind, value: Value) -> ApiResult<Value> {
    let presented = match kind {
        ConflictKind::File => {
            let node = serde_json::from_value(value).map_err(ApiError::internal)?;
            serde_json::to_value(file(&state.urls, &state.signer, space, &node, true))
        }
        ConflictKind::ReusableContent => {
            let node = serde_json::from_value(value).map_err(ApiError::internal)?;
            serde_json::to_value(reusable_content(&node, true))
        }
        ConflictKind::Layout => serde_json::to_value(layout(&value)),
        ConflictKind::Cover => serde_json::to_value(cover(&value)),
        _ => return Ok(value),
    };
    presented.map_err(ApiError::internal)
}

/// Returns the wire form of an enumeration's value.
fn name(value: impl Serialize) -> ApiResult<String> {
    match serde_json::to_value(value).map_err(ApiError::internal)? {
        Value::String(name) => Ok(name),
        other => Err(ApiError::internal(anyhow::anyhow!("{other} is not a name"))),
    }
}

/// Returns the merge of a content write whose changes were merged into `head`.
///
/// # Errors
/// The errors of [`conflicts`].
pub fn content_merge(
    state: &ServerState,
    view: &ContentView<'_>,
    base: RevisionId,
    merge: &WriteMerge,
    head: &Tree,
) -> ApiResult<ContentMerge> {
    let others = diff(&merge.base, head);
    let RevisionChanges { changes, more, .. } =
        changes(view, others, &HashMap::new(), usize::from(LIST_LIMIT_MAX), None);
    let documents = merge.documents.iter().filter_map(merged_document).collect();
    let conflicts = conflicts(state, view.space, merge.conflicts.clone())?;
    Ok(ContentMerge { base, changes, more, documents, conflicts })
}

fn merged_document((owner, document): &(EntryId, Option<DocumentJson>)) -> Option<MergedDocument> {
    let (page, reusable_content) = match owner {
        EntryId::Page(id) => (Some(*id), None),
        EntryId::ReusableContent(id) => (None, Some(*id)),
        EntryId::File(_) => return None,
    };
    Some(MergedDocument { page, reusable_content, document: document.clone() })
}
