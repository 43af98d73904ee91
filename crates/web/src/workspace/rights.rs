//! Rights of the caller, which determine the buttons of a page. The API checks permissions again.

use quire_domain::ids::UserId;
use quire_domain::policy::Action;
use quire_storage::content::store::ContentAt;
use quire_storage::lookup::Authorized;

/// Rights of the caller on content.
#[derive(Clone, Copy)]
pub(super) struct Rights {
    pub(super) user: UserId,
    pub(super) comments: bool,
    pub(super) edits: bool,
    pub(super) reviews: bool,
    pub(super) merges: bool,
    pub(super) administers: bool,
    pub(super) publishes: bool,
}

impl Rights {
    pub(super) fn of(content: &Authorized<ContentAt>) -> Self {
        Self {
            user: content.actor().user,
            comments: content.may(Action::CommentOnSpace),
            edits: content.may(Action::EditContent),
            reviews: content.may(Action::ReviewContent),
            merges: content.may(Action::MergeChangeRequest),
            administers: content.may(Action::AdministerSpace),
            publishes: content.may(Action::PublishSpace),
        }
    }
}
