//! The end of a page.

use super::link::link;
use super::model::{Site, View};
use maud::{Markup, html};

/// The pages before and after, and the time of the last change.
pub(super) fn pagination(view: &View<'_>) -> Markup {
    html! {
        @if view.previous.is_some() || view.next.is_some() {
            nav.pagination aria-label="Previous and next page" {
                @if let Some(previous) = &view.previous {
                    a.previous rel="prev" href=(previous.href) { span { "Previous" } (previous.title) }
                }
                @if let Some(next) = &view.next {
                    a.next rel="next" href=(next.href) { span { "Next" } (next.title) }
                }
            }
        }
        @if let Some((time, words)) = &view.updated {
            p.updated { "Last updated " time datetime=(time) { (words) } }
        }
    }
}

pub(super) fn footer(site: &Site) -> Markup {
    html! {
        @if !site.footer.is_empty() || site.copyright.is_some() {
            footer.site-footer {
                @for group in &site.footer {
                    section {
                        h2 { (group.title) }
                        ul { @for item in &group.links { li { (link(item)) } } }
                    }
                }
                @if let Some(copyright) = &site.copyright { p { (copyright) } }
            }
        }
    }
}
