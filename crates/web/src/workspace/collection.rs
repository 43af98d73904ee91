//! Page of a collection with its spaces.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::hierarchy::PositionKey;
use quire_storage::content::spaces::ListedSpace;
use quire_storage::lookup::Credentials;

use super::actions;
use super::directory::{Current, Directory};
use super::requests::{next, position};
use super::shell::{Crumb, Page};
use crate::state::WebData;

/// Spaces per page of the list.
const MOST: u16 = 60;

/// Responds to `/c/{collectionId}`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: CollectionId,
) -> ApiResult<HttpResponse> {
    let list = format!("spaces of the collection {id}");
    let after: Option<PositionKey> = position(request, &list)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let collection = reader.collection(id)?.authorize(Action::ViewCollection)?;
        let directory = Directory::load(reader, &shared, collection.organization, None)?;
        let spaces = reader.spaces_in(&collection, after.as_ref(), MOST)?;
        Ok((collection, directory, spaces))
    };
    let (collection, directory, spaces) = web.state.read(caller, load).await?;
    let more = next(&spaces, &list, ListedSpace::key)?;
    let frame = &directory.frame;
    let inside: Vec<_> =
        directory.collections.iter().filter(|listed| listed.collection.parent == Some(id)).collect();
    let main = html! {
        main.home id="workspace:content" {
            h1 { (collection.title) }
            @if let Some(description) = &collection.description { p.sub { (description) } }
            (actions::in_collection(frame, &collection))
            @if !inside.is_empty() {
                h2 { "Collections" }
                ul.list {
                    @for listed in &inside {
                        li {
                            (frame.icon("folder", ""))
                            a.t href=(frame.at(&format!("/c/{}", listed.collection.id))) { (listed.collection.title) }
                        }
                    }
                }
            }
            h2 { "Spaces" }
            @if spaces.items.is_empty() {
                div.empty { p { b { "No spaces here" } } p { "Spaces that are moved into this collection are listed here." } }
            } @else {
                div.cards { @for listed in &spaces.items { (directory.card(&listed.space)) } }
                @if let Some(more) = &more {
                    p.pager { a.btn href=(frame.at(&format!("/c/{id}?page={more}"))) { "More spaces" } }
                }
            }
        }
    };
    let page = Page {
        title: collection.title.clone(),
        crumbs: vec![Crumb { title: "Home".to_owned(), href: frame.home() }],
        nav_label: "Organization",
        nav: directory.nav(Current::Collection(id)),
        main,
        ..Page::default()
    };
    Ok(frame.respond(&page))
}
