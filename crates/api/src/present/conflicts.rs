//! Presentation of merge conflicts.

use quire_content::page_body::{cover, layout};
use quire_domain::change_requests::{BlockConflict, ConflictedPage, MergeConflict};
use quire_domain::ids::SpaceId;
use quire_revision::{Conflict, ConflictKind};
use serde::Serialize;
use serde_json::{Value, json};

use super::content::reusable_content;
use super::file;
use crate::error::{ApiError, ApiResult};
use crate::state::ServerState;

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

/// Returns the value of one side. Stored records and layouts differ from their wire forms.
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
