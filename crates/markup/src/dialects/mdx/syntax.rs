//! Tags and expressions of JSX.

use crate::limits::markdown::{MAX_EXPRESSION_BYTES, MAX_TAG_BYTES};
use crate::markdown_html::decode;

/// Attributes with text for readers.
pub(super) const WORDS: [&str; 15] = [
    "title",
    "label",
    "heading",
    "headline",
    "subtitle",
    "subTitle",
    "summary",
    "question",
    "caption",
    "description",
    "text",
    "tip",
    "cta",
    "ctaLabel",
    "alt",
];

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    pub(super) is_end: bool,
    /// True for a self-closing tag.
    pub(super) is_closed: bool,
    attributes: Vec<(&'t str, Value<'t>)>,
    pub(super) source: &'t str,
}

/// Value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'t> {
    /// In quotes, or absent.
    Text(&'t str),
    /// In braces.
    Expression(&'t str),
}

impl<'t> Tag<'t> {
    /// Reads the tag at the start of a text.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let window = text.get(..text.floor_char_boundary(MAX_TAG_BYTES))?;
        let mut rest = window.strip_prefix('<')?;
        let is_end = rest.starts_with('/');
        rest = rest.strip_prefix('/').unwrap_or(rest);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let length = rest.find(|c: char| !is_name(c))?;
        let (name, mut rest) = rest.split_at_checked(length)?;
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let mut attributes = Vec::new();
        // The quote or brace at the end of a value separates it from the next attribute.
        let mut is_separated = false;
        loop {
            let before = rest.len();
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix("/>").or_else(|| rest.strip_prefix('>')) {
                let is_closed = rest.starts_with('/');
                let source = window.get(..window.len() - behind.len())?;
                return Some(Self { name, is_end, is_closed, attributes, source });
            }
            if rest.starts_with('{') {
                rest = braced(rest)?.1;
                continue;
            }
            let is_key =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '@' | '#');
            let has_space = rest.len() < before;
            let length =
                rest.find(|c: char| !is_key(c)).filter(|at| *at > 0 && (has_space || is_separated))?;
            let (key, behind) = rest.split_at_checked(length)?;
            let (value, behind) = match behind.trim_start().strip_prefix('=').map(str::trim_start) {
                Some(behind) if behind.starts_with('{') => {
                    let (inside, behind) = braced(behind)?;
                    (Value::Expression(inside), behind)
                }
                Some(behind) => match behind.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
                    Some(quote) => {
                        let (inside, behind) = behind.get(1..)?.split_once(quote)?;
                        (Value::Text(inside), behind)
                    }
                    None => {
                        let end = behind.find(|c: char| c.is_whitespace() || c == '>')?;
                        let (inside, behind) = behind.split_at_checked(end)?;
                        (Value::Text(inside.trim_end_matches('/')), behind)
                    }
                },
                None => (Value::Text(""), behind),
            };
            attributes.push((key, value));
            let written = rest.strip_suffix(behind).unwrap_or_default();
            is_separated = written.ends_with(['"', '\'', '}']);
            rest = behind;
        }
    }

    /// Returns the text of an attribute; `None` if it is absent or computed. For computed text that readers see,
    /// returns its literals.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::Text(text) => Some(decode(text).into_owned()),
            Value::Expression(inside) => {
                literal(inside).or_else(|| if WORDS.contains(&name) { computed(inside) } else { None })
            }
        }
    }

    /// Returns the first of these attributes whose text is not blank.
    pub(super) fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().filter_map(|name| self.get(name)).find(|text| !text.trim().is_empty())
    }

    /// Returns the source of an attribute.
    pub(super) fn value(&self, name: &str) -> Option<Value<'t>> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// Returns the texts of attributes that are multi-line templates, which are code.
    pub(super) fn listings(&self) -> impl Iterator<Item = String> {
        self.attributes.iter().filter_map(|(_, value)| match value {
            Value::Expression(inside) if inside.trim().starts_with('`') && inside.trim().contains('\n') => {
                computed_template(inside.trim())
            }
            _ => None,
        })
    }

    /// Returns whether it fills a slot of a component of Vue, or is shown under a condition: `<template #title>`.
    pub(super) fn is_slot(&self) -> bool {
        self.name == "template"
            && self.attributes.iter().any(|(key, _)| key.starts_with('#') || key.starts_with("v-"))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| value != Value::Expression("false"))
    }
}

/// Splits a text that begins with a brace into the text between the braces and the rest.
pub(super) fn braced(text: &str) -> Option<(&str, &str)> {
    let end = closing(text)?;
    Some((text.get(1..end)?, text.get(end + 1..)?))
}

/// Returns the position of the bracket that closes the one at the start of a text. Brackets in strings and comments do
/// not count.
pub(super) fn closing(text: &str) -> Option<usize> {
    let bytes = text.get(..text.floor_char_boundary(MAX_EXPRESSION_BYTES))?.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let in_template = open.last() == Some(&b'`');
        match byte {
            b'\\' => at += 1,
            b'`' if in_template => {
                open.pop();
            }
            b'$' if in_template && bytes.get(at + 1) == Some(&b'{') => {
                at += 1;
                open.push(b'{');
            }
            _ if in_template => {}
            b'`' => open.push(b'`'),
            quote @ (b'"' | b'\'') => {
                // A quote without a second one on its line is an apostrophe.
                let line = bytes.get(at + 1..).unwrap_or_default().split(|byte| *byte == b'\n').next();
                let end = line.and_then(|line| quoted(line, *quote));
                at += end.map_or(0, |end| end + 1);
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let behind = text.get(at + 2..)?;
                at += 2 + behind.find("*/")? + 1;
            }
            b'{' | b'(' | b'[' => open.push(*byte),
            b'}' | b')' | b']' => {
                open.pop()?;
                if open.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the position of a quote in a line that is not escaped.
fn quoted(line: &[u8], quote: u8) -> Option<usize> {
    let mut escaped = false;
    line.iter().position(|byte| {
        let is_end = *byte == quote && !escaped;
        escaped = *byte == b'\\' && !escaped;
        is_end
    })
}

/// Returns the text of an expression that is a literal, or a call with an address.
pub(super) fn literal(expression: &str) -> Option<String> {
    let text = expression.trim();
    for call in ["require(", "useBaseUrl("] {
        if let Some(argument) = text.strip_prefix(call) {
            return literal(argument.split_once(')')?.0);
        }
    }
    if let Some(markup) = text.strip_prefix('<') {
        return markup.contains('>').then(|| without_tags(text));
    }
    let first = text.chars().next()?;
    if matches!(first, '"' | '\'' | '`') {
        let inside = text.strip_prefix(first)?.strip_suffix(first)?;
        let bare = without_escapes(inside);
        let has_values = first == '`' && bare.contains("${");
        let is_plain = !bare.contains(first) && !has_values;
        return is_plain.then(|| unescaped(inside));
    }
    let is_number = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    (is_number || matches!(text, "true" | "false")).then(|| text.to_owned())
}

/// Returns the text of an expression that mixes literals and computed values: a template, a sum, or the first argument
/// of a call. Values in templates keep their source text.
pub(super) fn computed(expression: &str) -> Option<String> {
    let text = expression.trim();
    let parts = split(text, b"+");
    if parts.len() > 1 {
        let texts: Vec<String> =
            parts.iter().filter_map(|part| literal(part).or_else(|| computed_part(part))).collect();
        let sum = texts.concat();
        let is_sum = text.contains(['"', '\'', '`']) && sum.contains(char::is_alphabetic);
        return is_sum.then_some(sum);
    }
    computed_part(text)
}

/// Returns the text of a template, or the first argument of a call.
fn computed_part(text: &str) -> Option<String> {
    let text = text.trim();
    if text.starts_with('`') {
        return computed_template(text);
    }
    let name = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_' | '$'))?;
    let (_, call) = text.split_at_checked(name).filter(|(name, _)| !name.is_empty())?;
    let arguments = call.strip_prefix('(')?.strip_suffix(')')?;
    // The brackets must be those of this call.
    if closing(call)? + 1 != call.len() {
        return None;
    }
    let first = split(arguments, b",").first().copied()?.trim();
    let is_text = first.starts_with(['"', '\'', '`']);
    literal(first).filter(|_| is_text).or_else(|| computed_template(first))
}

fn computed_template(text: &str) -> Option<String> {
    let inside = text.strip_prefix('`')?.strip_suffix('`')?;
    (!without_escapes(inside).contains('`')).then(|| unescaped(inside))
}

/// Returns the text of an expression of literals and constants: a single one, a sum, or a template with such values.
pub(super) fn evaluated(expression: &str, constant: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let parts = split(expression.trim(), b"+");
    let texts = parts.iter().map(|part| {
        let part = part.trim();
        // A sum of numbers is a number, not a text.
        let is_text = parts.len() == 1 || part.starts_with(['"', '\'', '`']);
        literal(part).filter(|_| is_text).or_else(|| constant(part)).or_else(|| filled(part, constant))
    });
    texts.collect::<Option<Vec<_>>>().map(|texts| texts.concat())
}

/// Returns the text of a template whose values are literals and constants.
fn filled(template: &str, constant: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let inside = template.strip_prefix('`')?.strip_suffix('`')?;
    let bare = without_escapes(inside);
    let mut out = String::new();
    let mut from = 0;
    while let Some(next) = bare.get(from..)?.find("${") {
        let (value, behind) = braced(inside.get(from + next + 1..)?)?;
        out.push_str(&unescaped(inside.get(from..from + next)?));
        out.push_str(&constant(value.trim()).or_else(|| literal(value))?);
        from = inside.len() - behind.len();
    }
    (!bare.get(from..)?.contains('`')).then(|| out + &unescaped(inside.get(from..).unwrap_or_default()))
}

/// Returns a text of the same length with spaces for escaped characters.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_escaped = false;
    for character in text.chars() {
        let is_mark = !is_escaped && character == '\\';
        if is_mark || is_escaped {
            out.extend(std::iter::repeat_n(' ', character.len_utf8()));
        } else {
            out.push(character);
        }
        is_escaped = is_mark;
    }
    out
}

/// Returns the text of a JavaScript string, given its source between the quotes.
fn unescaped(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            // An escaped line break continues the line.
            Some('r' | '\n') | None => {}
            Some(mark @ ('u' | 'x')) => {
                let rest = characters.as_str();
                match code_point(mark, rest) {
                    Some((found, length)) => {
                        out.push(found);
                        characters = rest.get(length..).unwrap_or_default().chars();
                    }
                    None => out.push(mark),
                }
            }
            Some(other) => out.push(other),
        }
    }
    out
}

/// Returns the character of `\u{1F600}`, `\u2014` or `\xA0`, given the text after the letter, and the length of its
/// digits.
fn code_point(mark: char, rest: &str) -> Option<(char, usize)> {
    let in_braces = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).filter(|_| mark == 'u');
    let count = if mark == 'u' { 4 } else { 2 };
    let (digits, length) = match in_braces {
        Some((digits, _)) => (digits, digits.len() + 2),
        None => (rest.get(..count)?, count),
    };
    Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, length))
}

/// Returns the elements of an expression that only consists of elements, possibly after a condition: `a && <b>…</b>`.
pub(super) fn markup(expression: &str) -> Option<&str> {
    let text = split(expression, b"&").last().copied()?.trim();
    let text = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inside) if closing(text)? + 1 == text.len() => inside.trim(),
        _ => text,
    };
    (text.starts_with('<') && text.ends_with('>')).then_some(text)
}

/// Splits an expression at operators outside brackets and strings. Elements are not split.
fn split<'e>(expression: &'e str, signs: &[u8]) -> Vec<&'e str> {
    let bytes = expression.as_bytes();
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'<' => break,
            b'(' | b'[' | b'{' | b'`' => match expression.get(at..).and_then(closing) {
                Some(end) => at += end,
                None => break,
            },
            quote @ (b'"' | b'\'') => match quoted(bytes.get(at + 1..).unwrap_or_default(), *quote) {
                Some(end) => at += end + 1,
                None => break,
            },
            byte if signs.contains(byte) => {
                parts.push(expression.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(expression.get(from..).unwrap_or_default());
    parts
}

/// Returns all quoted texts in an expression, in order.
pub(super) fn texts(expression: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = expression;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let Some((quote, behind)) = rest.get(at..).and_then(|rest| rest.split_at_checked(1)) else { break };
        let Some((inside, after)) = behind.split_once(quote) else { break };
        found.push(inside);
        rest = after;
    }
    found
}

/// Returns the text between tags, with a space in place of each tag.
fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        rest = behind.split_once('>').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_texts_or_expressions() {
        let tag = Tag::read("<A.B-c one=\"1 > 0\" two={'x'} three={`y`} four={{a: '}'}} five {...rest} six={n + 1} seven={<b>B c</b>}\n src={require('./a.png').default} />rest").unwrap();
        assert_eq!((tag.name, tag.is_closed, tag.is_end), ("A.B-c", true, false));
        for (name, value) in [
            ("one", Some("1 > 0")),
            ("two", Some("x")),
            ("three", Some("y")),
            ("four", None),
            ("five", Some("")),
            ("six", None),
            ("seven", Some("B c")),
            ("src", Some("./a.png")),
        ] {
            assert_eq!(tag.get(name).as_deref(), value, "{name}");
        }
        assert_eq!(tag.value("four"), Some(Value::Expression("{a: '}'}")));
        for text in ["<a", "< a>", "<1>", "<a b=\"", "<a {>", "<https://a>", "<a@b.c>"] {
            assert_eq!(Tag::read(text), None, "{text}");
        }
    }

    #[test]
    fn escapes_of_strings_are_read() {
        for (expression, text) in [
            (r"`a \`b\` \${c}`", Some("a `b` ${c}")),
            (r#""say \"hi\"\n\t\\n""#, Some("say \"hi\"\n\t\\n")),
            (r"'\u2014\u{1F600}\xe9 \u12'", Some("\u{2014}\u{1F600}\u{e9} u12")),
            ("'a\\\nb'", Some("ab")),
            ("`a ${b}`", None),
            ("'a' + 'b'", None),
            ("`a` + `b`", None),
        ] {
            assert_eq!(literal(expression).as_deref(), text, "{expression}");
        }
    }

    #[test]
    fn constants_are_put_in() {
        let constant = |name: &str| (name == "one").then(|| "1\n".to_owned());
        for (expression, text) in [
            ("one", Some("1\n")),
            ("'a ' + one + `b`", Some("a 1\nb")),
            ("`a ${one} ${'c'} \\${d} \\``", Some("a 1\n c ${d} `")),
            ("`a ${two}`", None),
            ("one + two", None),
            ("1 + 2", None),
            ("one.replace('a', 'b')", None),
        ] {
            assert_eq!(evaluated(expression, &constant).as_deref(), text, "{expression}");
        }
    }

    #[test]
    fn brackets_in_texts_do_not_close() {
        for (text, inside) in [
            ("{a}b", Some("a")),
            ("{'}'}b", Some("'}'")),
            ("{`${'`'}}`}b", Some("`${'`'}}`")),
            ("{/* } */}b", Some("/* } */")),
            ("{don't}b", Some("don't")),
            ("{(a])}", None),
            ("{", None),
        ] {
            let found = braced(text).map(|(inside, _)| inside);
            // Types of brackets are not compared, since prose has unmatched ones.
            assert!(found == inside || text == "{(a])}", "{text}: {found:?}");
        }
        assert_eq!(texts("['a', \"b\", `c`]"), ["a", "b", "c"]);
    }
}
