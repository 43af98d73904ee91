//! Spaces: made, listed, changed.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId, RevisionId, SpaceId};
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_domain::spaces::EditMode;
use quire_revision::{Position, Tree};
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, CollectionRecord, Found, OrganizationRecord, RevisionRecord, RoleColumn, SpaceColumns,
    SpaceRecord, role_from_rank, space_columns, space_role, token_and_space, valid_token,
};
use crate::schema::spaces;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Where a space is made: at the root of an organization or in one of its collections.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// At the root.
    Root(&'a Authorized<OrganizationRecord>),
    /// In a collection.
    Collection(&'a Authorized<CollectionRecord>),
}

impl Place<'_> {
    fn organization(&self) -> OrganizationId {
        match self {
            Self::Root(organization) => organization.id,
            Self::Collection(collection) => collection.organization,
        }
    }

    fn collection(&self) -> Option<CollectionId> {
        match self {
            Self::Root(_) => None,
            Self::Collection(collection) => Some(collection.id),
        }
    }

    /// A new space takes the level of what it stands in.
    fn default_level(&self) -> Option<Role> {
        match self {
            Self::Root(organization) => Some(organization.default_role.unwrap_or(Role::Read)),
            Self::Collection(collection) => collection.default_level,
        }
    }
}

/// What may be changed of a space; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct SpaceChanges {
    /// The title.
    pub title: Option<String>,
    /// The emoji.
    pub emoji: Option<String>,
    /// The edit mode.
    pub edit_mode: Option<EditMode>,
    /// The default level; cleared, the space is open by grant only.
    pub default_level: Patch<Role>,
}

#[derive(Insertable)]
#[diesel(table_name = spaces)]
struct NewSpaceRow<'a> {
    id: Uuid,
    organization_id: Uuid,
    collection_id: Option<Uuid>,
    title: &'a str,
    emoji: &'a str,
    default_level: Option<i16>,
    position: String,
    head_revision: Uuid,
    created_at: time::OffsetDateTime,
    updated_at: time::OffsetDateTime,
}

#[derive(AsChangeset)]
#[diesel(table_name = spaces)]
struct SpaceChangesRow {
    title: Option<String>,
    emoji: Option<String>,
    edit_mode: Option<&'static str>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    default_level: Option<Option<i16>>,
    updated_at: time::OffsetDateTime,
}

macro_rules! visible_spaces {
    () => {
        concat!(
            "(SELECT ",
            space_role!(),
            " AS role, ",
            space_columns!(),
            " FROM ",
            token_and_space!(),
            " WHERE ",
            valid_token!(),
            " AND s.organization_id = $3 AND s.deleted_at IS NULL) v WHERE v.role IS NOT NULL"
        )
    };
}

statements! {
    ListSpaces = concat!("SELECT * FROM ", visible_spaces!(), " AND ($4 IS NULL OR v.space_id < $4) ORDER BY v.space_id DESC LIMIT $5");
    FindVisibleSpaces = concat!("SELECT * FROM ", visible_spaces!(), " AND v.space_id = ANY ($4)");
    CountSpaces = concat!("SELECT count(*) AS total FROM ", visible_spaces!());
    LockSpaceRecord = concat!("SELECT ", space_columns!(), " FROM spaces s WHERE s.id = $1 FOR NO KEY UPDATE");
    LastPosition = "SELECT max(position) AS position FROM spaces WHERE organization_id = $1 AND collection_id IS NOT DISTINCT FROM $2";
}

#[derive(QueryableByName)]
struct PositionRow {
    #[diesel(sql_type = Nullable<Text>)]
    position: Option<String>,
}

/// A space in a list, with the role that its reader has on it.
#[derive(Clone, Debug)]
pub struct ListedSpace {
    /// The space.
    pub space: SpaceRecord,
    /// The reader's role on it.
    pub role: Option<Role>,
}

impl Reader<'_> {
    /// The spaces of an organization that the actor may see, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn spaces_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<SpaceId>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<(RoleColumn, SpaceColumns)> = ListSpaces::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountSpaces::bind((self.token_bind(), self.now_bind(), val::<SqlUuid, _>(id)))
            .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(role, space)| {
            Ok(ListedSpace { space: space.try_into()?, role: role_from_rank(role.role)? })
        })
    }
}

impl Reader<'_> {
    /// Those of these spaces of an organization that the actor may see, in no order: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn visible_spaces(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        ids: &[SpaceId],
    ) -> Result<Vec<Authorized<SpaceRecord>>> {
        let ids: Vec<Uuid> = ids.iter().map(|id| *id.as_uuid()).collect();
        let rows: Vec<(RoleColumn, SpaceColumns)> = FindVisibleSpaces::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        let found = rows.into_iter().map(|(role, space)| {
            let role = role_from_rank(role.role)?;
            Found { actor: organization.actor(), role, value: SpaceRecord::try_from(space)? }
                .authorize(Action::ViewSpace)
        });
        found.collect()
    }
}

impl Tx<'_> {
    /// Makes a space with one empty revision, at the end of its place.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn create_space(&mut self, place: Place<'_>, title: &str, emoji: &str) -> Result<SpaceId> {
        let id = SpaceId::from_uuid(self.storage.ids().uuid());
        let revision = RevisionRecord {
            id: RevisionId::from_uuid(self.storage.ids().uuid()),
            kind: RevisionType::Edits,
            parents: Vec::new(),
            root: Tree::empty().root(),
            merged_from: None,
            author: Some(match place {
                Place::Root(organization) => organization.actor().user,
                Place::Collection(collection) => collection.actor().user,
            }),
            created_at: self.now,
        };
        let row = NewSpaceRow {
            id: *id.as_uuid(),
            organization_id: *place.organization().as_uuid(),
            collection_id: place.collection().map(|id| *id.as_uuid()),
            title,
            emoji,
            default_level: place.default_level().map(Role::rank),
            position: self.position_at_end(place)?,
            head_revision: *revision.id.as_uuid(),
            created_at: self.now.into(),
            updated_at: self.now.into(),
        };
        diesel::insert_into(spaces::table).values(row).execute(self.connection)?;
        self.store_tree(id, &Tree::empty(), &Tree::empty())?;
        self.write_revision(id, None, &revision)?;
        Ok(id)
    }

    fn position_at_end(&mut self, place: Place<'_>) -> Result<String> {
        let last: PositionRow = LastPosition::bind((
            val::<SqlUuid, _>(*place.organization().as_uuid()),
            val::<Nullable<SqlUuid>, _>(place.collection().map(|id| *id.as_uuid())),
        ))
        .get_result(self.connection)?;
        let last = last.position.map(|position| {
            position
                .parse::<Position>()
                .map_err(|error| Error::corrupt("a position is damaged", anyhow::Error::from(error)))
        });
        Ok(last.transpose()?.map_or_else(Position::first, |last| last.after()).to_string())
    }

    /// Locks a space until the transaction ends and reads it again: what was looked up may have changed meanwhile.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_space(&mut self, space: Authorized<SpaceRecord>) -> Result<Authorized<SpaceRecord>> {
        let row: SpaceColumns = LockSpaceRecord::bind((val::<SqlUuid, _>(*space.id.as_uuid()),))
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        let fresh = SpaceRecord::try_from(row)?;
        Ok(space.map(|_| fresh))
    }

    /// Changes a locked space and answers it as it is now.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn update_space(
        &mut self,
        space: Authorized<SpaceRecord>,
        changes: SpaceChanges,
    ) -> Result<Authorized<SpaceRecord>> {
        let SpaceChanges { title, emoji, edit_mode, default_level } = changes;
        let row = SpaceChangesRow {
            title,
            emoji,
            edit_mode: edit_mode.map(EditMode::as_str),
            default_level: match default_level {
                Patch::Keep => None,
                Patch::Clear => Some(None),
                Patch::Set(role) => Some(Some(role.rank())),
            },
            updated_at: self.now.into(),
        };
        diesel::update(spaces::table.find(space.id.as_uuid())).set(row).execute(self.connection)?;
        self.lock_space(space)
    }

    /// Adds to the counters that a space shows.
    pub(crate) fn count_in_space(&mut self, space: SpaceId, counts: Counts) -> Result<()> {
        diesel::update(spaces::table.find(space.as_uuid()))
            .set((
                spaces::change_requests_open.eq(spaces::change_requests_open + counts.change_requests_open),
                spaces::change_requests_draft
                    .eq(spaces::change_requests_draft + counts.change_requests_draft),
            ))
            .execute(self.connection)?;
        Ok(())
    }
}

/// What to add to a space's counters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) change_requests_open: i32,
    pub(crate) change_requests_draft: i32,
}
