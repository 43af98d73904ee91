//! First page of a site: state, address, publishing, previews, title and deletion.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::change_requests::Status;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::change_requests::ListedChangeRequest;
use quire_storage::lookup::Credentials;
use quire_storage::sites::SiteSpaceRecord;

use super::{LONGEST_TITLE, Opened, Tab, audience};
use crate::state::WebData;
use crate::workspace::actions::send;
use crate::workspace::changes::of_status;
use crate::workspace::content::subject;
use crate::workspace::forms::{ApiForm, Field, dialog};

/// Maximum number of change requests offered for a preview.
const MOST_CHANGES: u16 = 50;

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        let spaces = reader.all_site_spaces((&opened.site).into())?;
        let filter = of_status(Status::Open);
        let changes = reader.change_requests_of_organization(
            &opened.directory.organization,
            filter,
            None,
            MOST_CHANGES,
        )?;
        Ok((opened, spaces, changes.items))
    };
    let (opened, spaces, changes) = Opened::load(web, caller, key, load).await?;
    let site = &opened.site;
    let url = opened.url();
    let live = web.state.urls.at_address(&site.address());
    let (icon, class, state) = match site.published {
        true => ("circle-check", "merged", "Published"),
        false => ("circle-dot", "draft", "Not published"),
    };
    let rename = ApiForm { method: "PATCH", url: &url, submit: "Save the title", ..ApiForm::default() };
    let main = html! {
        p.cr-line {
            span class={ "pill " (class) } { (opened.directory.frame.icon(icon, "")) (state) }
            @if site.published {
                a href=(live) { (live) }
                span { "for: " (audience(site.visibility)) }
            } @else { span { "Only members see it, in a preview. Its address will be " (live) } }
        }
        @if opened.manages() {
            div.actions {
                @if site.published { (send(("POST", &format!("{url}/unpublish")), "{}", "Unpublish", false)) }
                @else { (send(("POST", &format!("{url}/publish")), "{}", "Publish", true)) }
            }
        }
        (preview(&url, &spaces, &changes))
        @if opened.manages() {
            h2 { "Title" }
            (rename.with(Field { name: "title", label: "Title", value: &site.title, is_required: true, longest: LONGEST_TITLE, ..Field::default() }))
            (deletion(&opened, &url))
        }
    };
    Ok(opened.respond(Tab::Overview, &main))
}

fn preview(url: &str, spaces: &[SiteSpaceRecord], changes: &[ListedChangeRequest]) -> Markup {
    let shown = changes.iter().filter_map(|listed| {
        let change = &listed.change_request;
        let found = spaces.iter().find(|site_space| site_space.space.id == change.space)?;
        Some((found, change))
    });
    html! {
        @if !spaces.is_empty() {
            h2 { "Preview" }
            form.form {
                div.field {
                    label for="site-change" { "Content" }
                    select id="site-change" name="change" {
                        option value="" { "As it is published" }
                        @for (site_space, change) in shown {
                            option value={ "siteSpace=" (site_space.id) "&changeRequest=" (change.id) } {
                                (site_space.space.title) " #" (change.number) ": " (subject(change))
                            }
                        }
                    }
                    p.hint { "The address of a preview works for an hour, for everyone who has it." }
                }
                div.buttons {
                    button.btn type="submit" data-action="preview" data-url={ (url) "/publishing/preview" } { "Open the preview" }
                }
            }
        }
    }
}

fn deletion(opened: &Opened, url: &str) -> Markup {
    let next = format!("o/{}/sites", opened.site.organization);
    let form = ApiForm {
        method: "DELETE",
        url,
        next: Some(&next),
        submit: "Delete it",
        is_primary: true,
        ..ApiForm::default()
    };
    html! {
        h2 { "Delete" }
        div.actions { button.btn type="button" data-dialog="workspace:delete-site" { "Delete the site" } }
        (dialog("workspace:delete-site", "Delete the site?", html! {
            p { "Its addresses stop working. Its spaces stay." }
        }, form.button()))
    }
}
