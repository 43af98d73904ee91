//! Three-way merge of one file or reusable content that both sides changed.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::conflict::Conflict;
use super::outcome::Outcome;
use super::shared_fields::{merge_documents, merge_git};
use super::three_way::{ThreeWay, agreed, deleted_or, settled};
use crate::diff::{FileAttributes, ReusableContentAttributes};
use crate::entry::{Dimensions, FileNode, ReusableContentNode};
use crate::hash::BlobHash;

/// Merges a file. Name and content are merged separately.
pub(super) fn merge_file(outcome: &mut Outcome<'_>, file: ThreeWay<Arc<FileNode>>) -> Option<Arc<FileNode>> {
    let ThreeWay { base, into: Some(into), from: Some(from) } = file.as_ref() else {
        let unchanged = |base: &FileNode, kept: &FileNode| FileAttributes::between(base, kept).is_empty();
        return merge_deletion(outcome, file, unchanged, |file, values| Conflict::on_file(file.id, values));
    };
    let name = agreed(base.map(|file| &file.name), &into.name, &from.name);
    let merged_content = agreed(base.map(content), content(into), content(from));
    let side = match (&name, &merged_content) {
        (Some(_), Some(_)) => None,
        _ => outcome.conflict(Conflict::on_file(into.id, values(file.as_ref()))),
    };
    let chosen = settled(side, into, from);
    let (content_type, size, dimensions, blob) = merged_content.unwrap_or_else(|| content(chosen));
    Some(Arc::new(FileNode {
        id: into.id,
        name: name.unwrap_or(&chosen.name).clone(),
        content_type: content_type.to_owned(),
        size,
        dimensions,
        blob,
        created_at: from.created_at.or(into.created_at),
        git: merge_git(base.map(|file| &file.git), &into.git, &from.git),
    }))
}

/// Returns the fields that change together with a file's bytes.
fn content(file: &Arc<FileNode>) -> (&str, u64, Option<Dimensions>, BlobHash) {
    (&file.content_type, file.size, file.dimensions, file.blob)
}

/// Merges a reusable content. Title and document are merged separately.
pub(super) fn merge_reusable_content(
    outcome: &mut Outcome<'_>,
    record: ThreeWay<Arc<ReusableContentNode>>,
) -> Option<Arc<ReusableContentNode>> {
    let ThreeWay { base, into: Some(into), from: Some(from) } = record.as_ref() else {
        let unchanged = |base: &ReusableContentNode, kept: &ReusableContentNode| {
            ReusableContentAttributes::between(base, kept).is_empty()
        };
        let about = |content: &ReusableContentNode, values| Conflict::on_reusable_content(content.id, values);
        return merge_deletion(outcome, record, unchanged, about);
    };
    let title = agreed(base.map(|content| &content.title), &into.title, &from.title);
    let documents = [base.and_then(|content| content.document), into.document, from.document];
    let conflict = || Conflict::on_reusable_content(into.id, values(record.as_ref()));
    let document = merge_documents(outcome, documents, conflict);
    let title = title.unwrap_or_else(|| &settled(outcome.conflict(conflict()), into, from).title);
    Some(Arc::new(ReusableContentNode {
        id: into.id,
        title: title.clone(),
        document,
        created_at: from.created_at.or(into.created_at),
        updated_at: into.updated_at.max(from.updated_at),
        git: merge_git(base.map(|content| &content.git), &into.git, &from.git),
    }))
}

/// Merges a record that at least one side deleted. It is deleted, unless the other side changed it.
fn merge_deletion<T: Serialize>(
    outcome: &mut Outcome<'_>,
    record: ThreeWay<Arc<T>>,
    unchanged: impl Fn(&T, &T) -> bool,
    conflict: impl Fn(&T, [Option<Value>; 3]) -> Conflict,
) -> Option<Arc<T>> {
    let kept = record.into.as_ref().or(record.from.as_ref())?;
    if record.base.as_ref().is_some_and(|base| unchanged(base, kept)) {
        return None;
    }
    let side = outcome.conflict(conflict(kept, values(record.as_ref())));
    deleted_or(side, record.into, record.from)
}

fn values<T: Serialize>(record: ThreeWay<&Arc<T>>) -> [Option<Value>; 3] {
    [record.base, record.into, record.from].map(|version| version.map(|version| json!(version.as_ref())))
}
