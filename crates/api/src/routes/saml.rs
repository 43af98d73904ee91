//! SAML providers and single sign-on.

use crate::route::Route;

pub(super) fn routes() -> Vec<Route> {
    Vec::new()
}
