//! Images, figures, embeds, and the links around them.

use super::address;
use super::confluence;
use super::dom::{Data, Element, Id};
use super::flow::{Flow, Reader};
use super::scope::Scope;
use crate::document::{Block, BlockKind, Children, ContentRef, Fragment, Inline, InlineKind, InlineNode};
use crate::inline_builder::{Format, link_node};
use crate::limits::html::MAX_LISTED_IMAGES;
use crate::markdown::HrefKind;
use crate::markdown_html::length;
use crate::text::inline_text;
use serde_json::Value;
use std::rc::Rc;

impl Reader<'_, '_> {
    pub(super) fn link(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        if self.note(id, flow, scope) {
            return;
        }
        let mut format = self.format(element, scope);
        let written = element.get("href").filter(|href| !href.trim().is_empty());
        let href = written.and_then(address::of_link);
        if let (None, Some(written)) = (&href, written) {
            self.options.refs.refused(written);
        }
        if let (Some(href), None) = (href, &format.link) {
            let reference = self.options.refs.resolve(&href, HrefKind::Link);
            let title = element.get("title").filter(|title| !title.is_empty());
            // Some programs repeat the text as the title.
            let title = title.filter(|title| *title != self.dom.text(id).trim() && *title != href);
            let reference = reference.unwrap_or_else(|| ContentRef::url(href));
            format.link = Some(Rc::new(link_node(&reference, title.unwrap_or_default())));
            format.remove_color();
        }
        self.children(id, flow, &scope.with_format(format));
    }

    /// Reads the mark of a footnote: its number, annotated with the note. Returns whether the link is the first mark of
    /// a note.
    fn note(&mut self, mark: Id, flow: &mut Flow, scope: &Scope) -> bool {
        let Some(note) = self.notes.take(mark) else { return false };
        let inner = Scope { depth: scope.depth + 1, ..Scope::default() };
        let mut body = self.blocks(note, &inner);
        if let Some(Children::Inlines(nodes)) = body.first_mut().map(|block| &mut block.children) {
            trim_start(nodes);
        }
        if body.is_empty() {
            return false;
        }
        let label = self.dom.text(mark);
        let mut node = InlineNode::new(InlineKind::Annotation);
        node.nodes = vec![Inline::text(label.trim().trim_matches(['[', ']', '(', ')']))];
        node.fragments = vec![Fragment::with_role("annotation-body", body)].into();
        flow.runs.node(node, &Format { link: scope.format.link.clone(), ..Format::default() });
        true
    }

    pub(super) fn image(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        let alt = element.get("alt").unwrap_or_default().trim();
        let is_emoji = element.has_class(&["emoji", "emoticon", "g-emoji", "wp-smiley"]);
        if is_emoji && !alt.is_empty() {
            flow.runs.text(confluence::emoji(element, alt), &scope.format);
            return;
        }
        let is_pixel = |name| element.get(name).is_some_and(|size| matches!(size, "0" | "1" | "0px" | "1px"));
        let source = source(element).or_else(|| self.picture_source(id));
        let Some(src) = source.filter(|_| !(is_pixel("width") && is_pixel("height"))) else {
            flow.runs.collapsed(alt, &scope.format);
            return;
        };
        let mut node =
            InlineNode::new(InlineKind::InlineImage).with("ref", self.file(&src, HrefKind::Image).to_value());
        if self.images.len() < MAX_LISTED_IMAGES && !self.images.contains(&src) {
            self.images.push(src);
        }
        for (name, value) in [("alt", alt), ("caption", element.get("title").unwrap_or_default().trim())] {
            let is_said = name == "caption" && value == alt;
            if !value.is_empty() && !is_said {
                node.data.insert(name.to_owned(), value.into());
            }
        }
        for name in ["width", "height"] {
            if let Some(size) = size(element, name) {
                node.data.insert(name.to_owned(), size);
            }
        }
        self.anchors.words();
        flow.runs.node(node, &scope.format);
    }

    /// Returns the first source of the `picture` around an image that has no source.
    fn picture_source(&mut self, id: Id) -> Option<String> {
        let dom = self.dom;
        let picture = dom.parent(id)?;
        dom.element(picture).filter(|element| element.name() == "picture")?;
        let found = self.memo.pictures.entry(picture).or_insert_with(|| {
            dom.child_elements(picture).find_map(|(_, source)| first_candidate(source.get("srcset")?))
        });
        found.clone()
    }

    /// Resolves the address of an image or a file. The reference must be a file or a URL.
    fn file(&self, src: &str, kind: HrefKind) -> ContentRef {
        let found = self.options.refs.resolve(src, kind);
        found
            .filter(|found| matches!(found, ContentRef::File { .. } | ContentRef::Url { .. }))
            .unwrap_or_else(|| ContentRef::url(src))
    }

    /// Reads content with a caption. Images have a caption, listings use it as their title, and after other content it
    /// is text.
    pub(super) fn figure(&mut self, id: Id, flow: &mut Flow, scope: &Scope) {
        flow.end_line(None);
        let dom = self.dom;
        let is_caption = |id: &Id| dom.element(*id).is_some_and(|element| element.name() == "figcaption");
        let (captions, parts): (Vec<Id>, Vec<Id>) =
            dom.children(id).iter().partition(|child| is_caption(child));
        let mut blocks = self.blocks_of(&parts, scope);
        let mut caption: Vec<Block> =
            captions.iter().flat_map(|caption| self.blocks(*caption, &scope.deeper(3))).collect();
        let words = match caption.as_slice() {
            [line] if line.kind == BlockKind::Paragraph => Some(inline_text(line.child_inlines())),
            _ => None,
        };
        match (blocks.as_mut_slice(), words) {
            ([code], Some(words)) if code.kind == BlockKind::Code && !code.data.contains_key("title") => {
                code.data.insert("title".to_owned(), words.into());
                caption.clear();
            }
            (blocks, _) => {
                let images = blocks.iter_mut().rev().find(|block| block.kind == BlockKind::Images);
                if let (Some(Children::Blocks(images)), false) =
                    (images.map(|images| &mut images.children), caption.is_empty())
                    && let Some(last) = images.last_mut()
                {
                    let caption = std::mem::take(&mut caption);
                    // A nested figure may already have added a caption.
                    match last.fragments.iter_mut().find(|part| part.role.as_deref() == Some("caption")) {
                        Some(inner) => inner.nodes.extend(caption),
                        None => last.fragments.push(Fragment::with_role("caption", caption)),
                    }
                }
            }
        }
        flow.blocks.append(&mut blocks);
        flow.blocks.append(&mut caption);
    }

    /// Reads embedded content of another site, or an audio or video file.
    pub(super) fn embed(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        let dom = self.dom;
        let own = ["src", "data-src", "data"].iter().find_map(|name| element.get(name));
        let source = || {
            dom.child_elements(id)
                .find_map(|(_, child)| child.get("src").filter(|_| child.name() == "source"))
        };
        let url = own.or_else(source).and_then(address::of_embed);
        let is_frame = matches!(element.name(), "iframe" | "embed");
        let Some(url) = url.filter(|_| !flow.flat) else {
            if !is_frame {
                self.children(id, flow, scope);
            }
            return;
        };
        let block = match self.options.refs.resolve(&url, HrefKind::File) {
            Some(file @ ContentRef::File { .. }) if !is_frame => {
                Block::void(BlockKind::File).with("ref", file.to_value())
            }
            _ => Block::void(BlockKind::Embed).with("url", url),
        };
        flow.push(block);
    }

    /// Adds the text of an inline SVG, since documents cannot contain its shapes.
    pub(super) fn drawing_words(&mut self, id: Id, flow: &mut Flow, scope: &Scope) {
        let dom = self.dom;
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            match dom.data(id) {
                Some(Data::Element(element)) if matches!(element.name(), "text" | "foreignObject") => {
                    flow.runs.collapsed(&format!(" {} ", dom.text(id)), &scope.format);
                }
                Some(Data::Element(element))
                    if !matches!(element.name(), "defs" | "symbol" | "style" | "script") =>
                {
                    stack.extend(dom.children(id).iter().rev());
                }
                _ => {}
            }
        }
    }

    pub(super) fn details(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        let dom = self.dom;
        let is_summary = |id: &Id| dom.element(*id).is_some_and(|element| element.name() == "summary");
        let summary = dom.children(id).iter().copied().find(|id| is_summary(id));
        let body: Vec<Id> = dom.children(id).iter().copied().filter(|id| Some(*id) != summary).collect();
        self.expandable(summary, &body, element.has("open"), flow, scope);
    }

    /// Adds a block that hides a body below its title.
    pub(super) fn expandable(
        &mut self,
        title: Option<Id>,
        body: &[Id],
        is_open: bool,
        flow: &mut Flow,
        scope: &Scope,
    ) {
        flow.end_line(None);
        let dom = self.dom;
        let inner = scope.deeper(2);
        let title = title.map(|title| {
            if let Some(anchor) = dom.element(title).and_then(|title| title.get("id")) {
                self.anchors.add(anchor);
            }
            self.line(title, &Scope { format: Format::default(), ..inner.clone() })
        });
        let body = self.blocks_of(body, &inner);
        let mut block = Block::void(BlockKind::Expandable);
        if is_open {
            block.data.insert("defaultExpanded".to_owned(), true.into());
        }
        let title = Block::paragraph(title.unwrap_or_default());
        block.fragments = vec![
            Fragment::with_role("expandable-title", vec![title]),
            Fragment::with_role("expandable-body", body),
        ]
        .into();
        flow.blocks.push(block);
    }
}

/// Returns the address of an image. With lazy loading it is in another attribute.
fn source(element: &Element) -> Option<String> {
    let of = |name: &str| element.get(name).and_then(address::of_image);
    let late = || {
        ["data-src", "data-original", "data-lazy-src", "data-image-src", "data-canonical-src"]
            .iter()
            .find_map(|name| of(name))
    };
    let src = of("src");
    let is_stand_in = src.as_ref().is_none_or(|src| src.starts_with("data:"));
    let late = if is_stand_in { late().or_else(|| first_candidate(element.get("srcset")?)) } else { None };
    late.or(src)
}

/// Returns the first address of a `srcset`.
fn first_candidate(srcset: &str) -> Option<String> {
    address::of_image(srcset.split_ascii_whitespace().next()?.trim_end_matches(','))
}

/// Returns a size in pixels, from the attribute or from the element's own style.
fn size(element: &Element, name: &str) -> Option<Value> {
    let attribute = element.get(name).and_then(|text| length(text.trim().trim_end_matches("px")));
    let by_style = || {
        let rules = element.get("style")?.split(';').filter_map(|rule| rule.split_once(':'));
        let (_, value) = rules.into_iter().find(|(property, _)| property.trim() == name)?;
        let pixels: f64 =
            value.trim().strip_suffix("px")?.parse().ok().filter(|pixels: &f64| pixels.is_finite())?;
        // Google Docs writes meaningless fractions of pixels.
        format!("{pixels:.0}").parse::<u32>().ok().map(Value::from)
    };
    attribute.or_else(by_style).filter(|size| size.as_f64() != Some(0.0))
}

/// Removes the white space between the number and the text of a note.
fn trim_start(nodes: &mut [Inline]) {
    if let Some(Inline::Text(text)) = nodes.first_mut()
        && let Some(leaf) = text.leaves.first_mut()
        && leaf.text.starts_with('\u{a0}')
    {
        leaf.text = leaf.text.trim_start().to_owned();
    }
}
