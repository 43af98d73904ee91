//! Tabs, expandables, steps, columns and prompts.

use super::{classes, is_wide};
use crate::page::Page;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_markup::document::Block;
use quire_markup::{BlockKind, inline_text, slugify};

/// Assistants that accept a prompt in an address: key, name and address up to the prompt.
const ASSISTANTS: [(&str, &str, &str); 3] = [
    ("chatgpt", "ChatGPT", "https://chatgpt.com/?q="),
    ("claude", "Claude", "https://claude.ai/new?q="),
    ("perplexity", "Perplexity", "https://www.perplexity.ai/search?q="),
];

/// Maximum number of characters of a prompt in an address.
const MAX_PROMPT_CHARS: usize = 2_000;

impl<'a> Page<'a> {
    /// Renders tabs as disclosures with one name, of which one is open. A link into a closed disclosure opens it, and a
    /// search in the page finds its text. The style sheet lays the titles out as a row.
    pub(super) fn tabs(&self, block: &'a Block) -> Markup {
        let group = self.own_id("tabs");
        html! {
            div.tabs role="group" aria-label=(self.words.tabs) data-wide[is_wide(block)] {
                @for (index, tab) in block.child_blocks().iter().enumerate() {
                    @let title = tab.str("title").filter(|title| !title.is_empty()).unwrap_or(self.words.tab);
                    @let id = tab.str("slug").and_then(|slug| self.id(slug));
                    details name=(group) open[index == 0] {
                        summary {
                            @if let Some(icon) = tab.str("icon") { (self.icon(icon)) }
                            (title)
                        }
                        div.tab id=[id] { (self.blocks(tab.child_blocks())) }
                    }
                }
            }
        }
    }

    /// Renders a disclosure. Its anchor is in its content, so that a link to it opens it.
    pub(super) fn expandable(&self, block: &'a Block) -> Markup {
        let title = block.fragment("expandable-title");
        let words: Vec<String> = title.iter().map(|line| inline_text(line.child_inlines())).collect();
        let id = self.id(&slugify(&words.join(" ")));
        html! {
            details.expandable open[block.flag("defaultExpanded")] {
                summary {
                    @match title {
                        [line] if line.kind == BlockKind::Paragraph => { span { (self.inlines(line.child_inlines())) } }
                        _ => { span { (words.join(" ")) } }
                    }
                }
                div.expandable-body id=[id] { (self.blocks(block.fragment("expandable-body"))) }
            }
        }
    }

    pub(super) fn stepper(&self, block: &'a Block) -> Markup {
        html! {
            ol.stepper {
                @for step in block.child_blocks() {
                    li {
                        @if let Some(icon) = step.str("icon") { span.step-icon { (self.icon(icon)) } }
                        (self.blocks(step.child_blocks()))
                    }
                }
            }
        }
    }

    pub(super) fn columns(&self, block: &'a Block) -> Markup {
        html! {
            div.columns data-wide[is_wide(block)] {
                @for column in block.child_blocks() {
                    div class=(classes("column", column.data.get("width"))) data-vertical=[column.str("verticalAlignment")] {
                        (self.blocks(column.child_blocks()))
                    }
                }
            }
        }
    }

    pub(super) fn prompt(&self, block: &'a Block) -> Markup {
        let description =
            block.str("description").filter(|words| !words.is_empty()).unwrap_or(self.words.prompt);
        let is_hidden = block.str("defaultExpanded") == Some("hidden");
        html! {
            figure.prompt {
                figcaption {
                    (self.icon(block.str("icon").unwrap_or("q-prompt")))
                    span { (description) }
                    (self.assistants(block))
                }
                @if is_hidden {
                    details { summary { (self.words.show_prompt) } (self.blocks(block.child_blocks())) }
                } @else {
                    (self.blocks(block.child_blocks()))
                }
            }
        }
    }

    /// Renders links that open a prompt in the assistants that the block names.
    fn assistants(&self, block: &Block) -> Markup {
        let wanted = block.data.get("openInAIProviders");
        let named = |name: &str| match wanted {
            Some(serde_json::Value::Bool(all)) => *all,
            Some(serde_json::Value::Array(names)) => names.iter().any(|wanted| wanted == name),
            _ => false,
        };
        let lines = block.child_blocks().iter().flat_map(Block::child_blocks);
        let lines: Vec<String> = lines.map(|line| inline_text(line.child_inlines())).collect();
        let text: String = lines.join("\n").chars().take(MAX_PROMPT_CHARS).collect();
        let query = utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
        html! {
            @for (_, title, address) in ASSISTANTS.iter().filter(|(name, ..)| named(name)) {
                a href={ (address) (query) } rel="noopener" { (self.words.open_in) " " (title) }
            }
        }
    }
}
