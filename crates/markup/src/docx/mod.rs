//! DOCX → document, for files of Word, LibreOffice and Google Docs.
//!
//! The format is ECMA-376, *Office Open XML File Formats*, part 1; comments name its sections. Revisions are taken as
//! accepted.

mod body;
mod drawing;
mod fields;
mod flow;
mod inserted;
mod left_out;
mod math;
mod numbering;
mod package;
mod run;
mod source;
mod styles;
mod table;
mod xml;

use crate::anchor_collector::AnchorCollector;
use crate::document::{Block, Document, Excess, Meter};
use crate::headings;
use crate::markdown::RefResolver;
use crate::text::inline_text;
use body::{Around, Reader};
use left_out::LeftOut;
use numbering::Numbering;
pub(crate) use package::is_within_xml_limits;
use package::{Package, Relations};
use source::Source;
use std::collections::{BTreeSet, HashMap};
use styles::Styles;

/// Result of reading a DOCX file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocxDocument {
    /// Content, without the heading used as title.
    pub document: Document,
    /// Text of the leading title or first-rank heading; otherwise the title in the document's properties.
    pub title: Option<String>,
    /// Heading used as title, with its marks and links.
    pub heading: Option<Block>,
    /// Images that the content refers to.
    pub images: Vec<DocxImage>,
    /// Sentences about omitted content, such as comments, headers and objects without a picture.
    pub notices: Vec<String>,
}

/// An image of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocxImage {
    /// Name in the package, such as `media/image1.png`, which is passed to the resolver as the address. The document
    /// refers to it if the resolver does not know it.
    pub name: String,
    /// Content type.
    pub content_type: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Failure to read a DOCX file.
#[derive(Debug, thiserror::Error)]
pub enum DocxError {
    /// The bytes are not a zip archive, or the archive is damaged.
    #[error("it is not a readable DOCX file: the package cannot be opened")]
    Package(#[source] zip::result::ZipError),
    /// A part can't be unpacked.
    #[error("`{part}` cannot be unpacked")]
    Part {
        /// Name of the part.
        part: String,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// A required part is missing.
    #[error("it is not a DOCX file: `{0}` is missing")]
    Missing(String),
    /// The main part is not a text document: a spreadsheet, slides or other XML.
    #[error("it is not a Word document: `{0}` has no text body")]
    Foreign(String),
    /// A part is not well-formed, or declares entities.
    #[error("`{part}` is not well-formed XML")]
    Xml {
        /// Name of the part.
        part: String,
        /// Cause.
        #[source]
        source: roxmltree::Error,
    },
    /// A part has elements with too many attributes or namespaces.
    #[error("`{part}` has elements with too many attributes or namespaces")]
    Crowded {
        /// Name of the part.
        part: String,
    },
    /// The unpacked size exceeds the limit or the allowed compression ratio.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// Maximum in bytes.
        limit: u64,
    },
    /// The document exceeds a bound, or the caller aborted the parse.
    #[error(transparent)]
    Excess(#[from] Excess),
    /// The package has too many parts.
    #[error("it has {parts} parts, more than {limit}")]
    TooManyParts {
        /// Number of parts.
        parts: usize,
        /// Maximum number.
        limit: usize,
    },
}

/// Reads a document. `refs` resolves links as written, and images by their name in the package.
///
/// # Errors
/// [`DocxError`] if the bytes are not a DOCX file or exceed a bound.
pub fn parse(bytes: &[u8], refs: &dyn RefResolver) -> Result<DocxDocument, DocxError> {
    read(bytes, refs, &Meter::unbounded())
}

/// [`parse`] for untrusted input: enforces the bounds of documents while it reads, and aborts once `is_late` returns
/// true.
///
/// # Errors
/// [`DocxError`] as for [`parse`], and [`DocxError::Excess`].
pub fn try_parse(
    bytes: &[u8],
    refs: &dyn RefResolver,
    is_late: &dyn Fn() -> bool,
) -> Result<DocxDocument, DocxError> {
    let meter = Meter::new(is_late);
    let read = read(bytes, refs, &meter)?;
    meter.check(&read.document)?;
    Ok(read)
}

fn read(bytes: &[u8], refs: &dyn RefResolver, meter: &Meter<'_>) -> Result<DocxDocument, DocxError> {
    let mut package = Package::open(bytes)?;
    let Body { nodes, anchors, images, left_out, stated_title } =
        read_body(&mut package, Source { refs, meter }, true)?;
    let mut document = Document::new(nodes);
    let heading = headings::settle(&mut document);
    let title = heading.as_ref().map(|heading| words(&inline_text(heading.child_inlines())));
    let title = title.filter(|title| !title.is_empty());
    anchors.settle(&mut document, usize::from(heading.is_some()));
    Ok(DocxDocument {
        document: document.with_limited_depth(),
        title: title.or(stated_title),
        heading,
        images,
        notices: left_out.notices(),
    })
}

/// Content of a package before the ranks of its headings are settled.
struct Body {
    nodes: Vec<Block>,
    anchors: AnchorCollector,
    images: Vec<DocxImage>,
    left_out: LeftOut,
    /// Title in the document's properties.
    stated_title: Option<String>,
}

/// Reads the main part of a package, and the files inserted into it if `with_inserted`.
fn read_body(package: &mut Package<'_>, source: Source<'_>, with_inserted: bool) -> Result<Body, DocxError> {
    let root = Relations::of(package, "")?;
    let main = root
        .part("officeDocument")
        .map_or_else(|| "word/document.xml".to_owned(), |part| package::resolve("", part));
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let relations = Relations::of(package, &main)?;
    let text = package.xml(&main)?.ok_or_else(|| DocxError::Missing(main.clone()))?;
    let xml = package::parse(&main, &text)?;
    let mut styles = Styles::default();
    with_part(package, &folder, &relations, "styles", |root| styles.read(root))?;
    let mut numbering = Numbering::default();
    with_part(package, &folder, &relations, "numbering", |root| numbering.read(root))?;
    let around = Around { source, styles: &styles };
    let Notes { bodies, images: mut pictures, left_out: of_notes } =
        notes(package, &folder, &relations, around)?;

    let mut reader = Reader::new(around, numbering, &relations);
    reader.notes = bodies;
    if with_inserted {
        reader.inserted = inserted::read_all(package, &folder, &relations, source)?;
    }
    let body = xml::find(xml.root_element(), "body").filter(|body| xml::is_word(*body, "body"));
    let body = body.ok_or_else(|| DocxError::Foreign(main.clone()))?;
    let nodes = reader.blocks(body);
    pictures.append(&mut reader.images);
    let Reader { anchors, mut left_out, inserted_images: mut images, .. } = reader;
    left_out.add(&of_notes);
    left_out.margins |= has_margins(package, &folder, &relations)?;
    let stated_title = match root.part("core-properties").map(|part| package::resolve("", part)) {
        Some(part) => stated_title(package, &part)?,
        None => None,
    };
    images.extend(take_images(package, &folder, pictures)?);
    Ok(Body { nodes, anchors, images, left_out, stated_title })
}

/// Returns whether a header or footer has words, which pages do not show.
fn has_margins(package: &mut Package<'_>, folder: &str, relations: &Relations) -> Result<bool, DocxError> {
    let kinds = ["header", "footer"].into_iter().flat_map(|kind| relations.parts(kind));
    let parts: BTreeSet<String> = kinds.map(|(_, target)| package::resolve(folder, target)).collect();
    for part in parts {
        let Some(text) = package.xml(&part)? else { continue };
        let xml = package::parse(&part, &text)?;
        let mut texts = xml.descendants().filter(|node| xml::is_word(*node, "t"));
        if texts.any(|node| node.text().is_some_and(|text| text.contains(char::is_alphabetic))) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads an optional part.
fn with_part(
    package: &mut Package<'_>,
    folder: &str,
    relations: &Relations,
    kind: &str,
    read: impl FnOnce(roxmltree::Node<'_, '_>),
) -> Result<(), DocxError> {
    let Some(part) = relations.part(kind).map(|part| package::resolve(folder, part)) else { return Ok(()) };
    if let Some(text) = package.xml(&part)? {
        read(package::parse(&part, &text)?.root_element());
    }
    Ok(())
}

/// Bodies of the notes by kind and id, and the images in them.
#[derive(Default)]
struct Notes {
    bodies: HashMap<(&'static str, String), Vec<Block>>,
    images: BTreeSet<String>,
    left_out: LeftOut,
}

fn notes(
    package: &mut Package<'_>,
    folder: &str,
    relations: &Relations,
    around: Around<'_>,
) -> Result<Notes, DocxError> {
    let mut notes = Notes::default();
    for (kind, part) in [("footnote", "footnotes"), ("endnote", "endnotes")] {
        let Some(part) = relations.part(part).map(|part| package::resolve(folder, part)) else { continue };
        let own = Relations::of(package, &part)?;
        let Some(text) = package.xml(&part)? else { continue };
        let xml = package::parse(&part, &text)?;
        let mut reader = Reader::new(around, Numbering::default(), &own);
        // Notes are within a paragraph, which may be in a table or list.
        for note in xml.root_element().children().filter(|node| xml::is_word(*node, kind)) {
            // Separators are notes too (17.11.9).
            let is_text = xml::attribute(note, "type").is_none_or(|kind| kind == "normal");
            if let (Some(id), true) = (xml::attribute(note, "id"), is_text) {
                let body = reader.blocks_below(note, 20);
                notes.bodies.insert((kind, id.to_owned()), body);
            }
        }
        notes.images.append(&mut reader.images);
        notes.left_out.add(&reader.left_out);
    }
    Ok(notes)
}

/// Returns the title in the document's properties.
fn stated_title(package: &mut Package<'_>, part: &str) -> Result<Option<String>, DocxError> {
    let Some(text) = package.xml(part)? else { return Ok(None) };
    let xml = package::parse(part, &text)?;
    let title = xml::find(xml.root_element(), "title").and_then(|title| title.text()).map(words);
    Ok(title.filter(|title| !title.is_empty()))
}

fn take_images(
    package: &mut Package<'_>,
    folder: &str,
    names: BTreeSet<String>,
) -> Result<Vec<DocxImage>, DocxError> {
    let mut images = Vec::with_capacity(names.len());
    for name in names {
        if let Some(bytes) = package.media(&package::resolve(folder, &name))? {
            let content_type = content_type(&name).to_owned();
            images.push(DocxImage { name, content_type, bytes });
        }
    }
    Ok(images)
}

/// Returns the content type of an image by its name.
fn content_type(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" | "jpe" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "bmp" => "image/bmp",
        "svg" => "image/svg+xml",
        "tif" | "tiff" => "image/tiff",
        "emf" => "image/emf",
        "wmf" => "image/wmf",
        _ => "application/octet-stream",
    }
}
