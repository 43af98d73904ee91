//! Commits of an import, for its revision.

use quire_domain::clock::Timestamp;
use quire_domain::git::GitProvider;
use quire_domain::revisions::{GitCommit, ImportedCommit};
use quire_git::ListedCommit;
use quire_storage::content::store::ImportedCommits;

use super::export::COMMITTER;

/// Name of an author whose commit has none.
const UNNAMED: &str = "Unknown";

/// Returns the commits of an import from a branch or tag of a connected repository, newest first. `None` if there are
/// none. The author is that of the newest commit that is no merge: the author of a merge did not write its text.
pub(super) fn imported(
    commits: &[ListedCommit],
    reference: &str,
    (provider, repository): (GitProvider, &str),
) -> Option<ImportedCommits> {
    let last = commits.first()?;
    let written = commits.iter().find(|commit| commit.parents.len() < 2).unwrap_or(last);
    let url = |commit: &ListedCommit| provider.commit_url(repository, &commit.id.to_string());
    let list = commits.iter().map(|commit| ImportedCommit {
        oid: commit.id.to_string(),
        subject: commit.subject.clone(),
        author: name(commit),
        created_at: Timestamp::from_millis(commit.seconds.saturating_mul(1_000)).ok(),
        url: url(commit),
    });
    let (committer, email) = &last.committer;
    let git = GitCommit {
        oid: last.id.to_string(),
        message: last.subject.clone(),
        created_by_service: (committer.as_str(), email.as_str()) == COMMITTER,
        url: url(last),
        reference: Some(reference.to_owned()),
        author: Some(name(written)),
        commits: Some(list.collect()),
    };
    Some(ImportedCommits { git, author_email: written.author.1.clone() })
}

fn name(commit: &ListedCommit) -> String {
    match commit.author.0.as_str() {
        "" => UNNAMED.to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(id: char, parents: usize, author: &str) -> ListedCommit {
        let id = std::iter::repeat_n(id, 40).collect::<String>().parse().unwrap();
        ListedCommit {
            id,
            parents: vec![id; parents],
            subject: "Explain it".to_owned(),
            author: (author.to_owned(), format!("{author}@example.org")),
            committer: (COMMITTER.0.to_owned(), COMMITTER.1.to_owned()),
            seconds: 1_795_824_000,
        }
    }

    fn of(commits: &[ListedCommit]) -> ImportedCommits {
        imported(commits, "refs/heads/main", (GitProvider::Gitlab, "https://git.example.org/a.git")).unwrap()
    }

    #[test]
    fn the_author_is_that_of_the_newest_commit_that_is_no_merge() {
        let author = |commits: &[ListedCommit]| {
            let ImportedCommits { git, author_email } = of(commits);
            (git.author.unwrap(), author_email)
        };
        let person = |name: &str| (name.to_owned(), format!("{name}@example.org"));
        let [merge, first, second] = [commit('a', 2, "Eve"), commit('b', 1, "Ada"), commit('c', 1, "Ben")];
        assert_eq!(author(&[merge.clone(), first.clone(), second]), person("Ada"));
        assert_eq!(author(std::slice::from_ref(&merge)), person("Eve"));
        assert_eq!(author(&[commit('d', 0, "Ben"), first]), person("Ben"));
        let unnamed = ListedCommit { author: (String::new(), String::new()), ..merge };
        assert_eq!(author(&[unnamed]), ("Unknown".to_owned(), String::new()));
        assert_eq!(imported(&[], "refs/heads/main", (GitProvider::Git, "https://git.example.org/a")), None);
    }

    #[test]
    fn commits_have_their_time_and_address() {
        let invalid = ListedCommit { seconds: i64::MAX, ..commit('b', 1, "Ada") };
        let git = of(&[commit('a', 1, "Ada"), invalid]).git;
        assert!(git.created_by_service);
        let other = ListedCommit { committer: ("Quire".to_owned(), String::new()), ..commit('a', 1, "Ada") };
        assert!(!of(&[other]).git.created_by_service);
        let [first, second] = git.commits.unwrap().try_into().unwrap();
        let id = "a".repeat(40);
        assert_eq!(first.url, Some(format!("https://git.example.org/a/-/commit/{id}")));
        assert_eq!((git.url, git.oid), (first.url, id));
        assert_eq!(first.created_at.unwrap().millis(), 1_795_824_000_000);
        assert_eq!(second.created_at, None);
    }
}
