//! `/~/sign-in/code`: second step of a sign-in, with a code.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::sign_in::SignInProblem;
use quire_domain::texts::kinds;
use quire_server::{last_sign_in, second_factor};
use quire_storage::people::second_factors::FirstFactor;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use super::{next, offered, passkeys};
use crate::errors;
use crate::state::{Web, WebData};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Code {
    code: String,
    next: String,
}

/// Redirects a browser that has proven a first factor with a [method](last_sign_in): to the next page, or to the page
/// that asks for a code.
pub(super) fn after(web: &Web, factor: FirstFactor, next: &str, method: &str) -> HttpResponse {
    let user = match factor {
        FirstFactor::SignedIn(session) => {
            let mut response = frame::signed_in(web, &session, next);
            last_sign_in::remember(&web.state, &mut response, method);
            return response;
        }
        FirstFactor::NeedsProvider(_) => {
            let path = format!("/~/sign-in/failed?problem={}", SignInProblem::Required.as_str());
            return frame::see_other(&frame::at(web, &path));
        }
        FirstFactor::NeedsCode(user) => user,
    };
    let url = format!("{}?next={}", frame::at(web, "/~/sign-in/code"), offered::encoded(next));
    let mut response = frame::see_other(&url);
    match second_factor::remember(&web.state, &mut response, user) {
        Ok(()) => {
            last_sign_in::remember(&web.state, &mut response, method);
            response
        }
        Err(error) => errors::failed(&error),
    }
}

/// `GET /~/sign-in/code?next=…`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let next = next::of_query(&web, &request);
    page(&request, &web, &Code { next, ..Code::default() }, &Problems::default())
}

/// `POST /~/sign-in/code`
pub(super) async fn submit(request: HttpRequest, web: WebData, Form(form): Form<Code>) -> HttpResponse {
    let form = Code { next: next::or_start(&web, form.next), ..form };
    let mut problems = Problems::default();
    let code = problems.read::<kinds::FactorCode>("code", form.code.trim());
    let signed_in = match problems.none() {
        Ok(()) => Problems::check(second_factor::sign_in(&web.state, &request, &code).await),
        Err(problems) => Err(problems),
    };
    match signed_in {
        Ok(session) => {
            let mut response = frame::signed_in(&web, &session, &form.next);
            second_factor::forget(&web.state, &mut response);
            response
        }
        Err(problems) => page(&request, &web, &form, &problems),
    }
}

fn page(request: &HttpRequest, web: &Web, form: &Code, problems: &Problems) -> HttpResponse {
    if second_factor::first_step(&web.state, request).is_none() {
        return frame::see_other(&format!(
            "{}?next={}",
            frame::at(web, "/~/sign-in"),
            offered::encoded(&form.next)
        ));
    }
    let code = Field {
        name: "code",
        label: "Code",
        kind: "text",
        autocomplete: "one-time-code",
        value: "",
        hint: Some("The six digits that your app shows, or one of your recovery codes."),
    };
    let content = html! {
        form method="post" action=(frame::at(web, "/~/sign-in/code")) {
            (frame::alert(problems))
            (code.markup(problems))
            input type="hidden" name="next" value=(form.next);
            button.primary { "Sign in" }
        }
        (passkeys::sign_in_button(web, &form.next))
        p.hint { a href=(frame::at(web, "/~/sign-in")) { "Back to sign in" } }
    };
    frame::page_with_passkeys(web, problems.response(), "Enter a code", &content)
}
