//! Header of a site.

use super::icon;
use super::model::{Account, HeaderLink, Logo, Section, Site};
use super::words::PageWords;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Writes the banner of a preview.
pub(super) fn preview(site: &Site) -> Markup {
    html! {
        @if let Some(preview) = &site.preview {
            aside.preview aria-label="Preview" {
                strong { "Preview" } " " (preview.message)
                @if let Some(change) = &preview.change_request { " " a href=(change) { "Change request" } }
                @if let Some(published) = &preview.published { " " a href=(published) { "Published page" } }
            }
        }
    }
}

pub(super) fn announcement(site: &Site) -> Markup {
    html! {
        @if let Some(announcement) = &site.announcement {
            aside.announcement data-style=(announcement.style) aria-label=(site.words.announcement) {
                (announcement.message)
                @if let Some(behind) = &announcement.link { " " (site.link(behind)) }
            }
        }
    }
}

pub(super) fn header(site: &Site) -> Markup {
    let words = &site.words;
    let has_accounts = site.accounts.iter().any(|account| account.in_header);
    html! {
        header.site-header {
            // Reserves room for the theme button, so that the layout does not shift when the script adds it.
            div.header-row data-themed[site.can_choose_theme] {
                div.brand {
                    a.home href=(site.brand.as_deref().unwrap_or(&site.home)) { (brand(site)) }
                    (variants(site))
                }
                form.search-form role="search" action=(site.search) {
                    button.search-open type="button" commandfor="frame:search" command="show-modal" {
                        span { (words.search) } kbd { "/" }
                    }
                    noscript { input type="search" name="q" aria-label=(words.search); }
                }
                div.header-end {
                    @if !site.links.is_empty() {
                        nav.header-links aria-label=(words.links) {
                            ul { @for item in &site.links { li { (header_link(site, item)) } } }
                        }
                    }
                    @if has_accounts {
                        (accounts(words, site.accounts.iter().filter(|account| account.in_header)))
                    }
                    @if let Some(sign_out) = &site.sign_out { a.sign-out href=(sign_out) { (words.sign_out) } }
                }
                @if site.can_choose_theme {
                    button.theme type="button" data-theme-switch aria-label=(words.theme) hidden {}
                }
            }
            @if !site.sections.is_empty() {
                nav.sections aria-label=(words.sections) { (sections(&site.sections, true)) }
            }
        }
    }
}

/// Writes the parts of the header that narrow screens show in the menu.
pub(super) fn menu(site: &Site) -> Markup {
    html! {
        div.menu-head {
            button.menu-close type="button" popovertarget="frame:menu" popovertargetaction="hide" { (site.words.close) }
            @if !site.sections.is_empty() { (sections(&site.sections, false)) }
            @if !site.links.is_empty() {
                ul { @for item in &site.links { li { (header_link(site, item)) } } }
            }
            @if let Some(sign_out) = &site.sign_out { a href=(sign_out) { (site.words.sign_out) } }
        }
    }
}

/// Writes accounts on social platforms as icons.
pub(super) fn accounts<'a>(words: &PageWords, accounts: impl Iterator<Item = &'a Account>) -> Markup {
    html! {
        ul.accounts aria-label=(words.accounts) {
            @for account in accounts {
                li {
                    a href=(account.link.href) rel="me noopener" aria-label=(account.link.title) title=(account.link.title) {
                        (icon::icon(account.icon))
                    }
                }
            }
        }
    }
}

fn header_link(site: &Site, item: &HeaderLink) -> Markup {
    let opens_tab = site.opens_tab(&item.link.href);
    html! {
        @if item.links.is_empty() {
            a.button[item.style.is_some()] data-style=[item.style] href=(item.link.href)
                target=[opens_tab.then_some("_blank")] rel=[opens_tab.then_some("noopener")] { (item.link.title) }
        } @else {
            details.menu name="links" {
                summary { (item.link.title) }
                ul { @for below in &item.links { li { (site.link(below)) } } }
            }
        }
    }
}

fn brand(site: &Site) -> Markup {
    html! {
        @match &site.logo {
            Some(logo) => (picture(logo, &site.title)),
            None => (site.title),
        }
    }
}

/// Writes a picture for both themes.
pub(super) fn picture(logo: &Logo, words: &str) -> Markup {
    html! {
        img data-only=[logo.dark.as_ref().map(|_| "light")] src=(logo.light) alt=(words) height="32";
        @if let Some(dark) = &logo.dark { img data-only="dark" src=(dark) alt=(words) height="32"; }
    }
}

/// Writes sections as a list. A bar has no space for descriptions, so its links have them as titles.
fn sections(sections: &[Section], is_bar: bool) -> Markup {
    html! {
        ul {
            @for section in sections {
                li {
                    @if section.sections.is_empty() {
                        @let description = section.description.as_deref();
                        a href=(section.link.href) aria-current=[section.is_current.then_some("true")]
                            title=[description.filter(|_| is_bar)] {
                            (section_icon(section)) (section.link.title)
                            @if let Some(description) = description.filter(|_| !is_bar) { small { (description) } }
                        }
                    } @else {
                        details.menu name="sections" {
                            summary data-current[section.is_current] { (section_icon(section)) (section.link.title) }
                            (self::sections(&section.sections, false))
                        }
                    }
                }
            }
        }
    }
}

fn section_icon(section: &Section) -> Markup {
    html! {
        @if let Some(icon) = &section.icon { (icon::icon(icon)) }
    }
}

/// Collects the names of the icons of accounts.
pub(super) fn account_icons(site: &Site, found: &mut BTreeSet<String>) {
    found.extend(site.accounts.iter().map(|account| account.icon.to_owned()));
}

/// Collects the names of icons.
pub(super) fn icons(sections: &[Section], found: &mut BTreeSet<String>) {
    for section in sections {
        icon::add(section.icon.as_ref(), found);
        icons(&section.sections, found);
    }
}

fn variants(site: &Site) -> Markup {
    let current = site.variants.iter().find(|variant| variant.is_current).or(site.variants.first());
    html! {
        @if let Some(current) = current {
            details.menu.variants {
                summary aria-label={ (site.words.variants) ": " (current.link.title) } { (current.link.title) }
                ul {
                    @for variant in &site.variants {
                        li {
                            a href=(variant.link.href) hreflang=[variant.language.as_deref()] lang=[variant.language.as_deref()]
                                aria-current=[variant.is_current.then_some("true")] { (variant.link.title) }
                        }
                    }
                }
            }
        }
    }
}
