//! Names of computed documents in sources.

use quire_domain::computed::{DocumentProps, Grouping, SpecDocument, SpecMethod};
use quire_markup::openapi::{Pointed, operation_pointer, page_name, pointed, webhook_pointers};
use quire_storage::content::openapi_specs::{Outline, OutlinePage, PageKind};

/// Returns the name of a page's document. The name of a model's document is a number.
pub(super) fn props_of(outline: &Outline, index: usize, grouping: Grouping) -> Option<DocumentProps> {
    let page = outline.pages.get(index)?;
    let named = |doc| {
        let page = Some(page_name(&page.pointer)?);
        Some(DocumentProps { doc, page, method: None, deprecated: None })
    };
    match (page.kind, grouping) {
        (PageKind::Info, _) => named(SpecDocument::Info),
        (PageKind::Tag, Grouping::ByTag) => named(SpecDocument::Operations),
        (PageKind::Tag, Grouping::ByOperation) => named(SpecDocument::Tag),
        (PageKind::Models, _) => {
            Some(DocumentProps { doc: SpecDocument::Models, page: None, method: None, deprecated: None })
        }
        (PageKind::Operation, _) => {
            let (page, method) = match pointed(&page.pointer)? {
                Pointed::Operation { path, method } => (path, SpecMethod::parse(&method)?),
                Pointed::Webhook { name, .. } => (name, SpecMethod::Hook),
                Pointed::Model { .. } => return None,
            };
            let (page, method) = (Some(page), Some(method));
            Some(DocumentProps { doc: SpecDocument::Operation, page, method, deprecated: None })
        }
        (PageKind::Model, _) => {
            let position = in_order(outline, SpecDocument::Info)?.position(|other| other == index)?;
            let page = Some(position.checked_add(1)?.to_string());
            Some(DocumentProps { doc: SpecDocument::Info, page, method: None, deprecated: None })
        }
    }
}

/// Returns the index of the page with this document.
pub(super) fn index_of(outline: &Outline, props: &DocumentProps) -> Option<usize> {
    let name = props.page.as_deref().unwrap_or_default();
    let kind = match props.doc {
        SpecDocument::Models => return outline.pages.iter().position(|page| page.kind == PageKind::Models),
        SpecDocument::Operation => return operation(outline, name, props.method?),
        SpecDocument::Operations | SpecDocument::Tag => PageKind::Tag,
        SpecDocument::Info => PageKind::Info,
    };
    let is_named =
        |page: &OutlinePage| page.kind == kind && page_name(&page.pointer).as_deref() == Some(name);
    outline.pages.iter().position(is_named).or_else(|| numbered(outline, props.doc, name.parse().ok()?))
}

/// Returns the index of an operation by its path, or of a webhook by its name.
fn operation(outline: &Outline, name: &str, method: SpecMethod) -> Option<usize> {
    if method != SpecMethod::Hook {
        return outline.index_of(&operation_pointer(name, method.as_str()));
    }
    let is_hook = |page: &OutlinePage| {
        page.kind == PageKind::Operation
            && matches!(pointed(&page.pointer), Some(Pointed::Webhook { name: own, .. }) if own == name)
    };
    // Most webhooks use POST.
    let posted = webhook_pointers(name, "post").iter().find_map(|pointer| outline.index_of(pointer));
    posted.or_else(|| outline.pages.iter().position(is_hook))
}

/// Returns the index of a document by its number, counted from 1. Earlier versions wrote numbers into sources.
fn numbered(outline: &Outline, doc: SpecDocument, number: usize) -> Option<usize> {
    in_order(outline, doc)?.nth(number.checked_sub(1)?)
}

/// Returns the indexes of numbered documents in the order of their numbers: tags, then operations; or the overview,
/// then models.
fn in_order(outline: &Outline, doc: SpecDocument) -> Option<impl Iterator<Item = usize>> {
    let (first, second) = match doc {
        SpecDocument::Operations => (PageKind::Tag, PageKind::Operation),
        SpecDocument::Info => (PageKind::Info, PageKind::Model),
        SpecDocument::Models | SpecDocument::Operation | SpecDocument::Tag => return None,
    };
    // Sections of the description have no number.
    let is_counted = |page: &OutlinePage| page.kind != PageKind::Info || page.pointer == "/info";
    let of = move |kind: PageKind| {
        let pages = outline.pages.iter().enumerate();
        pages.filter(move |(_, page)| page.kind == kind && is_counted(page)).map(|(index, _)| index)
    };
    Some(of(first).chain(of(second)))
}
