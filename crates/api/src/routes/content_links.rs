//! Links and backlinks of content.

use crate::route::Route;

pub(super) fn routes() -> Vec<Route> {
    Vec::new()
}
