//! Links.

use super::model::Link;
use maud::{Markup, html};

pub(super) fn link(link: &Link) -> Markup {
    html! { a href=(link.href) { (link.title) } }
}
