//! Search of a site.

use super::model::Site;
use maud::{Markup, html};

/// Writes a dialog with a form. Without JavaScript the form requests a page of results from the server. The script
/// fills the list during typing.
pub(super) fn dialog(site: &Site) -> Markup {
    let words = &site.words;
    html! {
        dialog id="frame:search" aria-label=(words.search) data-found=(words.found) data-nothing=(words.nothing) data-failed=(words.failed) data-incomplete=(words.incomplete) {
            form role="search" action=(site.search) {
                input type="search" role="combobox" name="q" placeholder=(words.search) aria-label=(words.search) aria-controls="frame:hits" aria-expanded="true" aria-autocomplete="list" autocomplete="off";
                button type="submit" { (words.search) }
            }
            div id="frame:hits" role="listbox" aria-label=(words.results) {}
            p id="frame:hit-count" role="status" {}
            p.keys {
                kbd { "↑" } kbd { "↓" } " " (words.to_move) ", " kbd { "Enter" } " " (words.to_open) ", "
                kbd { "Esc" } " " (words.to_close)
            }
        }
    }
}
