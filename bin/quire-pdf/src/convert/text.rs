//! Preparation of plain text for a book.

pub use quire_markup::{emoji_character as emoji, is_right_to_left};

/// Zero-width joiner, which joins emoji to one.
const JOINER: char = '\u{200d}';
/// Variation selector for emoji presentation.
const EMOJI_FORM: char = '\u{fe0f}';

/// Splits a text into runs, each with a flag that is true for an emoji. A sequence of joined emoji is one run.
pub fn emoji_runs(text: &str) -> Vec<(bool, &str)> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = text.len().saturating_sub(rest.len());
        let length = sequence(rest);
        if length > 0 {
            runs.push((false, text.get(start..at).unwrap_or_default()));
            start = at.saturating_add(length);
            runs.push((true, text.get(at..start).unwrap_or_default()));
        }
        rest = rest.get(length.max(c.len_utf8())..).unwrap_or_default();
    }
    runs.push((false, text.get(start..).unwrap_or_default()));
    runs.retain(|(_, text)| !text.is_empty());
    runs
}

/// Returns the length in bytes of the emoji at the start of a text; 0 without one.
fn sequence(text: &str) -> usize {
    let mut chars = text.chars().peekable();
    let mut length = 0_usize;
    let mut is_joined = true;
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let is_base = is_pictograph(c) || (next == Some(EMOJI_FORM) && !c.is_whitespace());
        let is_joined_sign = length > 0 && matches!(u32::from(c), 0x2190..=0x2bff);
        match c {
            JOINER if length > 0 && !is_joined => is_joined = true,
            EMOJI_FORM | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' if length > 0 => {
            }
            // A flag is a pair of regional indicators.
            '\u{1f1e6}'..='\u{1f1ff}' if length == 4 && text.starts_with(is_flag_letter) => {}
            _ if is_joined && (is_base || is_joined_sign) => is_joined = false,
            _ => break,
        }
        length = length.saturating_add(c.len_utf8());
    }
    length
}

fn is_flag_letter(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}')
}

/// Properties of text that determine its width.
#[derive(Clone, Copy)]
pub struct Type {
    /// Size in points.
    pub size: f64,
    /// `true` for bold text, which is wider.
    pub is_bold: bool,
    /// `true` for code, whose letters have one width.
    pub is_code: bool,
}

impl Type {
    /// Returns an upper bound of the width of a character in points.
    fn width(self, c: char) -> f64 {
        let em = match c {
            '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
            _ if self.is_code && c.is_ascii() => 0.61,
            'i' | 'j' | 'l' | 'I' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '/' => 0.4,
            'm' | 'M' | 'W' | '@' | '%' | '&' => 0.98,
            'w' => 0.8,
            _ if c.is_uppercase() => 0.75,
            _ if c.is_ascii() => 0.56,
            _ if is_wide(c) => 1.05,
            _ => 0.7,
        };
        em * self.size * if self.is_bold { 1.07 } else { 1.0 }
    }

    /// Returns an upper bound of the width of the longest word in points.
    pub fn longest_word(self, text: &str) -> f64 {
        let (mut longest, mut width) = (0.0_f64, 0.0);
        for c in text.chars() {
            width = if ends_word(c) { 0.0 } else { width + self.width(c) };
            longest = longest.max(width);
        }
        longest
    }
}

/// Returns whether a character belongs to a script without spaces, in which lines break between characters.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x2e80..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 | 0x20000..=0x3ffff)
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || is_wide(c) || c == '\u{200b}'
}

/// Returns the text with break opportunities in each word that is wider than `room`: after punctuation within names,
/// and at any character where a part is still too wide.
pub fn wrapped(text: &str, kind: Type, room: f64) -> String {
    if kind.longest_word(text) <= room {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len().saturating_add(16));
    let mut word = String::new();
    for c in text.chars() {
        if ends_word(c) {
            broken(&word, kind, room, &mut out);
            word.clear();
            out.push(c);
        } else {
            word.push(c);
        }
    }
    broken(&word, kind, room, &mut out);
    out
}

fn broken(word: &str, kind: Type, room: f64, out: &mut String) {
    if kind.longest_word(word) <= room {
        return out.push_str(word);
    }
    let mut width = 0.0;
    for c in word.chars() {
        let own = kind.width(c);
        if width > 0.0 && width + own > room {
            out.push('\u{200b}');
            width = 0.0;
        }
        out.push(c);
        width += own;
        if matches!(c, '_' | '-' | '/' | '.' | ':' | '=' | '&' | '?' | '#' | ',') && width > room / 4.0 {
            out.push('\u{200b}');
            width = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: Type = Type { size: 10.0, is_bold: false, is_code: false };

    #[test]
    fn wide_words_can_be_broken() {
        let word = "x".repeat(100);
        assert_eq!(wrapped(&word, BODY, 200.0).matches('\u{200b}').count(), 2);
        let sentence = "short words stay as they are, however many there may be of them";
        assert_eq!(wrapped(sentence, BODY, 60.0), sentence);
        assert_eq!(
            wrapped("see SERVER_TIMEOUT_SECONDS", BODY, 80.0),
            "see SERVER_\u{200b}TIMEOUT_\u{200b}SECONDS"
        );
    }

    #[test]
    fn joined_emoji_are_one_run() {
        for emoji in ["🙋‍♀️", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🚀"]
        {
            let text = format!("a{emoji}b");
            assert_eq!(emoji_runs(&text), [(false, "a"), (true, emoji), (false, "b")], "{emoji}");
        }
        assert_eq!(emoji_runs("🚀🚀"), [(true, "🚀"), (true, "🚀")]);
        assert_eq!(emoji_runs("♀ ن\u{200d}ی 1 →"), [(false, "♀ ن\u{200d}ی 1 →")]);
        assert_eq!(emoji_runs(""), []);
    }
}
