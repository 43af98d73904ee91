//! The search of a site.

use super::model::Site;
use maud::{Markup, html};

/// A dialog with a form. Without JavaScript the form asks the server for a page of results; the script fills the list
/// while a visitor types.
pub(super) fn dialog(site: &Site) -> Markup {
    html! {
        dialog #search aria-label="Search" {
            form role="search" action=(site.search) {
                input type="search" role="combobox" name="q" placeholder="Search" aria-label="Search" aria-controls="hits" aria-expanded="true" aria-autocomplete="list" autocomplete="off";
                button type="submit" { "Search" }
            }
            div #hits role="listbox" aria-label="Results" {}
            p #hit-count role="status" {}
            p.keys { kbd { "↑" } kbd { "↓" } " to move, " kbd { "Enter" } " to open, " kbd { "Esc" } " to close" }
        }
    }
}
