//! The info string of a fence: the language, and the options of documentation generators.
//!
//! Known options: `title="a.js"`, `filename=`, `[a.js]`, `{1,3-5}`, `hl_lines="1 3"`, `showLineNumbers`,
//! `linenums="1"`, `:line-numbers`, attributes as in pandoc's `{.python .numberLines}`, and options after commas, as in
//! `rust,ignore`. Documents cannot represent other options.

/// Parts of an info string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Info {
    /// Language.
    pub(super) syntax: Option<String>,
    /// Title.
    pub(super) title: Option<String>,
    /// Setting of line numbers.
    pub(super) line_numbers: Option<bool>,
    /// Highlighted lines, such as `1,3-5`.
    pub(super) lines: Option<String>,
}

impl Info {
    /// Reads an info string.
    pub(super) fn read(text: &str) -> Self {
        let mut info = Self::default();
        let words = words(text);
        let Some((first, rest)) = words.split_first() else { return info };
        match first.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
            // Directives with an argument are unknown here.
            Some(inner) if !rest.is_empty() && is_name(inner) => {
                info.syntax = Some(text.trim().to_owned());
                return info;
            }
            Some(inner) => info.braces(inner, true),
            None => info.first(first),
        }
        rest.iter().for_each(|word| info.word(word));
        info
    }

    /// Returns whether an info string consists of this language only.
    pub(super) fn is_language_only(syntax: &str) -> bool {
        Self::read(syntax) == Self { syntax: Some(syntax.to_owned()), ..Self::default() }
    }

    /// Reads the first word: the language, and options that follow without a space.
    fn first(&mut self, word: &str) {
        let mut parts = split(word, ',').into_iter();
        let mut name = parts.next().unwrap_or_default();
        if let Some((before, braces)) = name.split_once('{').filter(|(before, _)| !before.is_empty()) {
            self.braces(braces.trim_end_matches('}'), false);
            name = before;
        }
        if let Some((before, option)) = name.split_once(':').filter(|(_, option)| is_option(option)) {
            self.word(option);
            name = before;
        }
        if name.contains('=') || name.starts_with('[') {
            self.word(name);
        } else if !name.is_empty() {
            self.syntax = Some(name.to_owned());
        }
        parts.for_each(|option| self.word(option));
    }

    fn word(&mut self, word: &str) {
        if let Some(inner) = word.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
            return self.braces(inner, false);
        }
        if let Some(title) = word.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
            return self.title(title);
        }
        let (name, value) =
            word.split_once('=').map_or((word, None), |(name, value)| (name, Some(unquoted(value))));
        match (name.trim_start_matches([':', '.']), value) {
            ("title" | "filename" | "file", Some(title)) => self.title(title),
            ("hl_lines" | "highlight" | "hl", Some(lines)) => self.lines(lines),
            ("linenums", Some(_)) => self.line_numbers = Some(true),
            (name, value) if is_numbering(name) => self.line_numbers = Some(value != Some("false")),
            ("no-line-numbers" | "noLineNumbers", None) => self.line_numbers = Some(false),
            _ => {}
        }
    }

    /// Reads the content of braces: lines, or attributes.
    fn braces(&mut self, inner: &str, is_first: bool) {
        let is_range = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | ' ');
        if inner.chars().all(is_range) {
            return self.lines(inner);
        }
        for (index, word) in words(&inner.replace(',', " ")).into_iter().enumerate() {
            let class = word.strip_prefix('.');
            let is_language =
                class.is_some_and(|class| !is_numbering(class)) || (index == 0 && is_name(word));
            if is_first && is_language && self.syntax.is_none() {
                self.syntax = Some(class.unwrap_or(word).to_owned());
            } else {
                self.word(word);
            }
        }
    }

    fn title(&mut self, title: &str) {
        if self.title.is_none() && !title.is_empty() {
            self.title = Some(title.to_owned());
        }
    }

    fn lines(&mut self, lines: &str) {
        let lines: Vec<&str> = lines.split([',', ' ']).filter(|range| !range.is_empty()).collect();
        if self.lines.is_none() && !lines.is_empty() {
            self.lines = Some(lines.join(","));
        }
    }
}

fn is_numbering(name: &str) -> bool {
    let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    matches!(
        plain.to_ascii_lowercase().as_str(),
        "linenumbers" | "showlinenumbers" | "numberlines" | "linenos"
    )
}

/// Returns whether the word after a colon is an option, as opposed to a part of the language's name.
fn is_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    is_numbering(name) || matches!(name, "title" | "no-line-numbers")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains(['=', '.', '#', ' ', ','])
}

fn unquoted(value: &str) -> &str {
    let quoted = |quote| value.strip_prefix(quote).and_then(|inner: &str| inner.strip_suffix(quote));
    quoted('"').or_else(|| quoted('\'')).unwrap_or(value)
}

/// Splits a text into words; quotes and brackets group words.
fn words(text: &str) -> Vec<&str> {
    split(text, ' ').into_iter().filter(|word| !word.is_empty()).collect()
}

/// Splits a text at each separator (a space means any white space) outside of quotes and brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut closing) = (0, None);
    for (at, c) in text.char_indices() {
        let separates = c == separator || (separator == ' ' && c.is_whitespace());
        match closing {
            Some(end) if c == end => closing = None,
            Some(_) => {}
            None if separates => {
                parts.push(text.get(from..at).unwrap_or_default());
                from = at + c.len_utf8();
            }
            None => {
                // An unclosed quote or bracket is an ordinary character.
                let end = match c {
                    '"' | '\'' => Some(c),
                    '{' => Some('}'),
                    '[' => Some(']'),
                    _ => None,
                };
                let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
                closing = end.filter(|end| rest.contains(*end));
            }
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    use super::Info;

    #[test]
    fn options_of_fences_are_distinguished() {
        for (text, syntax, title, numbers, lines) in [
            ("", "", "", None, ""),
            ("js", "js", "", None, ""),
            ("c++", "c++", "", None, ""),
            ("js title=\"a b.js\" {1,3} showLineNumbers", "js", "a b.js", Some(true), "1,3"),
            ("rust,ignore", "rust", "", None, ""),
            ("rust,ignore,hl_lines=2", "rust", "", None, "2"),
            ("{.python .numberLines}", "python", "", Some(true), ""),
            ("{#id .python title='x'}", "python", "x", None, ""),
            ("{r, echo=FALSE}", "r", "", None, ""),
            ("{code-block} python", "{code-block} python", "", None, ""),
            ("js{1,3-4}", "js", "", None, "1,3-4"),
            ("ts:line-numbers {1}", "ts", "", Some(true), "1"),
            ("js:title=a.js", "js", "a.js", None, ""),
            ("js [a.js]", "js", "a.js", None, ""),
            ("py hl_lines=\"2 3\" linenums=\"1\"", "py", "", Some(true), "2,3"),
            ("title=\"only\"", "", "only", None, ""),
            ("sh showLineNumbers=false", "sh", "", Some(false), ""),
            ("sh it's", "sh", "", None, ""),
            ("{1,2}", "", "", None, "1,2"),
        ] {
            let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let expected =
                Info { syntax: some(syntax), title: some(title), line_numbers: numbers, lines: some(lines) };
            assert_eq!(Info::read(text), expected, "{text}");
        }
    }
}
