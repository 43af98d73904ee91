//! Images, files and drawings.

use super::{classes, is_wide, pixels};
use crate::page::Page;
use crate::words;
use maud::{Markup, html};
use quire_markup::document::Block;
use quire_markup::{ContentRef, inline_text};

impl<'a> Page<'a> {
    pub(super) fn images(&self, block: &'a Block) -> Markup {
        let images = block.child_blocks();
        html! {
            div.images data-align=[block.str("align").filter(|align| *align != "center")]
                data-frame[block.flag("withFrame")] data-wide[is_wide(block)] data-many[images.len() > 1] {
                @for image in images { (self.image(image)) }
            }
        }
    }

    pub(super) fn image(&self, block: &'a Block) -> Markup {
        let alt = block.str("alt").unwrap_or_default();
        let reference = block.reference();
        let source = reference.as_ref().and_then(|reference| self.source(reference));
        html! {
            figure class=(classes("image", block.data.get("width"))) {
                @match (&reference, source) {
                    (Some(reference), Some(source)) => (self.picture(block, reference, &source, alt)),
                    _ => (self.missing(reference.as_ref(), alt)),
                }
                (self.caption(block))
            }
        }
    }

    /// Renders the light and the dark variant of a picture. The style sheet shows one, and browsers load only that one.
    fn picture(&self, block: &Block, reference: &ContentRef, source: &str, alt: &str) -> Markup {
        let dark = block.data.get("refDark").and_then(ContentRef::from_value);
        let dark = dark.and_then(|dark| Some((self.source(&dark)?, dark)));
        let only = dark.as_ref().map(|_| "light");
        html! {
            (self.one_picture(block, reference, source, alt, only))
            @if let Some((source, dark)) = dark { (self.one_picture(block, &dark, &source, alt, Some("dark"))) }
        }
    }

    fn one_picture(
        &self,
        block: &Block,
        reference: &ContentRef,
        source: &str,
        alt: &str,
        only: Option<&str>,
    ) -> Markup {
        let size = self.resolver.target(reference).and_then(|target| target.size);
        let (width, height) =
            dimensions(pixels(block.data.get("width")), pixels(block.data.get("height")), size);
        html! {
            img data-only=[only] src=(source) alt=(alt) width=[width] height=[height] loading="lazy" decoding="async";
        }
    }

    fn caption(&self, block: &'a Block) -> Markup {
        let caption = block.fragment("caption");
        let has_words = caption.iter().any(|block| !inline_text(block.child_inlines()).trim().is_empty());
        html! { @if has_words || caption.len() > 1 { figcaption { (self.flow(caption)) } } }
    }

    /// Renders a text for a picture that can't be shown, with a link to it if possible.
    fn missing(&self, reference: Option<&ContentRef>, alt: &str) -> Markup {
        let link = reference.map(|reference| self.link(reference));
        let title = link.as_ref().map(|link| link.title.as_str()).filter(|title| title.len() <= 200);
        let words = Some(alt).filter(|alt| !alt.is_empty()).or(title).unwrap_or_default();
        html! { span.missing { (self.words.image) ": " (words) } }
    }

    pub(super) fn file(&self, block: &Block) -> Markup {
        let Some(reference) = block.reference() else {
            return html! { p.missing { (self.words.missing_file) } };
        };
        let link = self.link(&reference);
        let bytes = self.resolver.target(&reference).and_then(|target| target.bytes);
        let title = if link.is_known { link.title.as_str() } else { self.words.missing_file };
        let content = html! {
            (self.icon("q-file"))
            span.card-words {
                span.card-name { (title) }
                @if let Some(bytes) = bytes { span.card-about { (words::bytes(bytes)) } }
            }
        };
        html! {
            @match link.href {
                Some(href) => a.link-card.file href=(href) download=[bytes.map(|_| title)] { (content) },
                None => div.link-card.file.broken { (content) },
            }
        }
    }

    pub(super) fn drawing(&self, block: &Block) -> Markup {
        let Some(reference) = block.reference() else {
            return html! { p.missing { (self.words.missing_file) } };
        };
        match self.source(&reference) {
            Some(source) => html! {
                figure.image.drawing { (self.picture(block, &reference, &source, block.str("alt").unwrap_or_default())) }
            },
            None => self.file(block),
        }
    }
}

/// Returns the width and height of a picture, which reserve its space before it is loaded.
fn dimensions(
    width: Option<u32>,
    height: Option<u32>,
    own: Option<(u32, u32)>,
) -> (Option<u32>, Option<u32>) {
    let scaled = |known: u32, from: u32, to: u32| {
        let value = u64::from(known).saturating_mul(u64::from(to)) / u64::from(from.max(1));
        u32::try_from(value.max(1)).ok()
    };
    match (width, height, own) {
        (Some(width), None, Some((w, h))) => (Some(width), scaled(width, w, h)),
        (None, Some(height), Some((w, h))) => (scaled(height, h, w), Some(height)),
        (None, None, Some((w, h))) => (Some(w), Some(h)),
        (width, height, _) => (width, height),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_keep_their_shape() {
        assert_eq!(dimensions(Some(100), None, Some((400, 200))), (Some(100), Some(50)));
        assert_eq!(dimensions(None, Some(100), Some((400, 200))), (Some(200), Some(100)));
        assert_eq!(dimensions(None, None, Some((400, 200))), (Some(400), Some(200)));
        assert_eq!(dimensions(Some(7), None, None), (Some(7), None));
        assert_eq!(dimensions(Some(7), None, Some((0, 9))), (Some(7), Some(63)));
    }
}
