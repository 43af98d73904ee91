//! MathML elements that contain characters.

use super::alphabet;
use maud::Render;
use pulldown_latex::event::{Content, DelimiterSize, Dimension, DimensionUnit, Font};

pub(super) fn fence(delimiter: Option<char>, form: &str, out: &mut String) {
    if let Some(delimiter) = delimiter {
        token("mo", &format!(" stretchy=\"true\" form=\"{form}\""), delimiter.encode_utf8(&mut [0; 4]), out);
    }
}

/// Writes an element that contains characters.
fn token(name: &str, attributes: &str, text: &str, out: &mut String) {
    out.push_str(&format!("<{name}{attributes}>"));
    text.render_to(out);
    out.push_str(&format!("</{name}>"));
}

pub(super) fn leaf(content: Content<'_>, font: Option<Font>, out: &mut String) {
    let mut bytes = [0; 8];
    match content {
        Content::Text(text) => token("mtext", "", text, out),
        Content::Number(text) => token("mn", "", &alphabet::in_font(text, font), out),
        Content::Function(name) => token("mi", "", name, out),
        Content::Ordinary { content, stretchy: true } => {
            token("mo", " stretchy=\"true\"", content.encode_utf8(&mut bytes), out);
        }
        Content::Ordinary { content, .. } => {
            let upright = if font == Some(Font::UpRight) { " mathvariant=\"normal\"" } else { "" };
            token("mi", upright, &alphabet::in_font(content.encode_utf8(&mut bytes), font), out);
        }
        Content::LargeOp { content, small } => {
            let attributes = if small { " largeop=\"false\"" } else { "" };
            token("mo", attributes, content.encode_utf8(&mut bytes), out);
        }
        Content::BinaryOp { content, .. } | Content::Punctuation(content) => {
            token("mo", "", content.encode_utf8(&mut bytes), out);
        }
        Content::Relation { content, .. } => {
            let text = std::str::from_utf8(content.encode_utf8_to_buf(&mut bytes)).unwrap_or_default();
            token("mo", "", text, out);
        }
        Content::Delimiter { content, size, .. } => {
            let attributes = match size {
                None => " stretchy=\"false\"".to_owned(),
                Some(size) => {
                    let em = match size {
                        DelimiterSize::Big => "1.2",
                        DelimiterSize::BIG => "1.8",
                        DelimiterSize::Bigg => "2.4",
                        DelimiterSize::BIGG => "3",
                    };
                    format!(" minsize=\"{em}em\" maxsize=\"{em}em\"")
                }
            };
            token("mo", &attributes, content.encode_utf8(&mut bytes), out);
        }
    }
}

/// Returns a length in ems.
pub(super) fn ems(length: Dimension) -> f32 {
    let unit = match length.unit {
        DimensionUnit::Em => 1.0,
        DimensionUnit::Mu => 1.0 / 18.0,
        DimensionUnit::Ex => 0.5,
        DimensionUnit::Pt | DimensionUnit::Bp | DimensionUnit::Dd => 0.1,
        DimensionUnit::Pc | DimensionUnit::Cc => 1.2,
        DimensionUnit::In => 7.2,
        DimensionUnit::Cm => 2.8,
        DimensionUnit::Mm => 0.28,
        DimensionUnit::Sp => 0.0,
    };
    if length.value.is_finite() { length.value * unit } else { 0.0 }
}
