//! Changes of connected spaces, which have them synchronize soon.

use std::collections::BTreeSet;
use std::time::Duration;

use diesel::prelude::*;
use quire_domain::ids::SpaceId;
use time::OffsetDateTime;

use crate::Result;
use crate::schema::git_installations;
use crate::transaction::Tx;

/// Time from a change of a connected space or site to its synchronization. Several changes in this time become one
/// commit.
pub(crate) const PAUSE: Duration = Duration::from_secs(30);

impl Tx<'_> {
    /// Notes a change of the main content of a space that is connected to a repository. The synchronization is brought
    /// forward when the transaction ends.
    pub(crate) fn note_connected_head(&mut self, space: SpaceId) {
        self.closing.connected.insert(space);
    }

    /// Forgets a change of the main content of a space that its synchronization made: it exports the change itself, or
    /// has it from the repository.
    pub fn forget_connected_head(&mut self, space: SpaceId) {
        self.closing.connected.remove(&space);
    }

    /// Has connected spaces synchronize soon after their main content changed: one statement, none without changes.
    /// The rows of the spaces are locked, so the order in which those of the connections are does not matter.
    pub(crate) fn sync_spaces_soon(&mut self, spaces: &BTreeSet<SpaceId>) -> Result<()> {
        if spaces.is_empty() {
            return Ok(());
        }
        let at = OffsetDateTime::from(self.now) + PAUSE;
        let waiting = git_installations::table
            .filter(git_installations::space_id.eq_any(spaces))
            .filter(git_installations::next_run_at.gt(at));
        diesel::update(waiting).set(git_installations::next_run_at.eq(at)).execute(self.connection)?;
        Ok(())
    }
}
