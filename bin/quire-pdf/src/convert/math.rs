//! Formulas: TeX as a tree that the template typesets. TeX itself is never executed.

use pulldown_latex::event::{
    ColumnAlignment, Content, EnvironmentFlow, Event, Font, Grouping, ScriptPosition, ScriptType,
    StateChange, Visual,
};
use pulldown_latex::{Parser, Storage};
use serde_json::{Value, json};

/// Maximum nesting of groups.
const DEEPEST: usize = 12;
/// Maximum length of a formula in bytes.
const LONGEST: usize = 10_000;

/// Maximum number of commands and of nested groups. The parser may recurse for each of them.
const MAX_RECURSION: usize = 300;
/// Stack that the parser needs for each recursion in a build without optimization.
const FRAME: usize = 32 * 1024;
/// Commands that define commands, whose expansion may not end.
const DEFINITIONS: [&str; 6] =
    ["\\def", "\\let", "\\futurelet", "\\newcommand", "\\renewcommand", "\\providecommand"];

/// Returns the tree of a formula; `None` for an unsupported one, which is shown as source.
pub fn tree(tex: &str) -> Option<Value> {
    let recursion = recursion(tex)?;
    let stack = FRAME.saturating_mul(recursion.saturating_add(16));
    // A panic of the parser costs one formula, not the book.
    let read = || std::panic::catch_unwind(|| read(tex)).ok().flatten();
    stacker::maybe_grow(stack, stack, read)
}

/// Returns the maximum recursion of the parser; `None` for a formula that is not parsed.
fn recursion(tex: &str) -> Option<usize> {
    if tex.len() > LONGEST || DEFINITIONS.iter().any(|command| tex.contains(command)) {
        return None;
    }
    let (mut depth, mut deepest, mut commands) = (0_usize, 0_usize, 0_usize);
    for byte in tex.bytes() {
        match byte {
            b'{' => depth = depth.saturating_add(1),
            b'}' => depth = depth.saturating_sub(1),
            b'\\' => commands = commands.saturating_add(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    Some(deepest.saturating_add(commands)).filter(|recursion| *recursion <= MAX_RECURSION)
}

fn read(tex: &str) -> Option<Value> {
    let storage = Storage::new();
    let events: Vec<Event<'_>> = Parser::new(tex, &storage).collect::<Result<_, _>>().ok()?;
    let mut reader = Reader { events: events.into_iter(), depth: 0 };
    let (content, _) = reader.cells(false)?;
    Some(row(content.into_iter().flatten().flatten().collect()))
}

/// Rows of cells, each with its nodes.
type Rows = Vec<Vec<Vec<Value>>>;

struct Reader<'a> {
    events: std::vec::IntoIter<Event<'a>>,
    depth: usize,
}

impl Reader<'_> {
    /// Reads the elements up to the end of the group, by row and cell. The flag is true if the end of the group was
    /// found.
    fn cells(&mut self, in_group: bool) -> Option<(Rows, bool)> {
        let mut rows: Rows = vec![vec![Vec::new()]];
        // A change of font applies to the end of its cell.
        let mut font: Option<Font> = None;
        while let Some(event) = self.events.next() {
            match event {
                Event::End => return in_group.then_some((rows, true)),
                Event::EnvironmentFlow(EnvironmentFlow::Alignment) => {
                    font = None;
                    rows.last_mut()?.push(Vec::new());
                }
                Event::EnvironmentFlow(EnvironmentFlow::NewLine { .. }) => {
                    font = None;
                    rows.push(vec![Vec::new()]);
                }
                Event::EnvironmentFlow(EnvironmentFlow::StartLines { .. }) => {}
                Event::StateChange(StateChange::Font(changed)) => font = changed,
                Event::StateChange(_) => {}
                event => {
                    let node = self.element(event)?;
                    rows.last_mut()?.last_mut()?.push(styled(node, font));
                }
            }
        }
        (!in_group).then_some((rows, false))
    }

    fn next_element(&mut self) -> Option<Value> {
        loop {
            match self.events.next()? {
                Event::StateChange(_) => {}
                event => return self.element(event),
            }
        }
    }

    fn element(&mut self, event: Event<'_>) -> Option<Value> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth = self.depth.saturating_add(1);
        let node = match event {
            Event::Content(content) => Some(leaf(content)),
            Event::Begin(grouping) => self.group(grouping),
            Event::Visual(visual) => self.visual(visual),
            Event::Script { ty, position } => self.scripts(ty, position),
            Event::Space { width, .. } => {
                let em = width.map_or(0.0, |width| f64::from(width.value));
                Some(json!({"k": "space", "em": em.clamp(-5.0, 20.0)}))
            }
            Event::End | Event::EnvironmentFlow(_) | Event::StateChange(_) => None,
        };
        self.depth = self.depth.saturating_sub(1);
        node
    }

    fn group(&mut self, grouping: Grouping) -> Option<Value> {
        let (rows, _) = self.cells(true)?;
        let cells = |rows: Rows| -> Vec<Vec<Value>> {
            rows.into_iter()
                .filter(|cells| cells.iter().any(|cell| !cell.is_empty()))
                .map(|cells| cells.into_iter().map(row).collect())
                .collect()
        };
        Some(match grouping {
            Grouping::Normal => row(rows.into_iter().flatten().flatten().collect()),
            Grouping::LeftRight(open, close) => {
                let content: Vec<Value> = rows.into_iter().flatten().flatten().collect();
                match (open, close) {
                    (Some(open), Some(close)) => {
                        json!({"k": "fence", "open": open, "close": close, "c": content})
                    }
                    (open, close) => {
                        let mark = |c: Option<char>| c.map(|c| json!({"k": "symbol", "s": c}));
                        row(mark(open).into_iter().chain(content).chain(mark(close)).collect())
                    }
                }
            }
            Grouping::Matrix { alignment } | Grouping::SubArray { alignment } => {
                json!({"k": "matrix", "align": aligned(alignment), "rows": cells(rows)})
            }
            Grouping::Array(_) => json!({"k": "matrix", "align": "center", "rows": cells(rows)}),
            Grouping::Cases { .. } => json!({"k": "cases", "rows": cells(rows)}),
            _ => json!({"k": "lines", "rows": cells(rows)}),
        })
    }

    fn visual(&mut self, visual: Visual) -> Option<Value> {
        let first = self.next_element()?;
        Some(match visual {
            Visual::SquareRoot => json!({"k": "sqrt", "c": [first]}),
            Visual::Negation => json!({"k": "cancel", "c": [first]}),
            Visual::Root => json!({"k": "root", "c": [first, self.next_element()?]}),
            Visual::Fraction(line) => {
                let has_line = line.is_none_or(|line| line.value > 0.0);
                json!({"k": "frac", "line": has_line, "c": [first, self.next_element()?]})
            }
        })
    }

    fn scripts(&mut self, kind: ScriptType, position: ScriptPosition) -> Option<Value> {
        let base = self.next_element()?;
        let first = self.next_element()?;
        let (below, above) = match kind {
            ScriptType::Subscript => (first, Value::Null),
            ScriptType::Superscript => (Value::Null, first),
            ScriptType::SubSuperscript => (first, self.next_element()?),
        };
        let limits = position == ScriptPosition::AboveBelow;
        Some(json!({"k": "scripts", "base": base, "below": below, "above": above, "limits": limits}))
    }
}

fn row(nodes: Vec<Value>) -> Value {
    json!({"k": "row", "c": nodes})
}

fn leaf(content: Content<'_>) -> Value {
    match content {
        Content::Text(text) | Content::Number(text) => json!({"k": "text", "s": text}),
        Content::Function(name) => {
            let limits = matches!(name, "lim" | "max" | "min" | "sup" | "inf" | "det" | "gcd" | "Pr");
            json!({"k": "function", "s": name, "limits": limits})
        }
        Content::LargeOp { content, .. } => json!({"k": "large", "s": content}),
        Content::Ordinary { content, .. }
        | Content::BinaryOp { content, .. }
        | Content::Punctuation(content) => {
            json!({"k": "symbol", "s": content})
        }
        Content::Relation { content, .. } => {
            let mut bytes = [0; 8];
            let text = std::str::from_utf8(content.encode_utf8_to_buf(&mut bytes)).unwrap_or_default();
            row(text.chars().map(|c| json!({"k": "symbol", "s": c})).collect())
        }
        Content::Delimiter { content, .. } => json!({"k": "symbol", "s": content}),
    }
}

fn aligned(alignment: ColumnAlignment) -> &'static str {
    match alignment {
        ColumnAlignment::Left => "left",
        ColumnAlignment::Center => "center",
        ColumnAlignment::Right => "right",
    }
}

fn styled(node: Value, font: Option<Font>) -> Value {
    let name = match font {
        None => return node,
        Some(Font::Bold) => "bold",
        Some(Font::BoldItalic | Font::BoldSymbol) => "bold-italic",
        Some(Font::UpRight) => "upright",
        Some(Font::Script | Font::BoldScript) => "script",
        Some(Font::Fraktur | Font::BoldFraktur) => "fraktur",
        Some(Font::DoubleStruck | Font::DoubleStruckItalic) => "double",
        Some(Font::Monospace) => "mono",
        Some(Font::Italic) => "italic",
        Some(Font::SansSerif | Font::BoldSansSerif | Font::SansSerifItalic | Font::SansSerifBoldItalic) => {
            "sans"
        }
    };
    json!({"k": "styled", "s": name, "c": [node]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read() {
        for tex in [
            r"\frac{1}{2} + \sqrt[3]{x^2_i}",
            r"\sum_{i=0}^{n} \alpha_i \leq \int_0^\infty e^{-x^2}\,dx",
            r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
            r"f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
            r"\mathbb{R} \to \mathcal{L}, \lim_{x \to 0} \sin x",
            r"\begin{aligned} a &= b \\ &= c \end{aligned}",
        ] {
            assert!(tree(tex).is_some(), "{tex}");
        }
        let half = tree(r"\frac{1}{2}").unwrap();
        assert_eq!(half["c"][0]["k"], "frac");
    }

    #[test]
    fn definitions_are_not_expanded() {
        for tex in [
            r"\def\a{\a\a}\a",
            r"\def\a{\b\b}\def\b{\c\c}\def\c{xxxxxxxxxx}\a\a\a",
            r"\newcommand{\a}{\a\a}\a",
            r"\newcommand\a[1]{#1#1}\a{\a{\a{x}}}",
            r"\renewcommand{\sin}{\sin\sin}\sin",
            r"\providecommand{\a}{\a}\a",
            r"\let\a\b \let\b\a \a",
            r"\futurelet\a\b\a",
        ] {
            assert_eq!(tree(tex), None, "{tex}");
        }
        for tex in
            [r"\sqrt".repeat(2_000), "x^{".repeat(3_000), r"\left(".repeat(1_500), "x^x_".repeat(2_000)]
        {
            assert_eq!(tree(&tex), None, "{tex}");
        }
    }

    #[test]
    fn invalid_formulas_stay_text() {
        for tex in [r"\frac{1", r"\unknowncommand", &"{".repeat(50), &"x".repeat(LONGEST + 1)] {
            assert_eq!(tree(tex), None, "{tex}");
        }
        let deep = format!("{}x{}", r"\sqrt{".repeat(40), "}".repeat(40));
        assert_eq!(tree(&deep), None);
    }
}
