//! Memoized tree queries, because many siblings repeat the same ones.

use super::dom::Id;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Memo {
    /// The first source of each picture.
    pub(super) pictures: HashMap<Id, Option<String>>,
    /// True for nodes with a formula script as direct child.
    pub(super) scripts: HashMap<Id, bool>,
}
