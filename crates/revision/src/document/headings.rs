//! Headings above conflicts.

use serde_json::Value;

use super::conflict::BlockConflict;
use super::node::text_of;

/// Sets the headings of conflicts. They are only known once the document is merged.
pub(super) fn note_headings(conflicts: &mut [BlockConflict], merged: &Value) {
    let Some(blocks) = merged.get("nodes").and_then(Value::as_array) else { return };
    for conflict in conflicts {
        let first = conflict.path.split('.').next().and_then(|step| step.parse().ok()).unwrap_or(0);
        let heading = blocks.iter().take(first).rev().find(|block| is_heading(block));
        conflict.heading =
            heading.map(|block| text_of(block).trim().to_owned()).filter(|text| !text.is_empty());
    }
}

fn is_heading(block: &Value) -> bool {
    block.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("heading-"))
}
