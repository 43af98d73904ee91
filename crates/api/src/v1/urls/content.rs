//! Lookups of content by its URL.

use quire_content::computed::{Expansions, expand};
use quire_domain::content_urls::{ContentUrlQuery, UrlCollection, UrlContent, UrlSpace};
use quire_revision::PageType;
use quire_storage::content::change_requests::ChangeRequestRecord;
use quire_storage::sites::published::PreviewKey;

use super::{ContentUrl, Segment, below_base, named_state};
use crate::prelude::*;
use crate::present::{ContentView, Viewed};
use crate::visitors::open_to_token;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Content.at("/v1/urls/content", None),
            Needs(Action::ViewSpace),
            "Find content by its URL",
            get_content_by_url,
        )
        .query::<ContentUrlQuery>()
        .answers::<UrlContent>(200),
    ]
}

async fn get_content_by_url(
    Caller(caller): Caller,
    Query(ContentUrlQuery { url }): Query<ContentUrlQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let url = url.into_text()?;
    let (state, expansions) = (api.state.clone(), api.expansions_if(true));
    let look = move |reader: &mut Reader<'_>| {
        let lookup = Lookup { state: &state, expansions: expansions.as_ref() };
        match lookup.find(reader, &url)? {
            Some(content) => Ok(content),
            // An invalid token is reported with precedence over missing content.
            None => Ok(reader.not_found()?),
        }
    };
    respond::ok(&request, &api.state.read(caller, look).await?)
}

/// Context of a lookup.
struct Lookup<'a> {
    state: &'a ServerState,
    expansions: Option<&'a Expansions>,
}

impl Lookup<'_> {
    fn find(&self, reader: &mut Reader<'_>, url: &str) -> ApiResult<Option<UrlContent>> {
        let base = &self.state.settings.base_url;
        if let Some(segments) = below_base(url, base) {
            let (kind, id, rest) = match segments.as_slice() {
                [kind, id, rest @ ..] => (kind.name.as_str(), &id.name, rest),
                _ => return Ok(None),
            };
            match (kind, id.parse::<CollectionId>(), id.parse::<SpaceId>()) {
                ("c", Ok(id), _) => return self.collection(reader, id).map(Some),
                ("s", _, Ok(id)) => return self.space(reader, id, rest).map(Some),
                _ => {}
            }
        }
        let Some(asked) = ContentUrl::new(url, base) else { return Ok(None) };
        let found = reader.find_site_structure(&asked.address, None)?;
        let Some(site) = found.and_then(open_to_token) else { return Ok(None) };
        let below = asked.below(site.site.proxy_origin.as_deref());
        let keys = below.rest.iter().take(1).filter(|segment| segment.is_key()).count();
        let (_, rest) = below.rest.split_at(keys);
        let searched = named_state(rest).map_or(rest, |named| named.before);
        let names: Vec<String> = searched.iter().map(|segment| segment.name.clone()).collect();
        let Some(located) = site.locate(&names) else { return Ok(None) };
        let (_, in_space) = rest.split_at(located.named.len().min(rest.len()));
        self.space(reader, located.space.space, in_space).map(Some)
    }

    fn collection(&self, reader: &mut Reader<'_>, id: CollectionId) -> ApiResult<UrlContent> {
        let collection = reader.collection(id)?.authorize(Action::ViewCollection)?;
        let collection = present::collection(&self.state.urls, &collection, collection.role());
        Ok(UrlContent::Collection(Box::new(UrlCollection { collection })))
    }

    /// Returns the content of a space at a path. The path of the page may follow the name of a change request or
    /// revision.
    fn space(&self, reader: &mut Reader<'_>, id: SpaceId, path: &[Segment]) -> ApiResult<UrlContent> {
        let named = named_state(path).filter(|named| named.before.is_empty());
        let selector = match named.as_ref().map(|named| named.key) {
            None => ContentSelector::Space,
            Some(PreviewKey::ChangeRequest(key)) => ContentSelector::ChangeRequest(key),
            Some(PreviewKey::Revision(id)) => ContentSelector::Revision(id),
        };
        let page = named.map_or(path, |named| named.page);
        let (content, tree) = reader.content_with_tree(id, selector)?;
        let (tree, computed) = expand(reader, content.specs(), tree, self.expansions)?;
        let urls = &self.state.urls;
        let change_request = content.change_request.as_ref();
        let viewed = match (selector, change_request.map(ChangeRequestRecord::name)) {
            (ContentSelector::Revision(revision), _) => Viewed::Revision(id, revision),
            (_, Some(change_request)) => Viewed::ChangeRequest(id, change_request.number),
            (_, None) => Viewed::Space(id),
        };
        let view = ContentView::new(urls, &self.state.signer, viewed, &tree)
            .on_site(content.space.site.as_ref())
            .with_computed(&computed);
        let page = match page {
            [] => None,
            segments => {
                let path: Vec<&str> = segments.iter().map(|segment| segment.name.as_str()).collect();
                let page = tree.page_by_path(&path.join("/"));
                let page =
                    page.filter(|page| matches!(page.page_type(), PageType::Document | PageType::Group));
                Some(view.page(page.ok_or_else(ApiError::not_found)?, None))
            }
        };
        let head = content.space.head;
        Ok(UrlContent::Space(Box::new(UrlSpace {
            space: present::space(urls, &content.space, content.role()),
            change_request: change_request.map(|record| present::change_request(urls, record, head)),
            page,
        })))
    }
}
