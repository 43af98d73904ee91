//! Requested reviewers: users and teams.

use std::collections::BTreeSet;

use diesel::deserialize;
use diesel::dsl::SqlTypeOf;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{RevisionId, TeamId, UserId};
use quire_domain::policy::Action;
use uuid::Uuid;

use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::detail_views::{
    REQUESTED_USER, REVIEWER_REQUESTER, RequestedUser, ReviewerRequester, reviewer_details,
};
use crate::list::{Slice, fetch_limit};
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{change_request_reviewers, teams};
use crate::transaction::{Reader, Tx};
use crate::views::space_roles;
use crate::{Error, Result};

/// Requested reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = reviewer_details, check_for_backend(Pg))]
pub struct ReviewerRecord {
    /// Requested user or team.
    #[diesel(embed)]
    pub asked: UserOrTeam,
    /// User who requested the review.
    #[diesel(select_expression = REVIEWER_REQUESTER, select_expression_type = ReviewerRequester)]
    pub requested_by: UserRecord,
    /// Head of the change request at that time.
    #[diesel(column_name = revision_id)]
    pub revision: RevisionId,
    /// Time of the request.
    pub created_at: Timestamp,
}

/// User or team from whom a review is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserOrTeam {
    /// Member.
    User(UserRecord),
    /// Any member of a team.
    Team(TeamId),
}

impl Queryable<(Bool, SqlUuid, SqlTypeOf<RequestedUser>), Pg> for UserOrTeam {
    type Row = (bool, Uuid, UserRecord);

    // For a team, the user is empty.
    fn build((is_team, id, user): Self::Row) -> deserialize::Result<Self> {
        Ok(if is_team { Self::Team(TeamId::from_uuid(id)) } else { Self::User(user) })
    }
}

impl Selectable<Pg> for UserOrTeam {
    type SelectExpression = (reviewer_details::is_team, reviewer_details::reviewer_id, RequestedUser);

    fn construct_selection() -> Self::SelectExpression {
        (reviewer_details::is_team, reviewer_details::reviewer_id, REQUESTED_USER)
    }
}

impl ReviewerRecord {
    /// Returns the cursor of the reviewer in a list.
    #[must_use]
    pub fn key(&self) -> (Timestamp, Uuid) {
        let id = match &self.asked {
            UserOrTeam::User(user) => user.id().map_or(Uuid::nil(), Uuid::from),
            UserOrTeam::Team(team) => (*team).into(),
        };
        (self.created_at, id)
    }
}

sql_files! {
    InsertReviewers(
        SqlUuid, SqlUuid, Array<SqlUuid>, Array<Bool>, SqlUuid, SqlUuid, Timestamptz, SqlUuid, SqlUuid,
    ) = "insert_reviewers.sql";
}

type ChangeRequest = Authorized<InSpace<ChangeRequestRecord>>;

impl Reader<'_> {
    /// Returns the requested reviewers of a change request, newest first. Takes two statements.
    pub fn requested_reviewers(
        &mut self,
        change_request: &ChangeRequest,
        before: Option<(Timestamp, Uuid)>,
        limit: u16,
    ) -> Result<Slice<ReviewerRecord>> {
        let mut page = reviewers_of(change_request);
        if let Some((at, id)) = before {
            let follows = reviewer_details::created_at.lt(at).or(reviewer_details::reviewer_id.lt(id));
            page = page.filter(reviewer_details::created_at.le(at)).filter(follows);
        }
        let rows = page
            .order((reviewer_details::created_at.desc(), reviewer_details::reviewer_id.desc()))
            .limit(fetch_limit(limit))
            .select(ReviewerRecord::as_select())
            .load(self.connection)?;
        let total = reviewers_of(change_request).count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns the users who may see the space of a change request and can review it.
    pub fn possible_reviewers(
        &mut self,
        change_request: &ChangeRequest,
        users: &[UserId],
    ) -> Result<BTreeSet<UserId>> {
        let found: Vec<UserId> = space_roles::table
            .filter(space_roles::space_id.eq(change_request.space.id))
            .filter(space_roles::user_id.eq_any(users))
            .filter(space_roles::role.ge(Action::ViewSpace.least_role().map(Role::rank)))
            .select(space_roles::user_id)
            .load(self.connection)?;
        Ok(found.into_iter().collect())
    }

    /// Returns the teams that belong to the organization of a change request.
    pub fn possible_teams(
        &mut self,
        change_request: &ChangeRequest,
        ids: &[TeamId],
    ) -> Result<BTreeSet<TeamId>> {
        let found: Vec<TeamId> = teams::table
            .filter(teams::organization_id.eq(change_request.space.organization))
            .filter(teams::id.eq_any(ids))
            .select(teams::id)
            .load(self.connection)?;
        Ok(found.into_iter().collect())
    }
}

/// Returns the query for the requested reviewers of a change request.
fn reviewers_of(change_request: &ChangeRequest) -> reviewer_details::BoxedQuery<'static, Pg> {
    reviewer_details::table
        .filter(reviewer_details::space_id.eq(change_request.space.id))
        .filter(reviewer_details::change_request_id.eq(change_request.item.id))
        .into_boxed()
}

impl Tx<'_> {
    /// Requests reviews from users and teams, adds entries to their inboxes, and returns them. An earlier request of
    /// the same reviewer is kept.
    ///
    /// # Errors
    /// 409 if the change request is archived or merged; [`Error::NotFound`] if it no longer exists.
    pub fn request_reviewers(
        &mut self,
        change_request: &ChangeRequest,
        users: &[UserId],
        teams: &[TeamId],
    ) -> Result<Vec<ReviewerRecord>> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        let head = self.lock_for_review(space, id)?;
        let ids: Vec<Uuid> =
            users.iter().copied().map(Uuid::from).chain(teams.iter().copied().map(Uuid::from)).collect();
        let are_teams: Vec<bool> = users.iter().map(|_| false).chain(teams.iter().map(|_| true)).collect();
        InsertReviewers::bind((
            space,
            id,
            &ids,
            are_teams,
            change_request.actor().user,
            head,
            self.now,
            change_request.space.organization,
            self.storage.ids().uuid(),
        ))
        .execute(self.connection)?;
        let requested = reviewers_of(change_request)
            .filter(reviewer_details::reviewer_id.eq_any(ids))
            .order((reviewer_details::created_at.desc(), reviewer_details::reviewer_id.desc()))
            .select(ReviewerRecord::as_select());
        Ok(requested.load(self.connection)?)
    }

    /// Withdraws the review request of a user or team, by its id.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no review was requested; 409 if the change request is archived or merged.
    pub fn remove_reviewer(&mut self, change_request: &ChangeRequest, reviewer: UserId) -> Result<()> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        self.lock_for_review(space, id)?;
        let key = (space, id, reviewer);
        let removed = diesel::delete(change_request_reviewers::table.find(key)).execute(self.connection)?;
        if removed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
