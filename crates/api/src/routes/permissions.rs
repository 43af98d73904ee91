//! Grants on spaces and collections.

use crate::route::Route;

pub(super) fn routes() -> Vec<Route> {
    Vec::new()
}
