//! Menu of a page.

use super::model::{Action, Site};
use maud::{Markup, html};

/// Writes the first entry as a button of its own, and all entries in a menu.
pub(super) fn menu(site: &Site, actions: &[Action]) -> Markup {
    html! {
        @if let Some(first) = actions.first() {
            div.page-actions {
                (action(site, first))
                @if actions.len() > 1 {
                    details.menu name="page" {
                        summary aria-label=(site.words.actions) {}
                        ul { @for one in actions { li.needs-script[!works_alone(one)] { (action(site, one)) } } }
                    }
                }
            }
        }
    }
}

/// Returns whether an entry works without a script.
fn works_alone(action: &Action) -> bool {
    matches!(action, Action::Open(..))
}

fn action(site: &Site, action: &Action) -> Markup {
    html! {
        @match action {
            Action::Open(words, address) => {
                @let opens_tab = site.opens_tab(address);
                a href=(address) target=[opens_tab.then_some("_blank")] rel="noopener nofollow" { (words) }
            }
            Action::CopyAnswer(words, address) => button.needs-script type="button" data-copy-answer=(address) { (words) },
            Action::CopyText(words, text) => button.needs-script type="button" data-copy-text=(text) { (words) },
            Action::Print(words) => button.needs-script type="button" data-print { (words) },
        }
    }
}
