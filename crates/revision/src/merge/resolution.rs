//! Resolution of conflicts: one side for all, or a choice for each.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Strategy;
use crate::canonical::canonical_json;
use crate::hash::sha256;

/// Identifier of a conflict: the first 128 bits of the SHA-256 of its subject and its three versions, as 32 hexadecimal
/// digits. Equal conflicts of the same documents have the same identifier in every merge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConflictId(String);

/// Choice for one conflict.
#[derive(Debug, Clone, PartialEq)]
pub enum Take {
    /// The value in `from`, the merged changes.
    Ours,
    /// The value in `into`, the content that the changes are merged into.
    Theirs,
    /// The blocks of `theirs`, then the blocks of `ours`. For conflicts of blocks only.
    Both,
    /// The blocks of a document in the form of [`BlockConflict::as_document`](crate::BlockConflict::as_document). A
    /// document in another form resolves nothing. For conflicts of blocks only.
    Document(Vec<Value>),
}

/// Resolution of the conflicts of a merge.
#[derive(Debug, Clone, Default)]
pub struct Resolution {
    /// Side that resolves the conflicts without a choice.
    strategy: Option<Strategy>,
    /// Reports conflicts even if the strategy resolves them.
    reports: bool,
    choices: BTreeMap<ConflictId, Take>,
}

impl ConflictId {
    pub(crate) fn of(conflict: &Value) -> Self {
        let hash = sha256(&[b"quire.conflict.v1\0", &canonical_json(conflict)]);
        Self(hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Returns the identifier that covers all conflicts of a document.
    pub(crate) fn of_document(scope: &str) -> Self {
        Self::of(&json!(["document", scope]))
    }
}

impl Borrow<str> for ConflictId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<String> for ConflictId {
    fn from(id: String) -> Self {
        Self(id)
    }
}

impl fmt::Display for ConflictId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Option<Strategy>> for Resolution {
    /// Resolves all conflicts to one side and reports none; without a strategy, resolves none.
    fn from(strategy: Option<Strategy>) -> Self {
        Self { strategy, ..Self::default() }
    }
}

impl Resolution {
    /// Resolves conflicts by choices. Conflicts without a choice are reported.
    #[must_use]
    pub fn by_choices(choices: BTreeMap<ConflictId, Take>) -> Self {
        Self { choices, ..Self::default() }
    }

    /// Resolves the conflicts without a choice to one side, and reports none.
    #[must_use]
    pub fn or(self, strategy: Option<Strategy>) -> Self {
        Self { strategy, ..self }
    }

    /// Resolves all conflicts to one side, and reports them.
    #[must_use]
    pub fn reported(strategy: Strategy) -> Self {
        Self { strategy: Some(strategy), reports: true, ..Self::default() }
    }

    /// Returns the choice for a conflict.
    pub(crate) fn take(&self, id: &ConflictId) -> Option<&Take> {
        self.choices.get(id)
    }

    pub(crate) fn has_choices(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Returns the side that resolves the conflicts without a choice.
    pub(crate) fn strategy(&self) -> Option<Strategy> {
        self.strategy
    }

    /// Returns whether conflicts without a choice are reported.
    pub(crate) fn reports(&self) -> bool {
        self.reports || self.strategy.is_none()
    }

    /// Returns the chosen side of a conflict between two values. Choices that only apply to blocks are ignored.
    pub(crate) fn chosen_side(&self, id: &ConflictId) -> Option<Strategy> {
        match self.choices.get(id)? {
            Take::Ours => Some(Strategy::Ours),
            Take::Theirs => Some(Strategy::Theirs),
            Take::Both | Take::Document(_) => None,
        }
    }
}
