//! Sections, site spaces and groups of sites.

use crate::route::Route;

pub(super) fn routes() -> Vec<Route> {
    Vec::new()
}
