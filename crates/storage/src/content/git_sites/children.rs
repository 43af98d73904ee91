//! Connections of the spaces of a connected site.

use std::collections::HashSet;

use diesel::prelude::*;
use quire_database::Seal;
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{GitInstallationId, OrganizationId, SpaceId};
use uuid::Uuid;

use super::{DueSiteGit, SiteGitChange};
use crate::content::git_installations::{News, SEAL};
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::schema::{git_installations, site_git_installations, spaces};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Space to connect.
pub(super) struct Wanted {
    pub(super) space: Authorized<SpaceRecord>,
    /// Key of the space in the site file.
    pub(super) key: Option<String>,
    /// Folder in the repository, with a trailing slash.
    pub(super) folder: String,
}

/// Connection of one of the site's spaces.
pub(super) struct Child {
    pub(super) space: SpaceId,
    pub(super) key: Option<String>,
    pub(super) folder: String,
    /// Title of the space.
    pub(super) title: String,
    /// `true` if the space is in the organization of the site, and not deleted.
    pub(super) is_present: bool,
}

/// Values that connections of spaces copy from the connection of their site.
#[derive(PartialEq, Eq, Queryable)]
struct Values {
    provider: String,
    url: Option<String>,
    repository_id: Option<i64>,
    username: Option<String>,
    app_installation_id: Option<i64>,
    reference: Option<String>,
    commit_message_template: Option<String>,
    sign_off: bool,
    authority: String,
    preview_external: bool,
    agent_instructions: Vec<Option<String>>,
    priority: Option<String>,
    token_id: Option<Uuid>,
    created_by: Option<Uuid>,
}

/// Columns of [`Values`] in a table of connections.
macro_rules! values {
    ($table:ident) => {
        (
            $table::provider,
            $table::url,
            $table::repository_id,
            $table::username,
            $table::app_installation_id,
            $table::reference,
            $table::commit_message_template,
            $table::sign_off,
            $table::authority,
            $table::preview_external,
            $table::agent_instructions,
            $table::priority,
            $table::token_id,
            $table::created_by,
        )
    };
}

/// Space that the site's connection connects.
#[derive(Queryable)]
struct ConnectedSpace {
    id: SpaceId,
    key: Option<String>,
    folder: String,
    title: String,
    organization: OrganizationId,
    is_deleted: bool,
}

/// Current connection of a space.
#[derive(Queryable, Selectable)]
#[diesel(table_name = git_installations)]
struct Present {
    id: Uuid,
    project_directory: String,
    site_key: Option<String>,
    secret: Option<Vec<u8>>,
    parent_id: Option<Uuid>,
}

/// Connection of a site, in the form that the connections of its spaces copy.
struct Parent {
    id: Uuid,
    values: Values,
    /// Password or token, with the seal to encrypt it.
    secret: Option<(String, Seal)>,
}

/// State of a space after a run.
enum Connected {
    /// The run connected the space, or changed its connection.
    Now,
    /// The space was already connected in the same way.
    Before,
    /// The space is connected independently of the site.
    Alone,
}

impl Tx<'_> {
    /// Returns the connections of the spaces of a site.
    pub(super) fn children_of_site_git(
        &mut self,
        organization: OrganizationId,
        id: GitInstallationId,
    ) -> Result<Vec<Child>> {
        let spaces: Vec<ConnectedSpace> = git_installations::table
            .inner_join(spaces::table)
            .filter(git_installations::parent_id.eq(id))
            .order(git_installations::space_id)
            .select((
                spaces::id,
                git_installations::site_key,
                git_installations::project_directory,
                spaces::title,
                spaces::organization_id,
                spaces::deleted_at.is_not_null(),
            ))
            .load(self.connection)?;
        let children = spaces.into_iter().map(|space| Child {
            space: space.id,
            key: space.key,
            folder: space.folder,
            title: space.title,
            is_present: space.organization == organization && !space.is_deleted,
        });
        Ok(children.collect())
    }

    /// Connects these spaces, and disconnects all other spaces that the site's connection had connected.
    pub(super) fn connect_children(
        &mut self,
        due: &DueSiteGit,
        wanted: &[Wanted],
        change: &mut SiteGitChange,
    ) -> Result<()> {
        let row: Option<(Values, Option<Vec<u8>>)> = site_git_installations::table
            .find((due.organization, due.site))
            .filter(site_git_installations::id.eq(due.connection.id))
            .select((values!(site_git_installations), site_git_installations::secret))
            .get_result(self.connection)
            .optional()?;
        let (values, sealed) = row.ok_or(Error::NotFound)?;
        let secret = match self.git_account(due.connection.id, None, sealed)? {
            Some((_, secret)) => Some((secret, self.seal(SEAL)?)),
            None => None,
        };
        let parent = Parent { id: due.connection.id.into(), values, secret };
        let kept: HashSet<SpaceId> = wanted.iter().map(|wanted| wanted.space.id).collect();
        for child in self.children_of_site_git(due.organization, due.connection.id)? {
            if !kept.contains(&child.space) {
                self.remove_git_installation(child.space)?;
                change.notes.push(format!(
                    "The space “{}” was disconnected, because it no longer has a folder.",
                    child.title
                ));
                change.is_changed = true;
            }
        }
        for wanted in wanted {
            match self.connect_child(&parent, wanted, change)? {
                Connected::Now => {
                    change.is_changed = true;
                    self.schedule_git_sync(wanted.space.id, GitTrigger::Setup)?;
                }
                Connected::Before if change.looks => {
                    self.schedule_git_sync(wanted.space.id, due.connection.trigger)?;
                }
                Connected::Before | Connected::Alone => {}
            }
        }
        Ok(())
    }

    /// Connects a space.
    fn connect_child(
        &mut self,
        parent: &Parent,
        wanted: &Wanted,
        change: &mut SiteGitChange,
    ) -> Result<Connected> {
        let space = wanted.space.id;
        self.lock_space_of_git(space)?;
        let present: Option<(Present, Values)> = git_installations::table
            .find(space)
            .select((Present::as_select(), values!(git_installations)))
            .get_result(self.connection)
            .optional()?;
        let found =
            present.as_ref().map(|present| self.compare_child(parent, wanted, present)).transpose()?;
        match found {
            Some(Connected::Alone) => {
                let title = &wanted.space.title;
                let note = format!("The space “{title}” has its own connection. Disconnect it first.");
                change.notes.push(note);
                Ok(Connected::Alone)
            }
            Some(Connected::Before) => Ok(Connected::Before),
            Some(Connected::Now) | None => {
                self.write_child(parent, wanted, present)?;
                self.show_git_sync(space, News::Something)?;
                Ok(Connected::Now)
            }
        }
    }

    /// Returns the state of a connection, `Now` for one that has to be written. A change to other content removes its
    /// previews.
    fn compare_child(
        &mut self,
        parent: &Parent,
        wanted: &Wanted,
        (present, of_present): &(Present, Values),
    ) -> Result<Connected> {
        let values = &parent.values;
        let is_same_content = of_present.url == values.url
            && of_present.reference == values.reference
            && present.project_directory == wanted.folder;
        let is_own = present.parent_id == Some(parent.id);
        if !is_own && !is_same_content {
            return Ok(Connected::Alone);
        }
        if is_own && is_same_content && of_present == values && present.site_key == wanted.key {
            let id = GitInstallationId::from_uuid(present.id);
            let account = self.git_account(id, None, present.secret.clone())?;
            let secret = parent.secret.as_ref().map(|(secret, _)| secret);
            if account.as_ref().map(|(_, secret)| secret) == secret {
                return Ok(Connected::Before);
            }
        }
        if !is_same_content {
            self.remove_git_previews(wanted.space.id, None)?;
        }
        Ok(Connected::Now)
    }

    /// Writes the connection of a space with the values of that of the site.
    fn write_child(
        &mut self,
        parent: &Parent,
        wanted: &Wanted,
        present: Option<(Present, Values)>,
    ) -> Result<()> {
        let (space, values) = (wanted.space.id, &parent.values);
        let id = present.as_ref().map_or_else(|| self.storage.ids().uuid(), |(present, _)| present.id);
        let owner = GitInstallationId::from_uuid(id).to_string();
        let seal = |(secret, seal): &(String, Seal)| seal.seal(&owner, secret.as_bytes());
        let secret = parent.secret.as_ref().map(seal).transpose()?;
        let shared = (
            git_installations::provider.eq(&values.provider),
            git_installations::url.eq(&values.url),
            git_installations::repository_id.eq(values.repository_id),
            git_installations::username.eq(&values.username),
            git_installations::secret.eq(&secret),
            git_installations::app_installation_id.eq(values.app_installation_id),
            git_installations::reference.eq(&values.reference),
            git_installations::project_directory.eq(&wanted.folder),
            git_installations::commit_message_template.eq(&values.commit_message_template),
            git_installations::sign_off.eq(values.sign_off),
            git_installations::authority.eq(&values.authority),
            git_installations::preview_external.eq(values.preview_external),
            git_installations::agent_instructions.eq(&values.agent_instructions),
            git_installations::priority.eq(&values.priority),
            git_installations::token_id.eq(values.token_id),
            git_installations::created_by.eq(values.created_by),
            git_installations::failures.eq(0),
            git_installations::parent_id.eq(Some(parent.id)),
            git_installations::site_key.eq(&wanted.key),
            git_installations::updated_at.eq(self.now),
        );
        match present {
            Some((present, former)) => {
                if former.url != values.url || former.reference != values.reference {
                    self.leave_git_branch(&wanted.space)?;
                }
                diesel::update(git_installations::table.find(space)).set(shared).execute(self.connection)?;
                // An independent connection had a token of its own.
                self.delete_git_token(former.token_id.filter(|_| present.parent_id.is_none()))?;
            }
            None => {
                let own = (
                    git_installations::space_id.eq(space),
                    git_installations::id.eq(id),
                    git_installations::trigger.eq(GitTrigger::Setup.as_str()),
                    git_installations::changed_at.eq(self.now),
                    git_installations::created_at.eq(self.now),
                );
                diesel::insert_into(git_installations::table)
                    .values((own, shared))
                    .execute(self.connection)?;
            }
        }
        Ok(())
    }
}
