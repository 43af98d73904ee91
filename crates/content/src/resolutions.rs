//! Requested resolutions of merge conflicts.

use std::collections::BTreeMap;

use quire_domain::change_requests::{ConflictResolution, Taken};
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_markup::Document;
use quire_revision::{ConflictId, Take};
use quire_storage::content::change_requests::{Ineffective, PreparedMerge};
use serde_json::Value;

use crate::edits::check_document;

/// Converts resolutions to choices for conflicts.
///
/// # Errors
/// 400 for a document that a page cannot have, and for two resolutions of one conflict.
pub fn choices(resolutions: &[ConflictResolution]) -> Result<BTreeMap<ConflictId, Take>, Refusal> {
    let mut choices = BTreeMap::new();
    for (index, resolution) in resolutions.iter().enumerate() {
        let take = match (resolution.take, &resolution.document) {
            (Taken::Ours, _) => Take::Ours,
            (Taken::Theirs, _) => Take::Theirs,
            (Taken::Both, _) => Take::Both,
            (Taken::Document, document) => {
                let document = check_document(document.as_ref().unwrap_or(&Value::Null));
                let document = document.map_err(|errors| {
                    let below = |error: FieldError| FieldError {
                        field: format!("resolutions[{index}].{}", error.field),
                        message: error.message,
                    };
                    Refusal::new(Reason::InvalidBody).with_details(errors.into_iter().map(below).collect())
                })?;
                Take::Document(blocks(&document))
            }
        };
        if choices.insert(ConflictId::from(resolution.conflict.clone()), take).is_some() {
            return Err(invalid(index, "conflict", "has two resolutions"));
        }
    }
    Ok(choices)
}

/// Checks that each resolution has an effect.
///
/// # Errors
/// 400 that names the first resolution without effect.
pub fn check(resolutions: &[ConflictResolution], merge: &PreparedMerge) -> Result<(), Refusal> {
    for (index, resolution) in resolutions.iter().enumerate() {
        match merge.ineffective(&ConflictId::from(resolution.conflict.clone())) {
            None => {}
            Some(Ineffective::Unknown) => {
                return Err(invalid(index, "conflict", "is not a conflict of these revisions"));
            }
            Some(Ineffective::Unsuitable) => {
                return Err(match resolution.take {
                    Taken::Document => {
                        invalid(index, "document", "must have the same form as the versions of this conflict")
                    }
                    _ => invalid(
                        index,
                        "take",
                        "is not possible for this conflict, or contradicts another resolution",
                    ),
                });
            }
        }
    }
    Ok(())
}

fn invalid(index: usize, field: &str, message: &str) -> Refusal {
    Refusal::new(Reason::InvalidBody).at(format!("resolutions[{index}].{field}"), message)
}

fn blocks(document: &Document) -> Vec<Value> {
    match document.to_json() {
        Value::Object(mut members) => match members.remove("nodes") {
            Some(Value::Array(blocks)) => blocks,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
