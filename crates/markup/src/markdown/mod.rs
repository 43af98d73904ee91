//! Markdown ⇄ document.

mod front_matter;
mod heading_id;
mod info;
mod literal;
mod page;
mod parse;
mod placeholder;
mod print;
mod refs;
mod tags;

pub use front_matter::{FrontMatter, front_matter_flag, without_front_matter};
pub use literal::{escaped, unescaped};
pub use page::{PageSource, parse_page, print_page, try_parse_page};
pub use parse::{parse, try_parse};
pub use print::print;
pub use refs::{HrefKind, RefPrinter, RefResolver, StableRefs};
pub(crate) use tags::starts_with_block_tag;
