//! Previews of open pull requests: standalone revisions.

use diesel::prelude::*;
use quire_domain::git_installations::{GitPreviewFacts, GitPreviewState};
use quire_domain::ids::{GitInstallationId, RevisionId, SpaceId};
use uuid::Uuid;

use super::GitInstallationRecord;
use crate::Result;
use crate::content::change_requests::InSpace;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::schema::{git_installations, git_previews};
use crate::transaction::{Reader, Tx};

/// Pull request with a commit to preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGitPreview {
    /// Number of the pull request at its host.
    pub number: i64,
    /// Commit.
    pub commit: String,
    /// Title of the pull request.
    pub title: String,
    /// URL of the pull request's page.
    pub url: Option<String>,
}

impl Reader<'_> {
    /// Returns the previews of a connection, newest pull request first.
    pub fn git_previews_of(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<Vec<GitPreviewFacts>> {
        self.read_git_previews(installation.space.id)
    }

    /// Returns the previews of a space, like [`Reader::git_previews_of`].
    pub fn git_previews(&mut self, space: &Authorized<SpaceRecord>) -> Result<Vec<GitPreviewFacts>> {
        self.read_git_previews(space.id)
    }

    fn read_git_previews(&mut self, space: SpaceId) -> Result<Vec<GitPreviewFacts>> {
        let previews = git_previews::table
            .filter(git_previews::space_id.eq(space))
            .order(git_previews::number.desc())
            .select(GitPreviewFacts::as_select());
        Ok(previews.load(self.connection)?)
    }
}

impl Tx<'_> {
    /// Records the start of a commit's import. The preview of the previous commit stays until the end. Returns whether
    /// the space is still connected.
    pub fn begin_git_preview(
        &mut self,
        space: &Authorized<SpaceRecord>,
        installation: GitInstallationId,
        new: &NewGitPreview,
    ) -> Result<bool> {
        if !self.keep_git_installation(space.id, installation)? {
            return Ok(false);
        }
        let values = (
            git_previews::commit_id.eq(&new.commit),
            git_previews::title.eq(&new.title),
            git_previews::url.eq(&new.url),
            git_previews::state.eq(GitPreviewState::Pending.as_str()),
            git_previews::error.eq(None::<String>),
            git_previews::updated_at.eq(self.now),
        );
        let key = (git_previews::space_id.eq(space.id), git_previews::number.eq(new.number));
        diesel::insert_into(git_previews::table)
            .values((key, values.clone(), git_previews::created_at.eq(self.now)))
            .on_conflict((git_previews::space_id, git_previews::number))
            .do_update()
            .set(values)
            .execute(self.connection)?;
        Ok(true)
    }

    /// Records the end of an import: its revision, or the reason of a failure. Deletes the revision of the previous
    /// commit. Returns whether the preview still exists.
    pub fn end_git_preview(
        &mut self,
        space: &Authorized<SpaceRecord>,
        new: &NewGitPreview,
        end: std::result::Result<RevisionId, &str>,
    ) -> Result<bool> {
        let row = git_previews::table
            .find((space.id, new.number))
            .filter(git_previews::commit_id.eq(&new.commit))
            .filter(git_previews::state.eq(GitPreviewState::Pending.as_str()));
        let former: Option<Option<Uuid>> =
            row.select(git_previews::revision_id).for_update().get_result(self.connection).optional()?;
        let Some(former) = former else { return Ok(false) };
        let (state, revision, error) = match end {
            Ok(revision) => (GitPreviewState::Success, Some(revision), None),
            // PostgreSQL stores no NUL.
            Err(error) => (GitPreviewState::Failure, None, Some(error.replace('\0', ""))),
        };
        diesel::update(row)
            .set((
                git_previews::state.eq(state.as_str()),
                git_previews::revision_id.eq(revision),
                git_previews::error.eq(error),
                git_previews::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        let former: Vec<RevisionId> = former.into_iter().map(RevisionId::from_uuid).collect();
        self.delete_standalone(space.id, &former)?;
        Ok(true)
    }

    /// Deletes the previews of pull requests with their revisions.
    pub fn delete_git_previews(&mut self, space: &Authorized<SpaceRecord>, numbers: &[i64]) -> Result<()> {
        self.remove_git_previews(space.id, Some(numbers))
    }

    /// Deletes the given previews of a space, or all of them.
    pub(crate) fn remove_git_previews(&mut self, space: SpaceId, numbers: Option<&[i64]>) -> Result<()> {
        let mut removed = self.read_git_previews(space)?;
        removed.retain(|preview| numbers.is_none_or(|numbers| numbers.contains(&preview.number)));
        let numbers = removed.iter().map(|preview| preview.number);
        let rows = git_previews::table
            .filter(git_previews::space_id.eq(space))
            .filter(git_previews::number.eq_any(numbers));
        diesel::delete(rows).execute(self.connection)?;
        let revisions: Vec<RevisionId> = removed.iter().filter_map(|preview| preview.revision).collect();
        self.delete_standalone(space, &revisions)
    }

    /// Locks a connection so that it cannot be deleted. Returns whether it exists.
    fn keep_git_installation(&mut self, space: SpaceId, id: GitInstallationId) -> Result<bool> {
        let row: Option<Uuid> = git_installations::table
            .find(space)
            .filter(git_installations::id.eq(id))
            .select(git_installations::id)
            .for_key_share()
            .get_result(self.connection)
            .optional()?;
        Ok(row.is_some())
    }
}
