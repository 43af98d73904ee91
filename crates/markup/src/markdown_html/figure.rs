//! Figures: images with captions.

use super::flow::{is_close, stated};
use super::{Element, Flow, Token};
use crate::document::{Block, BlockKind, Fragment, Inline};
use crate::markdown_html::inlines::image_ref;
use serde_json::Value;

impl Flow<'_, '_> {
    /// Reads a figure after its start tag. A figure without an image is replaced by its content.
    pub(super) fn figure(&mut self, depth: usize) -> Vec<Block> {
        let (images, mut blocks) = self.figure_parts(depth);
        if !images.is_empty() {
            blocks.insert(0, Block::blocks(BlockKind::Images, images));
        }
        blocks
    }

    /// Reads the images of a figure, with the caption on the last, and its other content.
    fn figure_parts(&mut self, depth: usize) -> (Vec<Block>, Vec<Block>) {
        let (mut images, mut others, mut caption) = (Vec::new(), Vec::new(), Vec::new());
        let mut dark = None;
        while let Some(token) = self.peek() {
            match token {
                Token::Close(name) if name == "figure" => break,
                Token::Open(element) if element.name == "img" => {
                    match self.image(element, dark.take()) {
                        Some(image) => images.push(image),
                        // The alternative text is kept.
                        None => others.extend(paragraph_of(element.get("alt").unwrap_or_default())),
                    }
                    self.advance();
                }
                Token::Open(element) if element.name == "source" => {
                    let is_dark = element.get("media").is_some_and(|media| media.contains("dark"));
                    dark = element.get("srcset").filter(|_| is_dark);
                    self.advance();
                }
                Token::Open(element) if element.name == "picture" => self.advance(),
                Token::Close(name) if name == "picture" => self.advance(),
                Token::Open(element) if element.name == "figcaption" => {
                    self.advance();
                    caption
                        .extend(self.blocks(&|token| is_close(token, &["figcaption", "figure"]), depth + 3));
                    self.close("figcaption");
                }
                Token::Text(text) if text.trim().is_empty() => self.advance(),
                _ => {
                    let before = self.position();
                    others.extend(self.blocks(&is_part, depth + 1));
                    if self.position() == before {
                        self.advance();
                    }
                }
            }
        }
        self.close("figure");
        match images.last_mut() {
            Some(last) if !caption.is_empty() => last.fragments.push(Fragment::with_role("caption", caption)),
            _ => others.append(&mut caption),
        }
        (images, others)
    }

    fn image(&self, element: &Element, dark: Option<&str>) -> Option<Block> {
        let src = element.get("src").unwrap_or_default();
        let mut image = Block::void(BlockKind::Image).with("ref", image_ref(self.refs, src)?.to_value());
        if let Some(alt) = element.get("alt").filter(|alt| !alt.is_empty()) {
            image.data.insert("alt".to_owned(), alt.into());
        }
        for name in ["width", "height"] {
            if let Some(length) = element.get(name).and_then(length) {
                image.data.insert(name.to_owned(), length);
            }
        }
        if let Some(dark) = dark.and_then(|dark| image_ref(self.refs, dark)) {
            image.data.insert("refDark".to_owned(), dark.to_value());
        }
        Some(stated(element, image))
    }

    /// Reads a wrapper that only contains figures as one row of images. The content of any other wrapper is read as
    /// usual.
    pub(super) fn row_of_figures(&mut self, element: &Element, depth: usize) -> Option<Block> {
        let start = self.position();
        if self.is_no_row(start) {
            return None;
        }
        let mut row = Vec::new();
        loop {
            match self.peek() {
                Some(Token::Text(text)) if text.trim().is_empty() => self.advance(),
                Some(Token::Open(figure)) if figure.name == "figure" => {
                    self.advance();
                    let (images, others) = self.figure_parts(depth);
                    if images.is_empty() || !others.is_empty() {
                        break;
                    }
                    row.extend(images);
                }
                Some(Token::Close(name)) if name == "div" && !row.is_empty() => {
                    self.advance();
                    return Some(images(element, row));
                }
                _ => break,
            }
        }
        self.no_row(start);
        self.rewind(start);
        None
    }
}

fn paragraph_of(words: &str) -> Option<Block> {
    (!words.trim().is_empty()).then(|| Block::paragraph(vec![Inline::text(words.trim())]))
}

fn images(element: &Element, row: Vec<Block>) -> Block {
    let mut images = Block::blocks(BlockKind::Images, row);
    if let Some(align @ ("left" | "center" | "right")) = element.get("align") {
        images.data.insert("align".to_owned(), align.into());
    }
    for (attribute, name) in [("data-full-width", "fullWidth"), ("data-with-frame", "withFrame")] {
        if let Some(value) = element.get(attribute) {
            images.data.insert(name.to_owned(), (value != "false").into());
        }
    }
    stated(element, images)
}

/// Reads a length: a number, or a number with a unit.
pub(crate) fn length(text: &str) -> Option<Value> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number = match number.parse::<u32>() {
        Ok(whole) => Value::from(whole),
        Err(_) => number.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)?,
    };
    match unit.trim() {
        "" => Some(number),
        unit if unit == "%" || unit.chars().all(|c| c.is_ascii_alphabetic()) => {
            Some(serde_json::json!({"unit": unit, "value": number}))
        }
        _ => None,
    }
}

fn is_part(token: &Token<'_>) -> bool {
    match token {
        Token::Open(element) => matches!(element.name.as_str(), "img" | "source" | "picture" | "figcaption"),
        Token::Close(name) => matches!(name.as_str(), "figure" | "picture"),
        Token::Text(_) | Token::Comment(_) | Token::Parsed(_) => false,
    }
}
