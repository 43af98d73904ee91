//! `/~/unsubscribe/{token}`: unsubscribes from mails about inbox entries, without a sign-in.
//!
//! Mail programs send the POST themselves, cross-site and without a cookie (RFC 8058). The token is sufficient, and
//! allows nothing else.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::inbox::name_of_kind;
use quire_server::ApiResult;
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::notifications::Subscription;

use super::frame;
use crate::errors;
use crate::state::{Web, WebData};

/// `GET /~/unsubscribe/{token}`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let subscription = match find(&request, &web).await {
        Ok(subscription) => subscription,
        Err(response) => return response,
    };
    let content = html! {
        p.lead { strong { (subscription.display_name) } " gets no more mails about " (about(&subscription)) "." }
        form method="post" action=(request.path()) { button.primary { "Stop these mails" } }
        (settings(&web))
    };
    frame::page(&web, HttpResponse::Ok().finish(), "Stop mails?", &content)
}

/// `POST /~/unsubscribe/{token}`
pub(super) async fn submit(request: HttpRequest, web: WebData) -> HttpResponse {
    let subscription = match find(&request, &web).await {
        Ok(subscription) => subscription,
        Err(response) => return response,
    };
    let ended = subscription.clone();
    let end = move |tx: &mut Tx<'_>| Ok(tx.unsubscribe(&ended)?);
    if let Err(error) = web.state.transact(Credentials::ANONYMOUS, end).await {
        return errors::failed(&error);
    }
    let content = html! {
        p.notice role="status" {
            (subscription.display_name) " gets no more mails about " (about(&subscription)) "."
        }
        (settings(&web))
    };
    frame::page(&web, HttpResponse::Ok().finish(), "Mails stopped", &content)
}

/// Returns the mails that the token in a path unsubscribes from, or a response about an invalid token.
async fn find(request: &HttpRequest, web: &Web) -> Result<Subscription, HttpResponse> {
    let token = request.match_info().get("token").unwrap_or_default().to_owned();
    let found: ApiResult<_> =
        web.state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.subscription(&token)?)).await;
    match found {
        Ok(Some(subscription)) => Ok(subscription),
        Ok(None) => Err(errors::not_found()),
        Err(error) => Err(errors::failed(&error)),
    }
}

fn about(subscription: &Subscription) -> &'static str {
    subscription.kind.map_or("the inbox", name_of_kind)
}

fn settings(web: &Web) -> Markup {
    html! { p.hint { a href=(frame::at(web, "/~/account#notifications")) { "All notification settings" } } }
}
