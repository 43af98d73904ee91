//! Who is asked for reviews: users and teams.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{RevisionId, TeamId, UserId};
use quire_domain::policy::Action;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Requester, requester_columns};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, ChangeRequestRecord, InSpace, UserRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// Somebody who is asked for a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewerRecord {
    /// Who is asked.
    pub asked: Asked,
    /// Who asked.
    pub requested_by: UserRecord,
    /// The change request's head at that time.
    pub revision: RevisionId,
    /// When.
    pub created_at: Timestamp,
}

/// Who is asked for a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A member.
    User(UserRecord),
    /// Anybody of a team.
    Team(TeamId),
}

impl ReviewerRecord {
    /// Where a list goes on after it.
    #[must_use]
    pub fn key(&self) -> (Timestamp, Uuid) {
        let id = match &self.asked {
            Asked::User(user) => user.id().map_or(Uuid::nil(), |id| *id.as_uuid()),
            Asked::Team(team) => *team.as_uuid(),
        };
        (self.created_at, id)
    }
}

#[derive(QueryableByName)]
struct ReviewerRow {
    #[diesel(sql_type = SqlUuid)]
    reviewer_id: Uuid,
    #[diesel(sql_type = Bool)]
    is_team: bool,
    #[diesel(sql_type = SqlUuid)]
    revision_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(embed)]
    user: UserRecord,
    #[diesel(embed)]
    requester: Requester,
}

impl TryFrom<ReviewerRow> for ReviewerRecord {
    type Error = Error;

    fn try_from(row: ReviewerRow) -> Result<Self> {
        let asked =
            if row.is_team { Asked::Team(TeamId::from_uuid(row.reviewer_id)) } else { Asked::User(row.user) };
        Ok(Self {
            asked,
            requested_by: row.requester.into(),
            revision: RevisionId::from_uuid(row.revision_id),
            created_at: moment(row.created_at)?,
        })
    }
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

macro_rules! reviewers {
    ($columns:expr, $condition:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM change_request_reviewers k JOIN spaces s ON s.id = k.space_id \
             LEFT JOIN organization_members m ON NOT k.is_team AND m.organization_id = s.organization_id AND m.user_id = k.reviewer_id \
             LEFT JOIN users u ON u.id = m.user_id \
             LEFT JOIN teams te ON k.is_team AND te.organization_id = s.organization_id AND te.id = k.reviewer_id \
             LEFT JOIN users requester ON requester.id = k.requested_by \
             WHERE k.space_id = $1 AND k.change_request_id = $2 AND (u.id IS NOT NULL OR te.id IS NOT NULL)",
            $condition
        )
    };
}

macro_rules! reviewer_columns {
    () => {
        concat!(
            "k.reviewer_id, k.is_team, k.revision_id, k.created_at, u.id AS user_id, u.email AS user_email, \
             u.display_name AS user_display_name, u.photo_url AS user_photo_url, ",
            requester_columns!()
        )
    };
}

statements! {
    ListReviewers = reviewers!(
        reviewer_columns!(),
        " AND ($3 IS NULL OR (k.created_at, k.reviewer_id) < ($3, $4)) ORDER BY k.created_at DESC, k.reviewer_id DESC LIMIT $5"
    );
    FindReviewers = reviewers!(reviewer_columns!(), " AND k.reviewer_id = ANY ($3) ORDER BY k.created_at DESC, k.reviewer_id DESC");
    CountReviewers = reviewers!("count(*) AS total", "");
    FindPossibleUsers = "SELECT m.user_id AS id FROM spaces s \
                         JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = ANY ($2) \
                         LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
                         CROSS JOIN LATERAL effective_role(m.role, m.disabled, s.organization_id, m.user_id, s.id, c.path, s.default_level) er \
                         WHERE s.id = $1 AND er.role >= $3";
    FindTeams = "SELECT te.id FROM spaces s JOIN teams te ON te.organization_id = s.organization_id AND te.id = ANY ($2) WHERE s.id = $1";
    InsertReviewers = "INSERT INTO change_request_reviewers (space_id, change_request_id, reviewer_id, is_team, requested_by, revision_id, created_at) \
                       SELECT $1, $2, n.id, n.is_team, $5, $6, $7 FROM unnest($3, $4) AS n (id, is_team) ON CONFLICT DO NOTHING";
    DeleteReviewer = "DELETE FROM change_request_reviewers WHERE space_id = $1 AND change_request_id = $2 AND reviewer_id = $3";
}

type ChangeRequest = Authorized<InSpace<ChangeRequestRecord>>;

impl Reader<'_> {
    /// Who is asked for a review of a change request, those last asked first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn requested_reviewers(
        &mut self,
        change_request: &ChangeRequest,
        before: Option<(Timestamp, Uuid)>,
        limit: u16,
    ) -> Result<Slice<ReviewerRecord>> {
        let (space, id) = (*change_request.space.id.as_uuid(), *change_request.item.id.as_uuid());
        let rows: Vec<ReviewerRow> = ListReviewers::bind((
            val::<SqlUuid, _>(space),
            val::<SqlUuid, _>(id),
            val::<Nullable<Timestamptz>, _>(before.map(|(at, _)| OffsetDateTime::from(at))),
            val::<Nullable<SqlUuid>, _>(before.map(|(_, id)| id)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountReviewers::bind((val::<SqlUuid, _>(space), val::<SqlUuid, _>(id)))
            .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    /// Those of the users who may see the space of a change request, and can be asked to review it.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn possible_reviewers(
        &mut self,
        change_request: &ChangeRequest,
        users: &[UserId],
    ) -> Result<BTreeSet<UserId>> {
        let rows: Vec<IdRow> = FindPossibleUsers::bind((
            val::<SqlUuid, _>(*change_request.space.id.as_uuid()),
            val::<Array<SqlUuid>, _>(users.iter().map(|id| *id.as_uuid()).collect::<Vec<_>>()),
            val::<Nullable<SmallInt>, _>(Action::ViewSpace.least_role().map(Role::rank)),
        ))
        .load(self.connection)?;
        Ok(rows.into_iter().map(|row| UserId::from_uuid(row.id)).collect())
    }

    /// Those of the teams that the organization of a change request has.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn possible_teams(
        &mut self,
        change_request: &ChangeRequest,
        teams: &[TeamId],
    ) -> Result<BTreeSet<TeamId>> {
        let rows: Vec<IdRow> = FindTeams::bind((
            val::<SqlUuid, _>(*change_request.space.id.as_uuid()),
            val::<Array<SqlUuid>, _>(teams.iter().map(|id| *id.as_uuid()).collect::<Vec<_>>()),
        ))
        .load(self.connection)?;
        Ok(rows.into_iter().map(|row| TeamId::from_uuid(row.id)).collect())
    }
}

impl Tx<'_> {
    /// Asks users and teams for a review, and answers them. Who was asked before stays asked by whom it was.
    ///
    /// # Errors
    /// 409 when the change request is archived or merged; [`Error::NotFound`] when it is gone.
    pub fn request_reviewers(
        &mut self,
        change_request: &ChangeRequest,
        users: &[UserId],
        teams: &[TeamId],
    ) -> Result<Vec<ReviewerRecord>> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        let head = self.lock_for_review(space, id)?;
        let ids: Vec<Uuid> =
            users.iter().map(|id| *id.as_uuid()).chain(teams.iter().map(|id| *id.as_uuid())).collect();
        let are_teams: Vec<bool> = users.iter().map(|_| false).chain(teams.iter().map(|_| true)).collect();
        InsertReviewers::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Array<SqlUuid>, _>(ids.clone()),
            val::<Array<Bool>, _>(are_teams),
            val::<SqlUuid, _>(*change_request.actor().user.as_uuid()),
            val::<SqlUuid, _>(*head.as_uuid()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        let rows: Vec<ReviewerRow> = FindReviewers::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    /// No longer asks a user or team, by its id, for a review.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it isn't asked; 409 when the change request is archived or merged.
    pub fn remove_reviewer(&mut self, change_request: &ChangeRequest, reviewer: UserId) -> Result<()> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        self.lock_for_review(space, id)?;
        let removed = DeleteReviewer::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<SqlUuid, _>(*reviewer.as_uuid()),
        ))
        .execute(self.connection)?;
        if removed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
