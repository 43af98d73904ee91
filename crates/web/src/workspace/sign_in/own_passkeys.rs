//! Passkeys of the user.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::error::Reason;
use quire_domain::ids::PasskeyId;
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::{ApiError, passkeys};
use quire_storage::people::passkeys::OwnPasskey;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, time};
use super::{confirm, offered};
use crate::errors;
use crate::state::{Web, WebData};

/// Form without fields.
#[derive(Deserialize)]
pub(super) struct Confirmation {}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Name {
    name: String,
}

/// Writes the passkeys of the user. Without scripts they can be renamed and removed, but not added.
pub(super) fn section(web: &Web, own: &[OwnPasskey]) -> Markup {
    let account = frame::at(web, "/~/account");
    html! {
        @if web.state.offers_passkeys() || !own.is_empty() {
            section aria-labelledby="passkeys" {
                h2 #passkeys { "Passkeys" }
                p { "A passkey signs you in with the lock of your device or a security key, without a password or code." }
                @if own.is_empty() { p { "You have no passkeys yet." } }
                @if !own.is_empty() { ul { @for passkey in own { (item(web, passkey)) } } }
                @if web.state.offers_passkeys() {
                    form data-passkey="register" data-url=(frame::at(web, "/v1/user/passkeys")) data-next=(account)
                        data-confirm={ (frame::at(web, "/~/confirm")) "?next=" (offered::encoded(&account)) } {
                        // Other fields on the page have the same name, so this one needs an id of its own.
                        div.field {
                            label for="passkey" { "Name of the new passkey" }
                            input #passkey name="name" type="text" required autocomplete="off" maxlength="64"
                                aria-describedby="passkey-hint";
                            p.hint #passkey-hint { "The device or key that keeps it, such as Phone." }
                        }
                        p.alert role="alert" hidden {}
                        button { "Add a passkey" }
                    }
                }
            }
        }
    }
}

fn item(web: &Web, passkey: &OwnPasskey) -> Markup {
    let path = frame::at(web, &format!("/~/account/passkeys/{}", passkey.id));
    let id = format!("passkey-{}", passkey.id);
    html! {
        li {
            div {
                strong { (passkey.name) }
                p.hint {
                    "added " (time(passkey.created_at))
                    @match passkey.last_used_at {
                        Some(at) => { " · last used " (time(at)) }
                        None => { " · not used yet" }
                    }
                }
                details {
                    summary { "Rename " (passkey.name) }
                    form method="post" action=(path) {
                        div.field {
                            label for=(id) { "New name" }
                            input #(id) name="name" type="text" value=(passkey.name) required autocomplete="off" maxlength="64";
                        }
                        button { "Save" }
                    }
                }
            }
            form method="post" action={ (path) "/remove" } {
                button aria-label={ "Remove " (passkey.name) } { "Remove" }
            }
        }
    }
}

/// `POST /~/account/passkeys/{passkeyId}`
pub(super) async fn rename(request: HttpRequest, web: WebData, Form(form): Form<Name>) -> HttpResponse {
    let Some(id) = id(&request) else { return errors::not_found() };
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    let mut problems = Problems::default();
    let name = problems.read::<kinds::PasskeyName>("name", form.name.trim());
    if problems.none().is_err() {
        // The input field of the page does not accept such names.
        return errors::failed(&ApiError::new(Reason::InvalidBody));
    }
    let renamed = passkeys::rename(&web.state, caller, id, name, |_| Ok(())).await;
    done(&web, renamed.map(|_| ()))
}

/// `POST /~/account/passkeys/{passkeyId}/remove`
pub(super) async fn remove(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let Some(id) = id(&request) else { return errors::not_found() };
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    done(&web, passkeys::remove(&web.state, caller, id).await)
}

fn id(request: &HttpRequest) -> Option<PasskeyId> {
    request.match_info().get("passkeyId").and_then(|id| id.parse().ok())
}

/// Redirects to the account. A missing passkey counts as removed.
fn done(web: &Web, result: Result<(), ApiError>) -> HttpResponse {
    let account = frame::at(web, "/~/account");
    match result {
        Ok(()) => frame::see_other(&account),
        Err(error) => match error.reason() {
            Reason::NotFound => frame::see_other(&account),
            Reason::ConfirmationRequired => confirm::ask(web, &account),
            Reason::Unauthenticated => frame::sign_in_to_account(web),
            _ => errors::failed(&error),
        },
    }
}
