//! MathML from the events of a parser.

use super::token::{ems, fence, leaf};
use crate::limits::MAX_FORMULA_DEPTH;
use pulldown_latex::event::{
    ArrayColumn, ColorChange, ColorTarget, ColumnAlignment, EnvironmentFlow, Event, Font, Grouping,
    ScriptPosition, ScriptType, StateChange, Style, Visual,
};

/// Writes the elements of a formula; `None` for an invalid sequence of events.
pub(super) fn write(events: Vec<Event<'_>>, is_display: bool) -> Option<String> {
    let mut writer = Writer { events: events.into_iter(), depth: 0, is_display, font: None };
    Some(joined(writer.rows(false)?))
}

/// MathML of cells, by row.
type Rows = Vec<Vec<String>>;

struct Writer<'a> {
    events: std::vec::IntoIter<Event<'a>>,
    depth: usize,
    is_display: bool,
    font: Option<Font>,
}

/// Cell during rendering, with the style changes that end with it.
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
    /// Returns the elements up to the end of the group, by row and cell.
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

    /// Returns the next element, as an argument of the one before it.
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
                let thickness =
                    line.map(|line| format!(" linethickness=\"{:.3}em\"", ems(line).clamp(0.0, 1.0)));
                out.push_str(&format!("<mfrac{}>{first}{below}</mfrac>", thickness.unwrap_or_default()));
            }
            // A combining solidus strikes through the negated operator.
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
        // In running text, operators move their limits to the side by themselves, function names do not.
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
