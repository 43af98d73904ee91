//! Groups of the expressions of grammars.

use std::ops::Range;

/// Captures that expressions of the same rule and of rules after it can refer to, as `\1` to `\9`.
const REFERENCES: usize = 9;

/// Returns an expression that matches the same text with fewer automata.
///
/// fancy-regex gives regex-automata the longest parts of an expression that need neither assertions nor references, and
/// each becomes an automaton of 12 kB or more. Two changes keep these parts long, or the automata small:
///
/// - A lookahead at the end of an expression is taken apart if it contains an assertion, into an automaton for each
///   class of characters, hundreds in some expressions of TypeScript. In a second lookahead, alternatives without
///   assertions stay whole.
/// - A group captures only if a scope or a reference can use its text: `used` is the last capture with a scope.
pub(crate) fn with_fewer_automata(expression: &str, used: usize) -> String {
    let groups = Groups::of(expression);
    let captures = groups.found.iter().filter(|group| matches!(group.kind, Kind::Capture | Kind::Named));
    let unused = captures.skip(used.max(REFERENCES)).filter(|group| group.kind == Kind::Capture);
    let mut insertions: Vec<(usize, &str)> = unused.map(|group| (group.range.start + 1, "?:")).collect();
    if let Some(last) = groups.last_lookahead().filter(|last| groups.has_assertion_in(&last.range)) {
        insertions.extend([(last.range.start, "(?="), (last.range.end, ")")]);
    }
    insertions.sort_by_key(|(at, _)| *at);

    let mut simple = String::with_capacity(expression.len());
    let mut from = 0;
    for (at, text) in insertions {
        simple.push_str(&expression[from..at]);
        simple.push_str(text);
        from = at;
    }
    simple.push_str(&expression[from..]);
    simple
}

/// A group, from its first parenthesis to after its last.
struct Group {
    range: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Capture,
    Named,
    Lookahead,
    /// A group that regex-automata does not have: another lookaround, or an atomic group.
    Fancy,
    Plain,
}

/// The groups of an expression, by their first parentheses.
#[derive(Default)]
struct Groups {
    found: Vec<Group>,
    /// Offsets of word boundaries, references and possessive quantifiers.
    assertions: Vec<usize>,
    /// The end of the expression without comments and spaces.
    end: usize,
}

impl Groups {
    fn of(expression: &str) -> Self {
        let mut scanner = Scanner { expression, ..Scanner::default() };
        while let Some(byte) = scanner.byte(0) {
            scanner.step(byte);
        }
        scanner.groups
    }

    /// Returns the lookahead that ends the expression.
    fn last_lookahead(&self) -> Option<&Group> {
        self.found.iter().find(|group| group.kind == Kind::Lookahead && group.range.end == self.end)
    }

    /// Returns whether a part of the expression contains what regex-automata can't match.
    fn has_assertion_in(&self, range: &Range<usize>) -> bool {
        let mut inner = self.found.iter().filter(|group| range.start < group.range.start);
        self.assertions.iter().any(|at| range.contains(at))
            || inner.any(|group| {
                group.range.end < range.end && matches!(group.kind, Kind::Lookahead | Kind::Fancy)
            })
    }
}

#[derive(Default)]
struct Scanner<'a> {
    expression: &'a str,
    at: usize,
    /// Spaces and comments mean nothing (`(?x)`).
    is_extended: bool,
    /// Indexes of the groups that are open, and whether the text before each is extended.
    open: Vec<(usize, bool)>,
    groups: Groups,
}

impl Scanner<'_> {
    fn byte(&self, offset: usize) -> Option<u8> {
        self.expression.as_bytes().get(self.at + offset).copied()
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b'#' if self.is_extended => {
                let comment = self.rest().find('\n').unwrap_or(self.rest().len());
                self.at += comment;
                return;
            }
            b' ' | b'\t' | b'\r' | b'\n' if self.is_extended => {
                self.at += 1;
                return;
            }
            b'\\' => {
                if matches!(self.byte(1), Some(b'b' | b'B' | b'G' | b'K' | b'k' | b'1'..=b'9')) {
                    self.groups.assertions.push(self.at);
                }
                self.at += 2;
            }
            b'[' => self.class(),
            b'(' => self.open(),
            b')' => self.close(),
            b'+' if self.is_after_quantifier() => {
                self.groups.assertions.push(self.at);
                self.at += 1;
            }
            _ => self.at += 1,
        }
        self.groups.end = self.at;
    }

    fn rest(&self) -> &str {
        &self.expression[self.at..]
    }

    fn is_after_quantifier(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.expression.as_bytes().get(at));
        matches!(before, Some(b'+' | b'*' | b'?'))
    }

    /// Skips a class, which may contain others.
    fn class(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.byte(0) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'[' => {
                    depth += 1;
                    self.at += usize::from(self.byte(0) == Some(b'^'));
                    // The first bracket of a class is one of its characters.
                    self.at += usize::from(self.byte(0) == Some(b']'));
                }
                b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }

    fn open(&mut self) {
        if self.rest().starts_with("(?#") {
            self.at += self.rest().find(')').map_or(self.rest().len(), |end| end + 1);
            return;
        }
        let start = self.at;
        let before = self.is_extended;
        let kind = match (self.byte(1), self.byte(2), self.byte(3)) {
            (Some(b'?'), Some(b'='), _) => Kind::Lookahead,
            (Some(b'?'), Some(b'!' | b'>'), _) | (Some(b'?'), Some(b'<'), Some(b'=' | b'!')) => Kind::Fancy,
            (Some(b'?'), Some(b'<' | b'P'), _) => Kind::Named,
            (Some(b'?'), ..) => Kind::Plain,
            _ => Kind::Capture,
        };
        self.at += 1;
        if kind == Kind::Plain {
            let flags = self.rest().find([':', ')']).unwrap_or(self.rest().len());
            let (on, off) = self.rest()[..flags].split_once('-').unwrap_or((&self.rest()[..flags], ""));
            self.is_extended = (before || on.contains('x')) && !off.contains('x');
            self.at += flags;
            if self.byte(0) == Some(b')') {
                // Flags without a group hold until the end of the group around them.
                self.at += 1;
                return;
            }
        }
        self.open.push((self.groups.found.len(), before));
        self.groups.found.push(Group { range: start..self.expression.len(), kind });
    }

    fn close(&mut self) {
        self.at += 1;
        let Some((group, before)) = self.open.pop() else { return };
        self.is_extended = before;
        if let Some(group) = self.groups.found.get_mut(group) {
            group.range.end = self.at;
        }
    }
}
