//! Icons by their names.

use maud::{Markup, html};
use quire_render::icon_name;
use std::collections::BTreeSet;

/// An icon for the eye only, of the sprite of the page.
pub(super) fn icon(name: &str) -> Markup {
    html! { svg.icon aria-hidden="true" { use href={ "#i:" (icon_name(name)) } {} } }
}

/// Adds an icon to those of the sprite.
pub(super) fn add(name: Option<&String>, found: &mut BTreeSet<String>) {
    found.extend(name.map(|name| icon_name(name)));
}
