//! Content: a revision of a space, named directly or as the head of the space or of a change request.

use diesel::deserialize;
use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId, UserId};
use quire_domain::policy::{Action, Membership};
use quire_domain::revisions::RevisionType;
use quire_revision::TreeHash;

use crate::Result;
use crate::content::change_requests::{ChangeRequestKey, ChangeRequestRecord, InSpace};
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::spaces::spaces_with_access;
use crate::content::spaces::{SpaceActor, SpaceRecord, space_actor};
use crate::diesel_types::Elements;
use crate::lookup::{Authorized, Found, Guarded};
use crate::schema::{change_requests, revisions, users};
use crate::transaction::Reader;
use crate::views::space_access;

/// Selects the revision of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentSelector {
    /// The current main content.
    Space,
    /// The working copy of a change request.
    ChangeRequest(ChangeRequestKey),
    /// One revision, of the main content or of a change request.
    Revision(RevisionId),
}

/// Returns the current content of a change request, or the main content.
impl From<Option<ChangeRequestId>> for ContentSelector {
    fn from(change_request: Option<ChangeRequestId>) -> Self {
        change_request.map_or(Self::Space, |id| Self::ChangeRequest(ChangeRequestKey::Id(id)))
    }
}

/// A revision as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = revisions, check_for_backend(Pg))]
pub struct RevisionRecord {
    /// Its id.
    pub id: RevisionId,
    /// The operation that made it.
    #[diesel(column_name = type_)]
    pub kind: RevisionType,
    /// The revisions it follows; of a merge the main content first.
    #[diesel(deserialize_as = Elements<Vec<Option<RevisionId>>>)]
    pub parents: Vec<RevisionId>,
    /// The root of its tree.
    pub root: TreeHash,
    /// The change request whose merge made it.
    pub merged_from: Option<ChangeRequestId>,
    /// Its author; `None` after that user was removed.
    #[diesel(column_name = author_id)]
    pub author: Option<UserId>,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Time of the first of the saves that amended it; `None` if none did.
    pub begun_at: Option<Timestamp>,
}

/// A revision with where it was found.
#[derive(Clone, Debug)]
pub struct ContentAt {
    /// The space.
    pub space: SpaceRecord,
    /// The change request, when it was named by one.
    pub change_request: Option<ChangeRequestRecord>,
    /// The revision.
    pub revision: RevisionRecord,
    /// The specifications that the actor may be shown by it.
    pub(crate) specs: ReadableSpecs,
}

impl Guarded for ContentAt {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.space.is_deleted()
    }

    fn is_on_open_site(&self) -> bool {
        self.space.is_on_open_site()
    }
}

impl Authorized<ContentAt> {
    /// Returns the change request that the content was named by.
    #[must_use]
    pub fn into_change_request(self) -> Option<Authorized<InSpace<ChangeRequestRecord>>> {
        let of = |ContentAt { space, change_request, .. }: ContentAt| {
            change_request.map(|item| InSpace { space, item })
        };
        self.map(of).transpose()
    }
}

/// Columns of content: rank of the actor's role in the organization, space and revision. A disabled member reaches no
/// content.
type Columns = (
    space_access::member_role,
    <SpaceRecord as Selectable<Pg>>::SelectExpression,
    <RevisionRecord as Selectable<Pg>>::SelectExpression,
);

impl Selectable<Pg> for ContentAt {
    type SelectExpression = Columns;

    fn construct_selection() -> Columns {
        (
            space_access::member_role,
            <SpaceRecord as Selectable<Pg>>::construct_selection(),
            <RevisionRecord as Selectable<Pg>>::construct_selection(),
        )
    }
}

impl Queryable<dsl::SqlTypeOf<Columns>, Pg> for ContentAt {
    type Row = (Option<Role>, SpaceRecord, RevisionRecord);

    fn build((role, space, revision): Self::Row) -> deserialize::Result<Self> {
        let specs = ReadableSpecs::of(Membership::active(role), space.id, space.organization);
        Ok(Self { space, change_request: None, revision, specs })
    }
}

impl Reader<'_> {
    /// A revision's record with its space, and its change request when it was named by one: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) if it does not exist.
    pub fn content(&mut self, space: SpaceId, selector: ContentSelector) -> Result<Found<ContentAt>> {
        let of_space = || {
            spaces_with_access()
                .inner_join(revisions::table.on(revisions::space_id.eq(space_access::content_id)))
                .filter(self.token_is_valid::<space_access::table>())
                .filter(space_access::id.eq(space))
        };
        let row: QueryResult<(SpaceActor, ContentAt)> = match selector {
            ContentSelector::Space => of_space()
                .filter(revisions::id.eq(space_access::head_revision))
                .select((space_actor(), ContentAt::as_select()))
                .get_result(self.connection),
            ContentSelector::Revision(id) => of_space()
                .filter(revisions::id.eq(id))
                .select((space_actor(), ContentAt::as_select()))
                .get_result(self.connection),
            ContentSelector::ChangeRequest(key) => return self.content_of_change_request(space, key),
        };
        let Some((actor, content)) = row.optional()? else { return self.not_found() };
        self.found_content(actor, content)
    }

    fn content_of_change_request(
        &mut self,
        space: SpaceId,
        key: ChangeRequestKey,
    ) -> Result<Found<ContentAt>> {
        let heads = change_requests::space_id
            .eq(revisions::space_id)
            .and(change_requests::head_revision.eq(revisions::id));
        let found = spaces_with_access()
            .inner_join(revisions::table.on(revisions::space_id.eq(space_access::content_id)))
            .inner_join(change_requests::table.on(heads))
            .left_join(users::table.on(users::id.nullable().eq(change_requests::created_by)))
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::id.eq(space))
            .select((space_actor(), ContentAt::as_select(), ChangeRequestRecord::as_select()));
        let row: Option<(SpaceActor, ContentAt, ChangeRequestRecord)> = match key {
            ChangeRequestKey::Id(id) => found.filter(change_requests::id.eq(id)).get_result(self.connection),
            ChangeRequestKey::Number(number) => {
                found.filter(change_requests::number.eq(number)).get_result(self.connection)
            }
        }
        .optional()?;
        let Some((actor, content, change_request)) = row else { return self.not_found() };
        self.found_content(actor, ContentAt { change_request: Some(change_request), ..content })
    }

    fn found_content(&mut self, actor: SpaceActor, content: ContentAt) -> Result<Found<ContentAt>> {
        self.record_tenant(content.space.organization, Some(content.space.id));
        self.found(actor, content)
    }
}
