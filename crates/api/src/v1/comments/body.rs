//! What comments and replies say, from requests to storage.

use quire_domain::comments::{CommentBody, CommentUpdate};
use quire_domain::error::{FieldError, Reason};
use quire_domain::policy::Action;
use quire_markup::{Document, StableRefs};
use quire_storage::comments::{CommentChanges, NewBody, ReactionChanges};

use crate::error::{ApiError, ApiResult};

/// A body in both formats. Markdown is kept as it was written.
///
/// # Errors
/// 400 with the place in the document of each rule that it breaks.
pub fn both_formats(body: CommentBody) -> ApiResult<NewBody> {
    both_formats_of("body", body)
}

/// As [`both_formats`], of a body that stands at another key.
///
/// # Errors
/// 400 with the place in the document of each rule that it breaks.
pub fn both_formats_of(key: &str, body: CommentBody) -> ApiResult<NewBody> {
    match body {
        CommentBody::Markdown { markdown } => {
            let document = quire_markup::parse(&markdown, &StableRefs).to_json();
            Ok(NewBody { markdown, document })
        }
        CommentBody::Document { document } => {
            let document = Document::from_json(&document).map_err(|errors| {
                let details = errors.into_iter();
                let details = details.map(|error| FieldError {
                    field: format!("{key}.{}", error.path),
                    message: error.message,
                });
                ApiError::new(Reason::InvalidBody).with_details(details.collect())
            })?;
            Ok(NewBody {
                markdown: quire_markup::print(&document, &StableRefs),
                document: document.to_json(),
            })
        }
    }
}

/// What an update changes.
///
/// # Errors
/// 400 as [`both_formats`].
pub fn changes(update: CommentUpdate) -> ApiResult<CommentChanges> {
    let CommentUpdate { resolved, body, added_reactions, removed_reactions } = update;
    Ok(CommentChanges {
        resolved,
        body: body.map(both_formats).transpose()?,
        reactions: ReactionChanges { added: added_reactions, removed: removed_reactions },
    })
}

/// What an update takes beside being the author: resolving and reacting take the right to comment, editing the body takes
/// none.
pub fn action(update: &CommentUpdate) -> Action {
    let edits_only = update.body.is_some()
        && update.resolved.is_none()
        && update.added_reactions.is_empty()
        && update.removed_reactions.is_empty();
    if edits_only { Action::ViewSpace } else { Action::CommentOnSpace }
}
