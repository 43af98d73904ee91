//! The package: parts in a zip archive, and the relations between them (ECMA-376 part 2).

use super::DocxError;
use roxmltree::{Document as Xml, ParsingOptions};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// How many bytes of XML a document may hold. Thousand pages of text are about 20 MB.
const MAX_XML: u64 = 48 * 1024 * 1024;

/// How many bytes all images may hold together.
const MAX_MEDIA: u64 = 200 * 1024 * 1024;

/// How many parts a package may have.
const MAX_PARTS: usize = 10_000;

/// How many nodes an XML part may have.
const MAX_NODES: u32 = 3_000_000;

/// A package, opened.
pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    xml_left: u64,
    media_left: u64,
}

impl<'b> Package<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, DocxError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(DocxError::Package)?;
        let parts = archive.len();
        if parts > MAX_PARTS {
            return Err(DocxError::TooManyParts { parts, limit: MAX_PARTS });
        }
        Ok(Self { archive, xml_left: MAX_XML, media_left: MAX_MEDIA })
    }

    /// The text of an XML part; `None` if there is no such part.
    pub(super) fn xml(&mut self, name: &str) -> Result<Option<String>, DocxError> {
        let mut left = self.xml_left;
        let bytes = self.read(name, &mut left, MAX_XML)?;
        self.xml_left = left;
        Ok(bytes.map(|bytes| decode(&bytes)))
    }

    /// The bytes of an image; `None` if there is no such part.
    pub(super) fn media(&mut self, name: &str) -> Result<Option<Vec<u8>>, DocxError> {
        let mut left = self.media_left;
        let bytes = self.read(name, &mut left, MAX_MEDIA)?;
        self.media_left = left;
        Ok(bytes)
    }

    fn read(&mut self, name: &str, left: &mut u64, limit: u64) -> Result<Option<Vec<u8>>, DocxError> {
        let Some(index) = self.index(name) else { return Ok(None) };
        let entry = self.archive.by_index(index).map_err(DocxError::Package)?;
        let mut bytes = Vec::new();
        // Sizes in headers are claims: what comes out counts.
        let failed = |source| DocxError::Part { part: name.to_owned(), source };
        entry.take(left.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        *left = left.checked_sub(length).ok_or(DocxError::TooLarge { limit })?;
        Ok(Some(bytes))
    }

    /// Names of parts don't know capitals from small letters (ECMA-376 part 2, 6.2.2.3).
    fn index(&self, name: &str) -> Option<usize> {
        let exact = self.archive.index_for_name(name);
        exact.or_else(|| {
            let same = |found: &[u8]| {
                found.strip_prefix(b"/").unwrap_or(found).eq_ignore_ascii_case(name.as_bytes())
            };
            self.archive.file_names_raw().position(same)
        })
    }
}

/// XML is UTF-8 unless it begins with the mark of UTF-16.
fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(unit).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Reads the XML of a part. Document type declarations are refused, and entities with them.
pub(super) fn parse<'x>(part: &str, text: &'x str) -> Result<Xml<'x>, DocxError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Xml::parse_with_options(text, options).map_err(|source| DocxError::Xml { part: part.to_owned(), source })
}
