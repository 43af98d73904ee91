//! HTML within Markdown: read as tokens, turned into blocks and inlines.

mod block_element;
mod choices;
mod details;
mod entity;
mod figure;
mod flow;
pub(crate) mod inlines;
mod list;
mod media;
mod mixed;
mod preformatted;
pub(crate) mod properties;
mod table;
mod token;

pub(crate) use entity::{decode, escape, escape_text};
pub(crate) use figure::length;
pub(crate) use flow::{Flow, block_of, knows_element, paragraph};
pub(crate) use mixed::{Mixed, Parsed};
pub(crate) use token::{Element, Spanned, Token, tokens};

use crate::markdown::RefResolver;

/// Text of GitBook for a reference whose target does not exist.
pub(crate) const BROKEN_LINK: &str = "Broken link";

/// Returns whether an address is GitBook's form of a missing target: `/broken/pages/…`.
pub(crate) fn is_broken(href: &str) -> bool {
    href.starts_with("/broken/")
}

/// Reports an element to a resolver if it is a heading or the target of links.
pub(crate) fn targets(element: &Element, refs: &dyn RefResolver) {
    match element.name.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => refs.heading(),
        name => {
            let named = element.get("name").filter(|_| name == "a");
            element.get("id").into_iter().chain(named).for_each(|id| refs.target(id));
        }
    }
}
