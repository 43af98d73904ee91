//! Commits of an export: their messages, authors and times.

use std::collections::HashSet;

use quire_domain::git_installations::GitAuthority;
use quire_domain::policy::Action;
use quire_revision::{EntryId, Tree, raw_diff};
use quire_storage::Reader;
use quire_storage::content::git_installations::{
    DueConnection, DueGitInstallation, UnexportedRevision, UnexportedRevisions,
};
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::{Credentials, UserRecord};
use url::Url;

use super::run::{CommitPerson, ExportCommit, NewExport};
use super::subject::{self, Published};
use crate::door::Door;
use crate::error::Result;

/// Maximum number of co-authors of a commit.
const CO_AUTHORS_MAX: usize = 50;

/// Returns the commits that an export has to make. `None` if the content equals the repository.
pub(super) async fn waiting(
    door: &impl Door,
    due: &DueGitInstallation,
    (credentials, base_url): (Credentials, &str),
) -> Result<Option<NewExport>> {
    let (space, connection) = (due.space, due.connection.clone());
    let keeps_edits = due.authority == GitAuthority::Gitbook;
    let host = Url::parse(base_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| "localhost".to_owned());
    let read = move |reader: &mut Reader<'_>| {
        let record = reader.space(space)?.authorize(Action::TriggerGitSync)?;
        let base = reader.git_base(&record, &connection.remote)?.map(|base| base.revision);
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        if base == Some(content.revision.id) {
            return Ok(None);
        }
        let UnexportedRevisions { earlier, head, merged } = reader.unexported_revisions(&content, base)?;
        let mut edits = Vec::with_capacity(merged.len());
        for edit in merged {
            let tree = reader.tree_at(content.point().at(&edit.revision))?;
            let before = edit.revision.parents.first();
            let before =
                before.map(|before| reader.tree_of_revision(content.point(), *before)).transpose()?;
            let before = before.flatten().unwrap_or_else(Tree::empty);
            edits.push(Edit { changed: changed(&before, &tree).collect(), people: people_of(&edit, &host) });
        }
        let describer = Describer { connection: &connection, keeps_edits, edits, host: &host };
        let last = base.map(|base| reader.tree_of_revision(content.point(), base)).transpose()?;
        let mut last = last.flatten();
        let mut commits = Vec::with_capacity(earlier.len());
        for revision in earlier {
            let tree = reader.tree_at(content.point().at(&revision.revision))?;
            let commit = describer.commit(&revision, (last.as_ref(), &tree));
            commits.push((revision.revision, commit));
            last = Some(tree);
        }
        let tree = reader.tree(&content)?;
        let last = describer.commit(&head, (last.as_ref(), &tree));
        Ok(Some(NewExport { earlier: commits, last, proposes: Some(connection.provider) }))
    };
    door.read(credentials, read).await
}

/// Edit that an import merged with a commit of the repository.
struct Edit {
    changed: HashSet<EntryId>,
    /// The author, and then the other editors.
    people: Vec<CommitPerson>,
}

/// Facts for the metadata of the commits of an export.
struct Describer<'d> {
    connection: &'d DueConnection,
    /// `true` if change requests of imports contain changes of the repository, not of the content.
    keeps_edits: bool,
    /// Edits that the last import merged with a commit of the repository, oldest first.
    edits: Vec<Edit>,
    /// Host of the service.
    host: &'d str,
}

impl Describer<'_> {
    /// Returns the metadata of the commit of a revision. An import runs in the name of the user who set the connection
    /// up, so the commit of its revision has the people of the edits that it merges.
    fn commit(&self, revision: &UnexportedRevision, (last, tree): (Option<&Tree>, &Tree)) -> ExportCommit {
        let merged = match last {
            Some(last) if self.merges_edits(revision) => self.people_of_merged(last, tree),
            _ => Vec::new(),
        };
        let change_request = revision.change_request.as_ref().filter(|_| merged.is_empty());
        let published = change_request
            .map(|request| Published { number: request.number, subject: request.subject.clone() });
        let message = subject::of_changes(last, tree);
        let template = self.connection.commit_message_template.as_deref();
        let url = &self.connection.remote.url;
        let message = subject::filled(template, published.as_ref(), &message, url);
        let people = if merged.is_empty() { people_of(revision, self.host) } else { merged };
        let mut people = people.into_iter();
        ExportCommit {
            message,
            seconds: revision.revision.created_at.millis().div_euclid(1_000),
            author: people.next(),
            co_authors: people.take(CO_AUTHORS_MAX).collect(),
            is_signed_off: self.connection.sign_off,
        }
    }

    /// Returns whether a revision merges edits with a commit of the repository.
    fn merges_edits(&self, revision: &UnexportedRevision) -> bool {
        let is_of_repository = self.keeps_edits && revision.change_request.is_some();
        revision.is_of_import && !is_of_repository
    }

    /// Returns the people of the merged edits of what a revision changed, the last author first.
    fn people_of_merged(&self, last: &Tree, tree: &Tree) -> Vec<CommitPerson> {
        let changed: HashSet<EntryId> = changed(last, tree).collect();
        let edits = self.edits.iter().rev().filter(|edit| !edit.changed.is_disjoint(&changed));
        let mut people = Vec::new();
        for person in edits.flat_map(|edit| &edit.people) {
            if !people.contains(person) {
                people.push(person.clone());
            }
        }
        people
    }
}

/// Returns the ids of the records in which two trees differ.
fn changed(before: &Tree, after: &Tree) -> impl Iterator<Item = EntryId> + use<> {
    raw_diff(before, after).into_iter().filter_map(|(before, after)| Some(before.or(after)?.id()))
}

/// Returns the author of a revision, and then its other editors. The author of a merge is that of the change request.
fn people_of(revision: &UnexportedRevision, host: &str) -> Vec<CommitPerson> {
    let asked_by = revision.change_request.as_ref().and_then(|request| person(&request.created_by, host));
    let author = asked_by.or_else(|| person(revision.author.as_ref()?, host));
    let editors = revision.editors.iter().filter_map(|editor| person(editor, host));
    let editors: Vec<CommitPerson> = editors.filter(|editor| Some(editor) != author.as_ref()).collect();
    author.into_iter().chain(editors).collect()
}

/// Returns the name and the e-mail address of a user. A user without an address gets one that accepts no mail.
fn person(user: &UserRecord, host: &str) -> Option<CommitPerson> {
    let (id, name) = (user.id()?, user.display_name()?);
    let email = user.email().map_or_else(|| format!("{id}@users.noreply.{host}"), str::to_owned);
    Some((name.to_owned(), email))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_user_without_an_address_gets_one() {
        let id = "0192f1c0-0000-7000-8000-000000000000";
        let user = |email: Option<&str>, name: Option<&str>| -> UserRecord {
            let id = name.map(|_| id);
            let user = json!({"id": id, "email": email, "display_name": name, "photo_url": null});
            serde_json::from_value(user).unwrap()
        };
        let person = |email, name| person(&user(email, name), "docs.example.org");
        let found = person(Some("ada@example.org"), Some("Ada"));
        assert_eq!(found, Some(("Ada".to_owned(), "ada@example.org".to_owned())));
        let made = format!("{id}@users.noreply.docs.example.org");
        assert_eq!(person(None, Some("Ada")), Some(("Ada".to_owned(), made)));
        // The user was removed.
        assert_eq!(person(None, None), None);
    }
}
