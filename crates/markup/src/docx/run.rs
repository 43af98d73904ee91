//! Runs of text, links, fields and notes in a paragraph (17.3.2).

use super::body::{Reader, Text};
use super::fields::{Field, hyperlink};
use super::styles::RunFormat;
use super::xml::{attribute, child, find, is_math, is_word, toggle, value};
use crate::document::{Block, BlockKind, ContentRef, Fragment, Inline, InlineKind, InlineNode, Mark};
use crate::html::address;
use crate::inline_builder::{Format, InlineBuilder, link_node};
use crate::limits::docx::MAX_RUN_DEPTH;
use crate::markdown::HrefKind;
use roxmltree::Node;
use std::rc::Rc;

impl Reader<'_> {
    /// Reads the content of a paragraph or of an element that wraps runs.
    pub(super) fn inlines(
        &mut self,
        node: Node<'_, '_>,
        runs: &mut InlineBuilder,
        look: &RunFormat,
        text: Text,
    ) {
        self.inlines_in(node, runs, look, text, None);
    }

    fn inlines_in(
        &mut self,
        node: Node<'_, '_>,
        runs: &mut InlineBuilder,
        look: &RunFormat,
        text: Text,
        link: Option<&Rc<InlineNode>>,
    ) {
        if self.level > MAX_RUN_DEPTH {
            super::body::add_words(node, runs);
            return;
        }
        self.level += 1;
        for part in node.children().filter(Node::is_element) {
            self.part(part, runs, look, text, link);
        }
        self.level -= 1;
    }

    fn part(
        &mut self,
        part: Node<'_, '_>,
        runs: &mut InlineBuilder,
        look: &RunFormat,
        text: Text,
        link: Option<&Rc<InlineNode>>,
    ) {
        if is_math(part) {
            self.formula(part, runs);
            return;
        }
        match part.tag_name().name() {
            "r" => self.run(part, runs, look, text, link),
            "del" | "moveFrom" => self.left_out.changes += 1,
            "ins" | "moveTo" => {
                self.left_out.changes += 1;
                self.inlines_in(part, runs, look, text, link);
            }
            "hyperlink" => {
                let link = self.hyperlink(part).or_else(|| link.cloned());
                self.inlines_in(part, runs, look, text, link.as_ref());
            }
            "fldSimple" => {
                let target = attribute(part, "instr").and_then(hyperlink);
                let link = target.and_then(|target| self.link(&target)).or_else(|| link.cloned());
                self.inlines_in(part, runs, look, text, link.as_ref());
            }
            "sdt" => self.control(part, runs, look, text, link),
            "bookmarkStart" => self.bookmark(part),
            "AlternateContent" => {
                if let Some(choice) = super::xml::alternative(part) {
                    self.inlines_in(choice, runs, look, text, link);
                }
            }
            "pPr" | "rPr" | "sdtPr" | "sdtEndPr" | "customXmlPr" | "smartTagPr" => {}
            // Smart tags, text direction and other elements around runs.
            _ => self.inlines_in(part, runs, look, text, link),
        }
    }

    /// Reads a content control. A check box sets the state of its item.
    fn control(
        &mut self,
        node: Node<'_, '_>,
        runs: &mut InlineBuilder,
        look: &RunFormat,
        text: Text,
        link: Option<&Rc<InlineNode>>,
    ) {
        let properties = child(node, "sdtPr");
        let checkbox = properties.and_then(|properties| child(properties, "checkbox"));
        if let Some(checkbox) = checkbox.filter(|_| runs.is_empty() && self.checkbox.is_none()) {
            self.checkbox = Some(toggle(checkbox, "checked").unwrap_or(false));
            return;
        }
        // Placeholder text is kept, because it is shown.
        if let Some(content) = child(node, "sdtContent") {
            self.inlines_in(content, runs, look, text, link);
        }
    }

    fn formula(&mut self, part: Node<'_, '_>, runs: &mut InlineBuilder) {
        let formulas = super::math::formulas(part);
        let is_paragraph = part.tag_name().name() == "oMathPara";
        for tex in formulas {
            if is_paragraph && runs.is_empty() {
                self.boxes.push(Block::void(BlockKind::Math).with("formula", tex));
            } else {
                runs.node(InlineNode::new(InlineKind::InlineMath).with("formula", tex), &Format::default());
            }
        }
    }

    /// Returns the link of a `w:hyperlink`: a relationship, a bookmark, or both.
    fn hyperlink(&self, node: Node<'_, '_>) -> Option<Rc<InlineNode>> {
        let target = attribute(node, "id").and_then(|id| self.relations.target(id));
        let address = match (target, attribute(node, "anchor")) {
            (Some(target), Some(anchor)) if !target.contains('#') => format!("{target}#{anchor}"),
            (Some(target), _) => target.to_owned(),
            (None, Some(anchor)) => format!("#{anchor}"),
            (None, None) => return None,
        };
        self.link(&address)
    }

    /// Returns a link to an address, if the address is allowed.
    pub(super) fn link(&self, address: &str) -> Option<Rc<InlineNode>> {
        let Some(href) = address::of_link(address) else {
            self.refs.refused(address);
            return None;
        };
        let reference = self.refs.resolve(&href, HrefKind::Link).unwrap_or_else(|| ContentRef::url(href));
        Some(Rc::new(link_node(&reference, "")))
    }

    fn run(
        &mut self,
        run: Node<'_, '_>,
        runs: &mut InlineBuilder,
        look: &RunFormat,
        text: Text,
        link: Option<&Rc<InlineNode>>,
    ) {
        let mut own = look.clone();
        if let Some(properties) = child(run, "rPr") {
            if let Some(style) = value(properties, "rStyle") {
                own.overlay(&self.styles.look(style));
            }
            own.overlay(&RunFormat::of(properties));
        }
        let link = self.fields.last().and_then(|field| field.link.clone()).or_else(|| link.cloned());
        let is_heading = self.anchors.is_in_heading();
        let format = format(&own, link, is_heading);
        for piece in run.children().filter(Node::is_element) {
            self.piece(piece, runs, &format, text, own.hidden == Some(true));
        }
    }

    fn piece(
        &mut self,
        piece: Node<'_, '_>,
        runs: &mut InlineBuilder,
        format: &Format,
        text: Text,
        hidden: bool,
    ) {
        if let Some(value) =
            form_value(piece).filter(|_| !hidden && self.fields.last().is_none_or(Field::is_shown))
        {
            runs.collapsed(&value, format);
        }
        if self.field(piece) || hidden || self.fields.last().is_some_and(|field| !field.is_shown()) {
            return;
        }
        let is_literal = text == Text::Literal || format.marks.contains(&Mark::Code);
        let put = |words: &str, runs: &mut InlineBuilder| {
            if is_literal { runs.text(words, format) } else { runs.collapsed(words, format) }
        };
        match piece.tag_name().name() {
            "t" => put(piece.text().unwrap_or_default(), runs),
            "tab" | "ptab" => put(if is_literal { "\t" } else { " " }, runs),
            "noBreakHyphen" => put("\u{2011}", runs),
            "sym" => {
                let symbol = symbol(piece);
                self.left_out.symbols += usize::from(symbol == Some(UNKNOWN_SYMBOL));
                put(&symbol.map(String::from).unwrap_or_default(), runs);
            }
            "br" | "cr" if text == Text::Literal => put("\n", runs),
            "br" | "cr" if runs.is_empty() => {}
            "br" | "cr" => runs.line_break(format),
            "footnoteReference" | "endnoteReference" => self.note(piece, runs, format),
            "commentReference" => self.left_out.comments += 1,
            "drawing" | "pict" | "object" => self.drawing(piece, runs, format),
            "AlternateContent" => {
                if let Some(choice) = super::xml::alternative(piece) {
                    self.drawing(choice, runs, format);
                }
            }
            "ruby" => {
                let words = |name| find(piece, name).map(|part| inner_text(part)).unwrap_or_default();
                put(&format!("{}({})", words("rubyBase"), words("rt")), runs);
            }
            _ => {}
        }
    }

    /// Tracks the pieces of fields. Returns whether this is such a piece.
    fn field(&mut self, piece: Node<'_, '_>) -> bool {
        match piece.tag_name().name() {
            "fldChar" => {
                match attribute(piece, "fldCharType") {
                    Some("begin") => {
                        let field = Field::within(self.fields.last());
                        self.fields.push(field);
                    }
                    Some("separate") => {
                        let target = self.fields.last().and_then(|field| hyperlink(&field.instruction));
                        let link = target.and_then(|target| self.link(&target));
                        if let Some(field) = self.fields.last_mut() {
                            field.in_result = true;
                            field.link = link.or(field.link.take());
                        }
                    }
                    Some("end") => drop(self.fields.pop()),
                    _ => {}
                }
                true
            }
            "instrText" => {
                if let Some(field) = self.fields.last_mut() {
                    field.instruction.push_str(piece.text().unwrap_or_default());
                }
                true
            }
            _ => false,
        }
    }

    /// Adds a footnote or endnote: its number, annotated with its text.
    fn note(&mut self, piece: Node<'_, '_>, runs: &mut InlineBuilder, format: &Format) {
        let kind = if piece.tag_name().name() == "footnoteReference" { "footnote" } else { "endnote" };
        let Some(id) = attribute(piece, "id") else { return };
        let Some(body) = self.notes.remove(&(kind, id.to_owned())).filter(|body| !body.is_empty()) else {
            return;
        };
        self.note_number += 1;
        let mut node = InlineNode::new(InlineKind::Annotation);
        node.nodes = vec![Inline::text(self.note_number.to_string())];
        node.fragments = vec![Fragment::with_role("annotation-body", body)].into();
        runs.node(node, format);
    }
}

/// Returns the value of a form field without a result: the chosen entry of a list (17.16.9), or a box (17.16.7).
fn form_value(piece: Node<'_, '_>) -> Option<String> {
    let field = child(piece, "ffData")?;
    if let Some(list) = child(field, "ddList") {
        let chosen =
            ["result", "default"].into_iter().find_map(|name| value(list, name)?.parse::<usize>().ok());
        let mut entries = list.children().filter(|entry| is_word(*entry, "listEntry"));
        return entries.nth(chosen.unwrap_or(0)).and_then(|entry| attribute(entry, "val")).map(str::to_owned);
    }
    let checkbox = child(field, "checkBox")?;
    let is_checked = toggle(checkbox, "checked").or_else(|| toggle(checkbox, "default"));
    Some(if is_checked == Some(true) { "☒" } else { "☐" }.to_owned())
}

/// Returns the words below a node.
fn inner_text(node: Node<'_, '_>) -> String {
    node.descendants().filter(|inner| is_word(*inner, "t")).filter_map(|inner| inner.text()).collect()
}

fn format(look: &RunFormat, link: Option<Rc<InlineNode>>, is_heading: bool) -> Format {
    let mut format = Format { link, ..Format::default() };
    let marks = [
        (look.bold == Some(true) && !is_heading, Mark::Bold),
        (look.italic == Some(true) && !is_heading, Mark::Italic),
        (look.strike == Some(true), Mark::Strikethrough),
        (look.script == Some(Some(true)), Mark::Superscript),
        (look.script == Some(Some(false)), Mark::Subscript),
        (look.keyboard == Some(true), Mark::Keyboard),
        (look.code == Some(true) && look.keyboard != Some(true) && !is_heading, Mark::Code),
    ];
    for (_, mark) in marks.into_iter().filter(|(is_on, _)| *is_on) {
        format.add(mark);
    }
    // Links, headings and code have their own colors.
    if format.link.is_none() && !is_heading && look.code != Some(true) {
        let (text, background) = (look.text.unwrap_or("default"), look.background.unwrap_or("default"));
        if (text, background) != ("default", "default") {
            format.add(Mark::Color { text: text.to_owned(), background: background.to_owned() });
        }
    }
    format
}

/// Replacement for unknown characters of symbol fonts.
const UNKNOWN_SYMBOL: char = '□';

/// Returns a character of a symbol font. Its code is in the private use area; common ones map to Unicode characters.
fn symbol(node: Node<'_, '_>) -> Option<char> {
    match u32::from_str_radix(attribute(node, "char")?, 16).ok()? {
        0xf0b7 | 0xf0a7 => Some('•'),
        0xf0a8 | 0xf06f => Some('☐'),
        0xf0fe | 0xf078 => Some('☒'),
        0xf0fc => Some('✓'),
        0xf0e0 => Some('→'),
        0xf04a => Some('☺'),
        0 => None,
        0xe000..=0xf8ff => Some(UNKNOWN_SYMBOL),
        code => char::from_u32(code),
    }
}
