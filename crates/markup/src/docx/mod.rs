//! DOCX → document, for files of Word, LibreOffice and Google Docs.
//!
//! The format is ECMA-376, *Office Open XML File Formats*, part 1; comments name its sections. Revisions are taken as
//! accepted.

mod body;
mod drawing;
mod fields;
mod flow;
mod math;
mod numbering;
mod package;
mod run;
mod styles;
mod table;
mod xml;

use crate::document::{Block, Document, Excess, Meter};
use crate::headings;
use crate::markdown::RefResolver;
use crate::text::inline_text;
use body::{Around, LeftOut, Reader};
use numbering::Numbering;
pub(crate) use package::is_within_xml_limits;
use package::{Package, Relations};
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
    /// Sentences about omitted content: comments, objects without a picture.
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
    let root = Relations::of(&mut package, "")?;
    let main = root
        .part("officeDocument")
        .map_or_else(|| "word/document.xml".to_owned(), |part| package::resolve("", part));
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let relations = Relations::of(&mut package, &main)?;
    let text = package.xml(&main)?.ok_or_else(|| DocxError::Missing(main.clone()))?;
    let xml = package::parse(&main, &text)?;
    let mut styles = Styles::default();
    with_part(&mut package, &folder, &relations, "styles", |root| styles.read(root))?;
    let mut numbering = Numbering::default();
    with_part(&mut package, &folder, &relations, "numbering", |root| numbering.read(root))?;
    let around = Around { refs, styles: &styles, meter };
    let notes = notes(&mut package, &folder, &relations, around)?;

    let mut reader = Reader::new(around, numbering, &relations);
    let Notes { bodies, mut images } = notes;
    reader.notes = bodies;
    let body = xml::find(xml.root_element(), "body").filter(|body| xml::is_word(*body, "body"));
    let body = body.ok_or_else(|| DocxError::Foreign(main.clone()))?;
    let nodes = reader.blocks(body);
    images.append(&mut reader.images);
    let Reader { anchors: collector, left_out, .. } = reader;
    let mut document = Document::new(nodes);
    let heading = headings::settle(&mut document);
    let title = heading.as_ref().map(|heading| words(&inline_text(heading.child_inlines())));
    let title = title.filter(|title| !title.is_empty());
    collector.settle(&mut document, usize::from(heading.is_some()));
    let stated = match root.part("core-properties").map(|part| package::resolve("", part)) {
        Some(part) => stated_title(&mut package, &part)?,
        None => None,
    };
    let images = take_images(&mut package, &folder, images)?;
    Ok(DocxDocument {
        document: document.with_limited_depth(),
        title: title.or(stated),
        heading,
        images,
        notices: notices(&left_out),
    })
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

fn notices(left_out: &LeftOut) -> Vec<String> {
    let LeftOut { comments, charts, changes, contents, foreign, symbols } = left_out;
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(one.to_owned()),
        count => Some(many.replace("{}", &count.to_string())),
    };
    let sentences = [
        counted(*comments, "a comment was left out", "{} comments were left out"),
        counted(
            *charts,
            "a chart or object without a picture was left out",
            "{} charts or objects without a picture were left out",
        ),
        counted(
            *symbols,
            "a character of a symbol font is shown as □",
            "{} characters of symbol fonts are shown as □",
        ),
        counted(
            *foreign,
            "an image is of a kind that browsers don't show",
            "{} images are of kinds that browsers don't show",
        ),
        (*changes > 0).then(|| "tracked changes were taken as accepted".to_owned()),
        contents.then(|| "the table of contents was left out: pages have one of their headings".to_owned()),
    ];
    sentences.into_iter().flatten().collect()
}
