//! Custom fields: what an organization says of them, and their values in spaces.

mod changes;
mod definitions;
mod values;

pub use values::{LockedFields, SpaceFields};
