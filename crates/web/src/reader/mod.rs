//! Pages that visitors of a site read.

mod footer;
mod header;
mod link;
mod model;
mod page;
mod search;
mod tree;

pub use model::{
    Announcement, Asset, Crumb, FooterGroup, HeaderLink, Link, Logo, Node, NodeKind, Section, Site, Variant,
    View,
};
pub use page::page;
