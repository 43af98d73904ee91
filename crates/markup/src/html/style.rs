//! Styles of text: bold by font weight, code by font, list level by class.

use super::color;
use super::dom::{Dom, Element};
use super::scope::Scope;
use crate::document::Mark;
use crate::inline_builder::Format;
use crate::limits::html::MAX_CSS_RULES;
use std::collections::HashMap;

/// Rules of a page's style sheets whose selector is a single class: `.c1 {…}`, `span.c1 {…}`.
#[derive(Debug, Default)]
pub(super) struct Styles {
    classes: HashMap<String, StyleProperties>,
}

impl Styles {
    /// Reads the style sheets in a page.
    pub(super) fn of(dom: &Dom) -> Self {
        let mut styles = Self::default();
        for id in dom.descendants(Dom::ROOT) {
            if dom.element(id).is_some_and(|element| element.name() == "style") {
                styles.read(&dom.text(id));
            }
        }
        styles
    }

    fn read(&mut self, sheet: &str) {
        for rule in sheet.split('}').take(MAX_CSS_RULES) {
            // A nested block (`@media`) has another brace, and does not apply to all readers.
            let Some((selectors, body)) = rule.split_once('{').filter(|(_, body)| !body.contains('{')) else {
                continue;
            };
            // Statements such as `@import` precede the first rule.
            let selectors = selectors.rsplit(';').next().unwrap_or_default();
            let classes = selectors.split(',').filter_map(|selector| class_of(selector.trim()));
            let look = StyleProperties::of(body);
            for class in classes {
                self.classes.entry(class.to_owned()).or_default().overlay(&look);
            }
        }
    }

    /// Returns the look of an element's text from its classes and its own style.
    pub(super) fn look(&self, element: &Element) -> StyleProperties {
        let mut look = StyleProperties::default();
        if !self.classes.is_empty() {
            for known in element.classes().filter_map(|class| self.classes.get(class)) {
                look.overlay(known);
            }
        }
        if let Some(style) = element.get("style") {
            look.overlay(&StyleProperties::of(style));
        }
        look
    }
}

/// Returns the class of a selector that has no other parts: `.c1`, `p.c1`.
fn class_of(selector: &str) -> Option<&str> {
    let (element, class) = selector.split_once('.')?;
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    (plain(element) && plain(class) && !class.is_empty()).then_some(class)
}

/// Superscript, subscript or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Normal,
    Super,
    Sub,
}

/// Properties set by declarations; `None` for those not set.
#[derive(Debug, Clone, Default)]
pub(super) struct StyleProperties {
    bold: Option<bool>,
    italic: Option<bool>,
    strike: Option<bool>,
    code: Option<bool>,
    script: Option<Script>,
    text: Option<&'static str>,
    background: Option<&'static str>,
    align: Option<&'static str>,
}

impl StyleProperties {
    /// Reads declarations: `font-weight: 700; color: red`.
    fn of(style: &str) -> Self {
        let mut look = Self::default();
        for declaration in style.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let value = value.trim().to_ascii_lowercase();
            look.declare(&name.trim().to_ascii_lowercase(), value.trim_end_matches("!important").trim());
        }
        look
    }

    fn declare(&mut self, name: &str, value: &str) {
        match name {
            "font-weight" => {
                let heavy = value.parse::<u32>().map_or(value.starts_with("bold"), |weight| weight >= 600);
                self.bold = Some(heavy);
            }
            "font-style" => self.italic = Some(value.starts_with("italic") || value.starts_with("oblique")),
            "text-decoration" | "text-decoration-line" => self.strike = Some(value.contains("line-through")),
            "font-family" => self.code = Some(is_monospaced(value)),
            "vertical-align" => {
                self.script = Some(match value {
                    "super" => Script::Super,
                    "sub" => Script::Sub,
                    _ => Script::Normal,
                });
            }
            "color" => self.text = Some(color::of_text(value)),
            "background" | "background-color" => self.background = Some(color::of_background(value)),
            "text-align" => self.align = align(value),
            _ => {}
        }
    }

    fn overlay(&mut self, over: &Self) {
        let Self { bold, italic, strike, code, script, text, background, align } = over;
        self.bold = bold.or(self.bold);
        self.italic = italic.or(self.italic);
        self.strike = strike.or(self.strike);
        self.code = code.or(self.code);
        self.script = script.or(self.script);
        self.text = text.or(self.text);
        self.background = background.or(self.background);
        self.align = align.or(self.align);
    }

    /// Returns the alignment of a line, unless it is the default.
    pub(super) fn align(&self, element: &Element) -> Option<&'static str> {
        let by_attribute = || align(&element.get("align")?.to_ascii_lowercase());
        self.align.or_else(by_attribute).filter(|align| *align != "start")
    }

    /// Returns the alignment of a table column.
    pub(super) fn column_align(&self, element: &Element) -> Option<crate::document::Alignment> {
        use crate::document::Alignment;
        match self.align(element)? {
            "center" => Some(Alignment::Center),
            "end" => Some(Alignment::Right),
            _ => None,
        }
    }

    /// Returns the format of an inline element, from its name and then from its style.
    pub(super) fn apply(&self, name: &str, scope: &Scope) -> Format {
        let mut format = scope.format.clone();
        if let Some(mark) = mark_of(name) {
            format.add(mark);
        }
        if name == "mark" && self.text.is_none() && self.background.is_none() {
            format.add(Mark::Color { text: "default".to_owned(), background: "yellow".to_owned() });
        }
        self.marks(&mut format, scope);
        // Links and headings have their own colors.
        if !scope.heading && format.link.is_none() {
            self.color(&mut format);
        }
        format
    }

    /// Returns the format of a block's text.
    pub(super) fn apply_to_block(&self, scope: &Scope) -> Format {
        let mut format = scope.format.clone();
        self.marks(&mut format, scope);
        format
    }

    fn marks(&self, format: &mut Format, scope: &Scope) {
        let mut set = |wanted: Option<bool>, mark: Mark| match wanted {
            Some(true) => format.add(mark),
            Some(false) => format.remove(&mark),
            None => {}
        };
        // Headings are already bold.
        if !scope.heading {
            set(self.bold, Mark::Bold);
            set(self.italic, Mark::Italic);
        }
        set(self.strike.filter(|strike| *strike), Mark::Strikethrough);
        set(self.code.filter(|code| *code && !scope.heading), Mark::Code);
        match self.script {
            Some(Script::Super) => format.add(Mark::Superscript),
            Some(Script::Sub) => format.add(Mark::Subscript),
            Some(Script::Normal) | None => {}
        }
    }

    fn color(&self, format: &mut Format) {
        if self.text.is_none() && self.background.is_none() {
            return;
        }
        let (text, background) = {
            let (old_text, old_background) = format.color().unwrap_or(("default", "default"));
            (self.text.unwrap_or(old_text).to_owned(), self.background.unwrap_or(old_background).to_owned())
        };
        format.remove_color();
        if text != "default" || background != "default" {
            format.add(Mark::Color { text, background });
        }
    }
}

/// Returns the mark of an element by its name.
fn mark_of(name: &str) -> Option<Mark> {
    match name {
        "b" | "strong" => Some(Mark::Bold),
        "i" | "em" | "cite" | "dfn" | "var" => Some(Mark::Italic),
        "s" | "strike" | "del" => Some(Mark::Strikethrough),
        "code" | "tt" | "samp" => Some(Mark::Code),
        "kbd" => Some(Mark::Keyboard),
        "sup" => Some(Mark::Superscript),
        "sub" => Some(Mark::Subscript),
        _ => None,
    }
}

fn is_monospaced(family: &str) -> bool {
    const FAMILIES: [&str; 9] = [
        "monospace",
        "courier",
        "consolas",
        "menlo",
        "monaco",
        "roboto mono",
        "source code",
        "jetbrains mono",
        "fira code",
    ];
    FAMILIES.iter().any(|known| family.contains(known))
}

/// Returns the document's name of an alignment.
fn align(value: &str) -> Option<&'static str> {
    match value {
        "center" | "-webkit-center" | "middle" => Some("center"),
        "right" | "end" => Some("end"),
        "left" | "start" | "justify" => Some("start"),
        _ => None,
    }
}
