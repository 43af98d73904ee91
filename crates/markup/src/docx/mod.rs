//! DOCX → document: what Word, LibreOffice and Google Docs write.
//!
//! The format is ECMA-376, *Office Open XML File Formats*, part 1; comments name its sections. Revisions are taken as accepted.

mod package;

use crate::Document;
use crate::markdown::RefResolver;

/// A document of a word processor, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocxDocument {
    /// Its content, without the heading that is its title.
    pub document: Document,
    /// The words of the leading title or heading of the first rank; else the title in the document's properties.
    pub title: Option<String>,
    /// The images that the content shows.
    pub images: Vec<DocxImage>,
    /// What was left out, as sentences: comments, objects that have no picture.
    pub notices: Vec<String>,
}

/// An image of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocxImage {
    /// Its name in the package, such as `media/image1.png`: the address that the resolver was asked for, and that the document refers to when it knew none.
    pub name: String,
    /// Its content type.
    pub content_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a document can't be read.
#[derive(Debug, thiserror::Error)]
pub enum DocxError {
    /// The bytes are no zip archive, or a damaged one.
    #[error("it is not a readable DOCX file: the package can't be opened")]
    Package(#[source] zip::result::ZipError),
    /// A part can't be unpacked.
    #[error("`{part}` can't be unpacked")]
    Part {
        /// The part's name.
        part: String,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// A part that every document has isn't there.
    #[error("it is not a DOCX file: `{0}` is missing")]
    Missing(String),
    /// A part isn't well-formed, or declares entities.
    #[error("`{part}` is not well-formed XML")]
    Xml {
        /// The part's name.
        part: String,
        /// What is wrong.
        #[source]
        source: roxmltree::Error,
    },
    /// More than a document may unpack to, or far more than it packs.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// The bound in bytes.
        limit: u64,
    },
    /// More parts than a document may have.
    #[error("it has {parts} parts, more than {limit}")]
    TooManyParts {
        /// How many there are.
        parts: usize,
        /// The bound.
        limit: usize,
    },
}

/// Reads a document.
///
/// # Errors
/// [`DocxError`] when the bytes are no DOCX file, or break a bound.
pub fn parse(bytes: &[u8], refs: &dyn RefResolver) -> Result<DocxDocument, DocxError> {
    let _ = refs;
    let mut package = package::Package::open(bytes)?;
    let part = "word/document.xml";
    let text = package.xml(part)?.ok_or_else(|| DocxError::Missing(part.to_owned()))?;
    let xml = package::parse(part, &text)?;
    let mut nodes = Vec::new();
    for paragraph in xml.descendants().filter(|node| node.tag_name().name() == "p") {
        let text: String =
            paragraph.descendants().filter(|n| n.tag_name().name() == "t").filter_map(|n| n.text()).collect();
        nodes.push(crate::Block::paragraph(vec![crate::Inline::text(text)]));
    }
    Ok(DocxDocument { document: Document::new(nodes), ..DocxDocument::default() })
}
