//! Character references.

use std::borrow::Cow;
use std::iter;

use html5ever::data::NAMED_ENTITIES;

use crate::limits::markdown::MAX_REFERENCE;

/// Replaces character references with their characters.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let end = from.bytes().take(MAX_REFERENCE).position(|byte| byte == b';');
        let found = end.and_then(|end| Some((end, character(from.get(..=end)?)?)));
        let length = if let Some((end, character)) = found {
            out.push_str(&character);
            end + 1
        } else {
            out.push('&');
            1
        };
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns the text of one reference, from `&` to `;`; `None` for an unknown name or an invalid code point.
fn character(reference: &str) -> Option<String> {
    let Some(number) = reference.strip_prefix("&#") else {
        return named(reference.strip_prefix('&')?);
    };
    let number = number.trim_end_matches(';');
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    code.ok().filter(|code| *code != 0).and_then(char::from_u32).map(String::from)
}

/// Returns the one or two characters with this name, which includes the `;`. In the table, prefixes of names have zero
/// as the first character, and names of a single character have zero as the second.
fn named(name: &str) -> Option<String> {
    let &(first, second) = NAMED_ENTITIES.get(name)?;
    let [first, second] = [first, second].map(|code| char::from_u32(code).filter(|c| *c != '\0'));
    first.map(|first| iter::once(first).chain(second).collect())
}

/// Escapes text for element content and quoted attributes, also within a line or a table cell of Markdown.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&#x26;"),
            '<' => out.push_str("&#x3C;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#x22;"),
            '|' => out.push_str("&#124;"),
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Escapes text for element content outside pipe tables, as in GitBook.
pub(crate) fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '>' | '"' | '|' => out.push(c),
            c => out.push_str(&escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{decode, escape, escape_text};

    #[test]
    fn references_are_decoded_by_name_and_number() {
        for (written, decoded) in [
            ("&NotEqualTilde;&fjlig;", "\u{2242}\u{338}fj"),
            ("&CounterClockwise;", "&CounterClockwise;"),
            ("&nbsp;&CounterClockwiseContourIntegral;&eacute;", "\u{a0}\u{2233}é"),
            ("&#65;&#x42;&#X43;", "ABC"),
            (
                "&nosuch; &amp &; &#0; &#xd800; &#99999999999;",
                "&nosuch; &amp &; &#0; &#xd800; &#99999999999;",
            ),
            ("&amp;lt;", "&lt;"),
            ("a & b &", "a & b &"),
        ] {
            assert_eq!(decode(written), decoded, "{written}");
        }
    }

    #[test]
    fn escaped_text_decodes_to_itself() {
        let text = "a & b <c> \"d\" | e\u{1}\t\n&amp;é";
        assert_eq!(decode(&escape(text)), text);
        assert_eq!(decode(&escape_text(text)), text);
        assert_eq!(escape_text("a > \"b\" & <c> | d"), "a > \"b\" &#x26; &#x3C;c> | d");
    }
}
