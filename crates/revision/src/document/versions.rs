//! The three versions of a merge.

/// Three versions of a value.
#[derive(Clone, Copy)]
pub(super) struct Versions<T> {
    pub(super) base: T,
    pub(super) into: T,
    pub(super) from: T,
}
