//! Conversion of comrak's blocks to blocks of documents.

use super::assemble::Assembler;
use super::tag_blocks::highlight;
use super::verbatim::{html_code, verbatim};
use super::{Source, cell, excess, inlines};
use crate::document::{Alignment, Block, BlockKind, Children, Inline, InlineKind, MAX_COLUMNS};
use crate::grid::Grid;
use crate::headings;
use crate::limits::document::MAX_BLOCK_NESTING;
use crate::markdown::info::Info;
use crate::markdown_html::paragraph;
use crate::text::plain_block_text;
use comrak::nodes::{AlertType, ListType, Node, NodeCodeBlock, NodeList, NodeValue, TableAlignment};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Returns the source of a paragraph that consists of a frame, a video or an audio element.
fn media_html(paragraph: Node<'_>) -> Option<String> {
    const MEDIA: [&str; 3] = ["<iframe", "<video", "<audio"];
    let first = paragraph.first_child()?;
    let is_media = match &first.data().value {
        NodeValue::HtmlInline(html) => MEDIA.iter().any(|begin| html.starts_with(begin)),
        _ => false,
    };
    if !is_media {
        return None;
    }
    let mut source = String::new();
    for child in paragraph.children() {
        match &child.data().value {
            NodeValue::HtmlInline(html) => source.push_str(html),
            NodeValue::SoftBreak | NodeValue::LineBreak => source.push('\n'),
            NodeValue::Text(text) if text.trim().is_empty() => {}
            // The text within the element is a fallback for browsers that do not support it.
            NodeValue::Text(_) if !source.trim_end().ends_with("</video>") => {}
            _ => return None,
        }
    }
    MEDIA
        .iter()
        .any(|begin| source.trim_end().ends_with(&format!("{}>", begin.replace('<', "</"))))
        .then_some(source)
}

/// Definition of a footnote.
pub(super) struct Footnote<'a> {
    pub(super) name: String,
    pub(super) node: Node<'a>,
    /// The text has been used.
    used: bool,
    /// The text is being read. Prevents endless recursion in a footnote that refers to itself.
    open: bool,
    /// Cost of repeating the footnote, computed once.
    cost: Option<usize>,
}

impl<'a> Footnote<'a> {
    pub(super) fn new(name: String, node: Node<'a>) -> Self {
        Self { name, node, used: false, open: false, cost: None }
    }

    /// Returns the approximate size in bytes.
    fn cost(&mut self) -> usize {
        let node = self.node;
        *self.cost.get_or_insert_with(|| {
            let bytes = |node: Node<'_>| match &node.data().value {
                NodeValue::Text(text) => text.len(),
                NodeValue::Code(code) => code.literal.len(),
                NodeValue::CodeBlock(code) => code.literal.len(),
                NodeValue::HtmlBlock(html) => html.literal.len(),
                NodeValue::HtmlInline(html) => html.len(),
                NodeValue::Link(link) | NodeValue::Image(link) => link.url.len(),
                _ => 0,
            };
            node.descendants().map(|node| bytes(node).saturating_add(32)).sum()
        })
    }
}

/// Reader of comrak's tree.
pub(super) struct Reader<'a, 'r> {
    pub(super) source: Source<'r>,
    /// Definitions of footnotes in order.
    pub(super) footnotes: Vec<Footnote<'a>>,
    /// Indexes of the footnotes by name. The first of equal names is used.
    pub(super) names: HashMap<String, usize>,
    /// Number of bytes of footnotes that may still be repeated.
    pub(super) repeats: usize,
    /// Lines of the text, for parts that comrak omits.
    pub(super) lines: OnceCell<Vec<&'r str>>,
}

impl<'a, 'r> Reader<'a, 'r> {
    /// Reads the blocks of the text. The flag is true if the first is a heading of the first rank.
    pub(super) fn root(&mut self, root: Node<'a>) -> (Vec<Block>, bool) {
        let mut assembler = Assembler::new(self.source, 1);
        for node in root.children() {
            self.block(node, &mut assembler);
        }
        let has_title = assembler.has_title;
        (assembler.finish(), has_title)
    }

    /// Reads the blocks in a container at this depth.
    pub(super) fn container(&mut self, parent: Node<'a>, depth: usize) -> Vec<Block> {
        let mut assembler = Assembler::new(self.source, depth);
        for node in parent.children() {
            self.block(node, &mut assembler);
        }
        assembler.finish()
    }

    fn block(&mut self, node: Node<'a>, assembler: &mut Assembler<'_>) {
        let depth = assembler.depth();
        let value = node.data().value.clone();
        if depth >= MAX_BLOCK_NESTING && is_container(&value) {
            self.flat(node, assembler);
            return;
        }
        match value {
            NodeValue::BlockQuote => {
                let inner = self.container(node, depth + 1);
                assembler.push(Block::blocks(BlockKind::Blockquote, inner));
            }
            NodeValue::Alert(alert) => {
                let mut inner = self.container(node, depth + 1);
                // A sign before the title determines whether the alert is folded.
                let title = alert.title.as_deref().map(|title| self.source.restore(title));
                let title = title.as_deref().map(|title| title.trim_start_matches(['-', '+']).trim());
                if let Some(title) = title.filter(|title| !title.is_empty()) {
                    inner.insert(0, verbatim(title));
                }
                assembler.push(Block::blocks(BlockKind::Hint, inner).with("style", style(&alert.alert_type)));
            }
            NodeValue::List(list) => assembler.push(self.list(node, &list, depth)),
            NodeValue::FootnoteDefinition(_) => {}
            value => self.leaf(node, value, assembler),
        }
    }

    /// Reads a block without child blocks.
    fn leaf(&mut self, node: Node<'a>, value: NodeValue, assembler: &mut Assembler<'_>) {
        let depth = assembler.depth();
        match value {
            NodeValue::Paragraph => self.paragraph(node, assembler),
            NodeValue::Heading(heading) => {
                self.source.refs.heading();
                assembler.has_title |= heading.level == 1 && assembler.is_empty();
                let mut content = inlines::read(self, node, depth);
                inlines::trim_at_anchor(node, &mut content);
                let written = inlines::take_id(node, &mut content.nodes);
                let mut block = Block::inlines(headings::kind_of(heading.level), content.nodes);
                // An explicit id takes precedence over the id of an element.
                if let Some(id) = written.or(content.anchor).filter(|id| crate::document::is_heading_id(id)) {
                    block.data.insert("id".to_owned(), id.into());
                }
                assembler.push(block);
            }
            NodeValue::CodeBlock(code) if !code.fenced && assembler.is_continued_by(&code.literal) => {
                assembler.html(&code.literal);
            }
            NodeValue::CodeBlock(code) => assembler.push(self.code(&code)),
            NodeValue::ThematicBreak => assembler.push(Block::void(BlockKind::Divider)),
            NodeValue::HtmlBlock(html) => assembler.html(&html.literal),
            NodeValue::Table(table) => {
                let tables = self.table(node, &table.alignments, depth);
                tables.into_iter().for_each(|table| assembler.push(table));
            }
            _ => {}
        }
    }

    /// Reads the leaves below a container that is too deep, without the containers. Not recursive, because the depth is
    /// unbounded.
    fn flat(&mut self, node: Node<'a>, assembler: &mut Assembler<'_>) {
        for below in node.descendants() {
            let value = below.data().value.clone();
            if let NodeValue::HtmlBlock(html) = &value {
                assembler.push(html_code(&self.source.restore(&html.literal), self.source.refs));
            } else {
                self.leaf(below, value, assembler);
            }
        }
    }

    fn paragraph(&mut self, node: Node<'a>, assembler: &mut Assembler<'_>) {
        if let Some(html) = media_html(node) {
            return assembler.html(&html);
        }
        let content = inlines::read(self, node, assembler.depth());
        if content.nodes.is_empty() {
            assembler.anchor(content.anchor);
            return;
        }
        if let [Inline::Node(only)] = content.nodes.as_slice()
            && only.kind == InlineKind::InlineMath
            && !node.children().any(|child| matches!(child.data().value, NodeValue::HtmlInline(_)))
        {
            let mut math = Block::void(BlockKind::Math);
            math.data = only.data.clone();
            assembler.push(math);
            return;
        }
        if let Some(block) = paragraph(content) {
            assembler.push(block);
        }
    }

    fn code(&self, code: &NodeCodeBlock) -> Block {
        let literal = self.source.restore(&code.literal);
        let text = literal.strip_suffix('\n').unwrap_or(&literal);
        let info = self.source.restore(&code.info);
        if info == "math" {
            return Block::void(BlockKind::Math).with("formula", text);
        }
        let Info { syntax, title, line_numbers, lines: highlighted } = Info::read(&info);
        let lines: Vec<&str> = if literal.is_empty() { Vec::new() } else { text.split('\n').collect() };
        let mut block = Block::code(syntax.as_deref(), lines);
        block.data.extend(title.map(|title| ("title".to_owned(), title.into())));
        block.data.extend(line_numbers.map(|numbered| ("lineNumbers".to_owned(), numbered.into())));
        if let (Some(highlighted), Children::Blocks(parts)) = (highlighted, &mut block.children) {
            highlight(&highlighted, parts);
        }
        block
    }

    fn list(&mut self, node: Node<'a>, list: &NodeList, depth: usize) -> Block {
        let mut items = Vec::new();
        let mut has_tasks = false;
        for child in node.children() {
            let checked = match &child.data().value {
                NodeValue::TaskItem(task) => Some(task.symbol.is_some()),
                _ => None,
            };
            has_tasks |= checked.is_some();
            let mut item = Block::blocks(BlockKind::ListItem, self.container(child, depth + 2));
            if let Some(checked) = checked {
                item.data.insert("checked".to_owned(), checked.into());
            }
            items.push(item);
        }
        let kind = match (list.list_type, has_tasks) {
            (ListType::Ordered, _) => BlockKind::ListOrdered,
            (ListType::Bullet, true) => BlockKind::ListTasks,
            (ListType::Bullet, false) => BlockKind::ListUnordered,
        };
        if kind == BlockKind::ListTasks {
            // A plain item among check boxes gets an unchecked box.
            for item in &mut items {
                item.data.entry("checked").or_insert_with(|| false.into());
            }
        }
        let mut block = Block::blocks(kind, items);
        if kind == BlockKind::ListOrdered && list.start != 1 {
            block.data.insert("start".to_owned(), list.start.into());
        }
        block
    }

    fn table(&mut self, node: Node<'a>, alignments: &[TableAlignment], depth: usize) -> Vec<Block> {
        let mut grid = Grid { is_header: true, ..Grid::default() };
        for (column, alignment) in alignments.iter().take(MAX_COLUMNS).enumerate() {
            match alignment {
                TableAlignment::Center => grid.align(column, Alignment::Center),
                TableAlignment::Right => grid.align(column, Alignment::Right),
                TableAlignment::Left | TableAlignment::None => {}
            }
        }
        for row in node.children() {
            let is_header = matches!(row.data().value, NodeValue::TableRow(true));
            let mut cells = Vec::new();
            for (index, cell) in row.children().enumerate() {
                let blocks = match cell::blocks(self, cell, depth + 2) {
                    Some(blocks) if is_header => vec![words_of(&blocks)],
                    Some(blocks) => blocks,
                    None => {
                        let content = inlines::read(self, cell, depth + 2);
                        match is_header {
                            true => vec![Block::paragraph(content.nodes)],
                            false => paragraph(content).into_iter().collect(),
                        }
                    }
                };
                // Cells past the last column are merged into it.
                cells.push((index.min(MAX_COLUMNS - 1), blocks));
            }
            // A header never has more cells than its delimiter row.
            if !is_header {
                let excess = excess::cells(self.row(row), alignments.len()).into_iter();
                cells
                    .extend(excess.map(|(index, cell)| (index, excess::read(self.source, &cell, depth + 2))));
            }
            grid.rows.push(cells);
        }
        grid.build()
    }

    /// Returns the source text of a row.
    fn row(&self, row: Node<'a>) -> &'r str {
        let start = row.data().sourcepos.start;
        let lines = self.lines.get_or_init(|| self.source.text.lines().collect());
        let line = start.line.checked_sub(1).and_then(|at| lines.get(at));
        line.and_then(|line| line.get(start.column.checked_sub(1)?..)).unwrap_or_default()
    }

    /// Returns the blocks of a footnote; `None` if they would be too deep, recursive or repeated too often.
    pub(super) fn footnote(&mut self, name: &str, depth: usize) -> Option<Vec<Block>> {
        let index = *self.names.get(name)?;
        let note = self.footnotes.get_mut(index).filter(|note| !note.open && depth < MAX_BLOCK_NESTING)?;
        if note.used {
            self.repeats = self.repeats.checked_sub(note.cost())?;
        }
        // The text, the annotation and its body are three levels.
        Some(self.body_of(index, depth + 3))
    }

    fn body_of(&mut self, index: usize, depth: usize) -> Vec<Block> {
        let Some(note) = self.footnotes.get_mut(index) else { return Vec::new() };
        (note.used, note.open) = (true, true);
        let node = note.node;
        let body = self.container(node, depth);
        if let Some(note) = self.footnotes.get_mut(index) {
            note.open = false;
        }
        body
    }

    /// Returns the footnotes without references, as paragraphs.
    pub(super) fn unused_footnotes(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for index in 0..self.footnotes.len() {
            let Some(note) = self.footnotes.get(index).filter(|note| !note.used) else { continue };
            blocks.push(verbatim(&format!("[^{}]:", note.name)));
            blocks.extend(self.body_of(index, 1));
        }
        blocks
    }
}

/// Returns the words of blocks in one line.
fn words_of(blocks: &[Block]) -> Block {
    let lines: Vec<String> = blocks.iter().map(plain_block_text).collect();
    Block::paragraph(vec![Inline::text(lines.join(" "))])
}

fn is_container(value: &NodeValue) -> bool {
    matches!(value, NodeValue::BlockQuote | NodeValue::Alert(_) | NodeValue::List(_))
}

fn style(alert: &AlertType) -> &'static str {
    match alert {
        AlertType::Note | AlertType::Important => "info",
        AlertType::Tip => "success",
        AlertType::Warning => "warning",
        AlertType::Caution => "danger",
    }
}
