//! Reader of inline content of Markdown from a stream of text, elements and nodes.

mod annotation;
mod elements;

pub(crate) use elements::{image_ref, is_inline_element, resolve};

use crate::document::{Fragment, Inline, InlineKind, InlineNode, Mark};
use crate::inline_builder::{Format, InlineBuilder, OpenMarks, link_node};
use crate::markdown::{HrefKind, RefResolver};
use crate::markdown_html::Element;
use crate::markdown_html::properties::Properties;
use crate::text::inline_text;
use elements::{TRANSPARENT, captured, mark_of};
use std::rc::Rc;

/// Inline content with the anchor and comments found in it.
#[derive(Debug, Default)]
pub(crate) struct Inlines {
    pub(crate) nodes: Vec<Inline>,
    /// Id of an empty anchor element.
    pub(crate) anchor: Option<String>,
    /// The content includes a comment.
    pub(crate) has_comment: bool,
}

/// Open link or annotation.
struct OpenLink {
    node: Rc<InlineNode>,
    /// Note of an annotation.
    note: Option<Fragment>,
    href: String,
    /// The link was opened by an element, not by Markdown.
    element: bool,
    /// Id of the element.
    id: Option<String>,
}

/// Element whose text becomes a property.
struct Capture {
    element: String,
    /// Number of open elements of the same name, including itself.
    depth: usize,
    node: InlineNode,
}

/// `<picture>` with images for different screens.
#[derive(Default)]
struct Picture {
    /// Address of the image for dark screens.
    dark: Option<String>,
}

pub(crate) struct InlineReader<'r> {
    refs: &'r dyn RefResolver,
    builder: InlineBuilder,
    link: Option<OpenLink>,
    capture: Option<Capture>,
    marks: OpenMarks,
    anchor: Option<String>,
    has_comment: bool,
    /// Open picture around an image.
    picture: Option<Picture>,
    /// Number of open frames, videos and audio elements.
    media: usize,
}

impl<'r> InlineReader<'r> {
    pub(crate) fn new(refs: &'r dyn RefResolver) -> Self {
        Self {
            refs,
            builder: InlineBuilder::default(),
            link: None,
            capture: None,
            marks: OpenMarks::default(),
            anchor: None,
            has_comment: false,
            picture: None,
            media: 0,
        }
    }

    /// Closes all open elements and returns the content.
    pub(crate) fn finish(mut self) -> Inlines {
        self.close_capture();
        self.close_link();
        Inlines { nodes: self.builder.finish(), anchor: self.anchor, has_comment: self.has_comment }
    }

    /// Returns the current format of text.
    fn format(&self) -> Format {
        self.format_with(None)
    }

    /// Returns the current format of text with an additional mark.
    fn format_with(&self, extra: Option<Mark>) -> Format {
        let link = self.link.as_ref().map(|link| Rc::clone(&link.node));
        Format { marks: self.marks.current(extra), link }
    }

    /// Adds text unchanged. A line feed is a hard break.
    pub(crate) fn text(&mut self, text: &str) {
        self.builder.text(text, &self.format());
    }

    /// Adds code.
    pub(crate) fn code(&mut self, text: &str) {
        self.builder.text(text, &self.format_with(Some(Mark::Code)));
    }

    /// Adds undecoded HTML text: white space collapses, and is dropped at the edges of a line.
    pub(crate) fn html_text(&mut self, raw: &str) {
        self.builder.collapsed_then(raw, &self.format(), crate::markdown_html::decode);
    }

    /// Adds the white space before an element with the current marks.
    fn settle(&mut self) {
        self.builder.settle(&self.format());
    }

    /// Opens a mark of Markdown's own syntax.
    pub(crate) fn open_mark(&mut self, mark: Mark) {
        self.marks.begin("", mark);
    }

    /// Closes a mark of Markdown's own syntax.
    pub(crate) fn close_mark(&mut self, mark: &Mark) {
        self.marks.end_own(mark);
    }

    /// Adds a node, or its text if the node is not allowed here.
    pub(crate) fn node(&mut self, node: InlineNode) {
        let is_icon = self.capture.as_ref().is_some_and(|capture| capture.node.kind == InlineKind::Icon);
        if is_icon && node.kind == InlineKind::Emoji {
            // The emoji in an icon element repeats the icon.
            self.settle();
            return;
        }
        self.builder.node(node, &self.format());
    }

    /// Handles a comment, which may contain properties of the node before it.
    pub(crate) fn comment(&mut self, comment: &str) {
        self.has_comment = true;
        let properties = Properties::read(comment).filter(|properties| properties.part.is_none());
        if let (Some(properties), Some(node)) = (properties, self.builder.last_node_mut()) {
            node.patch(properties.patch);
        }
    }

    /// Adds an image.
    pub(crate) fn image(&mut self, src: &str, alt: &str, title: &str, size: Option<&str>) {
        let Some(reference) = image_ref(self.refs, src) else {
            // The alternative text is kept.
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

    /// Opens a link of Markdown's own syntax.
    pub(crate) fn open_link(&mut self, href: &str, title: &str) {
        self.start_link(href, title, None, false);
    }

    fn start_link(&mut self, href: &str, title: &str, id: Option<&str>, element: bool) {
        if self.capture.is_some() {
            return;
        }
        self.close_link();
        self.settle();
        let Some(reference) = resolve(self.refs, href, HrefKind::Link) else { return };
        let node = Rc::new(link_node(&reference, title));
        self.builder.open_link(&node);
        let (href, id) = (href.to_owned(), id.map(str::to_owned));
        self.link = Some(OpenLink { node, note: None, href, element, id });
    }

    /// Removes the open link, and returns its content.
    pub(crate) fn take_link(&mut self) -> Option<Vec<Inline>> {
        self.link.take().map(|_| self.builder.take_link())
    }

    /// Closes a link of Markdown or HTML.
    pub(crate) fn close_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        let nodes = self.builder.take_link();
        if link.id.is_some() && nodes.is_empty() {
            self.anchor = link.id;
            return;
        }
        let mut node = InlineNode { nodes, ..Rc::unwrap_or_clone(link.node) };
        if node.kind == InlineKind::Annotation {
            self.close_annotation(node, link.note);
            return;
        }
        if node.str("title") == Some("mention") && self.capture.is_none() {
            // A mention shows the title of its target. A different text is kept in `text`.
            let words = inline_text(&node.nodes);
            let mut mention = InlineNode::new(InlineKind::Mention);
            mention.data.insert("ref".to_owned(), node.data.remove("ref").unwrap_or_default());
            if !words.is_empty() && words != link.href {
                mention.data.insert("text".to_owned(), words.into());
            }
            node = mention;
        }
        self.builder.append(vec![node.into()]);
    }

    /// Opens an element. Returns whether the element is known.
    pub(crate) fn open(&mut self, element: &Element) -> bool {
        if let Some(capture) = &mut self.capture {
            if capture.element == element.name {
                capture.depth += 1;
            } else if element.name == "br" {
                self.builder.line_break(&Format::default());
            }
            return is_inline_element(&element.name);
        }
        if let Some(node) = captured(self.refs, element) {
            self.settle();
            self.builder.capture();
            self.capture = Some(Capture { element: element.name.clone(), depth: 1, node });
            return true;
        }
        match element.name.as_str() {
            "br" => self.builder.line_break(&self.format()),
            "img" => {
                let word = |name| element.get(name).unwrap_or_default();
                self.image(word("src"), word("alt"), word("title"), element.get("data-size"));
                let dark = self.picture.as_mut().and_then(|picture| picture.dark.take());
                let dark = dark.as_deref().or_else(|| element.get("data-dark"));
                if let Some(dark) = dark.and_then(|dark| image_ref(self.refs, dark)) {
                    let image = self.builder.last_node_mut();
                    if let Some(image) = image.filter(|node| node.kind == InlineKind::InlineImage) {
                        image.data.insert("refDark".to_owned(), dark.to_value());
                    }
                }
            }

            "picture" => self.picture = Some(Picture::default()),
            "iframe" | "video" | "audio" => {
                self.media += 1;
                self.media_link(element);
            }
            "source" if self.media > 0 => self.media_link(element),
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
                    self.settle();
                    self.marks.begin(name, mark);
                }
                None => return TRANSPARENT.contains(&name),
            },
        }
        true
    }

    /// Adds a link to a frame, a video or an audio file: within a line, none of them can be a block.
    fn media_link(&mut self, element: &Element) {
        let Some(source) = element.get("src").map(str::trim).filter(|source| !source.is_empty()) else {
            return;
        };
        let file = source.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
        let name = if element.name == "iframe" { None } else { file.filter(|name| !name.is_empty()) };
        let words = element.get("title").or(name).unwrap_or(source).to_owned();
        self.start_link(source, "", None, false);
        self.text(&words);
        self.close_link();
    }

    fn open_anchor(&mut self, element: &Element) {
        let id = element.get("id").or_else(|| element.get("name")).filter(|id| !id.is_empty());
        // GitBook's form of mentions in HTML.
        let title = if element.has("data-mention") { Some("mention") } else { element.get("title") };
        match element.get("href") {
            Some(href) => self.start_link(href, title.unwrap_or_default(), id, true),
            None => self.anchor = id.map(str::to_owned).or(self.anchor.take()),
        }
    }

    /// Closes an element. Returns whether the element is known.
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
            "iframe" | "video" | "audio" if self.media > 0 => {
                self.media -= 1;
                return true;
            }
            // Browsers treat `</br>` as a line break.
            "br" => self.builder.line_break(&self.format()),
            "span" if self.is_annotating() => self.close_link(),
            _ if self.marks.has(name) => {
                self.settle();
                self.marks.end(name);
            }
            _ => {}
        }
        is_inline_element(name)
    }

    fn close_capture(&mut self) {
        let Some(Capture { mut node, .. }) = self.capture.take() else { return };
        let text = self.builder.take_captured();
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
