//! Reviews of change requests, requested reviewers and contributors.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::bounds::REVIEWERS_MAX;
use crate::clock::Timestamp;
use crate::comments::Comment;
use crate::documents::{self, CommentBody};
use crate::ids::{ReviewId, RevisionId, TeamId, UserId};
use crate::object::tags;
use crate::users::User;
use crate::{patch, texts};

tags! {
    /// Names a review.
    ReviewTag = "change-request-review";
    /// Names a requested reviewer.
    RequestedReviewerTag = "change-request-requested-reviewer";
    /// Names a team that is asked for a review.
    RequestedTeamTag = "team";
}

/// Verdict of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewStatus {
    /// The change request can be merged.
    Approved,
    /// Changes are required before a merge.
    ChangesRequested,
}

impl ReviewStatus {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::ChangesRequested => "changes-requested",
        }
    }
}

/// Review of a change request. Earlier reviews are kept.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// Always `change-request-review`.
    pub object: ReviewTag,
    /// Id of the review.
    pub id: ReviewId,
    /// Revision of the change request that was reviewed.
    pub revision: RevisionId,
    /// User who submitted the review.
    pub reviewer: User,
    /// User who requested the review. Absent if it was not requested.
    pub requested_by: Option<User>,
    /// Verdict of the review.
    pub status: ReviewStatus,
    /// `true` if the change request has a newer revision.
    pub outdated: bool,
    /// Comment of the review. Absent if there was no comment or it was deleted.
    pub comment: Option<Box<Comment>>,
    /// Time of submission.
    pub created_at: Timestamp,
    /// Time of the last edit of the comment, or of submission.
    pub updated_at: Timestamp,
    /// URLs of the review.
    pub urls: ReviewUrls,
}

/// URLs of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewUrls {
    /// URL of the review in this API.
    pub location: String,
}

/// Request body to submit a review.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewCreate {
    /// Verdict of the review.
    pub status: ReviewStatus,
    /// Text that is posted as a comment on the change request.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "documents::check_comment"))]
    #[schema(nullable = false)]
    pub comment: Option<CommentBody>,
}

/// Filter of a list of reviews.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ReviewQuery {
    /// Returns only reviews of earlier revisions (`true`) or of the current one (`false`).
    #[param(nullable = false)]
    pub outdated: Option<bool>,
}

/// Requested reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedReviewer {
    /// Always `change-request-requested-reviewer`.
    pub object: RequestedReviewerTag,
    /// Revision of the change request at the time of the request.
    pub revision: RevisionId,
    /// User who requested the review.
    pub requested_by: User,
    /// Time of the request.
    pub created_at: Timestamp,
    /// Requested reviewer: `kind`, and `user` or `team`.
    #[serde(flatten)]
    #[schema(value_type = ReviewerKeys)]
    pub reviewer: Reviewer,
}

/// Kind of a reviewer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewerKind {
    /// User.
    User,
    /// Any member of a team.
    Team,
}

// A struct for the OpenAPI document, because few client generators support a union among the keys of an object.
/// Reviewer: a user or a team.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
pub struct ReviewerKeys {
    /// Kind of the reviewer.
    pub kind: ReviewerKind,
    /// User. Present for the kind `user`.
    pub user: Option<User>,
    /// Team. Present for the kind `team`.
    pub team: Option<RequestedTeam>,
}

/// User or team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reviewer {
    /// User.
    User {
        /// User.
        user: User,
    },
    /// Any member of a team.
    Team {
        /// Team.
        team: RequestedTeam,
    },
}

/// Team whose review is requested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestedTeam {
    /// Always `team`.
    pub object: RequestedTeamTag,
    /// Id of the team.
    pub id: TeamId,
}

/// Request body to request reviews. At least one user or team is required.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReviewersRequest {
    /// Ids of users who may see the space. At most 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(length(max = "REVIEWERS_MAX"))]
    #[schema(max_items = 50, required = false)]
    pub users: Vec<UserId>,
    /// Ids of teams of the organization. At most 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(length(max = "REVIEWERS_MAX"))]
    #[schema(max_items = 50, required = false)]
    pub teams: Vec<TeamId>,
    /// New subject of the change request.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::ChangeRequestSubject::check"))]
    #[schema(value_type = texts::ChangeRequestSubject, required = false)]
    pub subject: Option<texts::ChangeRequestSubject>,
}

/// Reviewers of a review request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestedReviewers {
    /// Reviewers of the request, including those who had been requested before.
    pub users: Vec<RequestedReviewer>,
}

/// Contributor of a change request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Contributor)]
pub struct Contributor<U = User> {
    /// User.
    #[schema(value_type = User)]
    pub user: U,
    /// Number of revisions by the user. 0 for a creator who has not edited the content.
    pub count: u64,
    /// Time of the user's last contribution.
    pub updated_at: Timestamp,
    /// Kind of the contribution. Comments are not counted, so that it is `edit`, also for the creator.
    pub action_type: ContributionType,
}

/// Kind of a contribution to a change request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContributionType {
    /// Revisions of the content, or the change request itself.
    Edit,
}
