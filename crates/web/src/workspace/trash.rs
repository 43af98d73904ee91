//! `/s/{spaceId}/~/trash`: deleted pages of a space. They can be restored in a change request.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::SpaceId;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::store::{ContentSelector, DeletedPage, DeletedPageKey};
use quire_storage::lookup::Credentials;

use super::content::{Content, open};
use super::requests::{next, position};
use super::settings::{empty, more};
use super::shell::{Crumb, Page, counted, name_of};
use super::space::links;
use crate::state::WebData;

/// Deleted pages per page of the list.
const MOST: u16 = 50;

/// Responds to `/s/{spaceId}/~/trash`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let list = format!("deleted pages in the trash of {space}");
    let after: Option<DeletedPageKey> = position(request, &list)?;
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::Space)?;
        let tree = reader.tree(&opened.content)?;
        let deleted = reader.deleted_pages(&opened.content, &tree, after, MOST)?;
        Ok((opened.shown, deleted))
    };
    let (content, deleted) = web.state.read(caller, work).await?;
    let cursor = next(&deleted, &list, DeletedPage::key)?;
    let address = format!("{}/~/trash", content.place.of_space());
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Deleted pages" }
            p.sub { (counted(deleted.total, "deleted page", "deleted pages")) ". A page is restored in your draft, without the pages that were below it." }
            @if deleted.items.is_empty() {
                (empty("No deleted pages", "Pages that are deleted from the space are listed here until they are restored."))
            } @else {
                ul.list { @for page in &deleted.items { (row(&content, page)) } }
            }
            (more(&address, &[], cursor.as_deref().map(|cursor| ("page", cursor))))
        }
    };
    let page = Page {
        title: "Deleted pages".to_owned(),
        crumbs: vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }],
        nav_label: "Space",
        nav: links(&content, None),
        main,
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

fn row(content: &Content, page: &DeletedPage) -> Markup {
    let by = page.deleted_by.as_ref().map_or_else(|| "Removed user".to_owned(), name_of);
    html! {
        li {
            (content.frame.icon("file-text", ""))
            span.t { (page.title) }
            span.d { "Deleted by " (by) " " (content.frame.ago(page.deleted_at)) }
            @if content.rights.edits {
                span.w {
                    button.btn type="button" data-action="restore" data-space=(content.space.id) data-page=(page.id)
                        data-revision=(page.revision) data-title=(page.title) aria-label={ "Restore " (page.title) } { "Restore" }
                }
            }
        }
    }
}
