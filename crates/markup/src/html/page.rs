//! Assembly of a page from its head, its content and its links.

use super::dom::{Dom, Element};
use super::flow::Reader;
use super::scope::Scope;
use super::{Extract, HtmlOptions, Parsed, article, google_docs, navigation};
use crate::document::{Block, Document, Meter};
use crate::headings;
use crate::lines::single_spaced;
use crate::text::inline_text;

/// Reads a page from its tree.
pub(super) fn read(dom: &Dom, options: &HtmlOptions<'_>, meter: &Meter<'_>) -> Parsed {
    let document = google_docs::root(dom);
    let root = match options.extract {
        Extract::Everything => document.unwrap_or(Dom::ROOT),
        Extract::Article => article::root(dom),
    };
    let mut reader = Reader::new(dom, options, meter);
    reader.surroundings = document.map(|root| google_docs::parts(dom, root)).unwrap_or_default();
    let nodes = reader.blocks(root, &Scope::default());
    let mut document = Document::new(nodes);
    let Reader { anchors: collector, images, .. } = reader;
    let heading = headings::settle(&mut document);
    let skipped = usize::from(heading.is_some());
    let mut title = heading.as_ref().map(|heading| single_spaced(&inline_text(heading.child_inlines())));
    title = title.filter(|title| !title.is_empty());
    if options.extract == Extract::Article {
        title = title.or_else(|| article::first_title(dom));
    }
    let anchors = collector.settle(&mut document, skipped);
    let head = Head::of(dom);
    Parsed {
        document: document.with_limited_depth(),
        title,
        heading,
        head_title: head.title,
        description: head.description,
        base: head.base,
        links: navigation::links(dom),
        images,
        anchors,
    }
}

/// Reads the content of a page without a title, and its links to itself.
pub(super) fn unsettled_blocks(dom: &Dom, options: &HtmlOptions<'_>, meter: &Meter<'_>) -> Vec<Block> {
    let mut reader = Reader::new(dom, options, meter);
    let mut document = Document::new(reader.blocks(Dom::ROOT, &Scope::default()));
    reader.anchors.settle(&mut document, 0);
    document.nodes
}

#[derive(Default)]
struct Head {
    title: Option<String>,
    description: Option<String>,
    base: Option<String>,
}

impl Head {
    fn of(dom: &Dom) -> Self {
        let mut head = Self::default();
        for id in dom.descendants(Dom::ROOT) {
            let Some(element) = dom.element(id).filter(|element| element.is_html()) else { continue };
            match element.name() {
                "title" if head.title.is_none() => {
                    head.title = Some(single_spaced(&dom.text(id))).filter(|title| !title.is_empty());
                }
                "base" if head.base.is_none() => head.base = element.get("href").map(str::to_owned),
                "meta" if head.description.is_none() => head.description = description(element),
                "body" => break,
                _ => {}
            }
        }
        head
    }
}

fn description(element: &Element) -> Option<String> {
    let name = element.get("name").or_else(|| element.get("property"))?;
    let is_description = matches!(name.to_ascii_lowercase().as_str(), "description" | "og:description");
    let content = single_spaced(element.get("content").filter(|_| is_description)?);
    Some(content).filter(|content| !content.is_empty())
}
