//! Bodies of requests and responses: the schema and samples of each media type.

use super::super::json::Json;
use super::blocks::{code_text, listing, paragraph, text};
use super::direction::Direction;
use super::resolve::Parts;
use super::sample::{Sample, samples_of};
use super::schema;
use crate::document::{Block, Inline};
use crate::limits::openapi::{MAX_EXAMPLE_BYTES, MAX_MEDIA_TYPES};

/// Returns the media types of a body. Adjacent types with the same schema share its table.
pub(super) fn content(content: &[(String, Json)], parts: &Parts<'_>, direction: Direction) -> Vec<Block> {
    let content = content.get(..content.len().min(MAX_MEDIA_TYPES)).unwrap_or_default();
    let mut nodes = Vec::new();
    for group in content.chunk_by(|(_, one), (_, next)| one.get("schema") == next.get("schema")) {
        if !parts.visit() {
            break;
        }
        nodes.push(paragraph(media_types(group)));
        if let Some(schema) = group.first().and_then(|(_, typed)| typed.get("schema")) {
            nodes.extend(schema::schema(schema, parts, direction));
        }
        for (media, typed) in group {
            let samples = samples_of(media, typed, parts, direction);
            let names_media = group.len() > 1 && !samples.is_empty();
            let shown = samples.into_iter().filter_map(|sample| shown(media, names_media, &sample, parts));
            nodes.extend(shown);
        }
    }
    nodes
}

fn media_types(group: &[(String, Json)]) -> Vec<Inline> {
    let mut words = vec![text("Content type: ")];
    for (index, (media, _)) in group.iter().enumerate() {
        if index > 0 {
            words.push(text(", "));
        }
        words.push(code_text(media.as_str()));
    }
    words
}

/// Returns the listing of a sample; `None` for a file, or if the page has reached its limit.
fn shown(media: &str, names_media: bool, sample: &Sample, parts: &Parts<'_>) -> Option<Block> {
    let code = sample.content.lines_within(MAX_EXAMPLE_BYTES)?;
    if !parts.has_room(code.len()) {
        return None;
    }
    let named = [media, sample.title.as_str()];
    let named = named.get(usize::from(!names_media)..).unwrap_or_default();
    let title: Vec<&str> = named.iter().copied().filter(|name| !name.is_empty()).collect();
    let listing = listing(sample.content.syntax(), &code);
    Some(if title.is_empty() { listing } else { listing.with("title", title.join(": ").as_str()) })
}
