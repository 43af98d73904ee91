//! Converts documents to the template's data: a few kinds of blocks with all their fields, resolved references and
//! bounded depth.

mod block;
mod cards;
mod fit;
mod inline;
mod math;
mod table;
mod text;

use std::collections::{BTreeMap, HashMap, HashSet};

use quire_domain::pdf::{Book, BookPage};
use quire_markup::{ContentRef, Document};
use serde_json::{Map, Value, json};

use crate::images::Images;

/// Shared state of the conversion.
pub struct Converter<'a> {
    book: &'a Book,
    images: &'a Images,
    /// Documents of reusable contents, by id.
    reusable: BTreeMap<&'a str, Document>,
    /// Pages by id.
    pages: HashMap<&'a str, &'a BookPage>,
    /// Id of the page being converted.
    page: &'a str,
    /// Anchors of the document being converted, in the order of its headings.
    anchors: std::vec::IntoIter<String>,
    /// Labels of link targets, which must be unique.
    labels: HashSet<String>,
    /// Ids of the reusable contents being included, against recursion.
    including: Vec<String>,
    /// Remaining number of nodes to convert. Reusable contents could multiply them.
    budget: usize,
}

/// Maximum number of blocks in a book. Larger books would take minutes and gigabytes.
const BUDGET: usize = 500_000;

/// Returns the data of a book for the template.
pub fn book(book: &Book, images: &Images) -> Value {
    let documents = book.reusable_contents.iter();
    let reusable =
        documents.filter_map(|(id, json)| Some((id.as_str(), Document::from_stored(json.as_bytes()).ok()?)));
    let mut converter = Converter {
        book,
        images,
        reusable: reusable.collect(),
        pages: book.pages.iter().map(|page| (page.id.as_str(), page)).collect(),
        page: "",
        anchors: Vec::new().into_iter(),
        labels: HashSet::new(),
        including: Vec::new(),
        budget: BUDGET,
    };
    let pages: Vec<Value> = book.pages.iter().map(|page| converter.page(page)).collect();
    let labels: Map<String, Value> = converter.labels.drain().map(|label| (label, true.into())).collect();
    json!({
        "title": wide(&book.title, 34.0),
        "subtitle": book.subtitle.as_deref().map(|subtitle| wide(subtitle, 15.0)),
        "date": book.date,
        "contents": "Contents",
        "single": book.pages.len() == 1,
        "pages": pages,
        "labels": labels,
    })
}

impl<'a> Converter<'a> {
    fn page(&mut self, page: &'a BookPage) -> Value {
        self.page = &page.id;
        let label = page_label(&page.id);
        self.labels.insert(label.clone());
        let mut body = Vec::new();
        if let Some(target) = page.target.as_ref().and_then(ContentRef::from_value) {
            body.push(self.reference(&target));
        }
        // Stored documents are valid; an unreadable one leaves its page empty instead of failing the book.
        let document = page.document.as_ref().and_then(|json| Document::from_stored(json.as_bytes()).ok());
        if let Some(document) = document {
            self.anchors = quire_markup::anchors(&document).into_iter();
            body.extend(self.blocks(&document.nodes, 0));
        }
        let mut body = Value::Array(body);
        fit::blocks(&mut body, fit::PAGE, fit::BODY);
        let title = match &page.emoji {
            Some(emoji) => format!("{} {}", text::emoji(emoji), page.title),
            None => page.title.clone(),
        };
        json!({
            "label": label,
            "depth": page.depth,
            "title": wide(&title, 21.0),
            "rtl": text::is_right_to_left(&page.title),
            "description": page.description.as_deref().map(|description| wide(description, 12.0)),
            "body": body,
        })
    }

    /// Returns the target of a reference: a label in the book, a URL, or none.
    fn target(&self, reference: &ContentRef) -> Target {
        let inside = |page: &str| self.pages.contains_key(page);
        match reference {
            ContentRef::Url { url } => Target { url: address(url), ..Target::titled(url) },
            ContentRef::File { file, .. } => match self.book.files.get(file) {
                Some(known) => Target { url: address(&known.url), ..Target::titled(&known.name) },
                None => Target::titled("a missing file"),
            },
            ContentRef::Page { page, .. } if inside(page) => {
                Target { to: Some(page_label(page)), ..Target::titled(self.title_of(page)) }
            }
            ContentRef::Anchor { anchor, page, .. } if inside(page.as_deref().unwrap_or(self.page)) => {
                let page = page.as_deref().unwrap_or(self.page);
                Target { to: Some(anchor_label(page, anchor)), ..Target::titled(self.title_of(page)) }
            }
            ContentRef::Page { page, .. } | ContentRef::Anchor { page: Some(page), .. } => {
                match self.book.elsewhere.get(page) {
                    Some(link) => Target { url: address(&link.url), ..Target::titled(&link.title) },
                    None => Target::titled("a missing page"),
                }
            }
            ContentRef::OpenApi { spec } => Target::titled(spec),
            ContentRef::Tag { tag, .. } => Target::titled(tag),
            other => Target::titled(other.kind()),
        }
    }

    fn title_of(&self, page: &str) -> &str {
        self.pages.get(page).map_or("", |known| &known.title)
    }

    /// Returns the name of an image that can be shown.
    fn image_of(&self, reference: Option<&ContentRef>) -> Option<&'a str> {
        let image = match reference? {
            ContentRef::File { file, .. } => self.book.files.get(file)?.image.as_deref()?,
            ContentRef::Url { url } => self.book.pictures.get(url)?,
            _ => return None,
        };
        self.images.contains_key(image).then_some(image)
    }
}

/// Returns a title in bold letters of this size, with breaks in words that are wider than the page.
fn wide(title: &str, size: f64) -> String {
    text::wrapped(title, text::Type { size, is_bold: true, is_code: false }, fit::PAGE)
}

/// Target of a reference, with its title.
#[derive(Clone, Debug, Default)]
struct Target {
    to: Option<String>,
    url: Option<String>,
    title: String,
}

impl Target {
    fn titled(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// Returns a node of this kind around `content`.
    fn around(self, kind: &str, content: Vec<Value>) -> Value {
        json!({"k": kind, "to": self.to, "url": self.url, "c": content})
    }
}

/// Returns a URL that a PDF may contain: web or mail, never a file of the reader's machine.
fn address(url: &str) -> Option<String> {
    let (scheme, _) = url.split_once(':')?;
    let known = ["http", "https", "mailto", "tel"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    // The typesetter has this limit.
    (known && url.len() <= 2_048).then(|| url.to_owned())
}

fn page_label(page: &str) -> String {
    format!("page {page}")
}

fn anchor_label(page: &str, anchor: &str) -> String {
    format!("anchor {page} {anchor}")
}
