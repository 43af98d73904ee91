//! HTML within Markdown: read as tokens, turned into blocks and inlines.

mod block_element;
mod choices;
mod details;
mod entity;
mod figure;
mod flow;
pub(crate) mod inlines;
mod list;
mod mixed;
mod preformatted;
pub(crate) mod properties;
mod table;
mod token;

pub(crate) use entity::{decode, escape};
pub(crate) use figure::length;
pub(crate) use flow::{Flow, block_of, knows_element, paragraph};
pub(crate) use mixed::{Held, Mixed};
pub(crate) use token::{Element, Spanned, Token, tokens};
