//! The header of a site.

use super::link::link;
use super::model::{HeaderLink, Section, Site};
use maud::{Markup, html};
use std::collections::BTreeSet;

pub(super) fn announcement(site: &Site) -> Markup {
    html! {
        @if let Some(announcement) = &site.announcement {
            aside.announcement data-style=(announcement.style) aria-label="Announcement" {
                (announcement.message)
                @if let Some(behind) = &announcement.link { " " (link(behind)) }
            }
        }
    }
}

pub(super) fn header(site: &Site) -> Markup {
    html! {
        header.site-header {
            // The room of the button is known from the start, so that nothing moves when it comes.
            div.header-row data-themed[site.can_choose_theme] {
                div.brand {
                    a.home href=(site.home) { (brand(site)) }
                    (variants(site))
                }
                form.search-form role="search" action=(site.search) {
                    button.search-open type="button" commandfor="search" command="show-modal" {
                        span { "Search" } kbd { "/" }
                    }
                    noscript { input type="search" name="q" aria-label="Search"; }
                }
                @if !site.links.is_empty() {
                    nav.header-links aria-label="Site" { ul { @for item in &site.links { li { (header_link(item)) } } } }
                }
                @if site.can_choose_theme {
                    button.theme type="button" data-theme-switch aria-label="Change the theme" hidden {}
                }
            }
            @if !site.sections.is_empty() {
                nav.sections aria-label="Sections" { (sections(&site.sections)) }
            }
        }
    }
}

/// The parts of the header that have no room on narrow screens, for the menu.
pub(super) fn menu(site: &Site) -> Markup {
    html! {
        div.menu-head {
            button.menu-close type="button" popovertarget="menu" popovertargetaction="hide" { "Close" }
            @if !site.sections.is_empty() { (sections(&site.sections)) }
            @if !site.links.is_empty() { ul { @for item in &site.links { li { (header_link(item)) } } } }
        }
    }
}

fn header_link(item: &HeaderLink) -> Markup {
    html! {
        @if item.links.is_empty() {
            a.button[item.style.is_some()] data-style=[item.style] href=(item.link.href) { (item.link.title) }
        } @else {
            details.menu name="links" {
                summary { (item.link.title) }
                ul { @for below in &item.links { li { (link(below)) } } }
            }
        }
    }
}

fn brand(site: &Site) -> Markup {
    html! {
        @match &site.logo {
            Some(logo) => {
                img data-only=[logo.dark.as_ref().map(|_| "light")] src=(logo.light) alt=(site.title) height="32";
                @if let Some(dark) = &logo.dark { img data-only="dark" src=(dark) alt=(site.title) height="32"; }
            }
            None => (site.title),
        }
    }
}

fn sections(sections: &[Section]) -> Markup {
    html! {
        ul {
            @for section in sections {
                li {
                    @if section.sections.is_empty() {
                        a href=(section.link.href) aria-current=[section.is_current.then_some("true")] {
                            (icon(section)) (section.link.title)
                        }
                    } @else {
                        details.menu name="sections" {
                            summary data-current[section.is_current] { (icon(section)) (section.link.title) }
                            (self::sections(&section.sections))
                        }
                    }
                }
            }
        }
    }
}

fn icon(section: &Section) -> Markup {
    html! {
        @if let Some(icon) = &section.icon { svg.icon aria-hidden="true" { use href={ "#i-" (icon) } {} } }
    }
}

/// Collects the names of icons.
pub(super) fn icons(sections: &[Section], found: &mut BTreeSet<String>) {
    for section in sections {
        found.extend(section.icon.clone());
        icons(&section.sections, found);
    }
}

fn variants(site: &Site) -> Markup {
    let current = site.variants.iter().find(|variant| variant.is_current).or(site.variants.first());
    html! {
        @if let Some(current) = current {
            details.menu.variants {
                summary { (current.link.title) }
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
