//! Syntax highlighting of listings, with CSS classes.

use crate::language;
use crate::limits::{
    MAX_GRAMMAR_MILLIS, MAX_GRAMMARS, MAX_HIGHLIGHTED_BYTES, MAX_HIGHLIGHTED_LINE, MAX_LISTING_MILLIS,
    MAX_NEW_GRAMMARS, MAX_PAGE_MILLIS,
};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

/// Grammars of two-face with simplified expressions, written by `examples/grammars.rs`.
const GRAMMARS: &[u8] = include_bytes!("../vendor/grammars.bin");

/// Token of a line: its end in bytes, and its class.
pub(crate) type Token = (usize, Option<&'static str>);

/// Remaining budget for highlighting the listings of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// Time for listings whose grammars were used before.
    time: Duration,
    /// Number of grammars that may be used for the first time.
    grammars: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: Duration::from_millis(MAX_PAGE_MILLIS), grammars: MAX_NEW_GRAMMARS }
    }
}

/// Highlighted listing.
#[derive(Default)]
pub(crate) struct Highlighted {
    /// Tokens of the lines; fewer lines than the listing has if it was not highlighted to its end.
    pub(crate) lines: Vec<Vec<Token>>,
    /// Remaining budget of the page.
    pub(crate) left: Budget,
    /// The time limit was reached before the last line.
    pub(crate) is_cut: bool,
}

/// Grammars of languages, loaded on first use. A caller shares one highlighter among all its pages.
#[derive(Default)]
pub struct Highlighter {
    loaded: Mutex<Loaded>,
}

/// Loaded grammars, and the tokens of the used languages. Each used grammar holds megabytes of compiled expressions.
#[derive(Default)]
struct Loaded {
    set: Option<Arc<SyntaxSet>>,
    used: HashSet<String>,
    /// Time of the last use.
    last: Option<Instant>,
}

impl fmt::Debug for Highlighter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Highlighter").finish_non_exhaustive()
    }
}

impl Highlighter {
    /// Highlights a listing until the time limit. A listing without a grammar for its language, or one beyond the size
    /// limits, has no tokens.
    pub(crate) fn lines(&self, syntax: &str, lines: &[String], left: Budget) -> Highlighted {
        let bytes: usize = lines.iter().map(String::len).sum();
        let is_long =
            bytes > MAX_HIGHLIGHTED_BYTES || lines.iter().any(|line| line.len() > MAX_HIGHLIGHTED_LINE);
        let Some(token) = language::token(syntax).filter(|_| !is_long) else {
            return Highlighted { left, ..Highlighted::default() };
        };
        let start = Instant::now();
        let (set, is_new) = self.grammars(&token);
        // The first use of a grammar compiles it. That time has its own limit and does not count for the page.
        let most = match (is_new, left.grammars) {
            (true, 0) => Duration::ZERO,
            (true, _) => Duration::from_millis(MAX_GRAMMAR_MILLIS),
            (false, _) => left.time.min(Duration::from_millis(MAX_LISTING_MILLIS)),
        };
        let Some(grammar) = set.find_syntax_by_token(&token) else {
            return Highlighted { left, ..Highlighted::default() };
        };
        let mut reader = Reader { state: ParseState::new(grammar), stack: ScopeStack::new() };
        let mut found = Vec::with_capacity(lines.len());
        let mut is_cut = false;
        for line in lines {
            is_cut = start.elapsed() > most;
            if is_cut {
                break;
            }
            let Some(tokens) = reader.line(line, &set) else { break };
            found.push(tokens);
        }
        let time = if is_new { left.time } else { left.time.saturating_sub(start.elapsed()) };
        let grammars = left.grammars.saturating_sub(usize::from(is_new));
        Highlighted { lines: found, left: Budget { time, grammars }, is_cut }
    }

    /// Frees the grammars if no listing used them for `idle`.
    pub fn rest(&self, idle: Duration) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = loaded.last.is_some_and(|last| last.elapsed() >= idle);
        let unused = is_idle.then(|| std::mem::take(&mut *loaded));
        // Freeing some 100,000 expressions takes milliseconds, so it happens after the lock is released.
        drop(loaded);
        drop(unused);
    }

    /// Returns the grammars, and whether the grammar for this token is used for the first time.
    fn grammars(&self, token: &str) -> (Arc<SyntaxSet>, bool) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if loaded.used.len() >= MAX_GRAMMARS && !loaded.used.contains(token) {
            *loaded = Loaded::default();
        }
        loaded.last = Some(Instant::now());
        let is_new = loaded.used.insert(token.to_owned());
        (loaded.set.get_or_insert_with(|| Arc::new(load())).clone(), is_new)
    }
}

fn load() -> SyntaxSet {
    // The file is part of the binary, and a test checks that it can be read.
    syntect::dumps::from_uncompressed_data(GRAMMARS).unwrap_or_default()
}

struct Reader {
    state: ParseState,
    stack: ScopeStack,
}

impl Reader {
    fn line(&mut self, line: &str, set: &SyntaxSet) -> Option<Vec<Token>> {
        let with_end = format!("{line}\n");
        let changes = self.state.parse_line(&with_end, set).ok()?;
        let mut tokens: Vec<Token> = Vec::new();
        let mut push = |end: usize, class: Option<&'static str>| match tokens.last_mut() {
            Some((last, same)) if *same == class => *last = end,
            _ => tokens.push((end, class)),
        };
        let mut from = 0;
        for (at, change) in changes {
            if at > from {
                push(at.min(line.len()), class(&self.stack));
                from = at;
            }
            self.stack.apply(&change).ok()?;
        }
        if line.len() > from {
            push(line.len(), class(&self.stack));
        }
        Some(tokens)
    }
}

/// Classes of scopes. The innermost scope with a class determines the class, by the first entry that matches.
const CLASSES: [(&str, Option<&str>); 36] = [
    ("comment", Some("c")),
    ("constant.character.escape", Some("n")),
    ("string.regexp", Some("r")),
    ("string", Some("s")),
    ("constant.other.symbol", Some("s")),
    ("constant", Some("n")),
    ("variable.language", Some("n")),
    ("variable.function", Some("f")),
    ("variable.parameter", Some("a")),
    ("variable.other.member", None),
    ("keyword.operator.word", Some("k")),
    ("keyword.operator.logical", Some("k")),
    ("keyword.operator", None),
    ("keyword", Some("k")),
    ("storage", Some("k")),
    ("entity.name.function", Some("f")),
    ("support.function", Some("f")),
    ("support.macro", Some("f")),
    ("entity.name.tag", Some("g")),
    ("entity.other.attribute-name", Some("a")),
    ("support.type.property-name", Some("a")),
    ("entity.name.type", Some("t")),
    ("entity.name.class", Some("t")),
    ("entity.name.struct", Some("t")),
    ("entity.name.enum", Some("t")),
    ("entity.name.section", Some("t")),
    ("entity.other.inherited-class", Some("t")),
    ("support.type", Some("t")),
    ("support.class", Some("t")),
    ("markup.heading", Some("k")),
    ("markup.inserted", Some("i")),
    ("markup.deleted", Some("d")),
    ("markup.raw", Some("s")),
    ("meta.interpolation", None),
    ("meta.template.expression", None),
    ("source", None),
];

static SCOPES: LazyLock<Vec<(Scope, Option<&'static str>)>> = LazyLock::new(|| {
    let scope = |(name, class): &(&str, Option<&'static str>)| Some((Scope::new(name).ok()?, *class));
    CLASSES.iter().filter_map(scope).collect()
});

/// Scope of the keys of objects: strings that have a class of their own.
static KEYS: LazyLock<Option<Scope>> = LazyLock::new(|| Scope::new("meta.mapping.key").ok());

fn class(stack: &ScopeStack) -> Option<&'static str> {
    let found = stack.as_slice().iter().rev().find_map(|scope| {
        SCOPES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class)
    });
    let class = found.flatten()?;
    let is_key = || KEYS.is_some_and(|key| stack.as_slice().iter().any(|scope| key.is_prefix_of(*scope)));
    Some(if class == "s" && is_key() { "a" } else { class })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(syntax: &str, line: &str) -> String {
        let tokens = Highlighter::default().lines(syntax, &[line.to_owned()], Budget::default()).lines;
        let mut from = 0;
        let mut out = String::new();
        for (end, class) in tokens.first().into_iter().flatten() {
            out.push_str(&format!("{}{:?} ", class.unwrap_or("-"), &line[from..*end]));
            from = *end;
        }
        out.trim_end().to_owned()
    }

    #[test]
    fn words_get_classes() {
        assert_eq!(
            classes("rust", r#"let x = "a\n"; // b"#),
            r#"k"let" -" x = " s"\"a" n"\\n" s"\"" -"; " c"// b""#
        );
        assert_eq!(
            classes("json", r#"{"a": [1, "b"]}"#),
            r#"-"{" a"\"a\"" -": [" n"1" -", " s"\"b\"" -"]}""#
        );
    }

    #[test]
    fn what_could_take_too_long_is_plain() {
        let highlighter = Highlighter::default();
        let spent = Budget { time: Duration::ZERO, grammars: 0 };
        for (syntax, line, left, is_cut) in [
            ("rust", "x".repeat(MAX_HIGHLIGHTED_LINE + 1), Budget::default(), false),
            ("rust", "let x;".to_owned(), spent, true),
            ("text", "let x;".to_owned(), Budget::default(), false),
            ("no such language", "let x;".to_owned(), Budget::default(), false),
        ] {
            let found = highlighter.lines(syntax, &[line], left);
            assert!(found.lines.is_empty() && found.is_cut == is_cut, "{syntax}");
        }
    }

    #[test]
    fn grammars_are_freed_when_they_are_not_used() {
        let highlighter = Highlighter::default();
        let lines = ["let x;".to_owned()];
        let used = || highlighter.loaded.lock().unwrap().used.len();
        assert!(!highlighter.lines("rust", &lines, Budget::default()).lines.is_empty());
        highlighter.rest(Duration::from_secs(3_600));
        assert_eq!(used(), 1);
        highlighter.rest(Duration::ZERO);
        assert_eq!(used(), 0);
        assert!(!highlighter.lines("rust", &lines, Budget::default()).lines.is_empty());
    }

    #[test]
    fn grammars_are_bounded() {
        let highlighter = Highlighter::default();
        let names =
            ["rs", "py", "js", "c", "go", "java", "rb", "lua", "sql", "css", "html", "yaml", "toml", "xml"];
        for language in names.into_iter().chain(["md", "diff", "ini", "json", "sh"]) {
            highlighter.lines(language, &["a".to_owned()], Budget::default());
        }
        assert!(highlighter.loaded.lock().unwrap().used.len() <= MAX_GRAMMARS);
    }
}
