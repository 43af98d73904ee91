//! Lookups of spaces.

use std::ops::Deref;
use std::sync::LazyLock;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, SmallInt};
use quire_database::statement::{Columns, names_of_columns};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::sites::SiteVisibility;
use quire_domain::spaces::{SpaceFacts, Visibility};
use quire_revision::Position;
use serde_json::Value;

use crate::Result;
use crate::content::git_installations::ShownGitSync;
use crate::diesel_types::Json;
use crate::lookup::{ActorRow, ActorTypes, Found, Guarded, role_from_rank};
use crate::schema::spaces;
use crate::transaction::Reader;
use crate::views::{Access, space_access};

/// Stored space.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = spaces, check_for_backend(Pg))]
pub struct SpaceRecord {
    /// Facts that responses show unchanged.
    #[diesel(embed)]
    pub facts: SpaceFacts,
    /// Position among the spaces and collections of the parent.
    pub position: Position,
    /// URL of the picture that replaces the emoji.
    pub icon: Option<String>,
    /// Connection to a Git repository.
    #[diesel(deserialize_as = Json<Option<Value>>, skip_insertion)]
    pub git_sync: Option<Box<ShownGitSync>>,
    /// Published site with the widest audience that has the space; `None` if it is on no site.
    #[diesel(embed, skip_insertion)]
    pub site: Option<SpaceOnSite>,
}

impl Deref for SpaceRecord {
    type Target = SpaceFacts;

    fn deref(&self) -> &SpaceFacts {
        &self.facts
    }
}

impl Columns for SpaceRecord {
    fn columns() -> &'static [String] {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| names_of_columns(&spaces::table.select(SpaceRecord::as_select())));
        &NAMES
    }
}

impl SpaceRecord {
    /// Returns the audience of the space. A deleted space is on no site until it is restored.
    #[must_use]
    pub fn visibility(&self) -> Visibility {
        let site =
            self.site.as_ref().filter(|_| self.deleted_at.is_none()).map(|site| site.visibility.into());
        Visibility::of_space(site, self.parent.is_some())
    }
}

/// Published site that has a space.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = spaces, check_for_backend(Pg))]
pub struct SpaceOnSite {
    /// Audience of the site.
    #[diesel(
        select_expression = spaces::site_visibility.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<spaces::site_visibility>
    )]
    pub visibility: SiteVisibility,
    /// Address of the space on the site: a URL, or a path below the URL of the deployment.
    #[diesel(
        select_expression = spaces::site_address.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<spaces::site_address>
    )]
    pub address: String,
}

impl Guarded for SpaceRecord {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }

    fn is_on_open_site(&self) -> bool {
        self.site.as_ref().is_some_and(|site| site.visibility.is_open())
    }
}

/// Token, rank of the role on the space, and state of the organization in the row of a lookup.
pub(crate) type SpaceActor = (ActorRow, Option<i16>, bool);

/// SQL type of a [`SpaceActor`].
pub(crate) type SpaceActorType = (ActorTypes, Nullable<SmallInt>, Bool);

/// Returns the columns of a [`SpaceActor`].
pub(crate) fn space_actor()
-> (<space_access::table as Access>::Actor, space_access::role, space_access::organization_is_blocked) {
    (space_access::table::actor(), space_access::role, space_access::organization_is_blocked)
}

/// Returns spaces by token, with the columns that decide about access to them.
#[dsl::auto_type]
pub(crate) fn spaces_with_access() -> _ {
    space_access::table.inner_join(spaces::table.on(spaces::id.eq(space_access::id)))
}

impl Reader<'_> {
    /// Converts the row of a lookup of something in a space.
    pub(crate) fn found<T>(&mut self, (actor, role, blocked): SpaceActor, value: T) -> Result<Found<T>> {
        Ok(Found { actor: self.record_actor(actor)?, role: role_from_rank(role)?, blocked, value })
    }

    /// Returns the space with this id. One statement reads token, membership, grants and row.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated), or [`Error::NotFound`](crate::Error::NotFound) if it
    /// does not exist.
    pub fn space(&mut self, id: SpaceId) -> Result<Found<SpaceRecord>> {
        let row: Option<(SpaceActor, SpaceRecord)> = spaces_with_access()
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::id.eq(id))
            .select((space_actor(), SpaceRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, space)) = row else { return self.not_found() };
        self.record_tenant(space.organization, Some(space.id));
        self.found(actor, space)
    }
}
