//! Lookups of content: a revision of a space, by its id or as the head of the space or of a change request.

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

/// Selects a revision of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentSelector {
    /// Head of the main content.
    Space,
    /// Head of a change request.
    ChangeRequest(ChangeRequestKey),
    /// Revision of the main content or of a change request.
    Revision(RevisionId),
}

/// Selects the head of a change request, or of the main content.
impl From<Option<ChangeRequestId>> for ContentSelector {
    fn from(change_request: Option<ChangeRequestId>) -> Self {
        change_request.map_or(Self::Space, |id| Self::ChangeRequest(ChangeRequestKey::Id(id)))
    }
}

/// Stored revision.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = revisions, check_for_backend(Pg))]
pub struct RevisionRecord {
    /// Id.
    pub id: RevisionId,
    /// Operation that created the revision.
    #[diesel(column_name = type_)]
    pub kind: RevisionType,
    /// Parents. For a merge, the parent in the main content is first. For edits that were merged with an import, the
    /// imported revision is first, and the former head second.
    #[diesel(deserialize_as = Elements<Vec<Option<RevisionId>>>)]
    pub parents: Vec<RevisionId>,
    /// Root of its tree.
    pub root: TreeHash,
    /// Change request whose merge created the revision.
    pub merged_from: Option<ChangeRequestId>,
    /// Author; `None` after that user was removed.
    #[diesel(column_name = author_id)]
    pub author: Option<UserId>,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Time of the first save of the revision, if later saves amended it.
    pub begun_at: Option<Timestamp>,
}

/// Revision with its space and change request.
#[derive(Clone, Debug)]
pub struct ContentAt {
    /// Space.
    pub space: SpaceRecord,
    /// Change request; `None` if the path names none.
    pub change_request: Option<ChangeRequestRecord>,
    /// Revision.
    pub revision: RevisionRecord,
    /// Specifications that the content may show to the actor.
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
    /// Returns the change request in the path of the content.
    #[must_use]
    pub fn into_change_request(self) -> Option<Authorized<InSpace<ChangeRequestRecord>>> {
        let of = |ContentAt { space, change_request, .. }: ContentAt| {
            change_request.map(|item| InSpace { space, item })
        };
        self.map(of).transpose()
    }
}

/// Columns of content: rank of the actor's role in the organization, space and revision. A disabled member cannot read
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
    /// Returns a revision with its space, and its change request if the selector names one. Takes one statement.
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
