//! Text that a tokenizer can take in bounded time.

use std::borrow::Cow;

/// More attributes than this make no tag.
pub(super) const MAX_ATTRIBUTES: usize = 500;

/// Takes tags with masses of attributes for text: the tokenizer compares each attribute with all before it.
pub(super) fn tame(text: &str) -> Cow<'_, str> {
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

/// How long what looks like a tag is, and how many attributes it may have at most.
fn measure(tag: &[u8]) -> (usize, usize) {
    if !tag.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/') {
        return (0, 0);
    }
    let (mut quote, mut attributes, mut separated) = (None, 0, false);
    for (at, byte) in tag.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) => quote = (open != *byte).then_some(open),
            (None, b'>') => return (at, attributes),
            (None, b'"' | b'\'') => {
                quote = Some(*byte);
                attributes += 1;
            }
            (None, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'/') => separated = true,
            (None, _) => attributes += usize::from(std::mem::take(&mut separated)),
        }
    }
    (tag.len(), attributes)
}
