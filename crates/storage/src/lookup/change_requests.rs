//! Change requests, with the space they belong to.

use std::str::FromStr;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::change_requests::Status;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId, UserId};
use quire_domain::policy::{Action, Relation};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use time::OffsetDateTime;
use uuid::Uuid;

use super::actor::{ActorColumns, UserRecord, actor_columns, valid_token};
use super::spaces::{
    SpaceColumns, SpaceRecord, StandingColumns, space_columns, space_standing, token_and_space,
};
use super::{Found, Guarded};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment, stored};

/// How a path names a change request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeRequestKey {
    /// By its id.
    Id(ChangeRequestId),
    /// By its number in the space.
    Number(i32),
}

/// Reads a key as it stands in a path: an id, or the digits of a number from 1.
impl FromStr for ChangeRequestKey {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        // An id in any of its forms has more digits than a number can have.
        if text.len() <= MAX_NUMBER_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().map_err(drop)?;
            return if text.starts_with('0') { Err(()) } else { Ok(Self::Number(number)) };
        }
        text.parse().map(Self::Id).map_err(drop)
    }
}

/// Digits of the largest number.
const MAX_NUMBER_DIGITS: usize = 10;

impl<'de> Deserialize<'de> for ChangeRequestKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("neither the id nor the number of a change request"))
    }
}

/// A change request as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRequestRecord {
    /// Its id.
    pub id: ChangeRequestId,
    /// Its space.
    pub space: SpaceId,
    /// Its number in the space, from 1 without gaps.
    pub number: i32,
    /// Where it stands.
    pub status: Status,
    /// Its subject.
    pub subject: String,
    /// Who made it.
    pub created_by: UserRecord,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or its content last changed.
    pub updated_at: Timestamp,
    /// The current revision of its working copy.
    pub head: RevisionId,
    /// The revision of the space that it was made from.
    pub revision_initial: RevisionId,
    /// The revision of the space that was last pulled into it.
    pub revision_merged_ancestor: Option<RevisionId>,
    /// The revision of the space that its merge made.
    pub revision_merged: Option<RevisionId>,
    /// Its open comments.
    pub comments_open: i32,
}

impl ChangeRequestRecord {
    /// The newest revision of the space that the change request holds: the merge base of the two.
    #[must_use]
    pub fn merge_base(&self) -> RevisionId {
        self.revision_merged_ancestor.unwrap_or(self.revision_initial)
    }

    /// Returns whether a user may not review the change request, whatever their role is.
    #[must_use]
    pub fn bars_reviewer(&self, user: UserId) -> bool {
        self.created_by.id() == Some(user) && Action::ReviewContent.is_barred_by(Relation::Author)
    }

    /// Whether the space has moved on to content that the change request lacks.
    #[must_use]
    pub fn is_outdated(&self, space_head: RevisionId) -> bool {
        self.revision_merged.is_none() && self.merge_base() != space_head
    }
}

/// A part of a space, with the space.
#[derive(Clone, Debug)]
pub struct InSpace<T> {
    /// The space.
    pub space: SpaceRecord,
    /// The part.
    pub item: T,
}

impl<T> Guarded for InSpace<T> {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.space.is_deleted()
    }
}

/// The columns of a change request `cr` and its author `author`.
macro_rules! change_request_columns {
    () => {
        "cr.id AS change_request_id, cr.space_id AS change_request_space, cr.number, cr.status, cr.subject, \
         cr.created_at AS change_request_created_at, cr.updated_at AS change_request_updated_at, \
         cr.head_revision AS change_request_head, cr.revision_initial, cr.revision_merged_ancestor, cr.revision_merged, \
         cr.comments_open AS change_request_comments, author.id AS user_id, author.email AS user_email, \
         author.display_name AS user_display_name, author.photo_url AS user_photo_url"
    };
}
pub(crate) use change_request_columns;

#[derive(QueryableByName)]
pub(crate) struct ChangeRequestColumns {
    #[diesel(sql_type = SqlUuid)]
    change_request_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    change_request_space: Uuid,
    #[diesel(sql_type = Integer)]
    number: i32,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Text)]
    subject: String,
    #[diesel(sql_type = Timestamptz)]
    change_request_created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    change_request_updated_at: OffsetDateTime,
    #[diesel(sql_type = SqlUuid)]
    change_request_head: Uuid,
    #[diesel(sql_type = SqlUuid)]
    revision_initial: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    revision_merged_ancestor: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    revision_merged: Option<Uuid>,
    #[diesel(sql_type = Integer)]
    change_request_comments: i32,
    #[diesel(embed)]
    author: UserRecord,
}

impl TryFrom<ChangeRequestColumns> for ChangeRequestRecord {
    type Error = Error;

    fn try_from(row: ChangeRequestColumns) -> Result<Self> {
        Ok(Self {
            id: ChangeRequestId::from_uuid(row.change_request_id),
            space: SpaceId::from_uuid(row.change_request_space),
            number: row.number,
            status: stored(&row.status)?,
            subject: row.subject,
            created_by: row.author,
            created_at: moment(row.change_request_created_at)?,
            updated_at: moment(row.change_request_updated_at)?,
            head: RevisionId::from_uuid(row.change_request_head),
            revision_initial: RevisionId::from_uuid(row.revision_initial),
            revision_merged_ancestor: row.revision_merged_ancestor.map(RevisionId::from_uuid),
            revision_merged: row.revision_merged.map(RevisionId::from_uuid),
            comments_open: row.change_request_comments,
        })
    }
}

macro_rules! find_change_request {
    ($key:literal) => {
        concat!(
            "SELECT ",
            actor_columns!(),
            ", ",
            space_standing!(),
            ", ",
            space_columns!(),
            ", ",
            change_request_columns!(),
            " FROM ",
            token_and_space!(),
            " JOIN change_requests cr ON cr.space_id = s.id \
             LEFT JOIN users author ON author.id = cr.created_by \
             WHERE ",
            valid_token!(),
            " AND s.id = $3 AND ",
            $key,
            " = $4"
        )
    };
}

statements! {
    FindChangeRequestById = find_change_request!("cr.id");
    FindChangeRequestByNumber = find_change_request!("cr.number");
}

type Row = (ActorColumns, StandingColumns, SpaceColumns, ChangeRequestColumns);

impl Reader<'_> {
    /// The change request of a space, by id or number, with its space: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn change_request(
        &mut self,
        space: SpaceId,
        key: ChangeRequestKey,
    ) -> Result<Found<InSpace<ChangeRequestRecord>>> {
        let space_id = val::<SqlUuid, _>(*space.as_uuid());
        let (token, now) = (self.token_bind(), self.now_bind());
        let row: Option<Row> = match key {
            ChangeRequestKey::Id(id) => {
                FindChangeRequestById::bind((token, now, space_id, val::<SqlUuid, _>(*id.as_uuid())))
                    .get_result(self.connection)
            }
            ChangeRequestKey::Number(number) => {
                FindChangeRequestByNumber::bind((token, now, space_id, val::<Integer, _>(number)))
                    .get_result(self.connection)
            }
        }
        .optional()?;
        let Some((actor, standing, space, change_request)) = row else { return self.not_found() };
        let space = SpaceRecord::try_from(space)?;
        self.reach(space.organization, Some(space.id));
        let value = InSpace { space, item: change_request.try_into()? };
        self.found(actor, &standing, value)
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeRequestId, ChangeRequestKey};

    #[test]
    fn a_key_is_an_id_or_a_number_from_1() {
        let id = "0190a5d2-7c1e-7000-8000-000000000001";
        let parsed: ChangeRequestId = id.parse().unwrap();
        assert_eq!(id.parse(), Ok(ChangeRequestKey::Id(parsed)));
        assert_eq!("1".parse(), Ok(ChangeRequestKey::Number(1)));
        assert_eq!("2147483647".parse(), Ok(ChangeRequestKey::Number(i32::MAX)));
        for none in ["", "0", "01", "-1", "+1", "1.0", "2147483648", "99999999999999999999", "x", "١"] {
            assert_eq!(none.parse::<ChangeRequestKey>(), Err(()), "{none:?}");
        }
    }
}
