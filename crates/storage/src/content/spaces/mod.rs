//! Spaces: creation, lists, changes, moves, duplication and deletion.

mod deletion;
mod duplicate;
mod list;
mod lookup;
mod moves;
mod plain_list;

use std::mem::take;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{OrganizationId, RevisionId, SpaceId, UserId};
use quire_domain::patch::Patch;
use quire_domain::revisions::RevisionType;
use quire_domain::spaces::{DEFAULT_EMOJI, SpaceCreate, SpaceFacts, SpaceUpdate};
use quire_domain::webhooks::EventKind;
use quire_revision::Tree;

use crate::content::hierarchy::Neighbors;
use crate::content::store::RevisionRecord;
use crate::lookup::Authorized;
use crate::operations::webhooks;
use crate::people::permissions::Container;
use crate::schema::spaces;
use crate::sites::purges::Purge;
use crate::transaction::Tx;
use crate::{Error, Result};

pub(crate) use self::lookup::{SpaceActor, SpaceActorType, space_actor, spaces_with_access};
pub use self::lookup::{SpaceOnSite, SpaceRecord};
pub use crate::content::hierarchy::Parent;
pub use deletion::DeletedKey;
pub use duplicate::blobs_of;
pub use list::ListedSpace;

sql_files! {
    CountChangeRequests(SqlUuid, Integer, Integer) = "count_change_requests.sql";
}

impl Tx<'_> {
    /// Creates a space with one empty revision, as the last item of `parent`, which overrides the parent in the body.
    ///
    /// # Errors
    /// 409 if the parent was deleted.
    pub fn create_space(&mut self, parent: Parent<'_>, create: SpaceCreate) -> Result<SpaceId> {
        let id = SpaceId::from_uuid(self.storage.ids().uuid());
        self.record_created("space", id);
        let author = parent.actor().user;
        let parent = self.lock_parent(parent)?;
        let facts = self.new_space(id, parent.organization);
        let space = SpaceRecord {
            facts: SpaceFacts {
                title: create.title.into_text()?.unwrap_or(facts.title),
                emoji: create.emoji.into_text()?.unwrap_or(facts.emoji),
                parent: parent.collection(),
                default_level: parent.default_level,
                edit_mode: create.edit_mode.unwrap_or_default(),
                language: create.language,
                ..facts
            },
            position: self.position_at(&parent, &Neighbors::default(), id)?,
            icon: None,
            git_sync: None,
            site: None,
        };
        self.insert_space(&space, author, &Tree::empty())?;
        self.grant_to_creator(parent.organization, Container::Space(id), author)?;
        Ok(id)
    }

    /// Returns the facts of a new space. Its head gets a new id.
    fn new_space(&self, id: SpaceId, organization: OrganizationId) -> SpaceFacts {
        let head = RevisionId::from_uuid(self.storage.ids().uuid());
        SpaceFacts::new(id, organization, head, self.now)
    }

    /// Writes the row of a space and its first revision with the content `tree`.
    fn insert_space(&mut self, space: &SpaceRecord, author: UserId, tree: &Tree) -> Result<()> {
        let revision = RevisionRecord {
            id: space.head,
            kind: RevisionType::Edits,
            parents: Vec::new(),
            root: tree.root(),
            merged_from: None,
            author: Some(author),
            created_at: self.now,
            begun_at: None,
        };
        diesel::insert_into(spaces::table).values(space).execute(self.connection)?;
        self.write_revision(space.id, None, (&revision, None))?;
        self.emit(space.organization, webhooks::Event::in_space(EventKind::SpaceCreated, space.id))
    }

    /// Locks a space until the transaction ends and reads it again, because it may have changed after its lookup.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space was deleted.
    pub fn lock_space(&mut self, space: Authorized<SpaceRecord>) -> Result<Authorized<SpaceRecord>> {
        let space = self.lock_space_even_deleted(space)?;
        if space.deleted_at.is_some() { Err(Error::NotFound) } else { Ok(space) }
    }

    /// Like [`Tx::lock_space`], but also for a deleted space.
    fn lock_space_even_deleted(&mut self, space: Authorized<SpaceRecord>) -> Result<Authorized<SpaceRecord>> {
        let locked = spaces::table.find(space.id).select(SpaceRecord::as_select()).for_no_key_update();
        let fresh: SpaceRecord = locked.get_result(self.connection).optional()?.ok_or(Error::NotFound)?;
        Ok(space.map(|_| fresh))
    }

    /// Returns a space after a change, even for an actor who may no longer see it.
    fn listed_space(&mut self, id: SpaceId) -> Result<ListedSpace> {
        let found = self.space(id)?;
        Ok(ListedSpace { space: found.value, role: found.role })
    }

    /// Changes a locked space and returns the new record. A new emoji replaces the icon.
    pub fn update_space(
        &mut self,
        space: Authorized<SpaceRecord>,
        mut update: SpaceUpdate,
    ) -> Result<Authorized<SpaceRecord>> {
        self.require_named_members(space.organization, update.merge_rules.as_ref())?;
        let level = self.level_to_write(update.default_level, space.organization, space.parent)?;
        let (icon, is_renamed) = (take(&mut update.icon), update.title.is_some());
        let (emoji, icon) = match take(&mut update.emoji).into_text()? {
            Patch::Keep => (None, icon),
            Patch::Clear => (Some(DEFAULT_EMOJI.to_owned()), icon),
            Patch::Set(emoji) => (Some(emoji), Patch::Clear),
        };
        let changes = (
            level.map(|level| spaces::default_level.eq(level)),
            emoji.map(|emoji| spaces::emoji.eq(emoji)),
            icon.assign(spaces::icon),
            take(&mut update.language).assign(spaces::language),
            spaces::updated_at.eq(self.now),
            update,
        );
        diesel::update(spaces::table.find(space.id)).set(changes).execute(self.connection)?;
        if is_renamed {
            self.note_structures_with(space.organization, space.id);
        }
        self.purge_space_and_sites(space.organization, space.id);
        self.lock_space(space)
    }

    /// Records that renderers have outdated content of a space and of the sites that show it.
    fn purge_space_and_sites(&mut self, organization: OrganizationId, space: SpaceId) {
        self.purge(organization, std::iter::once(Purge::space(space)).chain(Purge::sites_with(space)));
    }

    /// Adds to the counters of a space.
    pub(crate) fn count_in_space(&mut self, space: SpaceId, counts: Counts) -> Result<()> {
        let Counts { change_requests_open: open, change_requests_draft: draft } = counts;
        CountChangeRequests::bind((space, open, draft)).execute(self.connection)?;
        Ok(())
    }
}

/// Differences of a space's counters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) change_requests_open: i32,
    pub(crate) change_requests_draft: i32,
}
