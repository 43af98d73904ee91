//! Formulas: TeX as MathML. TeX is read by a parser and never evaluated; every character is escaped here.

mod alphabet;

use crate::limits::{FORMULA_STACK, MAX_FORMULA, MAX_FORMULA_DEPTH};
use maud::{Markup, PreEscaped, Render, html};
use pulldown_latex::event::{
    ArrayColumn, ColorChange, ColorTarget, ColumnAlignment, Content, DelimiterSize, Dimension, DimensionUnit,
    EnvironmentFlow, Event, Font, Grouping, ScriptPosition, ScriptType, StateChange, Style, Visual,
};
use pulldown_latex::{Parser, Storage};

/// A formula in running text.
pub(crate) fn inline(tex: &str) -> Markup {
    formula(tex, false)
}

/// A formula in lines of its own.
pub(crate) fn display(tex: &str) -> Markup {
    formula(tex, true)
}

fn formula(tex: &str, is_display: bool) -> Markup {
    let content = (tex.len() <= MAX_FORMULA)
        .then(|| stacker::maybe_grow(FORMULA_STACK, FORMULA_STACK, || read(tex, is_display)))
        .flatten();
    html! {
        @match content {
            Some(content) => math display=[is_display.then_some("block")] {
                semantics { mrow { (PreEscaped(content)) } annotation encoding="application/x-tex" { (tex) } }
            },
            None => code.tex { (tex) },
        }
    }
}

/// The content of a formula; `None` for one that can't be read, which is then shown as it was written.
fn read(tex: &str, is_display: bool) -> Option<String> {
    // The parser lacks these commands, but knows how to define them.
    let source = if tex.contains("\\mathscr") { format!("\\def\\mathscr{{\\mathcal}}{tex}") } else { tex.to_owned() };
    let storage = Storage::new();
    let events: Vec<Event<'_>> = Parser::new(&source, &storage).collect::<Result<_, _>>().ok()?;
    let mut writer = Writer { events: events.into_iter(), depth: 0, is_display, font: None };
    let rows = writer.rows(false)?;
    Some(rows.into_iter().flatten().collect())
}

/// Cells of MathML, by their rows.
type Rows = Vec<Vec<String>>;

struct Writer<'a> {
    events: std::vec::IntoIter<Event<'a>>,
    depth: usize,
    is_display: bool,
    font: Option<Font>,
}

/// A cell while it is written, with the changes that hold to its end.
#[derive(Default)]
struct Cell {
    content: String,
    open: usize,
}

impl Cell {
    fn change(&mut self, attributes: &str) {
        self.content.push_str(&format!("<mstyle {attributes}>"));
        self.open = self.open.saturating_add(1);
    }

    fn close(self) -> String {
        let Self { mut content, open } = self;
        (0..open).for_each(|_| content.push_str("</mstyle>"));
        content
    }
}

impl Writer<'_> {
    /// The elements up to the end of the group, by the rows and cells that they are in.
    fn rows(&mut self, in_group: bool) -> Option<Rows> {
        let outer = self.font;
        let mut rows: Rows = vec![Vec::new()];
        let mut cell = Cell::default();
        loop {
            let Some(event) = self.events.next() else {
                rows.last_mut()?.push(cell.close());
                return (!in_group).then_some(rows);
            };
            match event {
                Event::End => {
                    self.font = outer;
                    rows.last_mut()?.push(cell.close());
                    return in_group.then_some(rows);
                }
                Event::EnvironmentFlow(EnvironmentFlow::Alignment) => {
                    self.font = outer;
                    rows.last_mut()?.push(std::mem::take(&mut cell).close());
                }
                Event::EnvironmentFlow(EnvironmentFlow::NewLine { .. }) => {
                    self.font = outer;
                    rows.last_mut()?.push(std::mem::take(&mut cell).close());
                    rows.push(Vec::new());
                }
                Event::EnvironmentFlow(EnvironmentFlow::StartLines { .. }) => {}
                Event::StateChange(change) => self.change(change, &mut cell),
                event => self.element(event, &mut cell.content)?,
            }
        }
    }

    fn change(&mut self, change: StateChange, cell: &mut Cell) {
        match change {
            StateChange::Font(font) => self.font = font,
            StateChange::Color(ColorChange { color: (red, green, blue), target }) => match target {
                ColorTarget::Text => cell.change(&format!("mathcolor=\"#{red:02x}{green:02x}{blue:02x}\"")),
                ColorTarget::Background => {
                    cell.change(&format!("mathbackground=\"#{red:02x}{green:02x}{blue:02x}\""));
                }
                ColorTarget::Border => {}
            },
            StateChange::Style(style) => cell.change(match style {
                Style::Display => "displaystyle=\"true\" scriptlevel=\"0\"",
                Style::Text => "displaystyle=\"false\" scriptlevel=\"0\"",
                Style::Script => "displaystyle=\"false\" scriptlevel=\"1\"",
                Style::ScriptScript => "displaystyle=\"false\" scriptlevel=\"2\"",
            }),
        }
    }

    /// The next element, as an argument of the one before it.
    fn argument(&mut self) -> Option<String> {
        let mut cell = Cell::default();
        loop {
            match self.events.next()? {
                Event::StateChange(change) => self.change(change, &mut cell),
                event => {
                    self.element(event, &mut cell.content)?;
                    return Some(cell.close());
                }
            }
        }
    }

    fn element(&mut self, event: Event<'_>, out: &mut String) -> Option<()> {
        if self.depth >= MAX_FORMULA_DEPTH {
            return None;
        }
        self.depth = self.depth.saturating_add(1);
        match event {
            Event::Content(content) => leaf(content, self.font, out),
            Event::Begin(grouping) => self.group(&grouping, out)?,
            Event::Visual(visual) => self.visual(visual, out)?,
            Event::Script { ty, position } => self.scripts(ty, position, out)?,
            Event::Space { width, .. } => {
                let width = width.map_or(0.0, ems).clamp(-5.0, 20.0);
                out.push_str(&format!("<mspace width=\"{width:.3}em\"></mspace>"));
            }
            Event::End | Event::EnvironmentFlow(_) | Event::StateChange(_) => return None,
        }
        self.depth = self.depth.saturating_sub(1);
        Some(())
    }

    fn group(&mut self, grouping: &Grouping, out: &mut String) -> Option<()> {
        let rows = self.rows(true)?;
        match grouping {
            Grouping::Normal => out.push_str(&format!("<mrow>{}</mrow>", joined(rows))),
            Grouping::LeftRight(open, close) => {
                out.push_str("<mrow>");
                fence(*open, "prefix", out);
                out.push_str(&joined(rows));
                fence(*close, "postfix", out);
                out.push_str("</mrow>");
            }
            Grouping::Matrix { alignment } | Grouping::SubArray { alignment } => {
                table("matrix", rows, &|_| aligned(*alignment), out);
            }
            Grouping::Array(columns) => {
                let columns: Vec<&str> = columns
                    .iter()
                    .filter_map(|column| match column {
                        ArrayColumn::Column(alignment) => Some(aligned(*alignment)),
                        ArrayColumn::Separator(_) => None,
                    })
                    .collect();
                table("matrix", rows, &|index| columns.get(index).copied().unwrap_or("center"), out);
            }
            Grouping::Cases { left } => {
                out.push_str("<mrow>");
                fence(left.then_some('{'), "prefix", out);
                table("cases", rows, &|_| "left", out);
                fence((!left).then_some('}'), "postfix", out);
                out.push_str("</mrow>");
            }
            Grouping::Gather { .. } | Grouping::Gathered | Grouping::Equation { .. } => {
                table("lines", rows, &|_| "center", out);
            }
            Grouping::Multline => table("lines", rows, &|_| "left", out),
            _ => table("lines", rows, &|index| if index % 2 == 0 { "right" } else { "left" }, out),
        }
        Some(())
    }

    fn visual(&mut self, visual: Visual, out: &mut String) -> Option<()> {
        let first = self.argument()?;
        match visual {
            Visual::SquareRoot => out.push_str(&format!("<msqrt>{first}</msqrt>")),
            Visual::Root => {
                let degree = self.argument()?;
                out.push_str(&format!("<mroot>{first}{degree}</mroot>"));
            }
            Visual::Fraction(line) => {
                let below = self.argument()?;
                let thickness = line.map(|line| format!(" linethickness=\"{:.3}em\"", ems(line).clamp(0.0, 1.0)));
                out.push_str(&format!("<mfrac{}>{first}{below}</mfrac>", thickness.unwrap_or_default()));
            }
            // A solidus over what is negated.
            Visual::Negation => match first.strip_suffix("</mo>") {
                Some(operator) => out.push_str(&format!("{operator}\u{338}</mo>")),
                None => out.push_str(&format!("<mrow class=\"negated\">{first}</mrow>")),
            },
        }
        Some(())
    }

    fn scripts(&mut self, kind: ScriptType, position: ScriptPosition, out: &mut String) -> Option<()> {
        let base = self.argument()?;
        let first = self.argument()?;
        // Operators move their limits beside them in running text by themselves; names of functions don't.
        let is_above = match position {
            ScriptPosition::Right => false,
            ScriptPosition::AboveBelow => true,
            ScriptPosition::Movable => self.is_display || base.starts_with("<mo"),
        };
        let (name, second) = match (kind, is_above) {
            (ScriptType::Subscript, false) => ("msub", None),
            (ScriptType::Subscript, true) => ("munder", None),
            (ScriptType::Superscript, false) => ("msup", None),
            (ScriptType::Superscript, true) => ("mover", None),
            (ScriptType::SubSuperscript, false) => ("msubsup", Some(self.argument()?)),
            (ScriptType::SubSuperscript, true) => ("munderover", Some(self.argument()?)),
        };
        out.push_str(&format!("<{name}>{base}{first}{}</{name}>", second.unwrap_or_default()));
        Some(())
    }
}

fn joined(rows: Rows) -> String {
    rows.into_iter().flatten().collect()
}

fn table(class: &str, rows: Rows, align: &dyn Fn(usize) -> &'static str, out: &mut String) {
    let is_last_empty = rows.len() > 1 && rows.last().is_some_and(|row| row.iter().all(String::is_empty));
    let count = rows.len().saturating_sub(usize::from(is_last_empty));
    out.push_str(&format!("<mtable class=\"{class}\">"));
    for row in rows.into_iter().take(count) {
        out.push_str("<mtr>");
        for (index, cell) in row.into_iter().enumerate() {
            out.push_str(&format!("<mtd class=\"{}\">{cell}</mtd>", align(index)));
        }
        out.push_str("</mtr>");
    }
    out.push_str("</mtable>");
}

fn aligned(alignment: ColumnAlignment) -> &'static str {
    match alignment {
        ColumnAlignment::Left => "left",
        ColumnAlignment::Center => "center",
        ColumnAlignment::Right => "right",
    }
}

fn fence(delimiter: Option<char>, form: &str, out: &mut String) {
    if let Some(delimiter) = delimiter {
        token("mo", &format!(" stretchy=\"true\" form=\"{form}\""), delimiter.encode_utf8(&mut [0; 4]), out);
    }
}

/// Writes an element that holds characters.
fn token(name: &str, attributes: &str, text: &str, out: &mut String) {
    out.push_str(&format!("<{name}{attributes}>"));
    text.render_to(out);
    out.push_str(&format!("</{name}>"));
}

fn leaf(content: Content<'_>, font: Option<Font>, out: &mut String) {
    let mut bytes = [0; 8];
    match content {
        Content::Text(text) => token("mtext", "", text, out),
        Content::Number(text) => token("mn", "", &alphabet::in_font(text, font), out),
        Content::Function(name) => token("mi", "", name, out),
        Content::Ordinary { content, stretchy: true } => {
            token("mo", " stretchy=\"true\"", content.encode_utf8(&mut bytes), out);
        }
        Content::Ordinary { content, .. } => {
            let upright = if font == Some(Font::UpRight) { " mathvariant=\"normal\"" } else { "" };
            token("mi", upright, &alphabet::in_font(content.encode_utf8(&mut bytes), font), out);
        }
        Content::LargeOp { content, small } => {
            let attributes = if small { " largeop=\"false\"" } else { "" };
            token("mo", attributes, content.encode_utf8(&mut bytes), out);
        }
        Content::BinaryOp { content, .. } | Content::Punctuation(content) => {
            token("mo", "", content.encode_utf8(&mut bytes), out);
        }
        Content::Relation { content, .. } => {
            let text = std::str::from_utf8(content.encode_utf8_to_buf(&mut bytes)).unwrap_or_default();
            token("mo", "", text, out);
        }
        Content::Delimiter { content, size, .. } => {
            let attributes = match size {
                None => " stretchy=\"false\"".to_owned(),
                Some(size) => {
                    let em = match size {
                        DelimiterSize::Big => "1.2",
                        DelimiterSize::BIG => "1.8",
                        DelimiterSize::Bigg => "2.4",
                        DelimiterSize::BIGG => "3",
                    };
                    format!(" minsize=\"{em}em\" maxsize=\"{em}em\"")
                }
            };
            token("mo", &attributes, content.encode_utf8(&mut bytes), out);
        }
    }
}

/// A length in widths of an m.
fn ems(length: Dimension) -> f32 {
    let unit = match length.unit {
        DimensionUnit::Em => 1.0,
        DimensionUnit::Mu => 1.0 / 18.0,
        DimensionUnit::Ex => 0.5,
        DimensionUnit::Pt | DimensionUnit::Bp | DimensionUnit::Dd => 0.1,
        DimensionUnit::Pc | DimensionUnit::Cc => 1.2,
        DimensionUnit::In => 7.2,
        DimensionUnit::Cm => 2.8,
        DimensionUnit::Mm => 0.28,
        DimensionUnit::Sp => 0.0,
    };
    if length.value.is_finite() { length.value * unit } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_mathml() {
        for (tex, mathml) in [
            (r"\frac{1}{2}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
            (r"x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
            (r"\sqrt[3]{x}", "<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>"),
            (r"\mathbb{R}", "<mrow><mi>ℝ</mi></mrow>"),
            (r"a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        ] {
            assert_eq!(read(tex, true).as_deref(), Some(mathml), "{tex}");
        }
        for tex in [
            r"\sum_{i=0}^{n} \alpha_i \leq \int_0^\infty e^{-x^2}\,dx",
            r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
            r"f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
            r"\mathbb{R} \to \mathscr{L}, \lim_{x \to 0} \sin x, a \not= b",
            r"\begin{aligned} a &= b \\ &= c \end{aligned}",
            r"\color{red} x + \left( \frac{a}{b} \right) \bigl( y \bigr)",
        ] {
            assert!(read(tex, false).is_some(), "{tex}");
        }
    }

    #[test]
    fn what_is_no_formula_is_shown_as_written() {
        for tex in [r"\frac{1", r"\unknowncommand<b>", &"x".repeat(MAX_FORMULA + 1)] {
            let html = display(tex).into_string();
            assert!(html.starts_with("<code class=\"tex\">") && !html.contains("<b>"), "{tex}");
        }
    }

    #[test]
    fn hostile_formulas_end() {
        for tex in [
            r"\sqrt".repeat(800),
            "x^{".repeat(1_300),
            "{".repeat(4_000),
            r"\left(".repeat(600),
            r"\def\a{\a\a}\a".to_owned(),
            r"\begin{matrix}".repeat(280),
        ] {
            display(&tex);
        }
        for tex in [
            r"\operatorname{<img src=x onerror=alert(1)>}",
            r"\mathop{<script>alert(1)</script>}",
            r"\text{</math><script>alert(1)</script>}",
        ] {
            let html = inline(tex).into_string();
            assert!(!html.contains("<img") && !html.contains("<script"), "{html}");
        }
    }
}
