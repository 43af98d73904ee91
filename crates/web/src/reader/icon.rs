//! Icons by name.

use maud::{Markup, html};
use quire_render::icon_name;
use std::collections::BTreeSet;

/// Writes a decorative icon from the sprite of the page.
pub(super) fn icon(name: &str) -> Markup {
    html! { svg.icon aria-hidden="true" { use href={ "#i:" (icon_name(name)) } {} } }
}

/// Adds the name of an icon to the sprite.
pub(super) fn add(name: Option<&String>, found: &mut BTreeSet<String>) {
    found.extend(name.map(|name| icon_name(name)));
}
