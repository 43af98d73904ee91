//! Fields of the settings of pages.

use maud::{Markup, Render, html};
use quire_content::page_body::layout;
use quire_domain::revisions::LayoutWidth;
use quire_markup::emoji_character;
use quire_revision::{PageNode, PageType};
use serde_json::{Value, json};

use super::forms::{Field, Select, Tick};

const LONGEST_TITLE: u32 = 100;
const LONGEST_DESCRIPTION: u32 = 200;
const LONGEST_EMOJI: u32 = 50;
const WIDTHS: [(&str, &str); 2] =
    [("default", "Lines of a readable length"), ("wide", "As wide as the window")];

/// Returns the change that a form of settings completes. Parts of the layout that the form lacks are kept. A preset is
/// replaced by its parts.
pub(super) fn update_of(page: &PageNode) -> Value {
    match page.layout.as_deref().map(layout) {
        Some(layout) => json!({ "operation": "update_page", "page": page.id, "layout": layout }),
        None => json!({ "operation": "update_page", "page": page.id }),
    }
}

/// Returns the fields of a page with a text.
pub(super) fn document_fields(page: &PageNode, with_title: bool) -> Markup {
    let shown = page.layout.as_deref().map(layout).unwrap_or_default();
    let ticks = [
        ("layout.title", "Show the title", shown.title),
        ("layout.description", "Show the description", shown.description),
        ("layout.tableOfContents", "Show the navigation", shown.table_of_contents),
        ("layout.outline", "Show the outline", shown.outline),
        ("layout.pagination", "Show the previous and next page", shown.pagination),
        ("layout.metadata", "Show the time of the last change", shown.metadata),
        ("layout.actions", "Show the menu of the page", shown.actions),
        ("layout.anchors", "Show links to headings", shown.anchors),
    ];
    let description = page.description.as_deref().unwrap_or_default();
    let width = if shown.width == LayoutWidth::Wide { "wide" } else { "default" };
    html! {
        @if with_title { (title(page)) }
        (signs(page))
        (Field { name: "description", label: "Description", value: description, clears: true, longest: LONGEST_DESCRIPTION, ..Field::default() })
        (slug(page))
        (link_title(page))
        (visibility(page))
        (Select { name: "layout.width", label: "Width on sites", options: &WIDTHS, value: width, hint: None })
        @for (name, label, is_ticked) in ticks { (Tick { name, label, value: None, is_ticked }) }
    }
}

/// Returns the fields of a group, link or API page.
pub(super) fn entry_fields(page: &PageNode) -> Markup {
    html! {
        (title(page))
        (signs(page))
        @if page.page_type() == PageType::Group { (slug(page)) }
        @if page.page_type() != PageType::Computed { (visibility(page)) }
    }
}

/// Returns where the page is left out. Links have no text to search.
fn visibility(page: &PageNode) -> Markup {
    let indexed = [
        ("noIndex", "Leave it out of the search", page.no_index),
        ("noRobotsIndex", "Leave it out of search engines", page.no_robots_index),
    ];
    html! {
        (Tick { name: "hidden", label: "Hide it from the navigation", value: None, is_ticked: page.hidden })
        @if page.page_type() != PageType::Link {
            @for (name, label, is_ticked) in indexed { (Tick { name, label, value: None, is_ticked }) }
        }
    }
}

fn title(page: &PageNode) -> impl Render {
    Field {
        name: "title",
        id: Some("workspace:page-title"),
        label: "Title",
        value: &page.title,
        is_required: true,
        longest: LONGEST_TITLE,
        ..Field::default()
    }
}

/// Returns the fields for the emoji and the icon.
fn signs(page: &PageNode) -> Markup {
    let emoji = page.emoji.as_deref().map(emoji_character).unwrap_or_default();
    let icon = page.icon.as_deref().unwrap_or_default();
    let field = |name, label, value, hint| Field {
        name,
        label,
        value,
        hint: Some(hint),
        clears: true,
        longest: LONGEST_EMOJI,
        ..Field::default()
    };
    html! {
        (field("emoji", "Emoji", &emoji, "Shown next to the title."))
        (field("icon", "Icon", icon, "Name of an icon of Font Awesome, such as rocket. Shown if there is no emoji."))
    }
}

fn slug(page: &PageNode) -> impl Render {
    Field {
        name: "slug",
        label: "Name in the address",
        value: &page.slug,
        longest: LONGEST_TITLE,
        ..Field::default()
    }
}

fn link_title(page: &PageNode) -> impl Render {
    Field {
        name: "linkTitle",
        label: "Title in menus",
        value: page.link_title.as_deref().unwrap_or_default(),
        hint: Some("Leave empty to use the title."),
        clears: true,
        longest: LONGEST_TITLE,
        ..Field::default()
    }
}
