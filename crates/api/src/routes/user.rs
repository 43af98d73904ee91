//! The caller: profile and tokens.

use crate::route::Route;

pub(super) fn routes() -> Vec<Route> {
    Vec::new()
}
