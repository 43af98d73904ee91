//! Whole pages of a site.

use super::link::link;
use super::model::{Site, View};
use super::words::PageWords;
use super::{actions, footer, header, icon, search, tree};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use quire_markup::emoji_character;
use quire_render::{Heading, symbols};

/// Writes a page of a site.
#[must_use]
pub fn page(site: &Site, view: &View<'_>) -> Markup {
    let mut icons = view.document.icons.clone();
    icon::add(view.icon.as_ref(), &mut icons);
    tree::icons(&view.tree, &mut icons);
    header::icons(&site.sections, &mut icons);
    header::account_icons(site, &mut icons);
    let words = &site.words;
    let is_english = *words == PageWords::default();
    let word = |word: &'static str| (!is_english).then_some(word);
    html! {
        (DOCTYPE)
        html lang=(site.language) dir=[site.is_right_to_left.then_some("rtl")] data-theme=[site.theme.as_deref()]
            data-copy=[word(words.copy)] data-copied=[word(words.copied)] data-picture=[word(words.picture)] {
            (head(site, view))
            body {
                a.skip href="#frame:content" { (words.skip) }
                (symbols(&icons, view.shape))
                (header::preview(site))
                (header::announcement(site))
                (header::header(site))
                (bar(words, view))
                div.frame {
                    nav.sidebar id="frame:menu" popover="" aria-label=(words.pages) {
                        (header::menu(site))
                        (tree::tree(words, &view.tree))
                    }
                    main id="frame:content" data-wide[view.is_wide] {
                        (title(site, view))
                        // A separate element, because Chromium paints as soon as its start tag has arrived.
                        span id="frame:head" hidden {}
                        article.document { (PreEscaped(&view.document.html)) }
                        (footer::pagination(words, view))
                    }
                    @if !view.document.outline.is_empty() { (outline(words, &view.document.outline)) }
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
            // Blocks rendering until the title and its buttons have arrived. Otherwise they would shift the layout.
            link rel="expect" href="#frame:head" blocking="render";
            title { (title) }
            @if let Some(about) = &view.about { meta name="description" content=(about); }
            @if !view.is_indexed { meta name="robots" content="noindex"; }
            (social(site, view))
            @if let Some(canonical) = &view.canonical {
                link rel="canonical" href=(canonical);
                meta property="og:url" content=(canonical);
            }
            @if let Some(markdown) = &view.markdown { link rel="alternate" type="text/markdown" href=(markdown); }
            @if let Some(feed) = &view.feed {
                link rel="alternate" type="application/rss+xml" title=(view.title) href=(feed);
            }
            @for (language, url) in &view.alternates { link rel="alternate" hreflang=(language) href=(url); }
            @if let Some(favicon) = &site.favicon { link rel="icon" href=(favicon); }
            // Before the style sheets: a later script would wait for them.
            @if let Some(theme) = &site.assets.theme { script src=(theme) {} }
            @for style in &site.assets.styles { link rel="stylesheet" href=(style); }
            // Browsers request fonts in anonymous CORS mode and do not reuse a preload without `crossorigin`.
            @if let Some(font) = &site.assets.font {
                link rel="preload" as="font" type="font/woff2" href=(font) crossorigin;
            }
            @if let Some(data) = &view.structured {
                // In JSON, `<` occurs only in strings, where the escape has the same meaning.
                script type="application/ld+json" { (PreEscaped(data.replace('<', "\\u003c"))) }
            }
            @for script in &site.assets.scripts { script type="module" src=(script) {} }
            @if let Some(next) = &view.next { link rel="prefetch" href=(next.href); }
        }
    }
}

/// Writes the metadata for link previews (ogp.me), and for X.
fn social(site: &Site, view: &View<'_>) -> Markup {
    html! {
        meta property="og:title" content=(view.title);
        meta property="og:type" content=(if view.crumbs.is_empty() && view.previous.is_none() { "website" } else { "article" });
        meta property="og:site_name" content=(site.title);
        meta property="og:locale" content=(site.language.replace('-', "_"));
        @if let Some(about) = &view.about { meta property="og:description" content=(about); }
        @if let Some(image) = &view.image {
            meta property="og:image" content=(image.url);
            @if let Some((width, height)) = image.size {
                meta property="og:image:width" content=(width);
                meta property="og:image:height" content=(height);
            }
            meta property="og:image:alt" content=(view.title);
        }
        @if let Some((time, _)) = &view.updated { meta property="article:modified_time" content=(time); }
        meta name="twitter:card" content=(if view.image.is_some() { "summary_large_image" } else { "summary" });
        meta name="twitter:title" content=(view.title);
        @if let Some(about) = &view.about { meta name="twitter:description" content=(about); }
        @if let Some(image) = &view.image { meta name="twitter:image" content=(image.url); }
    }
}

/// Writes the bar of narrow screens: the menu, and the current section of the page.
fn bar(words: &PageWords, view: &View<'_>) -> Markup {
    html! {
        nav.bar aria-label=(words.bar) {
            button type="button" popovertarget="frame:menu" { (words.menu) }
            @if !view.document.outline.is_empty() {
                details.bar-outline {
                    summary { (words.on_this_page) }
                    (headings(&view.document.outline))
                }
            }
        }
    }
}

fn title(site: &Site, view: &View<'_>) -> Markup {
    html! {
        header.page-header data-cover=[view.cover.as_ref().and_then(|cover| cover.size)] {
            @if let Some(cover) = &view.cover { (cover.write()) }
            @if !view.crumbs.is_empty() {
                nav.crumbs aria-label=(site.words.breadcrumbs) { ol { @for crumb in &view.crumbs { li { (link(crumb)) } } } }
            }
            div.title-row {
                // Screen readers have a hidden title, too.
                h1 data-hidden[!view.shows_title] {
                    @if let Some(emoji) = &view.emoji { span.title-icon { (emoji_character(emoji)) " " } }
                    @else if let Some(icon) = &view.icon {
                        span.title-icon { (icon::icon(icon)) " " }
                    }
                    (view.title)
                }
                (actions::menu(site, &view.actions))
            }
            @if let Some(description) = &view.description { p.lead { (description) } }
        }
    }
}

fn outline(words: &PageWords, headings_of_page: &[Heading]) -> Markup {
    html! {
        nav.outline aria-label=(words.on_this_page) {
            p.outline-title { (words.on_this_page) }
            (headings(headings_of_page))
        }
    }
}

/// Writes the headings of the first two levels.
fn headings(headings: &[Heading]) -> Markup {
    html! {
        ul {
            @for heading in headings.iter().filter(|heading| heading.rank < 3) {
                li data-rank=(heading.rank) { a href={ "#" (heading.anchor) } { (heading.title) } }
            }
        }
    }
}
