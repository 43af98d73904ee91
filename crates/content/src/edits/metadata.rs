//! Page metadata from the fields of a change and from front matter.

use quire_domain::Patch;
use quire_domain::bounded::{Bounded, IntoText as _, Kind};
use quire_domain::bounds::PAGE_TITLE_MAX;
use quire_domain::content::PageMetadata;
use quire_domain::direction::is_direction_control;
use quire_domain::error::{FieldError, field_errors};
use quire_domain::revisions::{PageCover, PageLayoutInput};
use quire_importer::page_layout;
use quire_markup::{ContentRef, FrontMatter, HrefKind, RefResolver as _, StableRefs};
use quire_revision::{PageNode, PageType};
use serde_json::Value;
use validator::Validate as _;

use super::problems::Problems;

/// Maximum length of a title, in characters.
pub(super) const TITLE_MAX: usize = 512;
const _: () = assert!(PAGE_TITLE_MAX == 512);

/// Field that contains the front matter.
pub(super) const MARKDOWN: &str = "document.markdown";

/// Returns the metadata in front matter.
pub(super) fn of_front_matter(front_matter: FrontMatter) -> Result<PageMetadata, Problems> {
    let FrontMatter {
        title,
        link_title,
        description,
        icon,
        emoji,
        cover,
        cover_y,
        layout,
        hidden,
        no_index,
        no_robots_index,
        extra: _,
    } = front_matter;
    let cover = cover.map(|href| PageCover {
        // Printed pages refer to files as `/files/<id>`.
        reference: Some(
            StableRefs.resolve(&href, HrefKind::Image).unwrap_or_else(|| ContentRef::url(href)).to_value(),
        ),
        ref_dark: None,
        y_pos: cover_y.unwrap_or_default(),
    });
    let stated = PageMetadata {
        title: title.filter(|title| !title.trim().is_empty()).map(Bounded::unchecked),
        link_title: text(link_title),
        slug: None,
        emoji: text(emoji),
        icon: text(icon),
        description: text(description),
        hidden,
        no_index,
        no_robots_index,
        cover: cover.map_or(Patch::Keep, Patch::Set),
        layout: layout.map_or(Patch::Keep, |written| {
            Patch::Set(PageLayoutInput::Options(page_layout::from_front_matter(&written)))
        }),
    };
    stated.validate().map_err(|errors| {
        Problems::all(field_errors(&errors).into_iter().map(|error| FieldError {
            field: MARKDOWN.to_owned(),
            message: format!("its {} {}", error.field, error.message),
        }))
    })?;
    Ok(stated)
}

/// Checks a title from a heading.
pub(super) fn check_title(title: Option<&str>) -> Result<(), Problems> {
    match title {
        Some(title) if title.chars().count() > TITLE_MAX => Err(Problems::new(
            MARKDOWN,
            format!("its first heading is its title, which must have at most {TITLE_MAX} characters"),
        )),
        Some(title) if title.contains(is_direction_control) => Err(Problems::new(
            MARKDOWN,
            "its first heading is its title, which must not contain characters that change the text direction",
        )),
        _ => Ok(()),
    }
}

/// Returns the change for a text in front matter. As in a body, an empty text removes the value.
fn text<K: Kind>(text: Option<String>) -> Patch<Bounded<K>> {
    match text {
        None => Patch::Keep,
        Some(text) if text.trim().is_empty() => Patch::Clear,
        Some(text) => Patch::Set(Bounded::unchecked(text)),
    }
}

/// Merges the front matter with the fields of a change. Front matter takes precedence, except for the title.
pub(super) fn merged(front_matter: PageMetadata, keys: PageMetadata) -> PageMetadata {
    fn either<T>(first: Patch<T>, second: Patch<T>) -> Patch<T> {
        if first.is_keep() { second } else { first }
    }
    PageMetadata {
        title: keys.title.or(front_matter.title),
        link_title: either(front_matter.link_title, keys.link_title),
        slug: keys.slug.or(front_matter.slug),
        emoji: either(front_matter.emoji, keys.emoji),
        icon: either(front_matter.icon, keys.icon),
        description: either(front_matter.description, keys.description),
        hidden: front_matter.hidden.or(keys.hidden),
        no_index: front_matter.no_index.or(keys.no_index),
        no_robots_index: front_matter.no_robots_index.or(keys.no_robots_index),
        cover: either(front_matter.cover, keys.cover),
        layout: either(front_matter.layout, keys.layout),
    }
}

/// Rejects metadata that pages of this kind do not have.
pub(super) fn check_kind(kind: PageType, metadata: &PageMetadata) -> Result<(), Problems> {
    let documents_have = [
        ("linkTitle", !metadata.link_title.is_keep()),
        ("description", !metadata.description.is_keep()),
        ("cover", !metadata.cover.is_keep()),
        ("layout", !metadata.layout.is_keep()),
    ];
    let paths_have = [
        ("slug", metadata.slug.is_some()),
        ("noIndex", metadata.no_index.is_some()),
        ("noRobotsIndex", metadata.no_robots_index.is_some()),
    ];
    let refused: &[&[(&str, bool)]] = match kind {
        PageType::Document => &[],
        PageType::Group => &[&documents_have],
        PageType::Link | PageType::Computed => &[&documents_have, &paths_have],
    };
    match refused.iter().copied().flatten().find(|(_, is_given)| *is_given) {
        Some((field, _)) => Err(Problems::new(*field, "is not allowed for this kind of page")),
        None => Ok(()),
    }
}

/// Sets the metadata of a page, except for the slug, which depends on the position.
pub(super) fn describe(page: &mut PageNode, metadata: PageMetadata) -> Result<(), Problems> {
    let PageMetadata {
        title,
        link_title,
        slug: _,
        emoji,
        icon,
        description,
        hidden,
        no_index,
        no_robots_index,
        cover,
        layout,
    } = metadata;
    let cover = match cover {
        Patch::Set(PageCover { reference, ref_dark, y_pos }) => Patch::Set(PageCover {
            reference: picture(reference, "cover.ref")?,
            ref_dark: picture(ref_dark, "cover.refDark")?,
            y_pos,
        }),
        unchanged => unchanged,
    };
    if let Some(title) = title {
        page.title = title.into_text()?;
    }
    page.link_title = link_title.into_text()?.apply(page.link_title.take());
    page.emoji = emoji.into_text()?.apply(page.emoji.take());
    page.icon = icon.into_text()?.apply(page.icon.take());
    page.description = description.into_text()?.apply(page.description.take());
    page.hidden = hidden.unwrap_or(page.hidden);
    page.no_index = no_index.unwrap_or(page.no_index);
    page.no_robots_index = no_robots_index.unwrap_or(page.no_robots_index);
    page.cover = json(cover).apply(page.cover.take());
    page.layout = json(layout).apply(page.layout.take());
    Ok(())
}

fn json<T: serde::Serialize>(patch: Patch<T>) -> Patch<Box<Value>> {
    match patch {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(value) => {
            serde_json::to_value(value).map_or(Patch::Keep, |value| Patch::Set(Box::new(value)))
        }
    }
}

/// Returns the reference to a picture, without unknown keys.
fn picture(reference: Option<Value>, field: &str) -> Result<Option<Value>, Problems> {
    let Some(reference) = reference else { return Ok(None) };
    match ContentRef::from_value(&reference) {
        Some(known @ (ContentRef::File { .. } | ContentRef::Url { .. })) => Ok(Some(known.to_value())),
        _ => Err(Problems::new(field, "must refer to a file or a URL")),
    }
}
