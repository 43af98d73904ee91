//! Commits of an export: their messages, authors and times.

use quire_domain::policy::Action;
use quire_revision::Tree;
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
    let host = Url::parse(base_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| "localhost".to_owned());
    let read = move |reader: &mut Reader<'_>| {
        let record = reader.space(space)?.authorize(Action::TriggerGitSync)?;
        let base = reader.git_base(&record, &connection.remote)?.map(|base| base.revision);
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        if base == Some(content.revision.id) {
            return Ok(None);
        }
        let UnexportedRevisions { earlier, head } = reader.unexported_revisions(&content, base)?;
        let last = base.map(|base| reader.tree_of_revision(content.point(), base)).transpose()?;
        let mut last = last.flatten();
        let mut commits = Vec::with_capacity(earlier.len());
        for revision in earlier {
            let tree = reader.tree_at(content.point().at(&revision.revision))?;
            let commit = commit_of(&connection, &revision, (last.as_ref(), &tree), &host);
            commits.push((revision.revision, commit));
            last = Some(tree);
        }
        let tree = reader.tree(&content)?;
        let last = commit_of(&connection, &head, (last.as_ref(), &tree), &host);
        Ok(Some(NewExport { earlier: commits, last, proposes: Some(connection.provider) }))
    };
    door.read(credentials, read).await
}

/// Returns the metadata of the commit of a revision. `host` is that of the service.
fn commit_of(
    connection: &DueConnection,
    UnexportedRevision { revision, author, change_request, editors }: &UnexportedRevision,
    (last, tree): (Option<&Tree>, &Tree),
    host: &str,
) -> ExportCommit {
    let published = change_request
        .as_ref()
        .map(|request| Published { number: request.number, subject: request.subject.clone() });
    let message = subject::of_changes(last, tree);
    let template = connection.commit_message_template.as_deref();
    let message = subject::filled(template, published.as_ref(), &message, &connection.remote.url);
    let asked_by = change_request.as_ref().and_then(|request| person(&request.created_by, host));
    let author = asked_by.or_else(|| person(author.as_ref()?, host));
    let editors = editors.iter().filter_map(|editor| person(editor, host));
    let co_authors = editors.filter(|editor| Some(editor) != author.as_ref()).take(CO_AUTHORS_MAX).collect();
    let seconds = revision.created_at.millis().div_euclid(1_000);
    ExportCommit { message, seconds, author, co_authors, is_signed_off: connection.sign_off }
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
