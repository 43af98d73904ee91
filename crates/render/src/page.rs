//! State of a page during rendering.

use crate::highlight::{Budget, Highlighter, Token};
use crate::limits::{MAX_BLOCKS, MAX_BYTES};
use crate::resolve::Resolver;
use crate::words::Words;
use maud::{Markup, Render, html};
use quire_markup::document::Block;
use quire_markup::{ContentRef, Document, anchored_headings, is_right_to_left};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Options of rendering, and resources that pages share.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Syntax highlighter of listings.
    pub highlighter: &'a Highlighter,
    /// Texts that rendering adds.
    pub words: &'a Words,
    /// The text direction of the page is from right to left.
    pub is_right_to_left: bool,
    /// Links to other sites open in a new tab.
    pub opens_tabs: bool,
    /// Headings have a link to themselves.
    pub links_headings: bool,
    /// Blocks of the document have their key as the attribute `data-block`. In a difference in one column, differing
    /// blocks have their key in the later version.
    pub names_blocks: bool,
}

impl<'a> Options<'a> {
    /// Returns options for English, from left to right.
    #[must_use]
    pub fn english(highlighter: &'a Highlighter) -> Self {
        Self {
            highlighter,
            words: &Words::ENGLISH,
            is_right_to_left: false,
            opens_tabs: false,
            links_headings: true,
            names_blocks: false,
        }
    }
}

/// Heading of a rendered page, for its outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Anchor, without the number sign.
    pub anchor: String,
    /// Rank: 1, 2 or 3.
    pub rank: u8,
    /// Text.
    pub title: String,
}

/// Rendered document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// Content of an element such as `<article class="document">`.
    pub html: String,
    /// Shown headings in order, including those of reusable contents.
    pub outline: Vec<Heading>,
    /// Names of the icons that the page refers to as `#i:<name>`: see [`symbols`](crate::symbols).
    pub icons: BTreeSet<String>,
    /// Some listings are not highlighted because the time limit was reached, usually at the first use of a grammar. A
    /// caller that caches the page may want to render it again later.
    pub is_hurried: bool,
    /// Hosts of the frames that the page may open, for the header `Content-Security-Policy`.
    pub frame_hosts: BTreeSet<&'static str>,
}

/// Function that writes a block. The indirection spares the writers of parts a dependency on all types of blocks.
pub(crate) type Write = for<'p, 'a> fn(&'p Page<'a>, &'a Block, &mut String);

/// State of a page during rendering.
pub(crate) struct Page<'a> {
    /// Writes a block of any type.
    write: Write,
    pub(crate) resolver: &'a dyn Resolver,
    pub(crate) highlighter: &'a Highlighter,
    pub(crate) words: &'a Words,
    is_right_to_left: bool,
    opens_tabs: bool,
    pub(crate) links_headings: bool,
    /// Blocks of the document have their key as an attribute.
    pub(crate) names_blocks: bool,
    /// Anchors by the memory addresses of their headings.
    anchors: RefCell<HashMap<*const Block, String>>,
    outline: RefCell<Vec<Heading>>,
    ids: RefCell<HashSet<String>>,
    /// Bodies of annotations, rendered after the content, since a paragraph cannot contain blocks.
    notes: RefCell<Vec<Markup>>,
    icons: RefCell<BTreeSet<String>>,
    frame_hosts: RefCell<BTreeSet<&'static str>>,
    serial: Cell<usize>,
    blocks: Cell<usize>,
    bytes: Cell<usize>,
    pub(crate) depth: Cell<usize>,
    /// Level of the last heading: the page's title is 1.
    pub(crate) level: Cell<u8>,
    /// Reusable contents on the path to the current block.
    pub(crate) including: RefCell<Vec<ContentRef>>,
    /// Rendering is inside a link or button, which must not contain another.
    pub(crate) in_link: Cell<bool>,
    /// Remaining budget for highlighting.
    highlighting: Cell<Budget>,
    /// Some listings are not highlighted because the time limit was reached.
    is_hurried: Cell<bool>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(resolver: &'a dyn Resolver, options: &Options<'a>, write: Write) -> Self {
        Self {
            write,
            resolver,
            highlighter: options.highlighter,
            words: options.words,
            is_right_to_left: options.is_right_to_left,
            opens_tabs: options.opens_tabs,
            links_headings: options.links_headings,
            names_blocks: options.names_blocks,
            anchors: RefCell::default(),
            outline: RefCell::default(),
            ids: RefCell::default(),
            notes: RefCell::default(),
            icons: RefCell::default(),
            frame_hosts: RefCell::default(),
            serial: Cell::new(0),
            blocks: Cell::new(0),
            bytes: Cell::new(0),
            depth: Cell::new(0),
            level: Cell::new(1),
            including: RefCell::default(),
            in_link: Cell::new(false),
            highlighting: Cell::default(),
            is_hurried: Cell::new(false),
        }
    }

    pub(crate) fn finish(self, mut html: String) -> Rendered {
        if self.is_full() {
            html! { p.cut { (self.words.cut) } }.render_to(&mut html);
        }
        for note in self.notes.take() {
            note.render_to(&mut html);
        }
        Rendered {
            html,
            outline: self.outline.take(),
            icons: self.icons.take(),
            is_hurried: self.is_hurried.get(),
            frame_hosts: self.frame_hosts.take(),
        }
    }

    /// Returns a page for content that is created during rendering and dropped before this page. Its numbering
    /// continues.
    pub(crate) fn aside<'s>(&self) -> Page<'s>
    where
        'a: 's,
    {
        let options = Options {
            highlighter: self.highlighter,
            words: self.words,
            is_right_to_left: self.is_right_to_left,
            opens_tabs: self.opens_tabs,
            links_headings: self.links_headings,
            names_blocks: false,
        };
        let inner = Page::new(self.resolver, &options, self.write);
        inner.serial.set(self.serial.get());
        inner.blocks.set(self.blocks.get());
        inner.bytes.set(self.bytes.get());
        inner.depth.set(self.depth.get());
        inner.level.set(self.level.get());
        inner.in_link.set(self.in_link.get());
        inner.highlighting.set(self.highlighting.get());
        inner.is_hurried.set(self.is_hurried.get());
        inner
    }

    /// Takes over the counters and results of an inner page.
    pub(crate) fn merge_inner(&self, inner: Page<'_>) {
        self.serial.set(inner.serial.get());
        self.blocks.set(inner.blocks.get());
        self.bytes.set(inner.bytes.get());
        self.highlighting.set(inner.highlighting.get());
        self.is_hurried.set(inner.is_hurried.get());
        self.notes.borrow_mut().append(&mut inner.notes.take());
        self.icons.borrow_mut().append(&mut inner.icons.take());
    }

    /// Registers the anchors of a document that is part of the page.
    pub(crate) fn add_headings(&self, document: &Document) {
        let mut anchors = self.anchors.borrow_mut();
        anchors.extend(
            anchored_headings(document)
                .into_iter()
                .map(|(block, anchor)| (std::ptr::from_ref(block), anchor)),
        );
    }

    /// Returns the anchor of a heading, and adds the heading to the outline.
    pub(crate) fn anchor(&self, block: &Block, title: &str) -> Option<String> {
        let anchor = self.anchors.borrow().get(&std::ptr::from_ref(block)).cloned();
        let anchor = self.id(&anchor?)?;
        let heading = Heading {
            anchor: anchor.clone(),
            rank: block.heading_rank().unwrap_or(1),
            title: title.to_owned(),
        };
        self.outline.borrow_mut().push(heading);
        Some(anchor)
    }

    /// Adds a heading to the outline that is not part of a document.
    pub(crate) fn add_heading(&self, anchor: &str, rank: u8, title: &str) {
        let heading = Heading { anchor: anchor.to_owned(), rank, title: title.to_owned() };
        self.outline.borrow_mut().push(heading);
    }

    /// Reserves an id on the page; `None` if it is empty or taken.
    pub(crate) fn id(&self, wanted: &str) -> Option<String> {
        let wanted: String = wanted.split_whitespace().collect();
        (!wanted.is_empty() && self.ids.borrow_mut().insert(wanted.clone())).then_some(wanted)
    }

    /// Returns a new id that cannot equal an anchor.
    pub(crate) fn own_id(&self, kind: &str) -> String {
        let number = self.serial.get().saturating_add(1);
        self.serial.set(number);
        format!("{kind}:{number}")
    }

    pub(crate) fn add_note(&self, note: Markup) {
        self.notes.borrow_mut().push(note);
    }

    pub(crate) fn add_frame_host(&self, host: &'static str) {
        self.frame_hosts.borrow_mut().insert(host);
    }

    /// Writes a block.
    pub(crate) fn write(&self, block: &'a Block, out: &mut String) {
        (self.write)(self, block, out);
    }

    /// Returns the target of a link: a new tab for another site, if the options say so.
    pub(crate) fn tab(&self, address: &str) -> Option<&'static str> {
        let is_elsewhere = address.starts_with("https://") || address.starts_with("http://");
        (self.opens_tabs && is_elsewhere).then_some("_blank")
    }

    /// Renders a decorative icon by name.
    pub(crate) fn icon(&self, name: &str) -> Markup {
        let name = crate::icons::icon_name(name);
        let address = format!("#i:{name}");
        self.icons.borrow_mut().insert(name);
        html! { svg.icon aria-hidden="true" { use href=(address) {} } }
    }

    /// Counts a block, and returns whether the page has room for it.
    pub(crate) fn takes_block(&self) -> bool {
        self.blocks.set(self.blocks.get().saturating_add(1));
        !self.is_full()
    }

    fn is_full(&self) -> bool {
        self.blocks.get() > MAX_BLOCKS || self.bytes.get() > MAX_BYTES
    }

    /// Returns the number of bytes counted so far.
    pub(crate) fn counted(&self) -> usize {
        self.bytes.get()
    }

    /// Counts the bytes of a block. `before` is the count before the blocks inside it were counted.
    pub(crate) fn count(&self, before: usize, bytes: usize) {
        self.bytes.set(self.bytes.get().max(before.saturating_add(bytes)));
    }

    /// Returns the tokens of the lines of a listing, within the remaining budget of the page.
    pub(crate) fn highlight(&self, syntax: &str, lines: &[String]) -> Vec<Vec<Token>> {
        let found = self.highlighter.lines(syntax, lines, self.highlighting.get());
        self.highlighting.set(found.left);
        self.is_hurried.set(self.is_hurried.get() || found.is_cut);
        found.lines
    }

    /// Returns the value of `dir` for a text whose direction differs from that of the page.
    pub(crate) fn direction(&self, text: &str) -> Option<&'static str> {
        let is_other = is_right_to_left(text) != self.is_right_to_left && text.contains(char::is_alphabetic);
        is_other.then_some(if self.is_right_to_left { "ltr" } else { "rtl" })
    }
}
