//! Builds inline content from a stream of text, elements and voids: the common end of the Markdown and the HTML reader.

mod annotation;
mod elements;

pub(crate) use elements::{image_ref, is_inline_element, resolve};

use crate::document::{Inline, InlineKind, InlineNode, Leaf, Mark, Text};
use crate::inline_builder::OpenMarks;
use crate::markdown::{HrefKind, RefResolver};
use crate::markdown_html::Element;
use crate::markdown_html::properties::Properties;
use crate::text::inline_text;
use elements::{TRANSPARENT, captured, mark_of};

/// Inline content and what was learned on the way.
#[derive(Debug, Default)]
pub(crate) struct Inlines {
    pub(crate) nodes: Vec<Inline>,
    /// The id of an empty anchor element.
    pub(crate) anchor: Option<String>,
    /// Whether there is a comment in it.
    pub(crate) has_comment: bool,
}

/// A link that is being filled.
struct OpenLink {
    node: InlineNode,
    href: String,
    /// Opened by an element, not by Markdown.
    element: bool,
    /// The element's own id.
    id: Option<String>,
}

/// An element whose text becomes a property.
struct Capture {
    element: String,
    /// How many elements of the same name are open, itself included.
    depth: usize,
    node: InlineNode,
    text: String,
}

/// An element that has images for different screens.
#[derive(Default)]
struct Picture {
    /// The address of the one for dark screens.
    dark: Option<String>,
}

pub(crate) struct InlineReader<'r> {
    refs: &'r dyn RefResolver,
    out: Vec<Inline>,
    link: Option<OpenLink>,
    capture: Option<Capture>,
    marks: OpenMarks,
    anchor: Option<String>,
    has_comment: bool,
    /// The picture that is open, for its image.
    picture: Option<Picture>,
    /// For HTML: at the beginning of a line, where white space shows nothing.
    at_edge: bool,
    /// For HTML: white space that shows only if something follows.
    pending_space: bool,
}

impl<'r> InlineReader<'r> {
    pub(crate) fn new(refs: &'r dyn RefResolver) -> Self {
        Self {
            refs,
            out: Vec::new(),
            link: None,
            capture: None,
            marks: OpenMarks::default(),
            anchor: None,
            has_comment: false,
            picture: None,
            at_edge: true,
            pending_space: false,
        }
    }

    /// Closes whatever is still open.
    pub(crate) fn finish(mut self) -> Inlines {
        self.close_capture();
        self.close_link();
        Inlines { nodes: self.out, anchor: self.anchor, has_comment: self.has_comment }
    }

    /// Adds text as it is. A line feed is a hard break.
    pub(crate) fn text(&mut self, text: &str) {
        self.leaf(text, None);
    }

    /// Adds code.
    pub(crate) fn code(&mut self, text: &str) {
        self.leaf(text, Some(Mark::Code));
    }

    /// Adds the text of HTML as it is written: white space collapses, and goes at the edges of a line.
    pub(crate) fn html_text(&mut self, raw: &str) {
        let starts_with_space = raw.starts_with(is_html_space);
        let words: Vec<&str> = raw.split(is_html_space).filter(|word| !word.is_empty()).collect();
        if starts_with_space && !self.at_edge {
            self.pending_space = true;
        }
        if words.is_empty() {
            return;
        }
        let text = words.join(" ");
        self.text(&crate::markdown_html::decode(&text));
        self.pending_space = raw.ends_with(is_html_space);
    }

    fn leaf(&mut self, text: &str, extra: Option<Mark>) {
        self.flush_space();
        if let Some(capture) = &mut self.capture {
            capture.text.push_str(text);
            return;
        }
        if text.is_empty() {
            return;
        }
        self.at_edge = text.ends_with('\n');
        let marks = self.marks.current(extra);
        push_leaf(self.target(), text, marks);
    }

    fn flush_space(&mut self) {
        if std::mem::take(&mut self.pending_space) {
            match &mut self.capture {
                Some(capture) => capture.text.push(' '),
                None => {
                    let marks = self.marks.current(None);
                    push_leaf(self.target(), " ", marks);
                }
            }
        }
    }

    fn target(&mut self) -> &mut Vec<Inline> {
        match &mut self.link {
            Some(link) => &mut link.node.nodes,
            None => &mut self.out,
        }
    }

    /// Begins a mark of Markdown's own.
    pub(crate) fn open_mark(&mut self, mark: Mark) {
        self.marks.begin("", mark);
    }

    /// Ends a mark of Markdown's own.
    pub(crate) fn close_mark(&mut self, mark: &Mark) {
        self.marks.end_own(mark);
    }

    /// Adds a node. Where it can't stand, its words do.
    pub(crate) fn node(&mut self, node: InlineNode) {
        let words = |node: InlineNode| inline_text(&[Inline::Node(node)]);
        self.flush_space();
        self.at_edge = false;
        match (&mut self.capture, &mut self.link) {
            (Some(capture), _) => {
                // The picture in an icon is what the icon shows anyway.
                if capture.node.kind != InlineKind::Icon || node.kind != InlineKind::Emoji {
                    capture.text.push_str(&words(node));
                }
            }
            (None, Some(link))
                if node.kind == InlineKind::InlineImage && link.node.kind == InlineKind::Link =>
            {
                link.node.nodes.push(Inline::Node(node))
            }
            (None, Some(_)) => self.leaf(&words(node), None),
            (None, None) => self.out.push(Inline::Node(node)),
        }
    }

    /// Takes a comment in: it may state properties of the node before it.
    pub(crate) fn comment(&mut self, comment: &str) {
        self.has_comment = true;
        let properties = Properties::read(comment).filter(|properties| properties.part.is_none());
        if let (Some(properties), Some(Inline::Node(node))) = (properties, self.target().last_mut()) {
            node.patch(properties.patch);
        }
    }

    /// Adds an image.
    pub(crate) fn image(&mut self, src: &str, alt: &str, title: &str, size: Option<&str>) {
        let Some(reference) = image_ref(self.refs, src) else {
            // What it shows in words stays.
            self.text(alt);
            return;
        };
        let mut node = InlineNode::new(InlineKind::InlineImage).with("ref", reference.to_value());
        for (name, value) in [("alt", alt), ("caption", title)] {
            if !value.is_empty() {
                node.data.insert(name.to_owned(), value.into());
            }
        }
        if let Some(size @ ("line" | "original")) = size {
            node.data.insert("size".to_owned(), size.into());
        }
        self.node(node);
    }

    /// Begins a link of Markdown's own.
    pub(crate) fn open_link(&mut self, href: &str, title: &str) {
        self.start_link(href, title, None, false);
    }

    fn start_link(&mut self, href: &str, title: &str, id: Option<&str>, element: bool) {
        if self.capture.is_some() {
            return;
        }
        self.close_link();
        self.flush_space();
        let Some(reference) = resolve(self.refs, href, HrefKind::Link) else { return };
        let mut node = InlineNode::new(InlineKind::Link).with("ref", reference.to_value());
        if !title.is_empty() {
            node.data.insert("title".to_owned(), title.into());
        }
        self.link = Some(OpenLink { node, href: href.to_owned(), element, id: id.map(str::to_owned) });
    }

    /// The node of the link that is being filled, taken out instead of being added.
    pub(crate) fn take_link(&mut self) -> Option<InlineNode> {
        self.link.take().map(|link| link.node)
    }

    /// Ends a link of either kind.
    pub(crate) fn close_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        if link.id.is_some() && link.node.nodes.is_empty() {
            self.anchor = link.id;
            return;
        }
        let mut node = link.node;
        if node.kind == InlineKind::Annotation {
            self.close_annotation(node);
            return;
        }
        if node.str("title") == Some("mention") && self.capture.is_none() {
            // A mention shows its target's title; words of its own are kept beside.
            let words = inline_text(&node.nodes);
            let mut mention = InlineNode::new(InlineKind::Mention);
            mention.data.insert("ref".to_owned(), node.data.remove("ref").unwrap_or_default());
            if !words.is_empty() && words != link.href {
                mention.data.insert("text".to_owned(), words.into());
            }
            node = mention;
        }
        self.out.push(Inline::Node(node));
    }

    /// Begins an element. `false` when it isn't one of running text that we know.
    pub(crate) fn open(&mut self, element: &Element) -> bool {
        if let Some(capture) = &mut self.capture {
            if capture.element == element.name {
                capture.depth += 1;
            } else if element.name == "br" {
                capture.text.push('\n');
            }
            return is_inline_element(&element.name);
        }
        if let Some(node) = captured(self.refs, element) {
            self.flush_space();
            self.capture =
                Some(Capture { element: element.name.clone(), depth: 1, node, text: String::new() });
            return true;
        }
        match element.name.as_str() {
            "br" => {
                self.pending_space = false;
                self.leaf("\n", None);
            }
            "img" => {
                let word = |name| element.get(name).unwrap_or_default();
                self.image(word("src"), word("alt"), word("title"), element.get("data-size"));
                let dark = self.picture.as_mut().and_then(|picture| picture.dark.take());
                let dark = dark.as_deref().or_else(|| element.get("data-dark"));
                if let Some(dark) = dark.and_then(|dark| image_ref(self.refs, dark)) {
                    let dark = dark.to_value();
                    if let Some(Inline::Node(node)) = self.target().last_mut()
                        && node.kind == InlineKind::InlineImage
                    {
                        node.data.insert("refDark".to_owned(), dark);
                    }
                }
            }

            "picture" => self.picture = Some(Picture::default()),
            "source" => {
                let Some(picture) = &mut self.picture else { return false };
                if element.get("media").is_some_and(|media| media.contains("dark")) {
                    picture.dark = element.get("srcset").map(str::to_owned);
                }
            }
            "a" => self.open_anchor(element),
            "q" => self.text("“"),
            name => match mark_of(element) {
                Some(mark) => {
                    self.flush_space();
                    self.marks.begin(name, mark);
                }
                None => return TRANSPARENT.contains(&name),
            },
        }
        true
    }

    fn open_anchor(&mut self, element: &Element) {
        let id = element.get("id").or_else(|| element.get("name")).filter(|id| !id.is_empty());
        match element.get("href") {
            Some(href) => self.start_link(href, element.get("title").unwrap_or_default(), id, true),
            None => self.anchor = id.map(str::to_owned).or(self.anchor.take()),
        }
    }

    /// Ends an element. `false` when it isn't one of running text that we know.
    pub(crate) fn close(&mut self, name: &str) -> bool {
        if let Some(capture) = &mut self.capture {
            if capture.element == name {
                capture.depth -= 1;
                if capture.depth == 0 {
                    self.close_capture();
                }
            }
            return is_inline_element(name);
        }
        match name {
            "a" if self.link.as_ref().is_some_and(|link| link.element) => self.close_link(),
            "q" => self.text("”"),
            "picture" => self.picture = None,
            // Browsers take an end of a line break for one.
            "br" => {
                self.pending_space = false;
                self.leaf("\n", None);
            }
            "span" if self.is_annotating() => self.close_link(),
            _ if self.marks.has(name) => {
                self.flush_space();
                self.marks.end(name);
            }
            _ => {}
        }
        is_inline_element(name)
    }

    fn close_capture(&mut self) {
        let Some(Capture { mut node, text, .. }) = self.capture.take() else { return };
        let property = match node.kind {
            InlineKind::Expression => "expression",
            InlineKind::InlineMath => "formula",
            InlineKind::Button => "label",
            _ => {
                let name = text.trim_matches(':');
                let is_its_own =
                    name.is_empty() || node.kind == InlineKind::Emoji || node.str("icon") == Some(name);
                self.node(node);
                if !is_its_own {
                    self.text(&text);
                }
                return;
            }
        };
        node.data.insert(property.to_owned(), text.into());
        self.node(node);
    }
}

fn is_html_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')
}

fn push_leaf(nodes: &mut Vec<Inline>, text: &str, marks: Vec<Mark>) {
    if let Some(Inline::Text(Text { leaves, .. })) = nodes.last_mut() {
        match leaves.last_mut() {
            Some(last) if last.marks == marks => last.text.push_str(text),
            _ => leaves.push(Leaf { text: text.to_owned(), marks }),
        }
        return;
    }
    nodes.push(Inline::Text(Text { key: None, leaves: vec![Leaf { text: text.to_owned(), marks }] }));
}
