//! Commits of a Git repository from which revisions were imported.

use diesel::prelude::*;
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::revisions::GitCommit;
use serde_json::Value;

use self::functions::lower;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::{revisions, users};
use crate::transaction::{Reader, Tx};
use crate::views::space_roles;
use crate::{Error, Result};

mod functions {
    use diesel::sql_types::{Nullable, Text};

    diesel::define_sql_function! {
        /// `lower`.
        fn lower(text: Nullable<Text>) -> Nullable<Text>;
    }
}

/// Commits that a connected repository brings, with their author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedCommits {
    /// The last commit with the list of commits and the name of the author, as responses show them.
    pub git: GitCommit,
    /// E-mail address of the author. Anybody can write any address into a commit.
    pub author_email: String,
}

impl Tx<'_> {
    /// Returns the author and the column `git` of an imported revision: the member with a role on the space who has
    /// the verified e-mail address of the author. Takes one statement.
    pub(super) fn author_and_git(
        &mut self,
        space: SpaceId,
        ImportedCommits { git, author_email }: &ImportedCommits,
    ) -> Result<(Option<UserId>, Value)> {
        let author: Option<UserId> = users::table
            .inner_join(space_roles::table.on(space_roles::user_id.eq(users::id)))
            .filter(lower(users::email).eq(lower(author_email.as_str())))
            .filter(space_roles::space_id.eq(space))
            .filter(space_roles::role.is_not_null())
            .select(users::id)
            .first(self.connection)
            .optional()?;
        let name = git.author.clone().filter(|_| author.is_none());
        let git = serde_json::to_value(GitCommit { author: name, ..git.clone() });
        Ok((author, git.map_err(|error| Error::Internal("commits can't be written", error.into()))?))
    }
}

impl Reader<'_> {
    /// Returns the commits from which a revision was imported. `None` for another revision, or if the caller has no
    /// role on the space. Takes at most one statement.
    pub fn imported_commits(&mut self, content: &Authorized<ContentAt>) -> Result<Option<GitCommit>> {
        if content.role().is_none() {
            return Ok(None);
        }
        let git: Option<Value> = revisions::table
            .find((content.space.id, content.revision.id))
            .select(revisions::git)
            .first(self.connection)?;
        let git = git.map(serde_json::from_value).transpose();
        git.map_err(|error| Error::corrupt("the commits of a revision are damaged", error))
    }
}
