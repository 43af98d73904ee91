//! Content of other sites.

use super::is_wide;
use crate::address::{host, image_address};
use crate::page::Page;
use maud::{Markup, html};
use quire_markup::document::Block;

/// Hosts whose frames a page may open, as a `Content-Security-Policy` lists them.
pub const FRAME_HOSTS: [&str; 8] = [
    "https://www.youtube-nocookie.com",
    "https://player.vimeo.com",
    "https://www.loom.com",
    "https://codepen.io",
    "https://www.figma.com",
    "https://codesandbox.io",
    "https://stackblitz.com",
    "https://open.spotify.com",
];

/// A frame: where it is, its host of [`FRAME_HOSTS`], and the name of its provider.
struct Frame {
    address: String,
    host: &'static str,
    provider: &'static str,
}

impl<'a> Page<'a> {
    /// A link that the script of the page turns into a frame when a reader opens it: nothing is asked of another host
    /// before. A frame in a closed disclosure would be loaded at once, whatever it says. Other addresses are cards.
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
                Some(href) => a.link-card href=(href) rel="noopener" { (content) },
                None => div.link-card.broken { (content) },
            }
        }
    }
}

/// The frame of an address of a known provider.
fn frame_of(address: &str) -> Option<Frame> {
    let url = url::Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let mut path = url.path_segments()?.filter(|part| !part.is_empty());
    let query =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let first = path.next().unwrap_or_default();
    let second = path.next().unwrap_or_default();
    let third = path.next().unwrap_or_default();
    let host = url.host_str()?.trim_start_matches("www.");
    let [youtube, vimeo, loom, codepen, figma, codesandbox, stackblitz, spotify] = FRAME_HOSTS;
    let (host, provider, path) = match (host, first) {
        ("youtube.com" | "m.youtube.com", "watch") => {
            (youtube, "YouTube", format!("embed/{}", id(&query("v")?)?))
        }
        ("youtube.com" | "youtube-nocookie.com", "embed" | "shorts" | "live") => {
            (youtube, "YouTube", format!("embed/{}", id(second)?))
        }
        ("youtu.be", video) => (youtube, "YouTube", format!("embed/{}", id(video)?)),
        ("vimeo.com", video) if video.chars().all(|c| c.is_ascii_digit()) => {
            (vimeo, "Vimeo", format!("video/{}", id(video)?))
        }
        ("player.vimeo.com", "video") => (vimeo, "Vimeo", format!("video/{}", id(second)?)),
        ("loom.com", "share" | "embed") => (loom, "Loom", format!("embed/{}", id(second)?)),
        ("codepen.io", user) if matches!(second, "pen" | "embed") => {
            (codepen, "CodePen", format!("{}/embed/{}", id(user)?, id(third)?))
        }
        ("figma.com", "file" | "design" | "proto" | "board") => {
            let whole =
                percent_encoding::utf8_percent_encode(url.as_str(), percent_encoding::NON_ALPHANUMERIC);
            (figma, "Figma", format!("embed?embed_host=share&url={whole}"))
        }
        ("codesandbox.io", "s" | "embed") => (codesandbox, "CodeSandbox", format!("embed/{}", id(second)?)),
        ("stackblitz.com", "edit") => (stackblitz, "StackBlitz", format!("edit/{}?embed=1", id(second)?)),
        ("open.spotify.com", kind @ ("track" | "album" | "playlist" | "episode" | "show")) => {
            (spotify, "Spotify", format!("embed/{kind}/{}", id(second)?))
        }
        _ => return None,
    };
    Some(Frame { address: format!("{host}/{path}"), host, provider })
}

/// An id of a provider: nothing that could lead elsewhere.
fn id(id: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!id.is_empty() && id.len() <= 100 && id.chars().all(is_plain)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_known_by_their_addresses() {
        for (address, frame) in [
            (
                "https://www.youtube.com/watch?v=a-b_1&t=3",
                Some("https://www.youtube-nocookie.com/embed/a-b_1"),
            ),
            ("https://youtu.be/abc", Some("https://www.youtube-nocookie.com/embed/abc")),
            ("https://vimeo.com/123", Some("https://player.vimeo.com/video/123")),
            ("https://www.loom.com/share/abc", Some("https://www.loom.com/embed/abc")),
            ("https://codepen.io/ada/pen/xyz", Some("https://codepen.io/ada/embed/xyz")),
            ("https://www.youtube.com/watch?v=..%2Fredirect", None),
            ("https://youtube.com.evil.example/watch?v=abc", None),
            ("https://evil.example/youtube.com/watch?v=abc", None),
            ("javascript://youtube.com/watch?v=abc", None),
            ("https://vimeo.com/about", None),
        ] {
            assert_eq!(frame_of(address).map(|frame| frame.address).as_deref(), frame, "{address}");
        }
    }
}
