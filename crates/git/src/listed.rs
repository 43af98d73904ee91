//! Commits as items of lists.

use gix_hash::{Kind, ObjectId};
use gix_object::CommitRef;
use gix_object::bstr::BStr;

use crate::error::{GitError, shown};
use crate::store::Store;

/// Commit with its message and the people who made it. Texts are on one line, which is cut after 200
/// characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCommit {
    /// Commit id.
    pub id: ObjectId,
    /// Parents in order.
    pub parents: Vec<ObjectId>,
    /// First line of the message.
    pub subject: String,
    /// Name and e-mail address of the author. Empty if they are unreadable.
    pub author: (String, String),
    /// Name and e-mail address of the committer. Empty if they are unreadable.
    pub committer: (String, String),
    /// Time of the commit in seconds since the Unix epoch. Any number, as the committer set it.
    pub seconds: i64,
}

impl ListedCommit {
    /// Reads a commit.
    ///
    /// # Errors
    /// If it was not fetched or is damaged.
    pub(crate) fn read(store: &Store, id: ObjectId) -> Result<Self, GitError> {
        let bytes = store.get(&id, gix_object::Kind::Commit)?;
        let parsed =
            CommitRef::from_bytes(&bytes, Kind::Sha1).map_err(|error| GitError::unreadable(&error))?;
        Ok(Self::of(id, &parsed))
    }

    /// Returns a parsed commit.
    pub(crate) fn of(id: ObjectId, parsed: &CommitRef<'_>) -> Self {
        let text = |text: &BStr| shown(&text.to_string());
        let author = parsed.author().map(|author| (text(author.name), text(author.email)));
        let (committer, seconds) = parsed
            .committer()
            .map(|committer| ((text(committer.name), text(committer.email)), committer.seconds()))
            .unwrap_or_default();
        Self {
            id,
            parents: parsed.parents().collect(),
            subject: shown(&parsed.message().title.to_string()),
            author: author.unwrap_or_default(),
            committer,
            seconds,
        }
    }
}
