//! Pages that visitors of a site read.

mod actions;
pub(crate) mod cover;
mod footer;
mod header;
mod icon;
mod link;
mod model;
mod page;
mod search;
mod tree;
mod words;

pub use cover::Cover;
pub use model::{
    Account, Action, Announcement, Asset, Crumb, FooterGroup, HeaderLink, Link, Logo, Node, NodeKind,
    Preview, Section, Site, SocialImage, Variant, View,
};
pub use page::page;
pub use words::PageWords;
