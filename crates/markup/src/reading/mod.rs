//! The form in which readers get a document: every node has a key, anchors are written at their blocks, reusable
//! content is included, and conditions are evaluated.
//!
//! The steps are independent. [`identify`] comes first, because keys and anchors are those of the stored document.

mod evaluate;
mod identify;
mod include;
mod nodes;

pub use evaluate::{conditions, evaluate_conditions, evaluate_expressions};
pub use identify::identify;
pub use include::{Included, MAX_INCLUSION_DEPTH, include, reusable_contents};
