//! Access to blocking work.

use quire_storage::Storage;
use quire_storage::door::TypedDoor;

use crate::error::Error;

/// Door for the work of this crate: the door of a server, which limits its threads, or [`Storage`] itself, for jobs and
/// command lines.
pub trait Door: TypedDoor<Error> {}

impl<D: TypedDoor<Error>> Door for D {}

impl TypedDoor<Error> for Storage {
    type Door = Self;

    fn door(&self) -> &Self {
        self
    }
}
