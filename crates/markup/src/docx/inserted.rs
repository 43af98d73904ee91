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
use mailparse::body::Body;
use mailparse::{MailHeaderMap as _, ParsedMail};
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
    mailparse::parse_headers(text.as_bytes()).is_ok_and(|(headers, _)| {
        ["MIME-Version", "Content-Type"].iter().any(|name| headers.get_first_header(name).is_some())
    })
}

/// Returns the HTML of a MIME message, with small pictures of the message in it.
fn web_page(text: &str, left_out: &mut LeftOut) -> Option<String> {
    let message = mailparse::parse_mail(text.as_bytes()).ok()?;
    let is_page = |part: &&ParsedMail<'_>| part.ctype.mimetype == "text/html";
    let mut page = words(message.parts().find(is_page)?)?;
    let mut room = MAX_INSERTED_PICTURE_BYTES;
    for part in message.parts().filter(|part| part.ctype.mimetype.starts_with("image/")) {
        let location = part.headers.get_first_value("Content-Location");
        let id = part.headers.get_first_value("Content-ID");
        let id = id.map(|id| format!("cid:{}", id.trim().trim_matches(['<', '>'])));
        let named = [location, id].into_iter().flatten().find(|name| !name.is_empty() && page.contains(name));
        let Some(name) = named else { continue };
        let picture = match part.get_body_encoded() {
            Body::Base64(body) if body.get_raw().len() < room => str::from_utf8(body.get_raw()).ok(),
            _ => None,
        };
        match picture {
            Some(picture) => {
                room -= picture.len();
                let data: String = picture.split_whitespace().collect();
                page = page.replacen(&name, &format!("data:{};base64,{data}", part.ctype.mimetype), 1);
            }
            None => left_out.pictures += 1,
        }
    }
    Some(page)
}

/// Returns the text of a part. The characters of the message itself are decoded before.
fn words(part: &ParsedMail<'_>) -> Option<String> {
    match part.get_body_encoded() {
        Body::Base64(_) | Body::QuotedPrintable(_) => package::decode_strictly(&part.get_body_raw().ok()?),
        Body::SevenBit(body) | Body::EightBit(body) => str::from_utf8(body.get_raw()).ok().map(str::to_owned),
        Body::Binary(body) => str::from_utf8(body.get_raw()).ok().map(str::to_owned),
    }
}
