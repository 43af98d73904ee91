//! Spaces: made, listed, changed, moved, duplicated, deleted.

mod deletion;
mod duplicate;
mod list;
mod lookup;
mod moves;
mod plain_list;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{CollectionId, OrganizationId, RevisionId, SpaceId, UserId};
use quire_domain::merge_rules::MergeRules;
use quire_domain::patch::Patch;
use quire_domain::revisions::RevisionType;
use quire_domain::spaces::{DEFAULT_EMOJI, EditMode, SpaceUpdate};
use quire_domain::translations::Language;
use quire_domain::webhooks::EventKind;
use quire_revision::{Position, Tree};
use serde_json::Value;

use crate::content::hierarchy::{LockedParent, Neighbors};
use crate::content::merge_rules::stored_rules;
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

/// Values of a new space.
struct NewSpace<'a> {
    id: SpaceId,
    title: &'a str,
    emoji: &'a str,
    icon: Option<&'a str>,
    language: Option<Language>,
    default_level: Option<Role>,
    position: Position,
    author: UserId,
}

#[derive(Insertable)]
#[diesel(table_name = spaces)]
struct NewSpaceRow<'a> {
    id: SpaceId,
    organization_id: OrganizationId,
    collection_id: Option<CollectionId>,
    title: &'a str,
    emoji: &'a str,
    icon: Option<&'a str>,
    language: Option<&'static str>,
    default_level: Option<i16>,
    position: String,
    head_revision: RevisionId,
    created_at: time::OffsetDateTime,
    updated_at: time::OffsetDateTime,
}

#[derive(AsChangeset)]
#[diesel(table_name = spaces)]
struct SpaceChangeset {
    title: Option<String>,
    emoji: Option<String>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    icon: Option<Option<String>>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    language: Option<Option<&'static str>>,
    edit_mode: Option<&'static str>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    default_level: Option<Option<i16>>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    merge_rules: Option<Option<Value>>,
    updated_at: time::OffsetDateTime,
}

impl Tx<'_> {
    /// Makes a space with one empty revision, as the last one of its parent.
    ///
    /// # Errors
    /// 409 if the parent was deleted.
    pub fn create_space(&mut self, parent: Parent<'_>, title: &str, emoji: &str) -> Result<SpaceId> {
        let id = SpaceId::from_uuid(self.storage.ids().uuid());
        self.record_created("space", id);
        let author = parent.actor().user;
        let parent = self.lock_parent(parent)?;
        let space = NewSpace {
            id,
            title,
            emoji,
            icon: None,
            language: None,
            default_level: parent.default_level,
            position: self.position_at(&parent, &Neighbors::default(), id)?,
            author,
        };
        self.insert_space(&parent, &space, &Tree::empty())?;
        self.grant_to_maker(parent.organization, Container::Space(id), space.author)?;
        Ok(id)
    }

    /// Writes the row of a space and its first revision, whose content is `tree`.
    fn insert_space(&mut self, parent: &LockedParent, space: &NewSpace<'_>, tree: &Tree) -> Result<()> {
        let revision = RevisionRecord {
            id: RevisionId::from_uuid(self.storage.ids().uuid()),
            kind: RevisionType::Edits,
            parents: Vec::new(),
            root: tree.root(),
            merged_from: None,
            author: Some(space.author),
            created_at: self.now,
            begun_at: None,
        };
        let row = NewSpaceRow {
            id: space.id,
            organization_id: parent.organization,
            collection_id: parent.collection(),
            title: space.title,
            emoji: space.emoji,
            icon: space.icon,
            language: space.language.map(Language::as_str),
            default_level: space.default_level.map(Role::rank),
            position: space.position.to_string(),
            head_revision: revision.id,
            created_at: self.now.into(),
            updated_at: self.now.into(),
        };
        diesel::insert_into(spaces::table).values(row).execute(self.connection)?;
        self.write_revision(space.id, None, &revision)?;
        self.emit(parent.organization, webhooks::Event::in_space(EventKind::SpaceCreated, space.id))
    }

    /// Locks a space until the transaction ends and reads it again: what was looked up may have changed meanwhile.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone, or deleted.
    pub fn lock_space(&mut self, space: Authorized<SpaceRecord>) -> Result<Authorized<SpaceRecord>> {
        let space = self.lock_space_even_deleted(space)?;
        if space.deleted_at.is_some() { Err(Error::NotFound) } else { Ok(space) }
    }

    /// As [`Tx::lock_space`], also for a deleted space.
    fn lock_space_even_deleted(&mut self, space: Authorized<SpaceRecord>) -> Result<Authorized<SpaceRecord>> {
        let locked = spaces::table.find(space.id).select(SpaceRecord::as_select()).for_no_key_update();
        let fresh: SpaceRecord = locked.get_result(self.connection).optional()?.ok_or(Error::NotFound)?;
        Ok(space.map(|_| fresh))
    }

    /// A space as it is now, for an actor who may no longer see it where it is now.
    fn listed_space(&mut self, id: SpaceId) -> Result<ListedSpace> {
        let found = self.space(id)?;
        Ok(ListedSpace { space: found.value, role: found.role })
    }

    /// Changes a locked space and answers it as it is now. A new emoji replaces the icon.
    pub fn update_space(
        &mut self,
        space: Authorized<SpaceRecord>,
        update: SpaceUpdate,
    ) -> Result<Authorized<SpaceRecord>> {
        let SpaceUpdate { title, emoji, icon, language, edit_mode, default_level, merge_rules } = update;
        self.require_named_members(space.organization, merge_rules.as_ref())?;
        let default_level = self.level_to_write(default_level, space.organization, space.parent)?;
        let (emoji, icon) = match (emoji.into_text()?, icon.into_text()?) {
            (Patch::Keep, icon) => (None, icon.into_option()),
            (Patch::Clear, icon) => (Some(DEFAULT_EMOJI.to_owned()), icon.into_option()),
            (Patch::Set(emoji), _) => (Some(emoji), Some(None)),
        };
        let row = SpaceChangeset {
            title: title.into_text()?,
            emoji,
            icon,
            language: language.into_option().map(|language| language.map(Language::as_str)),
            edit_mode: edit_mode.map(EditMode::as_str),
            default_level: default_level.map(|level| level.map(Role::rank)),
            merge_rules: merge_rules.map(|rules| stored_rules(&rules, &MergeRules::Inherit)).transpose()?,
            updated_at: self.now.into(),
        };
        diesel::update(spaces::table.find(space.id)).set(row).execute(self.connection)?;
        self.purge_space_and_sites(space.organization, space.id);
        self.lock_space(space)
    }

    /// Notes that renderers have outdated content of a space and of the sites that show it.
    fn purge_space_and_sites(&mut self, organization: OrganizationId, space: SpaceId) {
        self.purge(organization, std::iter::once(Purge::space(space)).chain(Purge::sites_with(space)));
    }

    /// Adds to the counters that a space shows.
    pub(crate) fn count_in_space(&mut self, space: SpaceId, counts: Counts) -> Result<()> {
        let Counts { change_requests_open: open, change_requests_draft: draft } = counts;
        CountChangeRequests::bind((space, open, draft)).execute(self.connection)?;
        Ok(())
    }
}

/// Steps of a space's counters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) change_requests_open: i32,
    pub(crate) change_requests_draft: i32,
}
