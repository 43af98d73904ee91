//! Request bodies of comments and replies.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use super::Event;
use crate::bounds::REACTIONS_MAX;
use crate::documents::{self, CommentBody};
use crate::ids::PageId;
use crate::policy::Action;
use crate::{patch, texts};

/// Request body to post a comment.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentCreate {
    /// Text of the comment, 1 to 50,000 characters.
    #[validate(custom(function = "documents::check_comment"))]
    pub body: CommentBody,
    /// Id of the page that the comment is about.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub page: Option<PageId>,
    /// Key of the node in the page's document that the comment is about.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::NodeId::check"))]
    #[schema(value_type = texts::NodeId, required = false)]
    pub node: Option<texts::NodeId>,
    /// Words of that node that the comment is about. Requires `node`.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub quote: Option<CommentQuoteCreate>,
}

/// Words of a node that a new comment is about.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentQuoteCreate {
    /// The words as they are in the text of the node, with its white space.
    #[validate(custom(function = "texts::Quotation::check"))]
    #[schema(value_type = texts::Quotation)]
    pub text: texts::Quotation,
    /// Zero-based position of the words in the text of the node, in Unicode code points. If the node has them several
    /// times, the nearest occurrence counts. Default: 0.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub offset: Option<u32>,
}

/// Request body to post a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentReplyCreate {
    /// Text of the reply, 1 to 50,000 characters.
    #[validate(custom(function = "documents::check_comment"))]
    pub body: CommentBody,
}

/// Request body to update a comment or reply. Absent keys leave their values unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CommentUpdate {
    /// `true` to resolve the comment, `false` to reopen it. On a reply in a change request it applies to the reply's
    /// comment; on a reply in a space it is ignored.
    #[serde(deserialize_with = "patch::present")]
    pub resolved: Option<bool>,
    /// New text, 1 to 50,000 characters.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "documents::check_comment"))]
    pub body: Option<CommentBody>,
    /// Emojis of reactions that the caller adds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(custom(function = "texts::Emoji::check_list::<0, REACTIONS_MAX>"))]
    #[schema(value_type = Vec<texts::Emoji>, max_items = 50, required = false)]
    pub added_reactions: Vec<texts::Emoji>,
    /// Emojis of reactions that the caller removes. Applied after `addedReactions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(custom(function = "texts::Emoji::check_list::<0, REACTIONS_MAX>"))]
    #[schema(value_type = Vec<texts::Emoji>, max_items = 50, required = false)]
    pub removed_reactions: Vec<texts::Emoji>,
}

impl CommentUpdate {
    /// Actions that an update can require, depending on its keys; the weakest first.
    pub const ACTIONS: [Action; 3] =
        [Action::CommentOnSpace, Event::Resolve { by: () }.required_action(), Action::EditComment];

    /// Actions that an update of a reply in a space can require. `resolved` is ignored there.
    pub const ACTIONS_ON_SPACE_REPLY: [Action; 2] = [Action::CommentOnSpace, Action::EditComment];

    /// Returns the update for a reply in a space: `resolved` is ignored.
    #[must_use]
    pub fn on_space_reply(self) -> Self {
        Self { resolved: None, ..self }
    }

    /// Returns the action on the comment that `resolved` requires. On a reply, `resolved` applies to the reply's
    /// comment.
    #[must_use]
    pub fn resolving_action(&self) -> Option<Action> {
        self.resolved.map(|resolved| match resolved {
            true => Event::Resolve { by: () }.required_action(),
            false => Event::<()>::Reopen.required_action(),
        })
    }

    /// Returns the other actions that the update requires, on the comment or reply. An empty update requires the
    /// permission to react.
    #[must_use]
    pub fn required_actions(&self) -> Vec<Action> {
        let reacts = !self.added_reactions.is_empty() || !self.removed_reactions.is_empty();
        let is_empty = self.resolved.is_none() && self.body.is_none();
        let edits = self.body.as_ref().map(|_| Action::EditComment);
        let comments = (reacts || is_empty).then_some(Action::CommentOnSpace);
        edits.into_iter().chain(comments).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn actions(body: Value) -> (Vec<Action>, Option<Action>) {
        let update: CommentUpdate = serde_json::from_value(body).unwrap();
        (update.required_actions(), update.resolving_action())
    }

    #[test]
    fn an_update_needs_the_actions_of_its_parts() {
        let (edit, react, resolve) = (Action::EditComment, Action::CommentOnSpace, Action::ResolveComment);
        let text = json!({"markdown": "Other."});
        assert_eq!(actions(json!({})), (vec![react], None));
        assert_eq!(actions(json!({ "body": text })), (vec![edit], None));
        assert_eq!(actions(json!({"addedReactions": ["👍"]})), (vec![react], None));
        assert_eq!(actions(json!({"resolved": true})), (vec![], Some(resolve)));
        assert_eq!(
            actions(json!({"resolved": false, "body": text, "removedReactions": ["👍"]})),
            (vec![edit, react], Some(resolve))
        );
    }

    #[test]
    fn every_action_that_an_update_needs_is_listed() {
        let keys = [
            json!({"body": {"markdown": "Other."}}),
            json!({"addedReactions": ["👍"]}),
            json!({"removedReactions": ["👍"]}),
            json!({"resolved": true}),
            json!({"resolved": false}),
            json!({}),
        ];
        for body in keys {
            let update: CommentUpdate = serde_json::from_value(body.clone()).unwrap();
            let mut needed = update.required_actions();
            needed.extend(update.resolving_action());
            assert!(needed.iter().all(|action| CommentUpdate::ACTIONS.contains(action)), "{body}");
            let update = update.on_space_reply();
            assert_eq!(update.resolving_action(), None, "{body}");
            let listed = |action| CommentUpdate::ACTIONS_ON_SPACE_REPLY.contains(action);
            assert!(update.required_actions().iter().all(listed), "{body}");
        }
    }
}
