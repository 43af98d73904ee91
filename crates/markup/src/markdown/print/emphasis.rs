//! Printer of marks as delimiters if they are certain to be read as such (CommonMark 6.2), otherwise as elements.

use crate::document::Mark;
use crate::markdown_html::escape as html_escape;

/// Piece of a line before its delimiters are chosen. The choice depends on the adjacent pieces.
pub(super) enum Piece<'d> {
    Str(String),
    Open(&'d Mark),
    Close(&'d Mark),
}

/// Joins pieces, with delimiters if they are certain to be read as such, otherwise with elements.
pub(super) fn join(pieces: &[Piece<'_>]) -> String {
    let as_delimiter = choose(pieces);
    let mut out = String::new();
    for (piece, delimiter) in pieces.iter().zip(as_delimiter) {
        match piece {
            Piece::Str(text) => out.push_str(text),
            Piece::Open(mark) if delimiter => out.push_str(delimiter_of(mark)),
            Piece::Close(mark) if delimiter => out.push_str(delimiter_of(mark)),
            Piece::Open(mark) => out.push_str(&open_tag(mark)),
            Piece::Close(mark) => out.push_str(&close_tag(mark)),
        }
    }
    out
}

/// Returns for each piece whether it is written as a delimiter.
fn choose(pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut chosen = vec![false; pieces.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| pieces.get(before));
        let after = pieces.get(index + 1);
        match piece {
            Piece::Str(_) => {}
            Piece::Open(mark) => {
                let fits =
                    !delimiter_of(mark).is_empty() && flanks(mark, last_of(before), first_of(after), true);
                open.push((index, fits));
            }
            Piece::Close(mark) => {
                let Some((start, opens)) = open.pop() else { continue };
                let closes = flanks(mark, last_of(before), first_of(after), false);
                if opens && closes {
                    for at in [start, index] {
                        if let Some(is_chosen) = chosen.get_mut(at) {
                            *is_chosen = true;
                        }
                    }
                }
            }
        }
    }
    chosen
}

/// Class of a character in the rules of emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Punctuation,
    Other,
    /// Possibly punctuation, since Unicode's classes are not available.
    Unsure,
    /// Character of the delimiter itself.
    Same,
}

fn class(c: Option<char>, mark: &Mark) -> Class {
    match c {
        None => Class::Space,
        Some(c) if delimiter_of(mark).starts_with(c) => Class::Same,
        Some(c) if c.is_whitespace() => Class::Space,
        // The parser looks past tildes, at a character that is unknown here.
        Some('~') => Class::Unsure,
        // Characters without a width are neither spaces nor punctuation.
        Some(c) if c.is_alphanumeric() || ('\u{200b}'..='\u{200d}').contains(&c) => Class::Other,
        Some(c) if c.is_ascii_punctuation() || ('\u{2010}'..='\u{205e}').contains(&c) => Class::Punctuation,
        Some(_) => Class::Unsure,
    }
}

fn last_of(piece: Option<&Piece<'_>>) -> Option<char> {
    match piece? {
        Piece::Str(text) => text.chars().next_back(),
        Piece::Open(mark) | Piece::Close(mark) => Some(edge(mark, '>')),
    }
}

fn first_of(piece: Option<&Piece<'_>>) -> Option<char> {
    match piece? {
        Piece::Str(text) => text.chars().next(),
        Piece::Open(mark) | Piece::Close(mark) => Some(edge(mark, '<')),
    }
}

/// Returns the character at the edge of a mark's delimiter or element. For a tilde run, the character next to it
/// matters, which is unknown here.
fn edge(mark: &Mark, bracket: char) -> char {
    const UNKNOWN: char = '\u{e000}';
    if *mark == Mark::Strikethrough { UNKNOWN } else { delimiter_of(mark).chars().next().unwrap_or(bracket) }
}

/// Returns whether a delimiter between these two characters opens (or closes) emphasis unambiguously.
fn flanks(mark: &Mark, before: Option<char>, after: Option<char>, opens: bool) -> bool {
    let (before, after) = (class(before, mark), class(after, mark));
    if before == Class::Same || after == Class::Same {
        return false;
    }
    let (outer, inner) = if opens { (before, after) } else { (after, before) };
    match (outer, inner) {
        (_, Class::Space) => false,
        // Inside a word, only asterisks are delimiters.
        (Class::Other | Class::Unsure, Class::Other) => *mark != Mark::Italic,
        (_, Class::Other) => true,
        (outer, _) => !matches!(outer, Class::Other | Class::Unsure),
    }
}

fn delimiter_of(mark: &Mark) -> &'static str {
    match mark {
        Mark::Bold => "**",
        Mark::Italic => "_",
        Mark::Strikethrough => "~~",
        _ => "",
    }
}

fn element_of(mark: &Mark) -> &'static str {
    match mark {
        Mark::Bold => "strong",
        Mark::Italic => "em",
        Mark::Strikethrough => "del",
        Mark::Superscript => "sup",
        Mark::Subscript => "sub",
        Mark::Keyboard => "kbd",
        Mark::Code => "code",
        Mark::Color { .. } => "mark",
    }
}

/// Returns the start tag of a mark.
pub(super) fn open_tag(mark: &Mark) -> String {
    let Mark::Color { text, background } = mark else { return format!("<{}>", element_of(mark)) };
    let rule = |name: &str, value: &str| {
        if value == "default" { String::new() } else { format!("{name}:{};", html_escape(value)) }
    };
    match (rule("color", text), rule("background-color", background)) {
        (text, background) if text.is_empty() && background.is_empty() => {
            "<mark style=\"color:default;\">".to_owned()
        }
        (text, background) => format!("<mark style=\"{text}{background}\">"),
    }
}

/// Returns the end tag of a mark.
pub(super) fn close_tag(mark: &Mark) -> String {
    format!("</{}>", element_of(mark))
}
