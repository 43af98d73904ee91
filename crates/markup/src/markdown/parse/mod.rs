//! Reader of Markdown.

use crate::limits::markdown::{MAX_LINES, MAX_REPEATED_NOTE_BYTES, MAX_SPECIAL_CHARS};
mod api_method;
mod assemble;
mod blocks;
mod cell;
mod excess;
mod groups;
mod inlines;
mod spanning;
mod tag_blocks;
mod verbatim;

use super::placeholder::{Placeholders, Prepared, prepare};
use super::tags::{Piece, pieces};
use super::{HrefKind, RefResolver};
use crate::document::{Block, ContentRef, Document, Excess, MAX_LINKS, MAX_NODES, MAX_TEXT};
use blocks::{Footnote, Reader};
use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, Options, parse_document, try_parse_document};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Reads Markdown (CommonMark, GFM and block tags). Never fails, since any text is Markdown, and no word of the text is
/// lost. Addresses, attributes and properties are kept if documents can represent them, except for addresses with
/// disallowed schemes.
///
/// ```
/// let document = quire_markup::parse("{% hint style=\"danger\" %}\nMind the *gap*.\n{% endhint %}\n", &quire_markup::StableRefs);
/// assert_eq!(quire_markup::plain_text(&document), "Mind the gap.");
/// ```
#[must_use]
pub fn parse(text: &str, refs: &dyn RefResolver) -> Document {
    read(text, refs).0
}

/// Reads Markdown. The flag is true if the text begins with a first-rank heading, the title of a page.
pub(super) fn read(text: &str, refs: &dyn RefResolver) -> (Document, bool) {
    let prepared = prepare(&without_nul(text));
    let arena = Arena::new();
    let root = parse_document(&arena, &prepared.text, &options());
    build(root, Source::of(&prepared, refs), text.len())
}

/// [`parse`] for untrusted input: enforces the bounds of documents, and aborts once `is_late` returns true.
///
/// # Errors
/// [`Excess`] with the exceeded bound.
pub fn try_parse(text: &str, refs: &dyn RefResolver, is_late: &dyn Fn() -> bool) -> Result<Document, Excess> {
    try_read(text, refs, is_late).map(|(document, _)| document)
}

/// [`read`] for untrusted input, like [`try_parse`].
pub(super) fn try_read(
    text: &str,
    refs: &dyn RefResolver,
    is_late: &dyn Fn() -> bool,
) -> Result<(Document, bool), Excess> {
    if text.len() > MAX_TEXT {
        return Err(Excess::Text);
    }
    if special_chars(text) > MAX_SPECIAL_CHARS || lines(text) > MAX_LINES {
        return Err(Excess::Nodes);
    }
    let prepared = prepare(&without_nul(text));
    let arena = Arena::new();
    let root = try_parse_document(&arena, &prepared.text, &options(), is_late).map_err(|_| Excess::Time)?;
    check(root)?;
    let (document, has_title) = build(root, Source::of(&prepared, refs), text.len());
    document.excess().map_or(Ok((document, has_title)), Err)
}

/// Characters that may start an inline node.
const SPECIAL: &[u8] = b"*_[]!<&`~:$|";

fn special_chars(text: &str) -> usize {
    text.bytes().filter(|byte| SPECIAL.contains(byte)).count()
}

/// Counts the lines that are not blank.
fn lines(text: &str) -> usize {
    text.lines().filter(|line| !line.trim_start().is_empty()).count()
}

/// Enforces the bounds on comrak's tree. The document takes several times its memory.
fn check(root: Node<'_>) -> Result<(), Excess> {
    let (mut nodes, mut links) = (0, 0);
    for node in root.descendants() {
        nodes += 1;
        links += usize::from(matches!(node.data().value, NodeValue::Link(_) | NodeValue::Image(_)));
    }
    match () {
        () if links > MAX_LINKS => Err(Excess::Links),
        // Line breaks are nodes of comrak's tree, but only characters of a document.
        () if nodes > 2 * MAX_NODES => Err(Excess::Nodes),
        () => Ok(()),
    }
}

/// Builds the document of a text of `length` bytes.
fn build<'a>(root: Node<'a>, source: Source<'_>, length: usize) -> (Document, bool) {
    let footnotes = footnotes(root, &source);
    let names = footnotes.iter().enumerate().rev().map(|(index, note)| (note.name.clone(), index)).collect();
    let repeats = length.saturating_add(MAX_REPEATED_NOTE_BYTES);
    let mut reader = Reader { source, footnotes, names, repeats, lines: OnceCell::new() };
    let (mut nodes, has_title) = reader.root(root);
    nodes.extend(reader.unused_footnotes());
    (Document::new(nodes).with_limited_depth(), has_title)
}

/// Reads the Markdown between tags in a line, at a depth.
fn line(text: &str, refs: &dyn RefResolver, depth: usize) -> Vec<Block> {
    let prepared = prepare(text);
    let arena = Arena::new();
    let root = parse_document(&arena, &prepared.text, &options());
    let source = Source::of(&prepared, refs);
    let mut reader =
        Reader { source, footnotes: Vec::new(), names: HashMap::new(), repeats: 0, lines: OnceCell::new() };
    reader.container(root, depth)
}

/// Returns the block properties that the tag at the start of a text sets. The printer writes the other properties as a
/// comment.
pub(super) fn properties_of_tag(text: &str) -> Map<String, Value> {
    let line = text.split('\n').next().unwrap_or_default();
    let Some(Piece::Tag(tag)) = pieces(line).into_iter().next() else { return Map::new() };
    let block = tag_blocks::single(&tag, &NoRefs)
        .or_else(|| tag_blocks::build(&tag, vec![Block::code(None, [])], &NoRefs).into_iter().next());
    block.map(|block| block.data.into_inner()).unwrap_or_default()
}

/// Resolver that keeps every address as a URL.
struct NoRefs;

impl RefResolver for NoRefs {
    fn resolve(&self, _href: &str, _kind: HrefKind) -> Option<ContentRef> {
        None
    }
}

/// Replaces NUL with the replacement character (CommonMark 2.3), since documents must not contain NUL.
pub(super) fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text.into() }
}

/// Input shared by all parts of the reader.
#[derive(Clone, Copy)]
struct Source<'r> {
    refs: &'r dyn RefResolver,
    placeholders: Option<Placeholders>,
    /// Text that comrak parsed.
    text: &'r str,
}

impl<'r> Source<'r> {
    fn of(prepared: &'r Prepared, refs: &'r dyn RefResolver) -> Self {
        Self { refs, placeholders: prepared.placeholders, text: &prepared.text }
    }

    /// Returns a literal with its placeholders replaced by the original text.
    fn restore<'l>(&self, literal: &'l str) -> Cow<'l, str> {
        match self.placeholders {
            Some(placeholders) => placeholders.restore(literal),
            None => Cow::Borrowed(literal),
        }
    }
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.strikethrough = true;
    extension.table = true;
    extension.autolink = true;
    extension.tasklist = true;
    extension.footnotes = true;
    extension.alerts = true;
    extension.math_dollars = true;
    extension.shortcodes = true;
    // Chinese, Japanese and Korean have no spaces around emphasized words.
    extension.cjk_friendly_emphasis = true;
    options.parse.leave_footnote_definitions = true;
    options
}

/// Returns the definitions of footnotes in order.
fn footnotes<'a>(root: Node<'a>, source: &Source<'_>) -> Vec<Footnote<'a>> {
    let definitions = root.descendants().filter_map(|node| match &node.data().value {
        NodeValue::FootnoteDefinition(definition) => {
            Some(Footnote::new(source.restore(&definition.name).into_owned(), node))
        }
        _ => None,
    });
    definitions.collect()
}
