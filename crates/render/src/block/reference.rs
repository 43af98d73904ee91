//! Cards of references, reusable contents, and blocks of integrations.

use super::is_wide;
use crate::limits::MAX_INCLUDES;
use crate::listing::listing;
use crate::page::Page;
use maud::{Markup, html};
use quire_markup::document::Block;
use quire_markup::{ContentRef, emoji_character};
use serde_json::{Map, Value};

/// Maximum depth of an integration's properties in the list.
const MAX_PROPERTY_DEPTH: usize = 8;

impl<'a> Page<'a> {
    pub(super) fn content_ref(&self, block: &Block) -> Markup {
        let Some(reference) = block.reference() else { return html! { p.broken { (self.words.broken) } } };
        if let ContentRef::Url { url } = &reference {
            return self.embed_card(url);
        }
        let link = self.link(&reference);
        let target = self.resolver.target(&reference);
        let content = html! {
            @match target.and_then(|target| target.emoji.as_deref()) {
                Some(emoji) => span.icon { (emoji_character(emoji)) },
                None => (self.icon(target.and_then(|target| target.icon.as_deref()).unwrap_or("q-page"))),
            }
            span.card-words {
                span.card-name { @if link.is_known { (link.title) } @else { (self.words.broken) } }
                @if let Some(about) = target.and_then(|target| target.description.as_deref()) {
                    span.card-about { (about) }
                }
            }
        };
        html! {
            @match link.href {
                Some(href) => a.link-card href=(href) target=[self.tab(&href)] { (content) },
                None => div.link-card.broken { (content) },
            }
        }
    }

    /// Renders the document of a reusable content. Recursion stops at a content that includes itself.
    pub(super) fn reusable_content(&self, block: &'a Block) -> Markup {
        let reference = block.reference();
        let including = self.including.borrow().clone();
        let is_deep =
            including.len() >= MAX_INCLUDES || reference.as_ref().is_some_and(|own| including.contains(own));
        let found = reference.filter(|_| !is_deep);
        let Some((reference, document)) = found
            .and_then(|reference| Some((reference.clone(), self.resolver.reusable_content(&reference)?)))
        else {
            return html! { p.missing { (self.words.missing_content) } };
        };
        self.add_headings(document);
        self.including.borrow_mut().push(reference);
        let content = html! { (self.blocks(&document.nodes)) };
        self.including.borrow_mut().pop();
        content
    }

    /// Renders the properties of a block whose integration is not available, as text, so that no content of the author
    /// is lost.
    pub(super) fn integration(&self, block: &Block) -> Markup {
        let name = [block.str("integration"), block.str("block")];
        let name: Vec<&str> = name.into_iter().flatten().collect();
        let none = Map::new();
        let props = block.data.get("props").and_then(Value::as_object).unwrap_or(&none);
        let source = props.get("content").and_then(Value::as_str).filter(|source| !source.is_empty());
        let url = block.str("url").or_else(|| props.get("url").and_then(Value::as_str));
        let is_diagram = name.contains(&"mermaid");
        html! {
            figure.integration data-wide[is_wide(block)] data-diagram=[is_diagram.then_some("mermaid")] {
                figcaption {
                    @if is_diagram { (self.words.diagram) } @else { (self.words.integration) " " code { (name.join("/")) } }
                }
                @if let Some(source) = source { (listing(self, if is_diagram { "mermaid" } else { "" }, source)) }
                @if let Some(url) = url { (self.embed_card(url)) }
                (properties(props, &["content", "url"], 0))
            }
        }
    }
}

/// Renders properties as a list of names and values.
fn properties(props: &Map<String, Value>, known: &[&str], depth: usize) -> Markup {
    let shown: Vec<(&String, &Value)> =
        props.iter().filter(|(name, value)| !known.contains(&name.as_str()) && is_not_empty(value)).collect();
    html! {
        @if !shown.is_empty() {
            dl.properties { @for (name, value) in shown { dt { (name) } dd { (property(value, depth)) } } }
        }
    }
}

fn property(value: &Value, depth: usize) -> Markup {
    match value {
        Value::String(text) => html! { (text) },
        Value::Object(props) if depth < MAX_PROPERTY_DEPTH => properties(props, &[], depth.saturating_add(1)),
        Value::Array(items) if depth < MAX_PROPERTY_DEPTH => {
            html! { ul { @for item in items { li { (property(item, depth.saturating_add(1))) } } } }
        }
        other => html! { code { (other.to_string()) } },
    }
}

fn is_not_empty(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(props) => !props.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}
