//! JavaScript literals in settings of generators. No code is run: other expressions have no value.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object, in the order of its keys.
    Object(Vec<(String, Self)>),
    /// A boolean.
    Flag(bool),
    /// Anything else: a number, a call, a name.
    Other,
}

impl Value {
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    /// Returns true if it contains a non-literal.
    pub(super) fn has_other(&self) -> bool {
        match self {
            Self::Other => true,
            Self::List(items) => items.iter().any(Self::has_other),
            Self::Object(entries) => entries.iter().any(|(_, value)| value.has_other()),
            Self::Text(_) | Self::Flag(_) => false,
        }
    }
}

/// Limits on the values of a literal and its nesting, larger than any navigation.
const MAX_VALUES: usize = 100_000;
const MAX_DEPTH: usize = 64;

/// Returns the list or object after the first `mark` in a text; `None` for other or unclosed values.
pub(super) fn after(text: &str, mark: &str) -> Option<Value> {
    let (_, behind) = text.split_once(mark)?;
    read(behind)
}

/// Reads the list or object at the start of a text, after an assignment sign and a type annotation.
pub(super) fn read(text: &str) -> Option<Value> {
    let at = text.find(['{', '[', ';', '(', '\'', '"', '`'])?;
    let mut reader = Reader { rest: text.get(at..)?, left: MAX_VALUES };
    match reader.rest.chars().next()? {
        '{' | '[' => reader.value(0),
        _ => None,
    }
}

/// Returns the text literal after the first `mark`.
pub(super) fn text_after(text: &str, mark: &str) -> Option<String> {
    let (_, behind) = text.split_once(mark)?;
    let behind = behind.trim_start();
    let is_text = behind.starts_with(['\'', '"', '`']);
    is_text.then(|| Reader { rest: behind, left: 1 }.quoted())?
}

struct Reader<'t> {
    rest: &'t str,
    left: usize,
}

impl Reader<'_> {
    /// Skips white space and comments, and returns the next character.
    fn peek(&mut self) -> Option<char> {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.split_once('\n').map_or("", |(_, behind)| behind);
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
            } else {
                return self.rest.chars().next();
            }
        }
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        (self.peek()? == wanted).then(|| self.skip(wanted))
    }

    fn skip(&mut self, character: char) {
        self.rest = self.rest.get(character.len_utf8()..).unwrap_or_default();
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let value = match self.peek()? {
            '{' => self.object(depth)?,
            '[' => self.list(depth)?,
            '\'' | '"' | '`' => self.quoted().map_or(Value::Other, Value::Text),
            _ => match self.word() {
                "true" => Value::Flag(true),
                "false" => Value::Flag(false),
                _ => Value::Other,
            },
        };
        // An operator or a type after a literal makes it an expression.
        match self.peek() {
            None | Some(',' | '}' | ']' | ';' | ')') => Some(value),
            Some(_) if depth == 0 => Some(value),
            Some(_) => {
                let is_type = self.rest.starts_with("as ") || self.rest.starts_with("satisfies ");
                self.expression()?;
                Some(if is_type { value } else { Value::Other })
            }
        }
    }

    fn word(&mut self) -> &str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        word
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take('{')?;
        let mut entries = Vec::new();
        loop {
            match self.peek()? {
                '}' => break self.skip('}'),
                ',' => {
                    self.skip(',');
                    continue;
                }
                ']' | ')' => return None,
                _ => {}
            }
            let key = match self.peek()? {
                '\'' | '"' => Some(self.quoted()?),
                _ => Some(self.word().to_owned()).filter(|key| !key.is_empty()),
            };
            match (key, self.peek()?) {
                (Some(key), ':') => {
                    self.skip(':');
                    entries.push((key, self.value(depth + 1)?));
                }
                // A method, a shorthand property or a spread.
                (key, _) => {
                    self.expression()?;
                    entries.push((key.unwrap_or_default(), Value::Other));
                }
            }
        }
        Some(Value::Object(entries))
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.take('[')?;
        let mut items = Vec::new();
        loop {
            match self.peek()? {
                ']' => break self.skip(']'),
                ',' => self.skip(','),
                '}' | ')' => return None,
                _ => items.push(self.value(depth + 1)?),
            }
        }
        Some(Value::List(items))
    }

    /// Reads a quoted text; `None` if it is unclosed or contains expressions.
    fn quoted(&mut self) -> Option<String> {
        let quote = self.rest.chars().next()?;
        let mut text = String::new();
        let mut has_values = false;
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                _ if character == quote => {
                    self.rest = self.rest.get(at + 1..)?;
                    return (!has_values).then_some(text);
                }
                '$' if quote == '`' => has_values = true,
                other => text.push(other),
            }
        }
        self.rest = "";
        None
    }

    /// Skips an expression up to the end of its entry.
    fn expression(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                '}' | ']' | ')' if depth == 0 => return Some(()),
                ',' if depth == 0 => return Some(()),
                '\'' | '"' | '`' => drop(self.quoted()),
                bracket @ ('{' | '[' | '(') => {
                    depth += 1;
                    self.skip(bracket);
                }
                bracket @ ('}' | ']' | ')') => {
                    depth -= 1;
                    self.skip(bracket);
                }
                other => self.skip(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn literals_are_read_and_nothing_else_has_a_value() {
        let source = "// a comment\nconst sidebars: Config = {\n  docs: ['intro', \"a/b\", `c`, ...more, make('x', {y: 1})],\n  'api guide': {type: \"category\", open: true, position: 2.5, label: t('x'), },\n  ...rest, /* [ */ method() { return 1 }, short,\n};\nmodule.exports = sidebars;";
        let value = after(source, "const sidebars").unwrap();
        assert_eq!(
            value.get("docs").unwrap().items(),
            [text("intro"), text("a/b"), text("c"), Value::Other, Value::Other]
        );
        let api = value.get("api guide").unwrap();
        assert_eq!((api.text("type"), api.get("open")), (Some("category"), Some(&Value::Flag(true))));
        assert_eq!((api.get("position"), api.get("label")), (Some(&Value::Other), Some(&Value::Other)));
        assert!(value.has_other());
        assert_eq!(after("module.exports = sidebars;", "module.exports"), None);
        assert_eq!(after("sidebar: nav(),\n x: {}", "sidebar:"), None);
        assert_eq!(after("a = {b: [", "a ="), None);
        assert_eq!(text_after("srcDir: './docs',", "srcDir:").as_deref(), Some("./docs"));
        assert_eq!(text_after("srcDir: dir,", "srcDir:"), None);
    }

    #[test]
    fn deep_and_endless_literals_are_refused() {
        assert_eq!(read(&"[".repeat(1_000_000)), None);
        assert_eq!(read(&format!("[{}]", "1,".repeat(200_000))), None);
        assert_eq!(read(&format!("[{}", "`$".repeat(200_000))), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(source in "[\\[\\]{}()'\"`,:$a1é/*\\\\. \n]{0,60}") {
            read(&source);
            text_after(&source, ":");
        }
    }
}
