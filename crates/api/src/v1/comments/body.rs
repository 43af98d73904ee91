//! Bodies of comments and replies.

use std::collections::BTreeSet;

use quire_domain::comments::{CommentBody, CommentUpdate};
use quire_markup::{ContentRef, Document, StableRefs, links};
use quire_storage::content::comments::{CommentChanges, WrittenBody};

use crate::prelude::*;
use crate::v1::content::write::{InvalidInput, parse_document};

/// Maximum number of mentions per body. Further mentions are ignored.
const MENTIONS_MAX: usize = 50;

/// Length of a Markdown body up to which parsing takes less time than a switch to another thread.
const SHORT: usize = 2_000;

/// Returns the length of a Markdown body; `None` for a document.
fn body_length(body: &CommentBody) -> Option<usize> {
    match body {
        CommentBody::Markdown { markdown } => Some(markdown.len()),
        CommentBody::Document { .. } => None,
    }
}

/// A body parsed before its transaction. A parse error is reported after authorization.
#[derive(Debug)]
pub struct ReadBody(ApiResult<WrittenBody>);

impl ReadBody {
    /// Parses the body at a key of the request.
    ///
    /// # Errors
    /// 503 if no permit is free in time.
    pub async fn read(state: &ServerState, key: &'static str, body: CommentBody) -> ApiResult<Self> {
        if body_length(&body).is_some_and(|length| length <= SHORT) {
            return Ok(Self(both_formats(key, body)));
        }
        state.compute(move |_| Ok(Self(both_formats(key, body)))).await
    }

    /// Returns the body in both formats.
    ///
    /// # Errors
    /// 400 with the path of each broken rule, or with the exceeded bound.
    pub fn checked(self) -> ApiResult<WrittenBody> {
        self.0
    }
}

/// Update with a parsed body.
#[derive(Debug)]
pub struct ReadUpdate {
    resolved: Option<bool>,
    body: Option<ReadBody>,
    added_reactions: Vec<String>,
    removed_reactions: Vec<String>,
    /// Actions to authorize on the comment or reply.
    pub actions: Vec<Action>,
    /// Action to authorize on the comment.
    pub resolving: Option<Action>,
}

impl ReadUpdate {
    /// Parses the body of an update.
    ///
    /// # Errors
    /// The errors of [`ReadBody::read`].
    pub async fn read(state: &ServerState, update: CommentUpdate) -> ApiResult<Self> {
        let (actions, resolving) = (update.required_actions(), update.resolving_action());
        let CommentUpdate { resolved, body, added_reactions, removed_reactions } = update;
        let body = match body {
            Some(body) => Some(ReadBody::read(state, "body", body).await?),
            None => None,
        };
        let (added_reactions, removed_reactions) =
            (added_reactions.into_text()?, removed_reactions.into_text()?);
        Ok(Self { resolved, body, added_reactions, removed_reactions, actions, resolving })
    }

    /// Returns the changes.
    ///
    /// # Errors
    /// The errors of [`ReadBody::checked`].
    pub fn checked(self) -> ApiResult<CommentChanges> {
        let Self { resolved, body, added_reactions, removed_reactions, .. } = self;
        let body = body.map(ReadBody::checked).transpose()?;
        Ok(CommentChanges { resolved, body, added_reactions, removed_reactions })
    }
}

/// Returns a body in both formats. Markdown is stored as it was written.
fn both_formats(key: &str, body: CommentBody) -> ApiResult<WrittenBody> {
    let document = parse_document(key, &body).map_err(|error| match error {
        InvalidInput::Document(fields) => ApiError::new(Reason::InvalidBody).with_details(fields),
        InvalidInput::Markdown(field) => ApiError::new(Reason::InvalidContent)
            .with_message("The text exceeds the bounds of documents.")
            .with_details(vec![field]),
    })?;
    let markdown = match body {
        CommentBody::Markdown { markdown } => markdown,
        CommentBody::Document { .. } => quire_markup::print(&document, &StableRefs),
    };
    Ok(new_body(markdown, &document))
}

fn new_body(markdown: String, document: &Document) -> WrittenBody {
    let users = links(document).into_iter().filter_map(|link| match link.reference {
        ContentRef::User { user } => user.parse().ok(),
        _ => None,
    });
    let users: BTreeSet<UserId> = users.take(MENTIONS_MAX).collect();
    WrittenBody {
        markdown,
        document: document.to_canonical_json().into(),
        mentions: users.into_iter().collect(),
    }
}
