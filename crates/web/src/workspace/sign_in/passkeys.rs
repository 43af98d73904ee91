//! Button for a sign-in with a passkey.

use maud::{Markup, html};

use super::frame;
use crate::state::Web;

/// Writes the button for a sign-in with a passkey, which then opens the next page. Script and style sheet make it
/// visible.
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
