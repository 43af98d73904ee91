//! Lookups of change requests with their spaces.

use std::str::FromStr;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::change_requests::Status;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId, UserId};
use quire_domain::policy::{Action, Relation};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::Result;
use crate::content::spaces::spaces_with_access;
use crate::content::spaces::{SpaceActor, SpaceRecord, space_actor};
use crate::content::store::NamedChangeRequest;
use crate::lookup::{Found, Guarded, UserRecord};
use crate::schema::{change_requests, users};
use crate::transaction::Reader;
use crate::views::space_access;

/// Key of a change request in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeRequestKey {
    /// By its id.
    Id(ChangeRequestId),
    /// By its number in the space.
    Number(i32),
}

/// Parses a key in a path: an id, or the digits of a number from 1.
impl FromStr for ChangeRequestKey {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        // An id in any of its forms has more digits than the largest number.
        if text.len() <= MAX_NUMBER_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().map_err(drop)?;
            return if text.starts_with('0') { Err(()) } else { Ok(Self::Number(number)) };
        }
        text.parse().map(Self::Id).map_err(drop)
    }
}

/// Number of digits of the largest number.
const MAX_NUMBER_DIGITS: usize = 10;

impl<'de> Deserialize<'de> for ChangeRequestKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("neither the id nor the number of a change request"))
    }
}

/// Stored change request.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = change_requests, check_for_backend(Pg))]
pub struct ChangeRequestRecord {
    /// Id.
    pub id: ChangeRequestId,
    /// Space.
    #[diesel(column_name = space_id)]
    pub space: SpaceId,
    /// Number in the space, from 1 without gaps.
    pub number: i32,
    /// Status.
    pub status: Status,
    /// Subject.
    pub subject: String,
    /// Author.
    #[diesel(embed)]
    pub created_by: UserRecord,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Time of the last change of the change request or its content.
    pub updated_at: Timestamp,
    /// Head of the change request.
    #[diesel(column_name = head_revision)]
    pub head: RevisionId,
    /// Revision of the space from which the change request was created.
    pub revision_initial: RevisionId,
    /// Revision of the space that was last merged into the change request.
    pub revision_merged_ancestor: Option<RevisionId>,
    /// Revision of the space created by the merge of the change request.
    pub revision_merged: Option<RevisionId>,
    /// Number of open comments.
    pub comments_open: i32,
}

impl ChangeRequestRecord {
    /// Returns the id and the number.
    pub fn name(&self) -> NamedChangeRequest {
        NamedChangeRequest { id: self.id, number: self.number }
    }

    /// Returns the merge base: the newest revision of the space that the change request contains.
    #[must_use]
    pub fn merge_base(&self) -> RevisionId {
        self.revision_merged_ancestor.unwrap_or(self.revision_initial)
    }

    /// Returns whether a user may not review the change request, regardless of their role.
    #[must_use]
    pub fn bars_reviewer(&self, user: UserId) -> bool {
        self.created_by.id() == Some(user) && Action::ReviewContent.is_barred_by(Relation::Author)
    }

    /// Returns whether the space has newer content than the change request.
    #[must_use]
    pub fn is_outdated(&self, space_head: RevisionId) -> bool {
        self.revision_merged.is_none() && self.merge_base() != space_head
    }
}

/// Part of a space, with the space.
#[derive(Clone, Debug)]
pub struct InSpace<T> {
    /// Space.
    pub space: SpaceRecord,
    /// Part.
    pub item: T,
}

impl<T> Guarded for InSpace<T> {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.space.is_deleted()
    }
}

type Row = (SpaceActor, SpaceRecord, ChangeRequestRecord);

impl Reader<'_> {
    /// Returns a change request of a space by id or number, with its space. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) if it does not exist.
    pub fn change_request(
        &mut self,
        space: SpaceId,
        key: ChangeRequestKey,
    ) -> Result<Found<InSpace<ChangeRequestRecord>>> {
        let found = spaces_with_access()
            .inner_join(change_requests::table.on(change_requests::space_id.eq(space_access::id)))
            .left_join(users::table.on(users::id.nullable().eq(change_requests::created_by)))
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::id.eq(space))
            .select((space_actor(), SpaceRecord::as_select(), ChangeRequestRecord::as_select()));
        let row: Option<Row> = match key {
            ChangeRequestKey::Id(id) => found.filter(change_requests::id.eq(id)).get_result(self.connection),
            ChangeRequestKey::Number(number) => {
                found.filter(change_requests::number.eq(number)).get_result(self.connection)
            }
        }
        .optional()?;
        let Some((actor, space, item)) = row else { return self.not_found() };
        self.record_tenant(space.organization, Some(space.id));
        self.found(actor, InSpace { space, item })
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
