//! Custom fields: their definitions in an organization, and their values in spaces.

mod changes;
mod definitions;
mod values;

pub use values::{LockedFields, SpaceFields};
