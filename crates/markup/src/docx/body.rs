//! Paragraphs, lists and tables of a part (17.3.1, 17.4).

use super::DocxImage;
use super::flow::{Flow, caption, has_nodes, into_last_item, item};
use super::inserted::Inserted;
use super::left_out::LeftOut;
use super::numbering::{Marker, Numbering};
use super::package::Relations;
use super::source::Source;
use super::styles::{Paragraph, Role, RunFormat, Styles};
use super::xml::{attribute, child, is_word};
use crate::anchor_collector::AnchorCollector;
use crate::anchors::anchors;
use crate::document::{Block, BlockKind, Document, Inline, InlineKind, Meter};
use crate::headings;
use crate::inline_builder::{Format, InlineBuilder};
use crate::limits::document::MAX_BLOCK_NESTING;
use crate::limits::docx::MAX_BODY_DEPTH;
use crate::lists;
use crate::markdown::RefResolver;
use crate::text::inline_text;
use roxmltree::Node;
use std::collections::{BTreeSet, HashMap};

/// Styles, links and bounds shared by all parts of a document.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) source: Source<'a>,
    pub(super) styles: &'a Styles,
}

/// Reader of a part.
pub(super) struct Reader<'x> {
    pub(super) refs: &'x dyn RefResolver,
    pub(super) styles: &'x Styles,
    meter: &'x Meter<'x>,
    pub(super) numbering: Numbering,
    pub(super) relations: &'x Relations,
    /// Bodies of notes, by kind and id.
    pub(super) notes: HashMap<(&'static str, String), Vec<Block>>,
    /// Files inserted into the document, by the ids of their relationships.
    pub(super) inserted: HashMap<String, Inserted>,
    pub(super) inserted_images: Vec<DocxImage>,
    pub(super) anchors: AnchorCollector,
    /// Names of the images that are shown.
    pub(super) images: BTreeSet<String>,
    pub(super) left_out: LeftOut,
    /// Fields that have started and not ended (17.16.18).
    pub(super) fields: Vec<super::fields::Field>,
    /// Blocks of text boxes anchored in the current paragraph.
    pub(super) boxes: Vec<Block>,
    pub(super) depth: usize,
    pub(super) level: usize,
    /// Paragraph whose mark was deleted; the next paragraph continues it.
    open: Option<InlineBuilder>,
    pub(super) note_number: usize,
    /// State of a check box at the start of the paragraph.
    pub(super) checkbox: Option<bool>,
}

impl<'x> Reader<'x> {
    pub(super) fn new(around: Around<'x>, numbering: Numbering, relations: &'x Relations) -> Self {
        let Around { source: Source { refs, meter }, styles } = around;
        Self {
            refs,
            styles,
            meter,
            numbering,
            relations,
            notes: HashMap::new(),
            inserted: HashMap::new(),
            inserted_images: Vec::new(),
            anchors: AnchorCollector::default(),
            images: BTreeSet::new(),
            left_out: LeftOut::default(),
            fields: Vec::new(),
            boxes: Vec::new(),
            depth: 0,
            level: 0,
            open: None,
            note_number: 0,
            checkbox: None,
        }
    }

    /// Reads the blocks below a node.
    pub(super) fn blocks(&mut self, node: Node<'_, '_>) -> Vec<Block> {
        let mut flow = Flow::default();
        self.children(node, &mut flow);
        if let Some(runs) = self.open.take() {
            flow.end();
            flow.blocks.extend(crate::lines::paragraph(runs.finish_line()));
        }
        flow.end();
        flow.blocks
    }

    /// Reads the blocks below a node, `levels` deeper.
    pub(super) fn blocks_below(&mut self, node: Node<'_, '_>, levels: usize) -> Vec<Block> {
        self.depth += levels;
        let open = self.open.take();
        let blocks = self.blocks(node);
        self.open = open;
        self.depth -= levels;
        blocks
    }

    fn children(&mut self, node: Node<'_, '_>, flow: &mut Flow) {
        if self.level >= MAX_BODY_DEPTH {
            flow.end();
            flow.blocks.extend(crate::lines::paragraph(self.words(node)));
            return;
        }
        self.level += 1;
        let meter = self.meter;
        for child in node.children().filter(Node::is_element).take_while(|_| meter.count_step()) {
            self.node(child, flow);
        }
        self.level -= 1;
    }

    /// Returns the words below a node without formatting.
    fn words(&mut self, node: Node<'_, '_>) -> Vec<Inline> {
        let mut runs = InlineBuilder::default();
        add_words(node, &mut runs);
        runs.finish_line()
    }

    fn node(&mut self, node: Node<'_, '_>, flow: &mut Flow) {
        match node.tag_name().name() {
            "p" => self.paragraph(node, flow),
            "tbl" => {
                if self.depth < MAX_BLOCK_NESTING {
                    flow.end();
                    let table = self.table(node);
                    flow.blocks.extend(table);
                } else {
                    self.children(node, flow);
                }
            }
            "del" | "moveFrom" | "sectPr" | "sdtPr" | "sdtEndPr" | "pPr" | "tblPr" | "tblGrid" | "trPr"
            | "tcPr" => {}
            "ins" | "moveTo" => {
                self.left_out.changes += 1;
                self.children(node, flow);
            }
            "bookmarkStart" => self.bookmark(node),
            "altChunk" | "subDoc" => self.insert(node, flow),
            "oMathPara" => {
                flow.end();
                let formulas = super::math::formulas(node);
                flow.blocks.extend(
                    formulas.into_iter().map(|tex| Block::void(BlockKind::Math).with("formula", tex)),
                );
            }
            "AlternateContent" => {
                if let Some(choice) = super::xml::alternative(node) {
                    self.children(choice, flow);
                }
            }
            // Content controls, custom XML, and table rows and cells that are too deep.
            _ => self.children(node, flow),
        }
    }

    /// Adds the content of an inserted file. A file is inserted once, which bounds the document.
    fn insert(&mut self, node: Node<'_, '_>, flow: &mut Flow) {
        let Some(found) = attribute(node, "id").and_then(|id| self.inserted.remove(id)) else {
            self.left_out.inserted += 1;
            return;
        };
        let Inserted { nodes, mut images, left_out } = found;
        self.left_out.add(&left_out);
        self.inserted_images.append(&mut images);
        let inserted = Document::new(nodes);
        self.anchors.skip_headings(anchors(&inserted).len());
        flow.end();
        flow.blocks.extend(inserted.nodes);
    }

    pub(super) fn bookmark(&mut self, node: Node<'_, '_>) {
        if let Some(name) = attribute(node, "name") {
            self.anchors.add(name);
        }
    }

    /// Returns the properties of a paragraph, from its style and its own.
    fn properties(&self, node: Node<'_, '_>) -> Paragraph {
        let properties = child(node, "pPr");
        let style = properties.and_then(|properties| super::xml::value(properties, "pStyle"));
        let mut paragraph = self.styles.resolve(style);
        if let Some(properties) = properties {
            paragraph.overlay(&Paragraph::of(properties));
        }
        paragraph
    }

    fn paragraph(&mut self, node: Node<'_, '_>, flow: &mut Flow) {
        // Fields over several paragraphs are tables of contents. An unclosed field must not swallow the rest of the
        // text.
        self.fields.clear();
        let paragraph = self.properties(node);
        if paragraph.role == Some(Role::Contents) {
            self.left_out.contents = true;
            return;
        }
        let heading = heading(&paragraph);
        if heading.is_some() {
            self.anchors.begin_heading();
        }
        self.checkbox = None;
        let mut runs = self.open.take().unwrap_or_default();
        let is_code = paragraph.role == Some(Role::Code);
        let look = self.text_look(&paragraph, heading.is_some());
        self.inlines(node, &mut runs, &look, if is_code { Text::Literal } else { Text::Collapsed });
        let mark = child(node, "pPr").and_then(|properties| child(properties, "rPr"));
        let is_deleted = mark.is_some_and(|mark| child(mark, "del").is_some());
        let frame = child(node, "pPr").and_then(|properties| child(properties, "framePr"));
        // A drop cap is a paragraph of its own (17.3.1.11) that the next one continues.
        let is_initial =
            frame.and_then(|frame| attribute(frame, "dropCap")).is_some_and(|kind| kind != "none");
        if (is_deleted || is_initial) && heading.is_none() {
            self.left_out.changes += usize::from(is_deleted);
            self.open = Some(runs);
            return;
        }
        let nodes = runs.finish_line();
        self.meter.words(&nodes);
        let boxes = std::mem::take(&mut self.boxes);
        match heading {
            Some(rank) => self.heading(rank, nodes, &paragraph, flow),
            None => self.body_text(&paragraph, nodes, flow),
        }
        if !boxes.is_empty() {
            flow.end();
            flow.blocks.extend(boxes);
        }
    }

    /// Returns the formatting that a paragraph's style gives its text. Headings, quotations and listings get their look
    /// from their block instead.
    fn text_look(&self, paragraph: &Paragraph, is_heading: bool) -> RunFormat {
        let has_own = is_heading || matches!(paragraph.role, Some(Role::Quote | Role::Code | Role::Caption));
        let mut look = if has_own { RunFormat::default() } else { paragraph.look.clone() };
        // Paragraph colors belong to boxes and themes.
        look.text = None;
        look.background = None;
        look
    }

    fn heading(&mut self, rank: u8, nodes: Vec<Inline>, paragraph: &Paragraph, flow: &mut Flow) {
        flow.end();
        let words = inline_text(&nodes);
        if words.trim().is_empty() {
            self.anchors.cancel_heading();
            flow.blocks.extend(crate::lines::paragraph(nodes));
            return;
        }
        let mut block = headings::unsettled(rank, nodes);
        if let Some(anchor) = self.anchors.end_heading(&words) {
            block.data.insert("id".to_owned(), anchor.into());
        }
        if let Some(align) = paragraph.align {
            block.data.insert("align".to_owned(), align.into());
        }
        // Headings count too if their numbers are shown.
        if let Some(list) = &paragraph.list {
            self.numbering.next(list, paragraph.level.unwrap_or(0));
        }
        flow.blocks.push(block);
    }

    /// Adds the text of a paragraph to the current listing.
    fn lines_of_code(&mut self, text: &str, paragraph: &Paragraph, flow: &mut Flow) {
        if !text.is_empty() || !flow.code.is_empty() || paragraph.role == Some(Role::Code) {
            self.anchors.words();
            flow.code.extend(text.split('\n').map(str::to_owned));
        }
    }

    fn body_text(&mut self, paragraph: &Paragraph, mut nodes: Vec<Inline>, flow: &mut Flow) {
        let list = paragraph.list.as_deref().filter(|list| *list != "0");
        if paragraph.role == Some(Role::Code) || (list.is_none() && is_code(&nodes)) {
            flow.end_quote();
            // Listings cannot hold pictures, so pictures follow the listing.
            let (pictures, nodes): (Vec<Inline>, Vec<Inline>) = nodes.into_iter().partition(is_picture);
            let text = inline_text(&nodes);
            if pictures.is_empty() || !text.trim().is_empty() {
                self.lines_of_code(&text, paragraph, flow);
            }
            if !pictures.is_empty() {
                flow.end();
                flow.blocks.extend(crate::lines::paragraph(pictures));
            }
            return;
        }
        let is_empty = inline_text(&nodes).trim().is_empty() && !has_nodes(&nodes);
        if is_empty {
            // Empty paragraphs are spacing. Within a continued listing they are empty lines.
            return;
        }
        self.anchors.words();
        while flow.code.last().is_some_and(String::is_empty) {
            flow.code.pop();
        }
        flow.end_code();
        let marker = list.and_then(|list| self.numbering.next(list, paragraph.level.unwrap_or(0)));
        let mut checkbox = self.checkbox.take();
        if marker == Some(Marker::Bullet) && checkbox.is_none() {
            checkbox = take_box(&mut nodes);
        }
        if let (Some(marker), true) =
            (marker.or(checkbox.map(|_| Marker::Bullet)), self.depth < MAX_BLOCK_NESTING - 20)
        {
            flow.end_quote();
            item(flow, paragraph.level.unwrap_or(0), marker, checkbox, nodes);
            return;
        }
        if paragraph.role == Some(Role::Quote) && self.depth < MAX_BLOCK_NESTING {
            flow.quote.extend(crate::lines::paragraph(nodes));
            return;
        }
        flow.end_quote();
        if paragraph.role == Some(Role::Caption) {
            match caption(flow, nodes) {
                Some(nodes) => flow.blocks.extend(crate::lines::paragraph(nodes)),
                None => return,
            }
            return;
        }
        let Some(mut block) = crate::lines::paragraph(nodes) else { return };
        if let (Some(align), BlockKind::Paragraph) = (paragraph.align, block.kind) {
            block.data.insert("align".to_owned(), align.into());
        }
        let is_continued = paragraph.role == Some(Role::Continues) && paragraph.list.is_none();
        match flow.blocks.last_mut().filter(|last| is_continued && lists::is_list(last)) {
            Some(list) => into_last_item(list, block),
            None => flow.blocks.push(block),
        }
    }
}

/// Adds the words below a node without formatting.
pub(super) fn add_words(node: Node<'_, '_>, runs: &mut InlineBuilder) {
    for text in node.descendants().filter(|inner| is_word(*inner, "t")).filter_map(|inner| inner.text()) {
        runs.collapsed(text, &Format::default());
    }
}

/// Treatment of white space in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// White space collapses.
    Collapsed,
    /// Kept as is, for listings.
    Literal,
}

/// Returns the rank of a paragraph that is a heading.
fn heading(paragraph: &Paragraph) -> Option<u8> {
    if paragraph.role == Some(Role::Title) {
        return Some(1);
    }
    // The tenth level is body text.
    let level = paragraph.outline.filter(|level| *level <= 8)?;
    u8::try_from(level).ok().map(|level| level.saturating_add(1))
}

/// Returns whether a node is a picture, or a link around one.
fn is_picture(inline: &Inline) -> bool {
    let is_image =
        |inline: &Inline| matches!(inline, Inline::Node(node) if node.kind == InlineKind::InlineImage);
    match inline {
        Inline::Node(node) => is_image(inline) || node.nodes.iter().any(is_image),
        Inline::Text(_) => false,
    }
}

/// Removes a ballot box at the start of an item, which is pandoc's form of a task, and returns its state.
fn take_box(nodes: &mut [Inline]) -> Option<bool> {
    let Some(Inline::Text(text)) = nodes.first_mut() else { return None };
    let first = text.leaves.first_mut()?;
    let (is_checked, rest) = [('☐', false), ('☒', true), ('☑', true)]
        .into_iter()
        .find_map(|(mark, is_checked)| Some((is_checked, first.text.strip_prefix(mark)?)))?;
    let rest = rest.strip_prefix(' ')?.to_owned();
    first.text = rest;
    Some(is_checked)
}

/// Returns whether a line is not blank and all of its text is code.
fn is_code(nodes: &[Inline]) -> bool {
    let is_code = |inline: &Inline| match inline {
        Inline::Text(text) => text.leaves.iter().all(|leaf| {
            leaf.marks.as_slice() == [crate::document::Mark::Code] || leaf.text.trim().is_empty()
        }),
        Inline::Node(_) => false,
    };
    !inline_text(nodes).trim().is_empty() && nodes.iter().all(is_code)
}
