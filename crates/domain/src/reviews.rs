//! Reviews of change requests, who is asked for them, and who takes part.

use serde::{Deserialize, Serialize};

use crate::bounds::REVIEWERS_MAX;
use crate::clock::Timestamp;
use crate::comments::Comment;
use crate::documents::{self, CommentBody};
use crate::features::{IntoParams, ToSchema, Validate};
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

/// What a reviewer thinks of a change request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewStatus {
    /// It can be merged.
    Approved,
    /// Something has to change before.
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

/// A review of a change request. Each one that is submitted stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// Always `change-request-review`.
    pub object: ReviewTag,
    /// Id of the review.
    pub id: ReviewId,
    /// The change request's revision that was reviewed.
    pub revision: RevisionId,
    /// Who reviewed.
    pub reviewer: User,
    /// Who had asked for it. Absent when nobody had.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub requested_by: Option<User>,
    /// What the reviewer thinks.
    pub status: ReviewStatus,
    /// Whether the change request has another revision now.
    pub outdated: bool,
    /// What the reviewer said. Absent without words, and once these were deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub comment: Option<Box<Comment>>,
    /// When it was submitted.
    pub created_at: Timestamp,
    /// When its comment was last edited; when it was submitted, if never.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewCreate {
    /// What the reviewer thinks.
    pub status: ReviewStatus,
    /// What the reviewer says: it is posted as a comment of the change request.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "documents::check_comment"))]
    #[schema(nullable = false)]
    pub comment: Option<CommentBody>,
}

/// Which reviews a list shows.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ReviewQuery {
    /// Only reviews that are, or are not, of an earlier revision.
    #[param(nullable = false)]
    pub outdated: Option<bool>,
}

/// Somebody who is asked for a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedReviewer {
    /// Always `change-request-requested-reviewer`.
    pub object: RequestedReviewerTag,
    /// The change request's revision at that time.
    pub revision: RevisionId,
    /// Who asked.
    pub requested_by: User,
    /// When.
    pub created_at: Timestamp,
    /// Who is asked: `kind`, and `user` or `team`.
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

// The OpenAPI document describes the reviewer by this struct, since few generators of clients know a union among the keys
// of an object.
/// Reviewer: a user or a team.
#[derive(Serialize, ToSchema)]
pub struct ReviewerKeys {
    /// Kind of the reviewer.
    pub kind: ReviewerKind,
    /// The user, of kind `user`.
    #[schema(nullable = false)]
    pub user: Option<User>,
    /// The team, of kind `team`.
    #[schema(nullable = false)]
    pub team: Option<RequestedTeam>,
}

/// A user or a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reviewer {
    /// A user.
    User {
        /// The user.
        user: User,
    },
    /// Anybody of a team.
    Team {
        /// The team.
        team: RequestedTeam,
    },
}

/// A team that is asked for a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestedTeam {
    /// Always `team`.
    pub object: RequestedTeamTag,
    /// Id of the team.
    pub id: TeamId,
}

/// The body that asks for reviews: at least one user or team.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReviewersRequest {
    /// Users who may see the space.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(length(max = "REVIEWERS_MAX"))]
    #[schema(max_items = 50, required = false)]
    pub users: Vec<UserId>,
    /// Teams of the organization.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(length(max = "REVIEWERS_MAX"))]
    #[schema(max_items = 50, required = false)]
    pub teams: Vec<TeamId>,
    /// What the change request shall be about from now on.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::ChangeRequestSubject::check"))]
    #[schema(value_type = texts::ChangeRequestSubject, required = false)]
    pub subject: Option<texts::ChangeRequestSubject>,
}

/// Who has just been asked for reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestedReviewers {
    /// Those of the request, whether they had been asked before or not.
    pub users: Vec<RequestedReviewer>,
}

/// Somebody who takes part in a change request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Contributor {
    /// Who.
    pub user: User,
    /// How many of its revisions the user wrote: 0 for an author who only made it.
    pub count: u64,
    /// When the user last did.
    pub updated_at: Timestamp,
}
