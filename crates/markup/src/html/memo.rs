//! Memoized tree queries, because many siblings repeat the same ones.

use super::dom::Id;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Memo {
    /// First source of each picture.
    pub(super) pictures: HashMap<Id, Option<String>>,
    /// Presence of a formula script as a direct child, by node.
    pub(super) scripts: HashMap<Id, bool>,
}
