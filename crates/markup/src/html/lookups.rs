//! What was looked for in the tree and isn't looked for again: many siblings ask for the same.

use super::dom::Id;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Lookups {
    /// The first sources of pictures.
    pub(super) pictures: HashMap<Id, Option<String>>,
    /// Whether there are scripts with formulas directly below nodes.
    pub(super) scripts: HashMap<Id, bool>,
}
