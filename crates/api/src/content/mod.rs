//! Content writes: from what a body asks for to a new revision.

pub mod attachments;
pub mod commit;
pub mod draft;
pub mod edits;
pub mod media;
mod specs;
