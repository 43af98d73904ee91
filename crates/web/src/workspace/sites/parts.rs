//! Settings of a part of a site: a space, a section or a group of sections.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::localized::Localized;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::{Group, Section, SiteSpaceRecord};

use super::{LONGEST_TITLE, Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area, Field, Pairs, Tick};

/// Maximum length of a path segment.
const LONGEST_PATH: u32 = 100;
/// Maximum length of a condition.
const LONGEST_CONDITION: u32 = 1_028;
/// Maximum length of the name of an icon.
const LONGEST_ICON: u32 = 50;

/// Kind of a part, with its names in the addresses of the workspace and of the API.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Space,
    Section,
    Group,
}

impl Kind {
    /// Returns the kind that an address of the workspace names.
    pub(super) fn parse(name: &str) -> Option<Self> {
        [Self::Space, Self::Section, Self::Group].into_iter().find(|kind| kind.path() == name)
    }

    /// Returns the name in the addresses of the API and of the workspace.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Space => "site-spaces",
            Self::Section => "sections",
            Self::Group => "section-groups",
        }
    }
}

/// Part of a site with its settings.
enum Part {
    Space(Box<SiteSpaceRecord>),
    Section(Box<Section>),
    Group(Box<Group>),
}

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
    (kind, id): (Kind, &str),
) -> ApiResult<HttpResponse> {
    let id = id.to_owned();
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        let missing = |_| ApiError::not_found();
        let site = (&opened.site).into();
        let part = match kind {
            Kind::Space => Part::Space(Box::new(reader.site_space(site, id.parse().map_err(missing)?)?)),
            Kind::Section => Part::Section(Box::new(reader.section(site, id.parse().map_err(missing)?)?)),
            Kind::Group => Part::Group(Box::new(reader.section_group(site, id.parse().map_err(missing)?)?)),
        };
        Ok((opened, part))
    };
    let (opened, part) = Opened::load(web, caller, key, load).await?;
    let (title, id, fields) = match &part {
        Part::Space(space) => (&space.space.title, space.id.to_string(), of_space(&opened, space)),
        Part::Section(section) => (&section.title, section.id.to_string(), of_section(&opened, section)),
        Part::Group(group) => (&group.title, group.id.to_string(), of_group(group)),
    };
    let url = format!("{}/{}/{id}", opened.url(), kind.path());
    let next = format!("o/{}/sites/{}/structure", opened.site.organization, opened.site.id);
    let form =
        ApiForm { method: "PATCH", url: &url, next: Some(&next), is_primary: true, ..ApiForm::default() };
    let main = html! {
        h2 { "Settings of " (title) }
        p { a href=(opened.at("structure")) { "Structure of the site" } }
        @if opened.manages() { (form.with(fields)) }
    };
    Ok(opened.respond(Tab::Structure, &main))
}

fn of_space(opened: &Opened, space: &SiteSpaceRecord) -> Markup {
    html! {
        (path(&space.path))
        (translations("localizedTitle", "Titles in other languages", space.localized_title.as_ref(), "Visitors see the title of the space in its language."))
        (condition(opened, space.condition.as_deref()))
        (draft(space.draft, "Draft: visitors do not see the space yet"))
        (Tick { name: "hidden", label: "Hidden: menus leave the space out, and its address works", value: None, is_ticked: space.hidden })
    }
}

fn of_section(opened: &Opened, section: &Section) -> Markup {
    html! {
        (own_title(&section.title))
        (translations("localizedTitle", "Titles in other languages", section.localized_title.as_ref(), "Visitors see the title in the language of the page."))
        (path(&section.path))
        (icon(section.icon.as_deref()))
        (Field {
            name: "description",
            label: "Description",
            value: section.description.as_deref().unwrap_or_default(),
            clears: true,
            ..Field::default()
        })
        (translations("localizedDescription", "Descriptions in other languages", section.localized_description.as_ref(), "Visitors see the description in the language of the page."))
        (condition(opened, section.condition.as_deref()))
        (draft(section.draft, "Draft: visitors do not see the section yet"))
    }
}

fn of_group(group: &Group) -> Markup {
    html! {
        (own_title(&group.title))
        (translations("localizedTitle", "Titles in other languages", group.localized_title.as_ref(), "Visitors see the title in the language of the page."))
        (icon(group.icon.as_deref()))
        (draft(group.draft, "Draft: visitors do not see the group and its sections yet"))
    }
}

fn own_title(title: &str) -> Markup {
    html! {
        (Field { name: "title", label: "Title", value: title, is_required: true, longest: LONGEST_TITLE, ..Field::default() })
    }
}

fn path(path: &str) -> Markup {
    html! {
        (Field {
            name: "path",
            label: "Path",
            value: path,
            is_required: true,
            hint: Some("Part of its address. The default has none."),
            longest: LONGEST_PATH,
            ..Field::default()
        })
    }
}

fn icon(icon: Option<&str>) -> Markup {
    html! {
        (Field {
            name: "icon",
            label: "Icon",
            value: icon.unwrap_or_default(),
            hint: Some("Name of a Font Awesome icon, such as book."),
            clears: true,
            longest: LONGEST_ICON,
            ..Field::default()
        })
    }
}

fn draft(is_draft: bool, label: &'static str) -> Markup {
    html! { (Tick { name: "draft", label, value: None, is_ticked: is_draft }) }
}

/// Returns the field of a condition, with a note while the site does not pass claims to conditions.
fn condition(opened: &Opened, condition: Option<&str>) -> Markup {
    let is_adaptive = opened.site.adaptive_content == Some(true);
    html! {
        (Field {
            name: "condition",
            label: "Only for visitors for whom this is true",
            value: condition.unwrap_or_default(),
            hint: Some("JavaScript expression over the claims of a visitor, such as visitor.claims.plan === \"pro\". Leave empty for all visitors."),
            clears: true,
            longest: LONGEST_CONDITION,
            ..Field::default()
        })
        @if !is_adaptive {
            p.note { "Conditions see no claims yet. " a href=(opened.at("access")) { "Switch adaptive content on" } }
        }
    }
}

/// Returns a field with one translation a line.
fn translations(
    name: &'static str,
    label: &'static str,
    texts: Option<&Localized>,
    about: &'static str,
) -> Markup {
    let lines: Vec<String> =
        texts.into_iter().flatten().map(|(language, text)| format!("{}={text}", language.as_str())).collect();
    let hint = format!("One per line, such as de=Handbuch. {about}");
    html! {
        (Pairs(Area { name, label, value: &lines.join("\n"), hint: Some(&hint), is_required: false, is_list: false }))
    }
}
