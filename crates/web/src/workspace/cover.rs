//! Cover of a page: its picture, position and size. The changes go to a change request.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::page_body::{cover, layout};
use quire_content::rendering::Addresses as _;
use quire_domain::ids::{FileId, PageId, SpaceId};
use quire_domain::list::Cursor;
use quire_domain::revisions::{CoverMask, CoverSize, PageCover, PageLayout};
use quire_markup::ContentRef;
use quire_revision::{FileNode, PageNode, PageType};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use serde_json::{Value, json};

use super::content::{Content, address_of, can_edit, open, selector};
use super::forms::{Select, Tick};
use super::page_fields::update_of;
use super::requests::position as after;
use super::shell::Page;
use super::space::links;
use super::tree::title_of;
use crate::reader::cover::{CENTER, STEP, pictures, position};
use crate::state::WebData;

/// Pictures per page of the list.
const MOST: usize = 60;
/// Maximum length of an address, equal to the limit of the API.
const LONGEST_ADDRESS: &str = "2048";
const SIZES: [(&str, &str); 3] =
    [("hero", "As wide as the text"), ("full", "As wide as the page"), ("background", "Behind the title")];
const MASKS: [(&str, &str); 2] = [("none", "Sharp"), ("radial", "Fading out")];

/// Cover as the form shows it.
struct Shown<'a> {
    content: &'a Content,
    page: &'a PageNode,
    layout: PageLayout,
    /// File of the picture, or of the one for dark pages.
    files: [Option<&'a FileNode>; 2],
    /// Address of a picture outside the space.
    url: Option<String>,
    /// Position of the visible part in percent.
    position: u8,
}

/// Responds to `/s/{spaceId}/~/cover/{pageId}`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    id: PageId,
) -> ApiResult<HttpResponse> {
    let list = format!("pictures for the cover of {id}");
    let start: Option<FileId> = after(request, &list)?;
    let selector = selector(request)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| Ok(open(reader, &shared, space, selector)?.shown);
    let content: Content = web.state.read(caller, load).await?;
    let page = content.tree.page(id).filter(|page| page.page_type() == PageType::Document);
    let page = page.filter(|_| can_edit(&content)).ok_or_else(ApiError::not_found)?;
    let is_picture = |file: &&FileNode| file.content_type.starts_with("image/");
    let mut files: Vec<&FileNode> =
        content.tree.files_after(start).filter(is_picture).take(MOST.saturating_add(1)).collect();
    let has_more = files.len() > MOST;
    files.truncate(MOST);
    let last = files.last().filter(|_| has_more).map(|file| file.id);
    let more = last.map(|last| Cursor::seal(&list, &last)).transpose().map_err(ApiError::internal)?;
    let shown = Shown::new(&content, page);
    // The present pictures are always in the list.
    for own in shown.files.into_iter().flatten() {
        if files.iter().all(|file| file.id != own.id) {
            files.insert(0, own);
        }
    }
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Cover" }
            p.sub {
                "A picture above the title of " a href=[address_of(&content, page)] { (title_of(page)) } ". "
                @match content.place.change {
                    Some(number) => { "It is changed in change request #" (number) "." },
                    None => { "It is changed in your draft of this space." },
                }
            }
            (shown.form(web, &files, more.as_deref()))
        }
    };
    let page = Page {
        title: format!("Cover of {}", title_of(page)),
        crumbs: content.crumbs(),
        nav_label: "Space",
        nav: links(&content, None),
        main,
        assets: &["files.css", "uploads.js"],
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

impl<'a> Shown<'a> {
    fn new(content: &'a Content, page: &'a PageNode) -> Self {
        let stored: PageCover = page.cover.as_deref().and_then(cover).unwrap_or_default();
        let [picture, dark] = pictures(&stored);
        let file = |reference: &ContentRef| match reference {
            ContentRef::File { file, .. } => content.tree.file(file.parse().ok()?),
            _ => None,
        };
        let files = [picture.as_ref().and_then(file), dark.as_ref().and_then(file)];
        let size = files.first().copied().flatten().and_then(|file| file.dimensions);
        Self {
            content,
            page,
            layout: page.layout.as_deref().map(layout).unwrap_or_default(),
            files,
            url: match picture {
                Some(ContentRef::Url { url }) => Some(url),
                _ => None,
            },
            position: size.map_or(CENTER, |size| position(stored.y_pos, (size.width, size.height))),
        }
    }

    fn source(&self, web: &WebData, file: &FileNode) -> String {
        let place = &self.content.place;
        place.addresses(&web.state.signer).file(place.space, file)
    }

    fn form(&self, web: &WebData, files: &[&FileNode], more: Option<&str>) -> Markup {
        let Self { content, page, layout, .. } = self;
        let [own, _] = self.files;
        let source = own.map(|file| self.source(web, file)).or_else(|| self.url.clone());
        let size = match layout.cover_size {
            CoverSize::Hero => "hero",
            CoverSize::Full => "full",
            CoverSize::Background => "background",
        };
        let mask = if layout.cover_mask == CoverMask::Radial { "radial" } else { "none" };
        let address = content.place.cover(page.id);
        let separator = if content.place.change.is_some() { "&" } else { "?" };
        html! {
            form.form data-drop="" data-cover-form="" {
                div.cover-place { img.cover src=[source.as_ref()] alt="" data-y=(self.position) hidden[source.is_none()]; }
                div.field {
                    label for="cover-position" { "Visible part, from the top to the bottom of the picture" }
                    input id="cover-position" name="position" type="range" min="0" max="100" step=(STEP) value=(self.position)
                        data-as="none" aria-describedby="cover-position-hint";
                    p.hint id="cover-position-hint" { "For pictures of the space that are taller than a third of their width." }
                }
                @if !files.is_empty() {
                    fieldset.sources {
                        legend { "Picture" }
                        ul.files {
                            @for file in files {
                                @let source = self.source(web, file);
                                li {
                                    div.thumb { img src=(source) alt="" loading="lazy"; }
                                    label.tick {
                                        input type="radio" name="picture" value=(file.id) data-as="none" data-src=(source)
                                            checked[own.is_some_and(|own| own.id == file.id)];
                                        span.t { (file.name) }
                                    }
                                }
                            }
                        }
                        @if let Some(more) = more { p.pager { a.btn href={ (address) (separator) "page=" (more) } { "More pictures" } } }
                    }
                }
                div.field.drop {
                    label for="cover-upload" { "New picture" }
                    input id="cover-upload" name="upload" type="file" accept="image/*" data-as="none" aria-describedby="cover-upload-hint";
                    p.hint id="cover-upload-hint" { "Drop a picture here, or choose one. It becomes a file of the space." }
                }
                div.field {
                    label for="cover-url" { "Or an address" }
                    input id="cover-url" name="url" type="url" value=[self.url.as_ref()] maxlength=(LONGEST_ADDRESS) autocomplete="off" data-as="none";
                }
                (self.dark_picture(files))
                (Select { name: "layout.coverSize", label: "Size on sites", options: &SIZES, value: size, hint: None })
                (Select { name: "layout.coverMask", label: "Edges", options: &MASKS, value: mask, hint: None })
                (Tick { name: "layout.cover", label: "Show the cover", value: None, is_ticked: layout.cover })
                div.buttons { (self.save()) }
            }
            @if source.is_some() { form.alone { (self.removal()) } }
        }
    }

    /// Returns the choice of the picture for dark pages.
    fn dark_picture(&self, files: &[&FileNode]) -> Markup {
        let [_, own] = self.files;
        html! {
            @if !files.is_empty() {
                div.field {
                    label for="cover-dark" { "Picture for dark pages" }
                    select id="cover-dark" name="dark" data-as="none" {
                        option value="" { "The same" }
                        @for file in files {
                            option value=(file.id) selected[own.is_some_and(|own| own.id == file.id)] { (file.name) }
                        }
                    }
                }
            }
        }
    }

    /// Returns the button that saves the form.
    fn save(&self) -> Markup {
        self.button("btn primary", "cover", "Save the cover", &update_of(self.page))
    }

    /// Returns the button that removes the cover.
    fn removal(&self) -> Markup {
        let body = json!({ "operation": "update_page", "page": self.page.id, "cover": null });
        self.button("btn", "change", "Remove the cover", &body)
    }

    fn button(&self, class: &str, action: &str, label: &str, body: &Value) -> Markup {
        let Self { content, page, .. } = self;
        let path = content.tree.path_of(page.id).unwrap_or_default();
        let next = format!("s/{}/~/changes/{{number}}/{path}", content.space.id);
        html! {
            button class=(class) type="submit" data-action=(action) data-space=(content.space.id) data-change=[content.place.change]
                data-subject={ "Cover of " (title_of(page)) } data-body=(body) data-next=(next) { (label) }
        }
    }
}
