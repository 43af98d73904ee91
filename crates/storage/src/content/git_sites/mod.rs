//! Connections of sites to Git repositories, and the log of their synchronizations.
//!
//! A site's connection determines which of its spaces are connected, and to which folder. Each of these spaces has its
//! own connection, whose parent is the site's connection, and which otherwise works like any other.

mod arrange;
mod changes;
mod children;
mod directories;
mod layout;
mod lookup;
mod proposals;
mod run;
mod soon;
mod structure;

use std::collections::BTreeMap;

use quire_domain::Role;
use quire_domain::git::GitDirection;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::policy::{Action, Membership};

use crate::content::git_installations::GitOperationRecord;
use crate::lookup::{Guarded, OfOrganization};
use crate::sites::SiteRecord;

pub use layout::{LayoutGroup, LayoutSection, LayoutSpace, SiteLayout};
pub use lookup::FoundGitInstallation;
pub use proposals::SiteGitProposal;
pub use run::{DueSiteGit, SITE_GIT_JOB, SiteGitChange, SiteGitJob, SiteGitReading};
pub use structure::{SavedSiteFile, SitePart, SitePartKind, SiteStructure};

/// Ids of an organization and of one of its sites.
type SiteKey = (OrganizationId, SiteId);

/// Record that belongs to a site.
#[derive(Clone, Debug)]
pub struct InSite<T> {
    /// Site.
    pub site: SiteRecord,
    /// Record.
    pub item: T,
}

impl<T> OfOrganization for InSite<T> {
    fn organization(&self) -> OrganizationId {
        self.site.organization
    }
}

impl<T> Guarded for InSite<T> {
    const VIEW: Action = Action::ViewOrganization;

    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

/// Columns of a [`GitInstallationRecord`] in the table of connections of sites, which have no parent.
macro_rules! connection_columns {
    () => {{
        use crate::schema::site_git_installations as connections;
        (
            connections::id,
            connections::provider,
            connections::url,
            connections::repository_id,
            connections::username,
            connections::secret.is_not_null(),
            connections::app_installation_id,
            connections::reference,
            connections::project_directory,
            connections::commit_message_template,
            connections::sign_off,
            connections::authority,
            connections::priority,
            connections::hook_secret.is_not_null(),
            connections::preview_external,
            connections::agent_instructions,
            connections::created_by,
            connections::next_run_at,
            connections::created_at,
            connections::updated_at,
            None::<uuid::Uuid>.into_sql::<diesel::sql_types::Nullable<diesel::sql_types::Uuid>>(),
        )
    }};
}
use connection_columns;

/// Columns of a [`GitOperationRecord`] in the log of connections of sites, which have no content.
macro_rules! operation_columns {
    () => {{
        use crate::schema::site_git_operations as operations;
        (
            operations::id,
            operations::direction,
            operations::trigger,
            operations::state,
            operations::from_commit,
            operations::to_commit,
            None::<uuid::Uuid>.into_sql::<diesel::sql_types::Nullable<diesel::sql_types::Uuid>>(),
            None::<uuid::Uuid>.into_sql::<diesel::sql_types::Nullable<diesel::sql_types::Uuid>>(),
            operations::error,
            operations::attempts,
            operations::started_at,
            operations::ended_at,
            operations::pull_request,
            operations::notes,
        )
    }};
}
use operation_columns;

impl GitOperationRecord {
    /// Returns a summary for users of an entry in the log of a site's connection.
    #[must_use]
    pub fn summary_of_site(&self) -> String {
        if let Some(error) = &self.error {
            return match self.attempts {
                1 => format!("The site was not synchronized: {error}"),
                attempts => format!("The site was not synchronized, {attempts} times: {error}"),
            };
        }
        let commit: String = self.to_commit.iter().flat_map(|commit| commit.chars().take(7)).collect();
        let summary = match self.direction {
            _ if self.pull_request.is_some() => {
                "Site changes are in a pull request, because the server does not accept commits to the branch."
                    .to_owned()
            }
            GitDirection::Import => format!("The site file of commit {commit} was applied."),
            GitDirection::Export if self.to_commit.is_some() => {
                format!("The site file was changed by commit {commit}.")
            }
            GitDirection::Export => "The spaces of the site were connected to their folders.".to_owned(),
        };
        match &self.notes {
            Some(notes) => format!("{summary} {notes}"),
            None => summary,
        }
    }
}

/// Folders of spaces below the folder of a site, each with a trailing slash, by space.
pub type Directories = BTreeMap<quire_domain::ids::SpaceId, String>;

/// Returns whether two folders are equal or one contains the other.
#[must_use]
pub fn overlap(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
