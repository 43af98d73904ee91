//! The parts of a page that all pages of a site share: header, sections, variants and footer.

use quire_domain::sites::customization::{Customization, CustomizationContentLink, ThemedUrl};
use quire_markup::ContentRef;
use quire_render::image_address;
use quire_storage::published::{PublishedSection, PublishedSpace};
use serde_json::{Map, Value};

use super::links::Links;
use super::style;
use super::visit::Visit;
use crate::assets;
use crate::reader::{Announcement, Asset, FooterGroup, HeaderLink, Link, Logo, Section, Site, Variant};

/// Word of a setting, as it is stored.
fn word(setting: impl serde::Serialize) -> Option<String> {
    serde_json::to_value(setting).ok()?.as_str().map(str::to_owned)
}

/// Returns the references of the settings.
pub(crate) fn references_of(settings: &Customization) -> Vec<ContentRef> {
    let header = settings
        .header
        .links
        .iter()
        .flat_map(|item| item.to.iter().chain(item.links.iter().map(|link| &link.to)));
    let footer = settings.footer.groups.iter().flat_map(|group| group.links.iter().map(|link| &link.to));
    let announced =
        settings.announcement.iter().filter_map(|announcement| Some(&announcement.link.as_ref()?.to));
    header.chain(footer).chain(announced).filter_map(reference).collect()
}

/// Returns the frame of pages of a space. `links` resolves the links of the settings.
pub(crate) fn frame(visit: &Visit, space: &PublishedSpace, links: &Links<'_>) -> Site {
    let settings = &visit.settings;
    let is_customized = visit.site.site.customization.is_some();
    let first = word(settings.themes.first).filter(|_| is_customized);
    let mut styles = vec![assets::path(&visit.prefix, "site.css")];
    styles.extend(style::path(visit));
    let can_choose_theme = settings.themes.toggeable || !is_customized;
    Site {
        title: visit.title().to_owned(),
        home: visit.link(""),
        logo: settings.header.logo.as_ref().and_then(logo),
        favicon: Some(favicon(visit)),
        language: word(settings.internationalization.locale).unwrap_or_else(|| "en".to_owned()),
        is_right_to_left: false,
        theme: first,
        can_choose_theme,
        links: header(settings, links),
        search: visit.service("search"),
        sections: sections(visit, space),
        variants: variants(visit, space),
        announcement: announcement(settings, links),
        footer: footer(settings, links),
        copyright: settings.footer.copyright.clone(),
        assets: Asset {
            styles,
            theme: can_choose_theme.then(|| assets::path(&visit.prefix, "theme.js")),
            scripts: ["document.js", "reader.js"].map(|name| assets::path(&visit.prefix, name)).into(),
        },
    }
}

fn logo(logo: &ThemedUrl) -> Option<Logo> {
    let light = image_address(&logo.light)?;
    let dark = image_address(&logo.dark).filter(|dark| *dark != light);
    Some(Logo { light, dark })
}

fn favicon(visit: &Visit) -> String {
    let favicon = &visit.settings.favicon;
    if favicon.emoji.is_some() {
        return visit.service("favicon.svg");
    }
    let own = favicon.icon.as_ref().and_then(|icon| image_address(&icon.light));
    own.unwrap_or_else(|| assets::path(&visit.prefix, "favicon.svg"))
}

fn reference(to: &Map<String, Value>) -> Option<ContentRef> {
    ContentRef::from_value(&Value::Object(to.clone()))
}

fn content_link(link: &CustomizationContentLink, links: &Links<'_>) -> Option<Link> {
    Some(Link { title: link.title.clone(), href: links.address(&reference(&link.to)?)? })
}

fn header(settings: &Customization, links: &Links<'_>) -> Vec<HeaderLink> {
    let item = |item: &quire_domain::sites::customization::CustomizationHeaderItem| {
        let below: Vec<Link> = item.links.iter().filter_map(|link| content_link(link, links)).collect();
        let href = item.to.as_ref().and_then(|to| links.address(&reference(to)?));
        let style = match item.style.and_then(word).as_deref() {
            Some("button-primary") => Some("button-primary"),
            Some("button-secondary") => Some("button-secondary"),
            _ => None,
        };
        let is_shown = href.is_some() || !below.is_empty();
        let link = Link { title: item.title.clone(), href: href.unwrap_or_default() };
        is_shown.then_some(HeaderLink { link, style, links: below })
    };
    settings.header.links.iter().filter_map(item).collect()
}

fn announcement(settings: &Customization, links: &Links<'_>) -> Option<Announcement> {
    let announcement = settings.announcement.as_ref().filter(|announcement| announcement.enabled)?;
    Some(Announcement {
        style: word(announcement.style).unwrap_or_default(),
        message: announcement.message.clone(),
        link: announcement.link.as_ref().and_then(|link| content_link(link, links)),
    })
}

fn footer(settings: &Customization, links: &Links<'_>) -> Vec<FooterGroup> {
    let group = |group: &quire_domain::sites::customization::CustomizationFooterGroup| FooterGroup {
        title: group.title.clone(),
        links: group.links.iter().filter_map(|link| content_link(link, links)).collect(),
    };
    settings.footer.groups.iter().map(group).filter(|group| !group.links.is_empty()).collect()
}

/// Sections in their order. The sections of a group are a menu.
fn sections(visit: &Visit, space: &PublishedSpace) -> Vec<Section> {
    if visit.site.sections.len() < 2 {
        return Vec::new();
    }
    let mut items: Vec<(Option<String>, Section)> = Vec::new();
    for section in &visit.site.sections {
        let Some(item) = one_section(visit, section, space) else { continue };
        let group = section.group.as_ref();
        let id = group.map(|group| group.id.to_string());
        match (items.last_mut(), group) {
            (Some((last, menu)), Some(_)) if *last == id => {
                menu.is_current |= item.is_current;
                menu.sections.push(item);
            }
            (_, Some(group)) => {
                let link = Link { title: group.title.clone(), href: item.link.href.clone() };
                let (icon, is_current) = (group.icon.clone(), item.is_current);
                items.push((id, Section { link, icon, is_current, sections: vec![item] }));
            }
            (_, None) => items.push((None, item)),
        }
    }
    items.into_iter().map(|(_, item)| item).collect()
}

fn one_section(visit: &Visit, section: &PublishedSection, space: &PublishedSpace) -> Option<Section> {
    let default = visit.default_in(Some(section))?;
    Some(Section {
        link: Link { title: section.title.clone(), href: visit.link(&visit.site_path(default, "")) },
        icon: section.icon.clone(),
        is_current: space.section == Some(section.id),
        sections: Vec::new(),
    })
}

/// The other spaces of a section: versions or languages.
fn variants(visit: &Visit, space: &PublishedSpace) -> Vec<Variant> {
    let spaces: Vec<&PublishedSpace> = visit.spaces_in(visit.section_of(space)).collect();
    if spaces.len() < 2 {
        return Vec::new();
    }
    let variant = |variant: &&PublishedSpace| Variant {
        link: Link { title: variant.title.clone(), href: visit.link(&visit.site_path(variant, "")) },
        language: None,
        is_current: variant.id == space.id,
    };
    spaces.iter().map(variant).collect()
}
