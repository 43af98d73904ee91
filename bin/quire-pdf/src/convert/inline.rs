//! Conversion of running text.

use quire_markup::document::{InlineNode, Text};
use quire_markup::{Inline, InlineKind, Mark, inline_text};
use serde_json::{Value, json};

use super::{Converter, math, text};

impl Converter<'_> {
    pub(super) fn inlines(&mut self, inlines: &[Inline]) -> Vec<Value> {
        let mut runs = Vec::new();
        for inline in inlines {
            match inline {
                Inline::Text(text) => leaves(text, &mut runs),
                Inline::Node(node) => self.node(node, &mut runs),
            }
        }
        runs
    }

    fn node(&mut self, node: &InlineNode, runs: &mut Vec<Value>) {
        let target = node.reference().map(|reference| self.target(&reference)).unwrap_or_default();
        match node.kind {
            InlineKind::Link => {
                let content = self.inlines(&node.nodes);
                let content = if content.is_empty() { plain(&target.title) } else { content };
                runs.push(target.around("link", content));
            }
            InlineKind::Mention => {
                let title = target.title.clone();
                runs.push(target.around("link", plain(&title)));
            }
            InlineKind::Button => {
                let label = node.str("label").unwrap_or_default();
                runs.push(target.around("button", plain(label)));
            }
            InlineKind::Emoji => runs.extend(plain(&text::emoji(node.str("code").unwrap_or_default()))),
            InlineKind::InlineMath => {
                let tex = node.str("formula").unwrap_or_default();
                runs.push(json!({"k": "math", "tex": tex, "tree": math::tree(tex)}));
            }
            InlineKind::Expression => {
                let expression = node.str("expression").unwrap_or_default();
                runs.push(json!({"k": "math", "tex": format!("{{{{ {expression} }}}}"), "tree": null}));
            }
            InlineKind::InlineImage => match self.image_of(node.reference().as_ref()) {
                Some(image) => runs.push(json!({"k": "image", "src": image, "alt": node.str("alt")})),
                None => {
                    let title = node.str("alt").filter(|alt| !alt.is_empty()).unwrap_or(&target.title);
                    let content = plain(&format!("[{title}]"));
                    runs.push(target.around("link", content));
                }
            },
            InlineKind::Annotation => {
                let content = self.inlines(&node.nodes);
                let fragment = node.fragments.first().map_or(&[][..], |fragment| &fragment.nodes);
                let body = self.blocks(fragment, super::block::DEEPEST);
                runs.push(json!({"k": "note", "c": content, "body": body}));
            }
            // Icons are glyphs of a font that the renderer lacks, and they repeat the text.
            InlineKind::Icon => {}
        }
    }

    /// Returns whether running text is right-to-left, by its first letter.
    pub(super) fn is_right_to_left(inlines: &[Inline]) -> bool {
        text::is_right_to_left(&inline_text(inlines))
    }
}

/// Returns a run of plain text.
pub(super) fn plain(text: &str) -> Vec<Value> {
    let mut runs = Vec::new();
    if let [Inline::Text(text)] = &[Inline::text(text)] {
        leaves(text, &mut runs);
    }
    runs
}

fn leaves(text: &Text, runs: &mut Vec<Value>) {
    for leaf in &text.leaves {
        let color = leaf.marks.iter().find_map(|mark| match mark {
            Mark::Color { text, background } => Some((text.as_str(), background.as_str())),
            _ => None,
        });
        let (foreground, background) = color.unwrap_or(("default", "default"));
        let has = |mark: &Mark| leaf.marks.contains(mark);
        for (number, line) in leaf.text.split('\n').enumerate() {
            if number > 0 {
                runs.push(json!({"k": "break"}));
            }
            if line.is_empty() {
                continue;
            }
            let is_code = has(&Mark::Code);
            let parts = if is_code { vec![(false, line)] } else { text::emoji_runs(line) };
            runs.extend(parts.into_iter().map(|(is_emoji, part)| {
                json!({
                    "k": "text",
                    "s": part,
                    "emoji": is_emoji,
                    "bold": has(&Mark::Bold),
                    "italic": has(&Mark::Italic),
                    "strike": has(&Mark::Strikethrough),
                    "sup": has(&Mark::Superscript),
                    "sub": has(&Mark::Subscript),
                    "code": is_code,
                    "kbd": has(&Mark::Keyboard),
                    "fg": foreground,
                    "bg": background,
                })
            }));
        }
    }
}
