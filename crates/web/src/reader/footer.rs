//! Footer of a page.

use super::header::{accounts, picture};
use super::model::{Site, View};
use super::words::PageWords;
use maud::{Markup, html};

/// Writes links to the previous and the next page, and the time of the last change.
pub(super) fn pagination(words: &PageWords, view: &View<'_>) -> Markup {
    html! {
        @if view.previous.is_some() || view.next.is_some() {
            nav.pagination aria-label=(words.pagination) {
                @if let Some(previous) = &view.previous {
                    a.previous rel="prev" href=(previous.href) { span { (words.previous) } (previous.title) }
                }
                @if let Some(next) = &view.next {
                    a.next rel="next" href=(next.href) { span { (words.next) } (next.title) }
                }
            }
        }
        @if let Some((time, date)) = &view.updated {
            p.updated { (words.updated) " " time datetime=(time) { (date) } }
        }
    }
}

pub(super) fn footer(site: &Site) -> Markup {
    let has_accounts = site.accounts.iter().any(|account| account.in_footer);
    let has_last = has_accounts || site.copyright.is_some() || site.privacy.is_some() || site.has_trademark;
    html! {
        @if !site.footer.is_empty() || site.footer_logo.is_some() || has_last {
            footer.site-footer {
                @if !site.footer.is_empty() || site.footer_logo.is_some() {
                    div.footer-columns {
                        @if let Some(logo) = &site.footer_logo { div { (picture(logo, "")) } }
                        @for group in &site.footer {
                            section {
                                h2 { (group.title) }
                                ul { @for item in &group.links { li { (site.link(item)) } } }
                            }
                        }
                    }
                }
                @if has_last {
                    div.footer-last {
                        @if let Some(copyright) = &site.copyright { p { (copyright) } }
                        @if let Some(privacy) = &site.privacy { p { a href=(privacy) { (site.words.privacy) } } }
                        @if site.has_trademark { p { (site.words.published_with) " Quire" } }
                        @if has_accounts {
                            (accounts(&site.words, site.accounts.iter().filter(|account| account.in_footer)))
                        }
                    }
                }
            }
        }
    }
}
