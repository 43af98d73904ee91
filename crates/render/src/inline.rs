//! Running text.

use crate::address::{image_address, is_relative_path, link_address, outside_image_address};
use crate::blocks::Blocks;
use crate::math;
use crate::page::Page;
use maud::{Render, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_markup::document::{InlineNode, Leaf};
use quire_markup::{ContentRef, Inline, InlineKind, Mark, emoji_character, inline_text};
use serde_json::Value;

/// Running text that is rendered into the surrounding template.
pub(crate) struct Inlines<'p, 'a> {
    pub(crate) page: &'p Page<'a>,
    pub(crate) nodes: &'a [Inline],
}

impl Render for Inlines<'_, '_> {
    fn render_to(&self, out: &mut String) {
        for inline in self.nodes {
            match inline {
                Inline::Text(text) => text.leaves.iter().for_each(|leaf| write_leaf(leaf, out)),
                Inline::Node(node) => self.page.inline(node, out),
            }
        }
    }
}

/// Resolved reference.
pub(crate) struct Link {
    /// Address; `None` for a target that does not exist or has no page.
    pub(crate) href: Option<String>,
    pub(crate) title: String,
    /// The target is known.
    pub(crate) is_known: bool,
}

impl<'a> Page<'a> {
    pub(crate) fn inlines<'p>(&'p self, nodes: &'a [Inline]) -> Inlines<'p, 'a> {
        Inlines { page: self, nodes }
    }

    /// Returns the address and title of a reference's target.
    pub(crate) fn link(&self, reference: &ContentRef) -> Link {
        let target = || self.resolver.target(reference);
        match reference {
            ContentRef::Url { url } => {
                let href = link_address(url).filter(|href| !is_relative_path(href));
                Link { is_known: href.is_some(), href, title: url.clone() }
            }
            ContentRef::Anchor { anchor, page: None, space: None } => {
                let title = target().map_or_else(|| anchor.clone(), |target| target.title.clone());
                Link { href: link_address(&format!("#{anchor}")), title, is_known: true }
            }
            _ => match target() {
                Some(target) => {
                    Link { href: link_address(&target.address), title: target.title.clone(), is_known: true }
                }
                None => Link { href: None, title: unknown(reference), is_known: false },
            },
        }
    }

    /// Returns the address of a picture or file that the page loads.
    pub(crate) fn source(&self, reference: &ContentRef) -> Option<String> {
        match reference {
            ContentRef::Url { url } => outside_image_address(url),
            _ => image_address(&self.resolver.target(reference)?.address),
        }
    }

    fn inline(&self, node: &'a InlineNode, out: &mut String) {
        match node.kind {
            InlineKind::Link => self.anchor_element(node, out),
            InlineKind::Mention => self.mention(node, out),
            InlineKind::Button => self.button(node, out),
            InlineKind::Emoji => emoji_character(node.str("code").unwrap_or_default()).render_to(out),
            InlineKind::Icon => {
                let icon = self.icon(node.str("icon").unwrap_or_default());
                match node.str("color") {
                    Some(color) => html! { span data-color=(color) { (icon) } }.render_to(out),
                    None => icon.render_to(out),
                }
            }
            InlineKind::Expression => {
                let expression = node.str("expression").unwrap_or_default();
                match self.resolver.value(expression) {
                    Some(value) => value.render_to(out),
                    None => html! { code.expression { (expression) } }.render_to(out),
                }
            }
            InlineKind::InlineMath => {
                math::inline(node.str("formula").unwrap_or_default()).render_to(out);
            }
            InlineKind::InlineImage => self.inline_image(node, out),
            InlineKind::Annotation => self.annotation(node, out),
        }
    }

    fn anchor_element(&self, node: &'a InlineNode, out: &mut String) {
        let link = node.reference().map(|reference| self.link(&reference));
        let Some(link) = link else { return self.inlines(&node.nodes).render_to(out) };
        let has_words = !node.nodes.is_empty();
        if self.in_link.get() {
            return if has_words {
                self.inlines(&node.nodes).render_to(out)
            } else {
                link.title.render_to(out)
            };
        }
        let content = || {
            self.in_link.set(true);
            let content = html! { @if has_words { (self.inlines(&node.nodes)) } @else { (link.title) } };
            self.in_link.set(false);
            content
        };
        match &link.href {
            Some(href) => html! { a href=(href) target=[self.tab(href)] { (content()) } },
            None => {
                html! { span.broken title=[(!link.is_known).then_some(self.words.broken)] { (content()) } }
            }
        }
        .render_to(out);
    }

    fn mention(&self, node: &InlineNode, out: &mut String) {
        let Some(reference) = node.reference() else {
            return node.str("text").unwrap_or_default().render_to(out);
        };
        let link = self.link(&reference);
        let sign = if matches!(reference, ContentRef::User { .. }) { "@" } else { "" };
        match link.href.filter(|_| !self.in_link.get()) {
            Some(href) => html! { a.mention href=(href) { (sign) (link.title) } },
            None if link.is_known => html! { span.mention { (sign) (link.title) } },
            None => {
                let words = node.str("text").unwrap_or(&link.title);
                html! { span.mention.broken title=(self.words.broken) { (sign) (words) } }
            }
        }
        .render_to(out);
    }

    fn button(&self, node: &InlineNode, out: &mut String) {
        let label = node.str("label").unwrap_or_default();
        if self.in_link.get() {
            return label.render_to(out);
        }
        let action = node.data.get("action");
        let said = |name: &str| action.and_then(|action| action.get(name)).and_then(Value::as_str);
        let kind = node.str("kind").unwrap_or("primary");
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        // Actions are addresses that the page of a site handles, so they work without a script.
        let href = match said("action") {
            Some("select") => Some(format!("#{}", said("slug").unwrap_or_default())),
            Some("ask") => Some(format!("?ask={}", encoded(said("query").unwrap_or_default()))),
            Some(_) => Some(format!("?q={}", encoded(said("query").unwrap_or_default()))),
            None => node.reference().and_then(|reference| self.link(&reference).href),
        };
        let content = html! {
            @if let Some(icon) = node.str("icon") { (self.icon(icon)) }
            (label)
        };
        match href.and_then(|href| link_address(&href)) {
            Some(href) => html! {
                a.button data-kind=(kind) data-action=[said("action")] data-query=[said("query")] href=(href) target=[self.tab(&href)] { (content) }
            },
            None => html! { span.button.broken data-kind=(kind) title=(self.words.broken) { (content) } },
        }
        .render_to(out);
    }

    fn inline_image(&self, node: &InlineNode, out: &mut String) {
        let words =
            [node.str("alt"), node.str("caption")].into_iter().flatten().find(|words| !words.is_empty());
        let size = node.str("size").unwrap_or("line");
        let reference = node.reference();
        let Some((reference, src)) =
            reference.as_ref().and_then(|reference| Some((reference, self.source(reference)?)))
        else {
            let title = reference.map(|reference| self.link(&reference).title);
            let words = words.map(str::to_owned).or(title).unwrap_or_default();
            return html! { span.missing { (self.words.image) ": " (words) } }.render_to(out);
        };
        let dimensions = self.resolver.target(reference).and_then(|target| target.size);
        let dark = node.data.get("refDark").and_then(ContentRef::from_value);
        let dark = dark.and_then(|dark| self.source(&dark));
        html! {
            img.inline-image data-size=(size) data-only=[dark.as_ref().map(|_| "light")] src=(src)
                alt=(words.unwrap_or_default()) title=[node.str("caption").filter(|words| !words.is_empty())]
                width=[dimensions.map(|size| size.0)] height=[dimensions.map(|size| size.1)] loading="lazy" decoding="async";
            @if let Some(dark) = dark {
                img.inline-image data-size=(size) data-only="dark" src=(dark) alt=(words.unwrap_or_default()) loading="lazy" decoding="async";
            }
        }
        .render_to(out);
    }

    /// Renders words with a note that opens over the page. A browser without popovers shows the notes at the end.
    fn annotation(&self, node: &'a InlineNode, out: &mut String) {
        let body = node.fragments.first().map_or(&[][..], |fragment| fragment.nodes.as_slice());
        let is_nested = self.in_link.get();
        if is_nested || body.is_empty() {
            self.inlines(&node.nodes).render_to(out);
            if is_nested && !body.is_empty() {
                let mut words = quire_markup::plain_text(&quire_markup::Document::new(body.to_vec()));
                words.insert_str(0, " (");
                html! { (words) ")" }.render_to(out);
            }
            return;
        }
        let id = self.own_id("note");
        self.in_link.set(true);
        html! { button.annotation type="button" popovertarget=(id) { (self.inlines(&node.nodes)) } }
            .render_to(out);
        self.in_link.set(false);
        let title = inline_text(&node.nodes);
        let note = html! {
            div.note popover="" id=(id) role="note" aria-label=(title) { (Blocks { page: self, blocks: body }) }
        };
        self.add_note(note);
    }
}

/// Returns the name of a reference whose target is unknown.
fn unknown(reference: &ContentRef) -> String {
    match reference {
        ContentRef::OpenApi { spec } => spec.clone(),
        ContentRef::Tag { tag, .. } => tag.clone(),
        ContentRef::Anchor { anchor, .. } => anchor.clone(),
        other => other.kind().to_owned(),
    }
}

/// Marks that are rendered as elements, outermost first.
const ELEMENTS: [(Mark, &str); 7] = [
    (Mark::Bold, "strong"),
    (Mark::Italic, "em"),
    (Mark::Strikethrough, "s"),
    (Mark::Superscript, "sup"),
    (Mark::Subscript, "sub"),
    (Mark::Keyboard, "kbd"),
    (Mark::Code, "code"),
];

/// Writes a run of text with its marks.
fn write_leaf(leaf: &Leaf, out: &mut String) {
    write_marked(&leaf.marks, out, |out| write_lines(&leaf.text, out));
}

/// Writes content inside the elements of marks.
pub(crate) fn write_marked(marks: &[Mark], out: &mut String, content: impl FnOnce(&mut String)) {
    if marks.is_empty() {
        return content(out);
    }
    let color = marks.iter().find_map(|mark| match mark {
        Mark::Color { text, background } => Some((text.as_str(), background.as_str())),
        _ => None,
    });
    if let Some((text, background)) = color {
        out.push_str("<span");
        for (name, color) in [("data-color", text), ("data-background", background)] {
            if color != "default" {
                out.push_str(&format!(" {name}=\""));
                color.render_to(out);
                out.push('"');
            }
        }
        out.push('>');
    }
    let elements = || ELEMENTS.iter().filter(|(mark, _)| marks.contains(mark)).map(|(_, name)| *name);
    for name in elements() {
        out.push_str(&format!("<{name}>"));
    }
    content(out);
    for name in elements().rev() {
        out.push_str(&format!("</{name}>"));
    }
    if color.is_some() {
        out.push_str("</span>");
    }
}

/// Writes text; a line feed is a line break.
fn write_lines(text: &str, out: &mut String) {
    let mut lines = text.split('\n');
    lines.next().unwrap_or_default().render_to(out);
    for line in lines {
        out.push_str("<br>");
        line.render_to(out);
    }
}
