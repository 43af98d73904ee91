//! Connections of spaces to Git repositories.

use diesel::prelude::*;
use quire_domain::ids::GitInstallationId;

use crate::Result;
use crate::content::change_requests::InSpace;
use crate::content::git_installations::GitInstallationRecord;
use crate::content::spaces::spaces_with_access;
use crate::content::spaces::{SpaceActor, SpaceRecord, space_actor};
use crate::lookup::Found;
use crate::schema::git_installations;
use crate::transaction::Reader;
use crate::views::space_access;

impl Reader<'_> {
    /// Returns the connection of a space to a repository, with the space. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) if it does not exist.
    pub fn git_installation(
        &mut self,
        id: GitInstallationId,
    ) -> Result<Found<InSpace<GitInstallationRecord>>> {
        let row: Option<(SpaceActor, SpaceRecord, GitInstallationRecord)> = spaces_with_access()
            .inner_join(git_installations::table.on(git_installations::space_id.eq(space_access::id)))
            .filter(self.token_is_valid::<space_access::table>())
            .filter(git_installations::id.eq(id))
            .select((space_actor(), SpaceRecord::as_select(), GitInstallationRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, space, item)) = row else { return self.not_found() };
        self.record_tenant(space.organization, Some(space.id));
        self.found(actor, InSpace { space, item })
    }
}
