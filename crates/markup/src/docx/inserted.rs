//! Files that Word reads into a document when it opens it: alternative format chunks (17.17.2).

use super::left_out::LeftOut;
use super::package::{self, Package, Relations};
use super::source::Source;
use super::{DocxError, DocxImage};
use crate::document::{Block, ContentRef, Document};
use crate::html::{self, Extract, HtmlOptions};
use crate::inline_builder::{Format, InlineBuilder};
use crate::limits::docx::{MAX_INSERTED_BYTES, MAX_INSERTED_PICTURE_BYTES};
use crate::links::rewrite_refs;
use std::collections::HashMap;

/// Content of an inserted file.
#[derive(Default)]
pub(super) struct Inserted {
    /// Blocks, whose headings are not settled.
    pub(super) nodes: Vec<Block>,
    pub(super) images: Vec<DocxImage>,
    pub(super) left_out: LeftOut,
}

/// Reads the files that a part names as chunks, by the ids of their relationships. Files that cannot be read are
/// absent.
pub(super) fn read_all(
    package: &mut Package<'_>,
    folder: &str,
    relations: &Relations,
    source: Source<'_>,
) -> Result<HashMap<String, Inserted>, DocxError> {
    let mut found = HashMap::new();
    let mut left = MAX_INSERTED_BYTES;
    for (id, target) in relations.parts("aFChunk") {
        let part = package::resolve(folder, target);
        let Some(bytes) = package.media(&part)? else { continue };
        let inserted = if bytes.starts_with(b"PK") {
            document(package, &bytes, &part, source)
        } else {
            left = left.saturating_sub(bytes.len());
            (left > 0).then(|| text(&bytes, source)).flatten()
        };
        found.extend(inserted.map(|inserted| (id.to_owned(), inserted)));
    }
    Ok(found)
}

/// Reads a Word document. Its own chunks are left out, so that the depth is bounded.
fn document(outer: &mut Package<'_>, bytes: &[u8], part: &str, source: Source<'_>) -> Option<Inserted> {
    let mut package = Package::open_within(bytes, outer).ok()?;
    let read = super::read_body(&mut package, source, false);
    outer.spend_as(&package);
    let super::Body { nodes, anchors, mut images, left_out, .. } = read.ok()?;
    let mut document = Document::new(nodes);
    anchors.settle(&mut document, 0);
    // Names of images are unique within a package only.
    rewrite_refs(&mut document, &mut |reference| match reference {
        ContentRef::Url { url } if images.iter().any(|image| image.name == *url) => {
            Some(ContentRef::url(format!("{part}/{url}")))
        }
        _ => None,
    });
    for image in &mut images {
        image.name = format!("{part}/{}", image.name);
    }
    Some(Inserted { nodes: document.nodes, images, left_out })
}

/// Reads HTML, a web page in one file (MHTML) or plain text. Other formats, such as RTF, are not read.
fn text(bytes: &[u8], source: Source<'_>) -> Option<Inserted> {
    let text = package::decode_strictly(bytes)?;
    let start = text.trim_start();
    if start.starts_with("{\\rtf") || text.contains('\0') {
        return None;
    }
    let mut left_out = LeftOut::default();
    let nodes = if is_mime(start) {
        hypertext(&web_page(start, &mut left_out)?, source)?
    } else if start.starts_with('<') {
        // Word documents as a single XML file.
        if start.contains("schemas.microsoft.com/office/2006/xmlPackage") || start.contains("<w:wordDocument")
        {
            return None;
        }
        hypertext(start, source)?
    } else {
        text.lines().filter_map(line).collect()
    };
    Some(Inserted { nodes, images: Vec::new(), left_out })
}

fn hypertext(text: &str, source: Source<'_>) -> Option<Vec<Block>> {
    let options = HtmlOptions { refs: source.refs, extract: Extract::Everything };
    html::unsettled_blocks(text, &options, source.meter)
}

fn line(text: &str) -> Option<Block> {
    let mut runs = InlineBuilder::default();
    runs.collapsed(text, &Format::default());
    crate::lines::paragraph(runs.finish_line())
}

/// Returns whether a text begins with the header of a MIME message.
fn is_mime(text: &str) -> bool {
    let header = Part::of(text);
    header.field("MIME-Version").is_some() || header.field("Content-Type").is_some()
}

/// Returns the HTML of a MIME message, with small pictures of the message in it.
fn web_page(text: &str, left_out: &mut LeftOut) -> Option<String> {
    let whole = Part::of(text);
    let boundary = whole.field("Content-Type").and_then(|kind| parameter(kind, "boundary"));
    let parts: Vec<Part<'_>> = match &boundary {
        Some(boundary) => {
            let mark = format!("--{boundary}");
            whole.body.split(mark.as_str()).skip(1).map(|part| Part::of(part.trim_start())).collect()
        }
        None => vec![whole],
    };
    let is_kind = |part: &Part<'_>, kind: &str| {
        part.field("Content-Type").is_some_and(|found| found.to_ascii_lowercase().starts_with(kind))
    };
    let mut page = parts.iter().find(|part| is_kind(part, "text/html"))?.text()?;
    let mut room = MAX_INSERTED_PICTURE_BYTES;
    for part in parts.iter().filter(|part| is_kind(part, "image/")) {
        let kind = part.field("Content-Type").and_then(|kind| kind.split(';').next()).unwrap_or_default();
        let location = part.field("Content-Location").map(str::to_owned);
        let id = part.field("Content-ID").map(|id| format!("cid:{}", id.trim_matches(['<', '>'])));
        let named = [location, id].into_iter().flatten().find(|name| !name.is_empty() && page.contains(name));
        let Some(name) = named else { continue };
        let is_fit = part.is_base64() && part.body.len() < room;
        if is_fit {
            room -= part.body.len();
            let data: String = part.body.split_whitespace().collect();
            page = page.replacen(&name, &format!("data:{};base64,{data}", kind.trim()), 1);
        } else {
            left_out.pictures += 1;
        }
    }
    Some(page)
}

/// Part of a MIME message.
struct Part<'t> {
    header: String,
    body: &'t str,
}

impl<'t> Part<'t> {
    fn of(text: &'t str) -> Self {
        let end = ["\r\n\r\n", "\n\n"].into_iter().filter_map(|gap| Some((text.find(gap)?, gap.len()))).min();
        let (header, body) = end.map_or((text, ""), |(at, gap)| {
            let (header, body) = text.split_at(at);
            (header, body.get(gap..).unwrap_or_default())
        });
        // A line that begins with white space continues the one above.
        let header = header.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
        Self { header, body }
    }

    fn field(&self, name: &str) -> Option<&str> {
        let fields = self.header.lines().filter_map(|line| line.split_once(':'));
        fields.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    fn encoding(&self) -> String {
        self.field("Content-Transfer-Encoding").unwrap_or_default().to_ascii_lowercase()
    }

    fn is_base64(&self) -> bool {
        self.encoding() == "base64"
    }

    /// Returns the text of a part that is not packed as base64.
    fn text(&self) -> Option<String> {
        match self.encoding().as_str() {
            "quoted-printable" => package::decode_strictly(&unquoted(self.body)),
            "base64" => None,
            _ => Some(self.body.to_owned()),
        }
    }
}

fn parameter(value: &str, name: &str) -> Option<String> {
    let pairs = value.split(';').skip(1).filter_map(|pair| pair.split_once('='));
    let found = pairs.into_iter().find(|(key, _)| key.trim().eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim().trim_matches('"').to_owned()).filter(|value| !value.is_empty())
}

/// Decodes quoted-printable (RFC 2045, 6.7).
fn unquoted(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut pieces = text.split('=');
    bytes.extend(pieces.next().unwrap_or_default().bytes());
    for piece in pieces {
        // An equals sign at the end of a line joins it with the next one.
        let joined = piece.strip_prefix("\r\n").or_else(|| piece.strip_prefix('\n'));
        let code = piece.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        match (joined, code) {
            (Some(rest), _) => bytes.extend(rest.bytes()),
            (None, Some(byte)) => {
                bytes.push(byte);
                bytes.extend(piece.bytes().skip(2));
            }
            (None, None) => {
                bytes.push(b'=');
                bytes.extend(piece.bytes());
            }
        }
    }
    bytes
}
