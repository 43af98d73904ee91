//! The button that signs in with a passkey.

use maud::{Markup, html};

use super::frame;
use crate::state::Web;

/// Writes the button that signs in with a passkey and leads to the next page. The script and the style sheet show it.
pub(super) fn sign_in_button(web: &Web, next: &str) -> Markup {
    html! {
        @if web.state.offers_passkeys() {
            form data-passkey="sign-in" data-url=(frame::at(web, "/v1/auth/passkey")) data-next=(next) {
                button.secondary { "Sign in with a passkey" }
                p.alert role="alert" hidden {}
            }
        }
    }
}
