//! Content of a page as a document and as Markdown.

use quire_domain::documents::{DocumentJson, PresentedBody};
use quire_domain::revisions::{CoverMask, CoverSize, LayoutWidth, PageCover, PageLayout, PageLayoutInput};
use quire_markup::{ContentRef, Document, FrontMatter, RefPrinter, StableRefs, print_page};
use quire_revision::PageNode;
use serde_json::{Value, json};

use crate::error::{Error, Result};

/// Returns the document of a page. An empty one for a page without a document.
#[must_use]
pub fn page_document(document: Option<DocumentJson>) -> PresentedBody {
    PresentedBody::Document {
        document: document.unwrap_or_else(|| Document::default().to_canonical_json().into()),
    }
}

/// Returns a page as one Markdown file: front matter, title and text. References are written by id, so they are valid
/// anywhere.
///
/// # Errors
/// If the stored document is unreadable.
pub fn page_markdown(page: &PageNode, document: Option<&DocumentJson>) -> Result<PresentedBody> {
    Ok(PresentedBody::Markdown { markdown: page_text(page, document, &StableRefs, None)? })
}

/// Returns a page as one Markdown file. `refs` prints references, and `slug` appears in the front matter.
///
/// # Errors
/// If the stored document is unreadable.
pub fn page_text(
    page: &PageNode,
    document: Option<&DocumentJson>,
    refs: &dyn RefPrinter,
    slug: Option<&str>,
) -> Result<String> {
    let document = document.map_or_else(|| Ok(Document::default()), stored_document)?;
    let slug = slug.map(|slug| ("slug".to_owned(), Value::from(slug)));
    let front_matter = FrontMatter { extra: slug.into_iter().collect(), ..front_matter(page, refs) };
    Ok(print_page(&front_matter, &page.title, &document, refs))
}

/// Reads a stored document.
///
/// # Errors
/// If the document is unreadable.
pub fn stored_document(document: &DocumentJson) -> Result<Document> {
    let read = Document::from_stored(document.as_bytes());
    read.map_err(|error| Error::internal("a stored document can't be read", error))
}

/// Returns the front matter of a page. It contains only properties that differ from the default.
fn front_matter(page: &PageNode, refs: &dyn RefPrinter) -> FrontMatter {
    let cover = page.cover.as_deref().and_then(cover);
    let picture = cover.as_ref().and_then(|cover| ContentRef::from_value(cover.reference.as_ref()?));
    let y_pos = cover.map(|cover| cover.y_pos).filter(|_| picture.is_some());
    FrontMatter {
        title: None,
        link_title: page.link_title.clone(),
        description: page.description.clone(),
        icon: page.icon.clone(),
        emoji: page.emoji.clone(),
        cover: picture.map(|picture| refs.href(&picture)),
        cover_y: y_pos,
        layout: page.layout.as_ref().map(|stored| written(&layout(stored))),
        hidden: page.hidden.then_some(true),
        no_index: page.no_index.then_some(true),
        no_robots_index: page.no_robots_index.then_some(true),
        extra: Vec::new(),
    }
}

/// Returns a layout as front matter.
fn written(layout: &PageLayout) -> Value {
    let PageLayout {
        width,
        cover,
        cover_size,
        cover_mask,
        title,
        description,
        table_of_contents,
        outline,
        pagination,
        metadata,
        tags,
        actions,
        anchors,
    } = layout;
    let width = match width {
        LayoutWidth::Default => "default",
        LayoutWidth::Wide => "wide",
    };
    let size = match cover_size {
        CoverSize::Hero => "hero",
        CoverSize::Full => "full",
        CoverSize::Background => "background",
    };
    let mask = match cover_mask {
        CoverMask::None => "none",
        CoverMask::Radial => "radial",
    };
    json!({
        "width": width,
        "cover": {"visible": cover, "size": size, "mask": mask},
        "title": {"visible": title},
        "description": {"visible": description},
        "tableOfContents": {"visible": table_of_contents},
        "outline": {"visible": outline},
        "pagination": {"visible": pagination},
        "metadata": {"visible": metadata},
        "tags": {"visible": tags},
        "actions": {"visible": actions},
        "anchors": {"visible": anchors},
    })
}

/// Returns a complete layout: the stored one with defaults for the rest.
#[must_use]
pub fn layout(stored: &Value) -> PageLayout {
    serde_json::from_value(stored.clone()).map(PageLayoutInput::resolve).unwrap_or_default()
}

/// Returns a stored cover.
#[must_use]
pub fn cover(stored: &Value) -> Option<PageCover> {
    serde_json::from_value(stored.clone()).ok()
}
