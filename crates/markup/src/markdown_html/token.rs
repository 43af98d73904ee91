//! HTML tokenizer: a flat sequence of tags and text.

use super::decode;

/// HTML token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Start tag of an element, possibly self-closing such as `<br/>`.
    Open(Element),
    /// End tag of an element, by its name in lower case.
    Close(String),
    /// Text as written, with character references.
    Text(&'a str),
    /// Text of a comment.
    Comment(&'a str),
    /// Content that is already parsed, by its index in a [`Mixed`](super::Mixed).
    Parsed(usize),
}

/// Start tag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Element {
    /// Name in lower case.
    pub(crate) name: String,
    /// Attributes: names in lower case, values decoded.
    pub(crate) attributes: Vec<(String, String)>,
}

impl Element {
    /// Returns the value of an attribute; empty for an attribute without a value.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns whether the attribute is present, even without a value.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns whether the `class` attribute contains this word.
    pub(crate) fn has_class(&self, class: &str) -> bool {
        self.get("class").is_some_and(|classes| classes.split_whitespace().any(|word| word == class))
    }
}

/// A token with its source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spanned<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) source: &'a str,
}

/// Splits HTML into tokens. Invalid tags are text.
pub(crate) fn tokens(html: &str) -> Vec<Spanned<'_>> {
    let mut tokens = Vec::new();
    let mut text_start = 0;
    let mut at = 0;
    // False after a search for the end of a comment failed, since later searches would fail too.
    let mut has_comments = true;
    // Likewise, the raw elements whose end tag was not searched in vain.
    let mut raw = vec!["script", "style"];
    while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + found;
        let rest = html.get(start..).unwrap_or_default();
        let is_comment = rest.starts_with("<!--");
        let Some((token, length)) = Some(rest).filter(|_| has_comments || !is_comment).and_then(read) else {
            has_comments &= !is_comment;
            at = start + 1;
            continue;
        };
        push_text(&mut tokens, html.get(text_start..start).unwrap_or_default());
        at = start + length;
        text_start = at;
        // Scripts and style sheets contain no elements.
        if let Token::Open(Element { name, .. }) = &token
            && let Some(name) = raw.iter().find(|raw| *raw == name).copied()
        {
            match html.get(at..).and_then(|rest| rest.find(&format!("</{name}"))) {
                Some(end) => at += end,
                None => raw.retain(|raw| *raw != name),
            }
        }
        tokens.push(Spanned { token, source: html.get(start..start + length).unwrap_or_default() });
    }
    push_text(&mut tokens, html.get(text_start..).unwrap_or_default());
    tokens
}

fn push_text<'a>(tokens: &mut Vec<Spanned<'a>>, text: &'a str) {
    if !text.is_empty() {
        tokens.push(Spanned { token: Token::Text(text), source: text });
    }
}

/// Reads a token that begins with `<`. Returns the token and its length in bytes.
fn read(text: &str) -> Option<(Token<'_>, usize)> {
    if let Some(inner) = text.strip_prefix("<!--") {
        let end = inner.find("-->")?;
        return Some((Token::Comment(inner.get(..end)?), end + 7));
    }
    if let Some(inner) = text.strip_prefix("</") {
        let end = inner
            .find(['>', '<'])
            .filter(|end| inner.get(*end..).is_some_and(|rest| rest.starts_with('>')))?;
        let name = inner.get(..end)?.trim();
        return is_name(name).then(|| (Token::Close(name.to_ascii_lowercase()), end + 3));
    }
    let inner = text.strip_prefix('<')?;
    let end = inner.find(|c: char| !is_name_char(c))?;
    let (name, mut rest) = inner.split_at_checked(end)?;
    if !is_name(name) {
        return None;
    }
    let mut element = Element { name: name.to_ascii_lowercase(), attributes: Vec::new() };
    loop {
        let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if let Some(after) = trimmed.strip_prefix('>') {
            return Some((Token::Open(element), text.len() - after.len()));
        }
        if trimmed.len() == rest.len() {
            return None;
        }
        let (attribute, after) = attribute(trimmed)?;
        element.attributes.push(attribute);
        rest = after;
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

fn attribute(text: &str) -> Option<((String, String), &str)> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '"' | '\'' | '<' | '`');
    let end = text.find(ends)?;
    let (name, rest) = text.split_at_checked(end)?;
    if name.is_empty() {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let Some(value) = rest.trim_start().strip_prefix('=').map(str::trim_start) else {
        return Some(((name, String::new()), rest));
    };
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (value, rest) = match quote {
        Some(quote) => value.get(1..)?.split_once(quote)?,
        None => value
            .split_at_checked(value.find(|c: char| c.is_whitespace() || matches!(c, '>' | '"' | '<'))?)?,
    };
    Some(((name, decode(value).into_owned()), rest))
}
