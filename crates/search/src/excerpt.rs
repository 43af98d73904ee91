//! Excerpts: the words around matches.

use std::ops::Range;

/// Maximum number of characters of an excerpt, without the dots for omitted text.
const LENGTH: usize = 200;
/// Number of characters before the first match.
const BEFORE: usize = 60;
const DOTS: char = '…';

/// Part of a text on one line, with its matching characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Text, with dots where text was omitted.
    pub text: String,
    /// Ranges of matching characters, in order.
    pub marks: Vec<Range<usize>>,
}

/// Returns the excerpt that begins shortly before the byte `first`. `matches` are byte ranges in order.
pub(crate) fn excerpt(text: &str, first: usize, matches: &[Range<usize>]) -> Excerpt {
    let start = start_before(text, first);
    let mut writer = Writer::default();
    writer.excerpt.text.reserve(LENGTH + 2 * DOTS.len_utf8());
    if start > 0 {
        writer.push(DOTS);
    }
    let (mut space, mut begun) = (false, false);
    let mut matches = matches.iter().skip_while(|range| range.start < start).peekable();
    let mut mark = None;
    // State after the last complete word, once the excerpt is half full.
    let mut fitting: Option<Written> = None;
    let mut left = LENGTH;
    let mut at = start;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c.is_whitespace() {
            space = begun;
            at += c.len_utf8();
            continue;
        }
        if left <= usize::from(space) {
            writer.cut(fitting, mark);
            return writer.excerpt;
        }
        if std::mem::take(&mut space) {
            if LENGTH - left > LENGTH / 2 {
                fitting = Some(writer.written());
            }
            writer.push(' ');
            left -= 1;
        }
        let next = matches.peek();
        if next.is_some_and(|range| range.start == at) {
            mark = Some(writer.length);
        }
        // ASCII letters up to the next start or end of a match are copied at once.
        let border = next.map_or(usize::MAX, |range| if range.start > at { range.start } else { range.end });
        let most = left.min(border.saturating_sub(at));
        let rest = text.get(at..).unwrap_or_default();
        let plain = rest.bytes().take(most).take_while(u8::is_ascii_graphic).count();
        let piece = rest.get(..plain.max(c.len_utf8())).unwrap_or_default();
        left -= writer.push_all(piece);
        begun = true;
        at += piece.len();
        if next.is_some_and(|range| range.end == at) {
            matches.next();
            writer.excerpt.marks.extend(mark.take().map(|mark| mark..writer.length));
        }
    }
    writer.excerpt
}

/// Returns the start of a word some characters before a match.
fn start_before(text: &str, first: usize) -> usize {
    let before = text.get(..first).unwrap_or_default();
    let Some((start, _)) = before.char_indices().rev().nth(BEFORE - 1) else { return 0 };
    // A text with more bytes than this has too many characters to be shown completely.
    if text.len() <= 4 * LENGTH && text.chars().nth(LENGTH).is_none() {
        return 0;
    }
    let spaces = before.get(start..).into_iter().flat_map(str::char_indices);
    let space = spaces.into_iter().find(|(_, c)| c.is_whitespace()).map(|(at, c)| start + at + c.len_utf8());
    space.unwrap_or(start)
}

#[derive(Clone, Copy)]
struct Written {
    bytes: usize,
    length: usize,
}

#[derive(Default)]
struct Writer {
    excerpt: Excerpt,
    /// Number of characters written.
    length: usize,
}

impl Writer {
    fn push(&mut self, c: char) {
        self.excerpt.text.push(c);
        self.length += 1;
    }

    /// Appends an ASCII string or a single character, and returns the number of characters.
    fn push_all(&mut self, piece: &str) -> usize {
        let count = if piece.is_ascii() { piece.len() } else { 1 };
        self.excerpt.text.push_str(piece);
        self.length += count;
        count
    }

    fn written(&self) -> Written {
        Written { bytes: self.excerpt.text.len(), length: self.length }
    }

    /// Ends the excerpt after the last complete word, or here without one.
    fn cut(&mut self, fitting: Option<Written>, open_mark: Option<usize>) {
        let Written { bytes, length } = fitting.unwrap_or(self.written());
        self.excerpt.marks.extend(open_mark.map(|mark| mark..self.length));
        self.excerpt.text.truncate(bytes);
        self.excerpt.marks.retain(|mark| mark.end <= length);
        self.excerpt.text.push(DOTS);
    }
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, LENGTH, excerpt};

    /// Returns the marked parts.
    fn marked(excerpt: &Excerpt) -> Vec<String> {
        let chars: Vec<char> = excerpt.text.chars().collect();
        excerpt.marks.iter().map(|mark| chars[mark.clone()].iter().collect()).collect()
    }

    #[test]
    fn a_short_text_is_whole_and_on_one_line() {
        let text = " öne\n two\tthree ";
        let found = excerpt(text, 7, &[7..10, 11..16]);
        assert_eq!(found.text, "öne two three");
        assert_eq!(marked(&found), ["two", "three"]);
        assert_eq!(excerpt("", 0, &[]), Excerpt::default());
    }

    #[test]
    fn words_are_whole_where_the_text_goes_on() {
        let text = "filler ".repeat(30) + "needle " + &"word ".repeat(100);
        let found = excerpt(&text, 210, std::slice::from_ref(&(210..216)));
        assert!(found.text.starts_with("…filler") && found.text.ends_with(" word…"), "{}", found.text);
        assert!(found.text.chars().count() <= LENGTH + 2);
        assert_eq!(marked(&found), ["needle"]);
    }

    #[test]
    fn scripts_without_spaces_are_cut_anywhere() {
        let text = "安装".repeat(200);
        let found = excerpt(&text, 600, std::slice::from_ref(&(600..606)));
        assert_eq!(found.text.chars().count(), LENGTH + 2);
        assert_eq!(marked(&found), ["安装"]);
    }
}
