//! Parsing of shortcodes and tags with their values.

use crate::markdown::starts_with_block_tag;

/// Maximum bytes of a shortcode, a tag or an expression.
pub(super) const MAX_CALL_BYTES: usize = 2_000;

/// A shortcode or tag.
#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) name: &'t str,
    pub(super) is_end: bool,
    pub(super) is_hugo: bool,
    /// Written between `{{<` and `>}}`, where the generator does not parse content as Markdown.
    pub(super) is_verbatim: bool,
    /// Values with their keys, which are empty for positional ones.
    pub(super) values: Vec<(&'t str, &'t str)>,
    /// Text after the call.
    pub(super) after: &'t str,
}

impl<'t> Call<'t> {
    /// Reads the call at the start of a text.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let pairs = [("{{<", ">}}", true), ("{{%", "%}}", true), ("{%", "%}", false)];
        let (open, close, is_hugo) = pairs.into_iter().find(|(open, ..)| text.starts_with(open))?;
        let (inside, after) = text.get(open.len()..)?.split_once(close)?;
        let inside = inside.trim().trim_matches('-').trim();
        let inside = inside.strip_suffix('/').unwrap_or(inside).trim_end();
        let (inside, is_end) = match inside.strip_prefix(if is_hugo { "/" } else { "end" }) {
            Some(name) => (name.trim_start(), true),
            None => (inside, false),
        };
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let (name, rest) = inside.split_at_checked(end)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
        let is_call = !name.is_empty() && name.chars().all(is_name);
        is_call.then(|| Self {
            name,
            is_end,
            is_hugo,
            is_verbatim: open == "{{<",
            values: values(rest),
            after,
        })
    }

    /// Reads a call that is alone on its line. Excludes the tags of our own Markdown.
    pub(super) fn whole(line: &'t str) -> Option<Self> {
        let line = line.trim();
        if !line.starts_with('{')
            || line.len() > MAX_CALL_BYTES
            || starts_with_block_tag(line) && !includes_a_template(line)
        {
            return None;
        }
        // A line break after the call only adds space.
        Self::read(line).filter(|call| matches!(call.after.trim(), "" | "<br>" | "<br/>" | "<br />"))
    }

    pub(super) fn get(&self, names: &[&str]) -> Option<&'t str> {
        names.iter().find_map(|name| self.values.iter().find(|(key, _)| key == name).map(|(_, value)| *value))
    }

    /// Returns a value without a key.
    pub(super) fn positional(&self, index: usize) -> Option<&'t str> {
        self.values.iter().filter(|(key, _)| key.is_empty()).nth(index).map(|(_, value)| *value)
    }

    /// Returns whether the content of a call is code.
    pub(super) fn has_listing(&self) -> bool {
        matches!(self.name, "highlight" | "codesnippet")
            || self.name == "card" && self.get(&["code"]) == Some("true")
            || self.is_verbatim
                && self.name.split(['-', '_']).any(|word| matches!(word, "code" | "codeblock"))
    }

    /// Returns the listing with the lines of a call.
    pub(super) fn listing(&self, lines: &[&str]) -> String {
        let language = self.get(&["lang", "language"]).or_else(|| self.positional(0)).unwrap_or_default();
        let text = lines.join("\n");
        let text = if self.name == "card" { text.trim_matches('\n') } else { &text };
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat((longest + 1).max(3));
        let title = self.get(&["header", "title"]).filter(|_| self.name == "card");
        let title = title.map(|title| format!("{title}\n\n")).unwrap_or_default();
        format!("{title}{fence}{language}\n{text}\n{fence}\n")
    }
}

/// Returns whether a line is a tag of Jekyll that includes a template. In our own Markdown, the included content is
/// quoted.
fn includes_a_template(line: &str) -> bool {
    let inside = line.strip_prefix("{%").map(|inside| inside.trim_start_matches('-').trim_start());
    let name = inside.and_then(|inside| inside.strip_prefix("include")).unwrap_or_default();
    name.starts_with(' ') && name.trim_start().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the values after a name: words and quoted texts, with or without a key.
fn values(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '\'' | '`'));
        let (key, behind) = match end.and_then(|end| rest.split_at_checked(end)) {
            Some((key, behind)) if behind.starts_with('=') => (key, behind.get(1..).unwrap_or_default()),
            _ => ("", rest),
        };
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'));
        let quoted = quote.and_then(|quote| behind.get(1..)?.split_once(quote));
        let (value, after) = quoted.unwrap_or_else(|| {
            behind
                .split_at_checked(behind.find(char::is_whitespace).unwrap_or(behind.len()))
                .unwrap_or((behind, ""))
        });
        found.push((key, value));
        rest = after.trim_start();
    }
    found
}
