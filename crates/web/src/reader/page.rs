//! A whole page.

use super::link::link;
use super::model::{Site, View};
use super::{footer, header, search, tree};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use quire_markup::emoji_character;
use quire_render::{Heading, symbols};

/// Writes a page of a site.
#[must_use]
pub fn page(site: &Site, view: &View<'_>) -> Markup {
    let mut icons = view.document.icons.clone();
    icons.extend(view.icon.clone());
    tree::icons(&view.tree, &mut icons);
    header::icons(&site.sections, &mut icons);
    html! {
        (DOCTYPE)
        html lang=(site.language) dir=[site.is_right_to_left.then_some("rtl")] data-theme=[site.theme.as_deref()] {
            (head(site, view))
            body {
                a.skip href="#content" { "Skip to content" }
                (symbols(&icons, view.shape))
                (header::announcement(site))
                (header::header(site))
                (bar(view))
                div.frame {
                    nav.sidebar #menu popover="" aria-label="Pages" {
                        (header::menu(site))
                        (tree::tree(&view.tree))
                    }
                    main #content {
                        (title(view))
                        article.document { (PreEscaped(&view.document.html)) }
                        (footer::pagination(view))
                    }
                    @if !view.document.outline.is_empty() { (outline(&view.document.outline)) }
                }
                (footer::footer(site))
                (search::dialog(site))
            }
        }
    }
}

fn head(site: &Site, view: &View<'_>) -> Markup {
    let title = if view.title == site.title {
        site.title.clone()
    } else {
        format!("{} | {}", view.title, site.title)
    };
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            @if let Some(about) = &view.about { meta name="description" content=(about); }
            @if !view.is_indexed { meta name="robots" content="noindex"; }
            meta property="og:title" content=(view.title);
            meta property="og:type" content="article";
            meta property="og:site_name" content=(site.title);
            @if let Some(about) = &view.about { meta property="og:description" content=(about); }
            @if let Some(image) = &view.image { meta property="og:image" content=(image); }
            meta name="twitter:card" content=(if view.image.is_some() { "summary_large_image" } else { "summary" });
            @if let Some(canonical) = &view.canonical {
                link rel="canonical" href=(canonical);
                meta property="og:url" content=(canonical);
            }
            @if let Some(markdown) = &view.markdown { link rel="alternate" type="text/markdown" href=(markdown); }
            @if let Some(feed) = &view.feed {
                link rel="alternate" type="application/rss+xml" title=(view.title) href=(feed);
            }
            @for variant in site.variants.iter().filter(|variant| !variant.is_current) {
                @if let Some(language) = &variant.language { link rel="alternate" hreflang=(language) href=(variant.link.href); }
            }
            @if let Some(favicon) = &site.favicon { link rel="icon" href=(favicon); }
            // Before the style sheets, for which a later script would wait.
            @if let Some(theme) = &site.assets.theme { script src=(theme) {} }
            @for style in &site.assets.styles { link rel="stylesheet" href=(style); }
            @if let Some(data) = &view.structured {
                // JSON has no `<` outside of strings, where the escape means the same.
                script type="application/ld+json" { (PreEscaped(data.replace('<', "\\u003c"))) }
            }
            @for script in &site.assets.scripts { script type="module" src=(script) {} }
            @if let Some(next) = &view.next { link rel="prefetch" href=(next.href); }
        }
    }
}

/// The bar of narrow screens: the menu, and the current section of the page.
fn bar(view: &View<'_>) -> Markup {
    html! {
        nav.bar aria-label="Menu and headings" {
            button type="button" popovertarget="menu" { "Menu" }
            @if !view.document.outline.is_empty() {
                details.bar-outline {
                    summary { "On this page" }
                    (headings(&view.document.outline))
                }
            }
        }
    }
}

fn title(view: &View<'_>) -> Markup {
    html! {
        header.page-header {
            @if let Some(cover) = &view.cover { img.cover src=(cover) alt="" fetchpriority="high"; }
            @if !view.crumbs.is_empty() {
                nav.crumbs aria-label="Breadcrumbs" { ol { @for crumb in &view.crumbs { li { (link(crumb)) } } } }
            }
            div.title-row {
                h1 {
                    @if let Some(emoji) = &view.emoji { span.title-icon { (emoji_character(emoji)) " " } }
                    @else if let Some(icon) = &view.icon {
                        svg.icon.title-icon aria-hidden="true" { use href={ "#i-" (icon) } {} }
                    }
                    (view.title)
                }
                (actions(view))
            }
            @if let Some(description) = &view.description { p.lead { (description) } }
        }
    }
}

fn actions(view: &View<'_>) -> Markup {
    let offered = [("View as Markdown", &view.markdown), ("PDF", &view.pdf), ("Edit", &view.edit)];
    html! {
        @if offered.iter().any(|(_, href)| href.is_some()) {
            ul.page-actions aria-label="Actions" {
                @for (title, href) in offered {
                    @if let Some(href) = href { li { a href=(href) { (title) } } }
                }
            }
        }
    }
}

fn outline(headings_of_page: &[Heading]) -> Markup {
    html! {
        nav.outline aria-label="On this page" {
            p.outline-title { "On this page" }
            (headings(headings_of_page))
        }
    }
}

/// Headings of the first two ranks.
fn headings(headings: &[Heading]) -> Markup {
    html! {
        ul {
            @for heading in headings.iter().filter(|heading| heading.rank < 3) {
                li data-rank=(heading.rank) { a href={ "#" (heading.anchor) } { (heading.title) } }
            }
        }
    }
}
