//! Embedded frames of known providers, which are recognized by their addresses.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::markdown_html::escape;

/// Hosts whose frames a page may open, in the form of a `Content-Security-Policy`.
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

/// Frame of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Address of the frame.
    pub address: String,
    /// Host of [`FRAME_HOSTS`].
    pub host: &'static str,
    /// Name of the provider.
    pub provider: &'static str,
}

/// Permissions of a frame: it runs scripts of its own origin, and cannot access the page that contains it.
const SANDBOX: &str = "allow-forms allow-popups allow-presentation allow-same-origin allow-scripts";

impl Frame {
    /// Returns the frame as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let address = escape(&self.address);
        format!(
            r#"<iframe src="{address}" title="{}" sandbox="{SANDBOX}" loading="lazy" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen></iframe>"#,
            self.provider
        )
    }
}

/// Returns the frame of an address of a known provider. Nothing is fetched.
#[must_use]
pub fn frame_of(address: &str) -> Option<Frame> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
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
            let whole = utf8_percent_encode(url.as_str(), NON_ALPHANUMERIC);
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

/// Validates an id of a provider: no characters that could change the address.
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

    #[test]
    fn a_frame_is_sandboxed_and_its_address_escaped() {
        let html = frame_of("https://www.figma.com/file/a?b=\"c\"&d").unwrap().html();
        let address = "https://www.figma.com/embed?embed_host=share&#x26;url=https%3A%2F%2Fwww";
        assert!(html.starts_with(&format!("<iframe src=\"{address}")), "{html}");
        assert!(html.contains(r#" sandbox="allow-forms "#) && html.ends_with("></iframe>"), "{html}");
        assert_eq!(html.matches('"').count(), 10, "{html}");
    }
}
