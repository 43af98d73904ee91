//! Content of other sites.

use super::is_wide;
use crate::address::{host, image_address};
use crate::page::Page;
use maud::{Markup, html};
use quire_markup::document::Block;
use quire_markup::frames::frame_of;

impl<'a> Page<'a> {
    /// Renders a link that the script of the page replaces with a frame when a reader opens it: no other host is
    /// contacted before. A frame in a closed disclosure would load at once, regardless of its attributes. Addresses of
    /// unknown providers become cards.
    pub(super) fn embed(&self, block: &'a Block) -> Markup {
        let url = block.str("url").unwrap_or_default();
        let caption = block.fragment("caption");
        let Some(frame) = frame_of(url) else {
            return html! { (self.embed_card(url)) (self.blocks(caption)) };
        };
        self.add_frame_host(frame.host);
        html! {
            figure.embed data-wide[is_wide(block)] {
                a.embed-link href=(url) rel="noopener" data-frame=(frame.address) {
                    (self.icon("q-play")) span { (self.words.show_embed) " " (frame.provider) }
                }
                figcaption { @if caption.is_empty() { (url) } @else { (self.flow(caption)) } }
            }
        }
    }

    pub(super) fn embed_card(&self, url: &str) -> Markup {
        let host = host(url);
        let content = html! {
            (self.icon("q-external"))
            span.card-words {
                span.card-name { (host.as_deref().unwrap_or(url)) }
                @if host.is_some() { span.card-about { (url) } }
            }
        };
        html! {
            @match image_address(url) {
                Some(href) => a.link-card href=(href) target=[self.tab(&href)] rel="noopener" { (content) },
                None => div.link-card.broken { (content) },
            }
        }
    }
}
