//! Styles of paragraphs and runs by name, with inheritance (17.7).

use super::xml::{attribute, child, is_word, toggle, value};
use crate::limits::docx::{MAX_LIST_ID_DIGITS, MAX_STYLE_PARENTS};
use roxmltree::Node;
use std::collections::HashMap;

/// Formatting of a run; `None` for unset properties.
#[derive(Debug, Clone, Default)]
pub(super) struct RunFormat {
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) strike: Option<bool>,
    /// `Some(Some(true))` for superscript, `Some(Some(false))` for subscript.
    pub(super) script: Option<Option<bool>>,
    pub(super) code: Option<bool>,
    pub(super) keyboard: Option<bool>,
    pub(super) hidden: Option<bool>,
    pub(super) text: Option<&'static str>,
    pub(super) background: Option<&'static str>,
}

impl RunFormat {
    /// Reads run properties.
    pub(super) fn of(properties: Node<'_, '_>) -> Self {
        let strike = toggle(properties, "strike").or_else(|| toggle(properties, "dstrike"));
        let script = value(properties, "vertAlign").map(|script| match script {
            "superscript" => Some(true),
            "subscript" => Some(false),
            _ => None,
        });
        let font = child(properties, "rFonts")
            .and_then(|fonts| attribute(fonts, "ascii").or_else(|| attribute(fonts, "hAnsi")));
        let highlight = value(properties, "highlight")
            .map(|name| crate::html::color::of_background(&name.to_ascii_lowercase()));
        let shading = child(properties, "shd").and_then(|shading| attribute(shading, "fill"));
        let shading = shading.map(|fill| crate::html::color::of_background(&format!("#{fill}")));
        Self {
            bold: toggle(properties, "b"),
            italic: toggle(properties, "i"),
            strike,
            script,
            code: font.map(is_monospaced),
            keyboard: None,
            hidden: toggle(properties, "vanish"),
            text: value(properties, "color").map(|color| crate::html::color::of_text(&format!("#{color}"))),
            background: highlight.or(shading),
        }
    }

    pub(super) fn overlay(&mut self, over: &Self) {
        let Self { bold, italic, strike, script, code, keyboard, hidden, text, background } = over;
        self.bold = bold.or(self.bold);
        self.italic = italic.or(self.italic);
        self.strike = strike.or(self.strike);
        self.script = script.or(self.script);
        self.code = code.or(self.code);
        self.keyboard = keyboard.or(self.keyboard);
        self.hidden = hidden.or(self.hidden);
        self.text = text.or(self.text);
        self.background = background.or(self.background);
    }
}

/// Properties of a paragraph, from its style or its own.
#[derive(Debug, Clone, Default)]
pub(super) struct Paragraph {
    /// Outline level, from 0.
    pub(super) outline: Option<usize>,
    /// Id of the list; `0` for no list.
    pub(super) list: Option<String>,
    pub(super) level: Option<usize>,
    pub(super) align: Option<&'static str>,
    pub(super) look: RunFormat,
    pub(super) role: Option<Role>,
}

/// Role of a paragraph, from the name of its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Title,
    Quote,
    Code,
    Caption,
    /// An entry of a table of contents.
    Contents,
    /// A paragraph that continues the previous item.
    Continues,
}

impl Paragraph {
    /// Reads paragraph properties.
    pub(super) fn of(properties: Node<'_, '_>) -> Self {
        let numbering = child(properties, "numPr");
        let align = value(properties, "jc").and_then(|align| match align {
            "center" => Some("center"),
            "right" | "end" => Some("end"),
            _ => None,
        });
        Self {
            outline: value(properties, "outlineLvl").and_then(|level| level.parse().ok()),
            list: numbering
                .and_then(|numbering| value(numbering, "numId"))
                .filter(|id| id.len() <= MAX_LIST_ID_DIGITS)
                .map(str::to_owned),
            level: numbering
                .and_then(|numbering| value(numbering, "ilvl"))
                .and_then(|level| level.parse().ok()),
            align,
            look: RunFormat::default(),
            role: None,
        }
    }

    pub(super) fn overlay(&mut self, over: &Self) {
        let Self { outline, list, level, align, look, role } = over;
        self.outline = outline.or(self.outline);
        self.list = list.clone().or(self.list.take());
        self.level = level.or(self.level);
        self.align = align.or(self.align);
        self.look.overlay(look);
        self.role = role.or(self.role);
    }
}

#[derive(Debug, Default)]
struct Style {
    parent: Option<String>,
    paragraph: Paragraph,
}

/// All styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    /// Style of paragraphs without an explicit style.
    default: Option<String>,
}

impl Styles {
    pub(super) fn read(&mut self, root: Node<'_, '_>) {
        for style in root.children().filter(|node| is_word(*node, "style")) {
            let Some(id) = attribute(style, "styleId") else { continue };
            let mut paragraph = child(style, "pPr").map(Paragraph::of).unwrap_or_default();
            if let Some(run) = child(style, "rPr") {
                paragraph.look = RunFormat::of(run);
            }
            let name = value(style, "name").unwrap_or(id).to_ascii_lowercase();
            let kind = attribute(style, "type").unwrap_or("paragraph");
            by_name(&name, kind, &mut paragraph);
            if kind == "paragraph" && matches!(attribute(style, "default"), Some("1" | "true")) {
                self.default = Some(id.to_owned());
            }
            let parent = value(style, "basedOn").map(str::to_owned);
            self.styles.insert(id.to_owned(), Style { parent, paragraph });
        }
    }

    /// Returns the properties of a style, including inherited ones.
    pub(super) fn resolve(&self, id: Option<&str>) -> Paragraph {
        let id = id.filter(|id| self.styles.contains_key(*id)).or(self.default.as_deref());
        let first = id.and_then(|id| self.styles.get(id));
        let parent = |style: &&Style| self.styles.get(style.parent.as_deref()?);
        let line: Vec<&Style> = std::iter::successors(first, parent).take(MAX_STYLE_PARENTS).collect();
        let mut resolved = Paragraph::default();
        for style in line.into_iter().rev() {
            resolved.overlay(&style.paragraph);
        }
        resolved
    }

    /// Returns the formatting of a character style.
    pub(super) fn look(&self, id: &str) -> RunFormat {
        if self.styles.contains_key(id) { self.resolve(Some(id)).look } else { RunFormat::default() }
    }
}

/// Sets the role of a built-in style from its name. These names are English in all language versions of Word.
fn by_name(name: &str, kind: &str, paragraph: &mut Paragraph) {
    let compact: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    if kind == "character" {
        match compact.as_str() {
            "htmlcode" | "verbatimchar" | "sourcetext" | "inlinecode" | "code" | "codechar" | "teletype"
            | "htmltypewriter" | "htmlsample" => {
                paragraph.look.code = Some(true);
            }
            "htmlkeyboard" | "userentry" => paragraph.look.keyboard = Some(true),
            "strong" | "strongemphasis" => paragraph.look.bold = paragraph.look.bold.or(Some(true)),
            "emphasis" => paragraph.look.italic = paragraph.look.italic.or(Some(true)),
            _ => {}
        }
        return;
    }
    if let Some(rank) = compact
        .strip_prefix("heading")
        .and_then(|rank| rank.parse::<usize>().ok())
        .filter(|rank| (1..=9).contains(rank))
    {
        paragraph.outline = paragraph.outline.or(Some(rank - 1));
        return;
    }
    let is_contents = |prefix: &str| {
        compact.strip_prefix(prefix).is_some_and(|rest| {
            rest.is_empty() || rest == "heading" || rest.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    paragraph.role = match compact.as_str() {
        "title" => Some(Role::Title),
        "quote" | "intensequote" | "quotations" | "blocktext" | "blockquote" => Some(Role::Quote),
        "caption" | "imagecaption" | "tablecaption" | "figure" => Some(Role::Caption),
        "htmlpreformatted" | "preformattedtext" | "sourcecode" | "macrotext" | "macro" | "code"
        | "codeblock" | "plaintext" => Some(Role::Code),
        "listparagraph" | "listcontents" => Some(Role::Continues),
        _ if compact.starts_with("listcontinue") => Some(Role::Continues),
        _ if is_contents("toc") || is_contents("contents") || compact == "tableoffigures" => {
            Some(Role::Contents)
        }
        _ => None,
    };
}

fn is_monospaced(font: &str) -> bool {
    const FONTS: [&str; 14] = [
        "courier",
        "consolas",
        "mono",
        "menlo",
        "monaco",
        "source code",
        "fira code",
        "cascadia",
        "lucida console",
        "andale",
        "inconsolata",
        "hack",
        "terminal",
        "fixedsys",
    ];
    let font = font.to_ascii_lowercase();
    // Excludes fonts whose names only start with the same letters.
    !font.starts_with("monotype") && FONTS.iter().any(|known| font.contains(known))
}
