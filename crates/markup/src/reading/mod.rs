//! The form of documents for readers: every node has a key, blocks contain their anchors, reusable content is included,
//! and conditions are evaluated.
//!
//! The steps are independent, except that [`identify`] must come first, since keys and anchors are those of the stored
//! document.

mod evaluate;
mod identify;
mod include;
mod nodes;

pub use evaluate::{conditions, evaluate_conditions, evaluate_expressions};
pub use identify::identify;
pub use include::{Included, MAX_INCLUSION_DEPTH, include, reusable_contents};
