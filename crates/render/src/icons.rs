//! Icons: pages refer to them by name, and each page has one sprite with their shapes.

use maud::{Markup, html};
use std::collections::BTreeSet;

/// Shape of an icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Value of `viewBox`.
    pub view_box: &'a str,
    /// Value of `d`.
    pub path: &'a str,
}

/// Shapes of the icons that rendering itself uses, drawn for this project on a grid of 24.
const OWN: [(&str, &str); 9] = [
    (
        "q-info",
        "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm-1 6h2v7h-2Zm0-3h2v2h-2Z",
    ),
    (
        "q-success",
        "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm4.3 4.3L11 13.600l-2.3-2.3-1.4 1.4 3.7 3.7 6.7-6.700Z",
    ),
    ("q-warning", "M12 2.5 1 21.500h22Zm0 4 7.5 13h-15ZM11 10h2v5h-2Zm0 6h2v2h-2Z"),
    (
        "q-danger",
        "M7.7 2 2 7.700v8.600L7.7 22h8.600l5.7-5.700V7.700L16.3 2Zm.8 2h7L20 8.500v7L15.5 20h-7L4 15.500v-7ZM11 7h2v6h-2Zm0 8h2v2h-2Z",
    ),
    ("q-file", "M5 2h9l6 6v14H5Zm2 2v16h11V9h-5V4Zm8 .8V7h2.200ZM9 12h7v2H9Zm0 4h7v2H9Z"),
    ("q-page", "M4 3h16v18H4Zm2 2v14h12V5Zm2 3h8v2H8Zm0 4h8v2H8Zm0 4h5v2H8Z"),
    ("q-external", "M14 3h7v7h-2V6.400l-8.3 8.3-1.4-1.400L17.6 5H14ZM4 5h6v2H6v11h11v-4h2v6H4Z"),
    ("q-play", "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm-2.5 5.5 7.5 4.5-7.5 4.500Z"),
    ("q-prompt", "m12 2 2 7 7 3-7 3-2 7-2-7-7-3 7-3Z"),
];

/// Shape of an unknown icon.
const DOT: Symbol<'static> = Symbol { view_box: "0 0 24 24", path: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z" };

/// Returns the name of an icon as it occurs in an id: lower-case letters, digits and `-`.
#[must_use]
pub fn icon_name(name: &str) -> String {
    let name = name.trim().trim_start_matches("fa-");
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    letters.take(64).collect()
}

/// Writes the sprite of a page: the symbols of all its icons. It belongs before the content, once per page. `shape`
/// returns the shapes of external sets; an icon without a shape is a dot.
#[must_use]
pub fn symbols<'s>(icons: &BTreeSet<String>, shape: &dyn Fn(&str) -> Option<Symbol<'s>>) -> Markup {
    let found = icons.iter().map(|name| {
        let own = OWN.iter().find(|(own, _)| own == name);
        let symbol = own.map(|(_, path)| Symbol { view_box: "0 0 24 24", path });
        (name, symbol.or_else(|| shape(name)).unwrap_or(DOT))
    });
    html! {
        svg.symbols aria-hidden="true" width="0" height="0" {
            @for (name, symbol) in found {
                symbol id={ "i:" (name) } viewBox=(symbol.view_box) { path d=(symbol.path) {} }
            }
        }
    }
}
