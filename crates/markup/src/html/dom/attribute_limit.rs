//! Preprocessing that bounds the tokenizer's time.

use crate::limits::html::MAX_ATTRIBUTES;
use std::borrow::Cow;

/// Escapes tags with too many attributes, so that they become text. The tokenizer compares each attribute with all
/// previous ones.
pub(super) fn limit_attributes(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut cuts = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'<')) {
        let start = at + start;
        let (end, attributes) = measure(bytes.get(start + 1..).unwrap_or_default());
        if attributes > MAX_ATTRIBUTES {
            cuts.push(start);
        }
        at = start + 1 + end;
    }
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + cuts.len() * 3);
    let mut from = 0;
    for cut in cuts {
        out.push_str(text.get(from..cut).unwrap_or_default());
        out.push_str("&lt;");
        from = cut + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Position of a character in a tag: the states of the tokenizer (HTML Standard, 13.2.5.8 and 13.2.5.32 to 13.2.5.40)
/// that determine where an attribute begins. Quotation marks only have a meaning before a value.
#[derive(Clone, Copy)]
enum TagState {
    /// In the tag's name.
    Name,
    /// Before an attribute.
    Between,
    /// In an attribute's name.
    Attribute,
    /// After an attribute's name, before a possible value.
    AfterAttribute,
    BeforeValue,
    /// In an unquoted value.
    Value,
    /// In a value between these quotation marks.
    Quoted(u8),
}

/// Returns the length of a possible tag and an upper bound of its attributes.
fn measure(tag: &[u8]) -> (usize, usize) {
    if !tag.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/') {
        return (0, 0);
    }
    let (mut state, mut attributes) = (TagState::Name, 0);
    for (at, byte) in tag.iter().enumerate() {
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c);
        state = match (state, byte) {
            (TagState::Quoted(quote), byte) if quote == *byte => TagState::Between,
            (TagState::Quoted(quote), _) => TagState::Quoted(quote),
            (_, b'>') => return (at, attributes),
            (TagState::BeforeValue, b'"' | b'\'') => TagState::Quoted(*byte),
            (TagState::BeforeValue, _) if is_space => TagState::BeforeValue,
            (TagState::BeforeValue | TagState::Value, _) if !is_space => TagState::Value,
            (TagState::Attribute | TagState::AfterAttribute, b'=') => TagState::BeforeValue,
            (TagState::Attribute | TagState::AfterAttribute, _) if is_space => TagState::AfterAttribute,
            (TagState::Name, _) if !is_space && *byte != b'/' => TagState::Name,
            (_, byte) if is_space || *byte == b'/' => TagState::Between,
            (TagState::Attribute, _) => TagState::Attribute,
            // Any other character begins an attribute, including a quotation mark and an equals sign.
            _ => {
                attributes += 1;
                TagState::Attribute
            }
        };
    }
    (tag.len(), attributes)
}
