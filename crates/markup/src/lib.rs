#![doc = include_str!("../README.md")]

mod anchors;
pub mod dialects;
pub mod document;
pub mod docx;
mod emoji;
pub mod exported;
pub mod frames;
mod grid;
mod headings;
pub mod html;
mod inline_builder;
mod limits;
mod lines;

mod anchor_collector;
mod links;
mod lists;
pub mod markdown;
mod markdown_html;
mod marks;
mod node_ids;
pub mod openapi;
mod paths;
mod raw;
pub mod reading;
mod sections;
mod slug;
pub mod svg;
mod svg_size;
mod tags;
mod tex;
mod text;

pub use anchors::{anchored_headings, anchors};
pub use document::{
    Block, BlockKind, ContentRef, Document, DocumentData, DocumentError, Excess, Inline, InlineKind, Leaf,
    Mark, editor_schema,
};
pub use emoji::{character as emoji_character, name as emoji_name, names as emoji_names};
pub use html::{link_address, runs_no_script};
pub use links::{
    DocumentLink, LinkCondition, Relation, links, links_and_conditions, resolve_links, rewrite_refs,
};
pub use markdown::{
    FrontMatter, HrefKind, PageSource, RefPrinter, RefResolver, StableRefs, front_matter_flag, parse,
    parse_page, print, print_page, try_parse, try_parse_page, without_front_matter,
};
pub use node_ids::{NamedNode, find_node, node_id, node_text};
pub use raw::raw_syntax;
pub use sections::{Section, sections};
pub use slug::slugify;
pub use svg_size::svg_size;
pub use tags::tags;
pub use text::{inline_text, is_right_to_left, language_from_right, node_keys, node_preview, plain_text};
