//! Conversion of the HTML tree to blocks.

use super::dom::{Data, Dom, Element, Id};
use super::memo::Memo;
use super::notes::Notes;
use super::scope::Scope;
use super::style::{StyleProperties, Styles};
use super::{HtmlOptions, article};
use crate::anchor_collector::AnchorCollector;
use crate::document::{Block, BlockKind, Inline, Meter};
use crate::headings;
use crate::inline_builder::{Format, InlineBuilder, is_space};
use crate::limits::html::MAX_ELEMENT_DEPTH;
use crate::lines;
use crate::text::inline_text;
use std::collections::BTreeMap;

/// Elements without visible content, or without content of the page.
const SILENT: [&str; 24] = [
    "script", "style", "template", "noscript", "head", "meta", "link", "base", "title", "input", "select",
    "textarea", "datalist", "progress", "meter", "dialog", "canvas", "map", "area", "rp", "col", "colgroup",
    "param", "frameset",
];

/// Inline elements; every other element begins a new line.
const INLINE: [&str; 46] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "button", "cite", "code", "data", "del",
    "dfn", "em", "font", "g-emoji", "i", "img", "ins", "kbd", "label", "mark", "nobr", "output", "picture",
    "q", "rb", "rt", "rtc", "ruby", "s", "samp", "slot", "small", "source", "span", "strike", "strong",
    "sub", "sup", "time", "track", "tt", "u", "var",
];

/// Blocks collected so far, and the current line.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) blocks: Vec<Block>,
    pub(super) runs: InlineBuilder,
    /// All content becomes a single line, without blocks.
    pub(super) flat: bool,
    /// Number of blocks already counted.
    counted: usize,
}

impl Flow {
    /// Ends the line and creates a block of its content.
    pub(super) fn end_line(&mut self, align: Option<&str>) {
        if self.flat {
            self.runs.collapsed(" ", &Format::default());
            return;
        }
        let nodes = std::mem::take(&mut self.runs).finish_line();
        if let Some(mut block) = lines::paragraph(nodes) {
            if let (Some(align), BlockKind::Paragraph) = (align, block.kind) {
                block.data.insert("align".to_owned(), align.into());
            }
            self.blocks.push(block);
        }
    }

    /// Returns the blocks added since the last call.
    fn new_blocks(&mut self) -> &[Block] {
        let counted = std::mem::replace(&mut self.counted, self.blocks.len());
        self.blocks.get(counted..).unwrap_or_default()
    }

    /// Adds a block after ending the current line.
    pub(super) fn push(&mut self, block: Block) {
        self.end_line(None);
        self.blocks.push(block);
    }
}

/// Reader of the tree.
pub(super) struct Reader<'d, 'o> {
    pub(super) dom: &'d Dom,
    pub(super) options: &'o HtmlOptions<'o>,
    pub(super) styles: Styles,
    pub(super) anchors: AnchorCollector,
    pub(super) images: Vec<String>,
    pub(super) memo: Memo,
    pub(super) notes: Notes,
    /// Parts of a Google Docs file outside its text, with their kinds.
    pub(super) surroundings: BTreeMap<Id, &'static str>,
    meter: &'o Meter<'o>,
    /// Current depth in the tree.
    level: usize,
}

impl<'d, 'o> Reader<'d, 'o> {
    pub(super) fn new(dom: &'d Dom, options: &'o HtmlOptions<'o>, meter: &'o Meter<'o>) -> Self {
        let styles = Styles::of(dom);
        Self {
            dom,
            options,
            styles,
            anchors: AnchorCollector::default(),
            images: Vec::new(),
            memo: Memo::default(),
            notes: Notes::of(dom),
            surroundings: BTreeMap::new(),
            meter,
            level: 0,
        }
    }

    /// Reads the blocks below a node.
    pub(super) fn blocks(&mut self, id: Id, scope: &Scope) -> Vec<Block> {
        let mut flow = Flow::default();
        self.children(id, &mut flow, scope);
        flow.end_line(None);
        flow.blocks
    }

    /// Reads the blocks of some nodes.
    pub(super) fn blocks_of(&mut self, ids: &[Id], scope: &Scope) -> Vec<Block> {
        let mut flow = Flow::default();
        for id in ids {
            self.node(*id, &mut flow, scope);
        }
        flow.end_line(None);
        flow.blocks
    }

    /// Reads the content of a node as one line.
    pub(super) fn line(&mut self, id: Id, scope: &Scope) -> Vec<Inline> {
        let mut flow = Flow { flat: true, ..Flow::default() };
        self.children(id, &mut flow, scope);
        flow.runs.finish_line()
    }

    pub(super) fn children(&mut self, id: Id, flow: &mut Flow, scope: &Scope) {
        let dom = self.dom;
        for child in dom.children(id) {
            self.node(*child, flow, scope);
        }
    }

    pub(super) fn node(&mut self, id: Id, flow: &mut Flow, scope: &Scope) {
        if !self.meter.count_step() {
            return;
        }
        let dom = self.dom;
        match dom.data(id) {
            Some(Data::Text(text)) => self.text(text, flow, scope),
            Some(Data::Element(_)) if self.level >= MAX_ELEMENT_DEPTH => self.words(id, flow, scope),
            Some(Data::Element(element)) => {
                self.level += 1;
                self.element(id, element, flow, scope);
                self.level -= 1;
                self.meter.blocks(flow.new_blocks());
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str, flow: &mut Flow, scope: &Scope) {
        if !text.chars().all(is_space) {
            self.anchors.words();
        }
        flow.runs.collapsed(text, &scope.format);
    }

    /// Reads the text below a node without formatting.
    fn words(&mut self, id: Id, flow: &mut Flow, scope: &Scope) {
        let dom = self.dom;
        let mut stack = vec![id];
        while let Some(id) = stack.pop().filter(|_| self.meter.count_step()) {
            match dom.data(id) {
                Some(Data::Text(text)) => self.text(text, flow, scope),
                Some(Data::Element(element)) if !self.is_silent(element) => {
                    stack.extend(dom.children(id).iter().rev());
                }
                _ => {}
            }
        }
    }

    /// Returns whether an element has no visible content, or no content of the page.
    pub(super) fn is_silent(&self, element: &Element) -> bool {
        let name = element.name();
        if element.is_html() && SILENT.contains(&name) && !(name == "dialog" && element.has("open")) {
            return !is_math_script(element);
        }
        article::is_hidden(element)
            || article::is_docbook_navigation(element)
            || (self.options.extract == super::Extract::Article && article::is_boilerplate(element))
    }

    fn element(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        if self.is_silent(element) || self.notes.is_silent(id) || self.is_decoration(id, element, scope) {
            return;
        }
        if let Some(kind) = self.surroundings.get(&id) {
            self.options.refs.left(kind);
            return;
        }
        for name in ["id", "name"] {
            if let Some(anchor) = element.get(name).filter(|_| name == "id" || element.name() == "a") {
                self.anchors.add(anchor);
            }
        }
        if self.special(id, element, flow, scope) {
            return;
        }
        if !element.is_html() || INLINE.contains(&element.name()) {
            self.inline(id, element, flow, scope);
            return;
        }
        if flow.flat || !self.block(id, element, flow, scope) {
            flow.end_line(None);
            self.children(id, flow, scope);
            flow.end_line(None);
        }
    }

    /// Reads elements that are recognized by more than their name. Returns whether this is one.
    fn special(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        if self.math(id, element, flow, scope) {
            return true;
        }
        if flow.flat || !scope.has_room() || !element.is_html() {
            return false;
        }
        if let Some(callout) = self.callout(id, element) {
            self.hint(id, &callout, flow, scope);
            return true;
        }
        self.code_container(id, element, flow)
            || self.tabs(id, element, flow, scope)
            || self.confluence(id, element, flow, scope)
    }

    fn inline(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        match element.name() {
            "img" => self.image(id, element, flow, scope),
            "a" => self.link(id, element, flow, scope),
            "svg" => self.drawing_words(id, flow, scope),
            "button" if is_tool(element) => {}
            "q" => {
                flow.runs.text("“", &scope.format);
                self.children(id, flow, scope);
                flow.runs.text("”", &scope.format);
            }
            // Pronunciation of a character. The parentheses in `rp` are for old browsers only.
            "rt" => {
                flow.runs.text("(", &scope.format);
                self.children(id, flow, scope);
                flow.runs.text(")", &scope.format);
            }
            "source" | "track" => {}
            _ => {
                let format = self.format(element, scope);
                self.children(id, flow, &scope.with_format(format));
            }
        }
    }

    /// Returns the format of running text in an element.
    pub(super) fn format(&self, element: &Element, scope: &Scope) -> Format {
        self.styles.look(element).apply(element.name(), scope)
    }

    /// Reads a block element. Returns whether its content needs a block.
    fn block(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        match element.name() {
            "br" => flow.runs.line_break(&scope.format),
            "wbr" => {}
            "hr" => flow.push(Block::void(BlockKind::Divider)),
            "p" | "div" | "center" if self.paragraph(id, element, flow, scope) => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(id, element, flow, scope),
            "pre" | "listing" | "xmp" | "plaintext" => self.listing(id, element, flow),
            "iframe" | "embed" | "object" | "video" | "audio" => self.embed(id, element, flow, scope),
            _ if !scope.has_room() => return false,
            "ul" | "ol" | "menu" | "dir" => self.list(id, element, flow, scope),
            "dl" => return self.definitions(id, flow, scope),
            "blockquote" => self.quote(id, flow, scope),
            "figure" => self.figure(id, flow, scope),
            "table" => return self.table(id, element, flow, scope),
            "details" => self.details(id, element, flow, scope),
            _ => return false,
        }
        true
    }

    /// Reads an element that may be a heading or an item by its class, and the alignment of its line. Returns whether
    /// it is more than a wrapper.
    fn paragraph(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        if let Some(rank) = heading_class(element) {
            self.heading_of_rank(id, rank, flow, scope);
            return true;
        }
        if element.name() == "p" && self.word_item(id, element, flow, scope) {
            return true;
        }
        let look = self.styles.look(element);
        let align = if element.name() == "center" { Some("center") } else { look.align(element) };
        flow.end_line(None);
        let scope = if element.name() == "p" { self.paragraph_scope(&look, scope) } else { scope.clone() };
        self.children(id, flow, &scope);
        flow.end_line(align);
        true
    }

    /// Returns the scope of a paragraph's text: the paragraph's look applies, except for colors, which belong to its
    /// box.
    fn paragraph_scope(&self, look: &StyleProperties, scope: &Scope) -> Scope {
        scope.with_format(look.apply_to_block(scope))
    }

    fn heading(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        let rank = match element.name() {
            "h1" => 1,
            "h2" => 2,
            "h3" => 3,
            _ => 4,
        };
        self.heading_of_rank(id, rank, flow, scope);
    }

    fn heading_of_rank(&mut self, id: Id, rank: u8, flow: &mut Flow, scope: &Scope) {
        flow.end_line(None);
        let scope = Scope { heading: true, ..scope.clone() };
        self.anchors.begin_heading();
        let nodes = self.line(id, &scope);
        let words = inline_text(&nodes);
        if words.trim().is_empty() {
            self.anchors.cancel_heading();
            flow.blocks.extend(lines::paragraph(nodes));
            return;
        }
        let mut block = headings::unsettled(rank, nodes);
        if let Some(anchor) = self.anchors.end_heading(&words) {
            block.data.insert("id".to_owned(), anchor.into());
        }
        if let Some(align) = self.dom.element(id).and_then(|element| self.styles.look(element).align(element))
        {
            block.data.insert("align".to_owned(), align.into());
        }
        flow.blocks.push(block);
    }

    fn quote(&mut self, id: Id, flow: &mut Flow, scope: &Scope) {
        flow.end_line(None);
        let inner = self.blocks(id, &scope.deeper(1));
        if !inner.is_empty() {
            flow.push(Block::blocks(BlockKind::Blockquote, inner));
        }
    }

    /// Returns whether an element is a permalink in a heading or a backlink of a footnote. These are only visible on
    /// hover or useful on the page itself.
    fn is_decoration(&self, id: Id, element: &Element, scope: &Scope) -> bool {
        const PERMALINKS: [&str; 9] = [
            "headerlink",
            "hash-link",
            "anchor",
            "header-anchor",
            "heading-anchor",
            "anchorjs-link",
            "toc-anchor",
            "sl-anchor-link",
            "permalink",
        ];
        if element.has_class(&[
            "footnote-backref",
            "footnote-back",
            "data-footnote-backref",
            "reversefootnote",
        ]) {
            return true;
        }
        let is_link = element.name() == "a" && element.get("href").is_some_and(|href| href.starts_with('#'));
        if !is_link {
            return scope.heading && element.name() == "button" && is_tool(element);
        }
        let text = self.dom.text(id);
        let has_words = text.chars().any(char::is_alphanumeric);
        let has_picture = self.dom.find(id, |inner| inner.name() == "img").is_some();
        !has_picture
            && ((scope.heading && !has_words)
                || (element.has_class(&PERMALINKS) && (!has_words || element.has_class_prefix("sl-anchor"))))
    }
}

/// Returns whether an element is a button such as "copy" or "edit".
fn is_tool(element: &Element) -> bool {
    let words = ["copy", "clipboard", "toggle", "clean-btn", "edit", "menu", "close"];
    element.classes().any(|class| {
        let class = class.to_ascii_lowercase();
        words.iter().any(|word| class.contains(word))
    }) || element.has("data-clipboard-text")
        || element.has("data-clipboard-target")
}

/// Returns whether an element is a script with a MathJax formula.
pub(super) fn is_math_script(element: &Element) -> bool {
    element.name() == "script" && element.get("type").is_some_and(|kind| kind.starts_with("math/tex"))
}

/// Returns the rank of a heading that is marked by a class of an office program.
fn heading_class(element: &Element) -> Option<u8> {
    element.classes().find_map(|class| match class {
        "title" | "MsoTitle" | "page-title" if element.name() == "p" => Some(1),
        "MsoHeading1" => Some(1),
        "MsoHeading2" => Some(2),
        "MsoHeading3" => Some(3),
        "MsoHeading4" | "MsoHeading5" | "MsoHeading6" => Some(4),
        _ => None,
    })
}
