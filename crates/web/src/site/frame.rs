//! Frame that all pages of a site share: header, sections, variants and footer.

use std::collections::HashMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::ids::SiteSpaceId;
use quire_domain::localized::in_language;
use quire_domain::sites::SiteVisibility;
use quire_domain::sites::customization::{
    Customization, CustomizationContentLink, SiteSocialAccount, SocialPlatform, ThemedUrl,
};
use quire_markup::ContentRef;
use quire_render::{image_address, link_address};
use quire_storage::sites::published::{PublishedSection, PublishedSpace};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use time::macros::format_description;

use super::links::Links;
use super::request::LOGOUT;
use super::setting::word;
use super::visit::{Previewed, Visit};
use super::{fonts, style};
use crate::assets;
use crate::reader::{
    Account, Announcement, Asset, FooterGroup, HeaderLink, Link, Logo, PageWords, Preview, Section, Site,
    Variant,
};

/// Languages that are read from right to left.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"];
/// Characters that are escaped in account names.
const HANDLE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'/').remove(b'~');

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
    let primary = settings.header.primary_link.iter();
    header.chain(footer).chain(announced).chain(primary).filter_map(reference).collect()
}

/// Returns the frame for pages of a space with these settings. `links` resolves links in the settings.
pub(crate) fn frame(
    visit: &Visit,
    space: &PublishedSpace,
    settings: &Customization,
    links: &Links<'_>,
) -> Site {
    let [has_style, has_themes] = ["styling", "themes"].map(|group| visit.is_customized(space, group));
    let first = word(settings.themes.first).filter(|theme| has_themes && theme != "system");
    let mut styles = vec![assets::path(&visit.prefix, "site.css")];
    styles.extend(has_style.then(|| style::path(visit, space, &settings.styling)));
    let font = fonts::first_file(&settings.styling.font).filter(|_| has_style);
    let primary = settings.header.primary_link.as_ref().and_then(reference);
    let can_choose_theme = settings.themes.toggeable || !has_themes;
    let language = language(space, settings);
    Site {
        title: settings.title.clone().unwrap_or_else(|| {
            let title = &visit.site.site.title;
            in_language(title, settings.localized_title.as_ref(), space.language).to_owned()
        }),
        home: primary.and_then(|link| links.address(&link)).unwrap_or_else(|| visit.link("")),
        words: PageWords::of(&language),
        brand: None,
        logo: settings.header.logo.as_ref().and_then(logo),
        favicon: Some(favicon(visit, space, settings)),
        is_right_to_left: RIGHT_TO_LEFT.contains(&language.split('-').next().unwrap_or_default()),
        language,
        theme: first,
        can_choose_theme,
        links: header(settings, links),
        search: visit.service("search"),
        sections: sections(visit, space),
        variants: variants(visit, space, &HashMap::new()),
        announcement: announcement(settings, links),
        footer: footer(settings, links),
        footer_logo: settings.footer.logo.as_ref().and_then(logo),
        copyright: settings.footer.copyright.clone(),
        accounts: settings.social_accounts.iter().filter_map(account).collect(),
        privacy: settings.privacy_policy.url.as_deref().and_then(link_address),
        has_trademark: settings.trademark.enabled,
        opens_tabs: word(settings.external_links.target).as_deref() == Some("blank"),
        sign_out: visit.is_vouched.then(|| format!("{}/{LOGOUT}", visit.prefix)),
        preview: visit.preview.as_ref().map(|preview| banner(visit, preview)),
        assets: Asset {
            styles,
            font: font.map(|file| assets::path(&visit.prefix, file)),
            theme: can_choose_theme.then(|| assets::path(&visit.prefix, "theme.js")),
            scripts: ["document.js", "reader.js"].map(|name| assets::path(&visit.prefix, name)).into(),
        },
    }
}

/// Returns the language of a space's pages as a tag: its own, or that of the settings.
fn language(space: &PublishedSpace, settings: &Customization) -> String {
    language_of(space)
        .or_else(|| word(settings.internationalization.locale))
        .map_or_else(|| "en".to_owned(), |tag| tagged(&tag))
}

/// Returns the language that a space defines itself.
pub(super) fn language_of(space: &PublishedSpace) -> Option<String> {
    space.language.and_then(word)
}

/// Returns a language as a BCP 47 tag, with its region in upper case.
fn tagged(language: &str) -> String {
    match language.split_once('-') {
        Some((language, region)) => format!("{language}-{}", region.to_ascii_uppercase()),
        None => language.to_owned(),
    }
}

fn banner(visit: &Visit, preview: &Previewed) -> Preview {
    let until = OffsetDateTime::from_unix_timestamp(preview.ends).ok();
    let until = until
        .and_then(|time| time.format(format_description!("[hour]:[minute] UTC")).ok())
        .unwrap_or_default();
    let message = match &preview.state {
        None if preview.framed_by.is_some() => {
            format!("The site with settings that are not saved, until {until}.")
        }
        None => format!("The site as it would be published, until {until}."),
        Some((content, space)) => match &content.change_request {
            Some((number, subject)) => {
                format!("Change request #{number} “{subject}” of “{}”, until {until}.", space.title)
            }
            None => {
                let time = OffsetDateTime::from(content.created_at);
                let day = time.format(format_description!("[year]-[month]-[day] [hour]:[minute] UTC"));
                format!("Revision of {} of “{}”, until {until}.", day.unwrap_or_default(), space.title)
            }
        },
    };
    // A page within a frame has no link to the published site.
    let is_published = preview.framed_by.is_none()
        && visit.site.site.published
        && visit.site.site.visibility != SiteVisibility::ShareLink;
    let published = is_published.then(|| visit.prefix.rsplit_once('/').map_or("", |(root, _)| root));
    let published = published.map(|root| if root.is_empty() { "/".to_owned() } else { root.to_owned() });
    Preview { message, change_request: preview.change_request.clone(), published }
}

/// Returns an account on a social platform. `None` if its name cannot be part of a URL.
fn account(account: &SiteSocialAccount) -> Option<Account> {
    let handle = utf8_percent_encode(&account.handle, HANDLE).to_string();
    let (title, icon, address) = match account.platform {
        SocialPlatform::Twitter => ("X", "x-twitter", format!("https://x.com/{handle}")),
        SocialPlatform::Instagram => {
            ("Instagram", "instagram", format!("https://www.instagram.com/{handle}"))
        }
        SocialPlatform::Facebook => ("Facebook", "facebook", format!("https://www.facebook.com/{handle}")),
        SocialPlatform::Linkedin => {
            ("LinkedIn", "linkedin", format!("https://www.linkedin.com/{}", in_folder(&handle, "company")))
        }
        SocialPlatform::Github => ("GitHub", "github", format!("https://github.com/{handle}")),
        SocialPlatform::Discord => ("Discord", "discord", format!("https://discord.gg/{handle}")),
        SocialPlatform::Slack => ("Slack", "slack", format!("https://{}.slack.com", account.handle)),
        SocialPlatform::Youtube => ("YouTube", "youtube", format!("https://www.youtube.com/@{handle}")),
        SocialPlatform::Tiktok => ("TikTok", "tiktok", format!("https://www.tiktok.com/@{handle}")),
        SocialPlatform::Reddit => {
            ("Reddit", "reddit", format!("https://www.reddit.com/{}", in_folder(&handle, "r")))
        }
        SocialPlatform::Bluesky => ("Bluesky", "bluesky", format!("https://bsky.app/profile/{handle}")),
        SocialPlatform::Mastodon => {
            let (name, server) = account
                .handle
                .trim_start_matches('@')
                .split_once('@')
                .unwrap_or((&account.handle, "mastodon.social"));
            ("Mastodon", "mastodon", format!("https://{server}/@{name}"))
        }
        SocialPlatform::Threads => ("Threads", "threads", format!("https://www.threads.net/@{handle}")),
        SocialPlatform::Medium => ("Medium", "medium", format!("https://medium.com/@{handle}")),
    };
    // Some names become part of the host, where they may be invalid.
    let href = link_address(&address).filter(|address| url::Url::parse(address).is_ok())?;
    let link = Link { title: title.to_owned(), href };
    Some(Account { link, icon, in_header: account.display.header, in_footer: account.display.footer })
}

/// Returns a name within the folder of its kind, unless it contains a folder.
fn in_folder(handle: &str, folder: &str) -> String {
    if handle.contains('/') { handle.to_owned() } else { format!("{folder}/{handle}") }
}

fn logo(logo: &ThemedUrl) -> Option<Logo> {
    let light = image_address(&logo.light)?;
    let dark = image_address(&logo.dark).filter(|dark| *dark != light);
    Some(Logo { light, dark })
}

fn favicon(visit: &Visit, space: &PublishedSpace, settings: &Customization) -> String {
    let favicon = &settings.favicon;
    if favicon.emoji.is_some() {
        // A space whose emoji differs from the site's has an icon of its own.
        return match favicon.emoji == visit.settings.favicon.emoji {
            true => visit.service("favicon.svg"),
            false => visit.service(&format!("favicon/{}.svg", space.id)),
        };
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

/// Returns the sections in order, without those whose spaces are all hidden. Sections of a group are a menu.
fn sections(visit: &Visit, space: &PublishedSpace) -> Vec<Section> {
    if visit.site.sections.len() < 2 {
        return Vec::new();
    }
    let mut items: Vec<(Option<String>, Section)> = Vec::new();
    for section in &visit.site.sections {
        let is_current = space.section == Some(section.id);
        if !is_current && visit.spaces_in(Some(section)).all(|space| space.hidden) {
            continue;
        }
        let Some(item) = one_section(visit, section, space) else { continue };
        let group = section.group.as_ref();
        let id = group.map(|group| group.id.to_string());
        match (items.last_mut(), group) {
            (Some((last, menu)), Some(_)) if *last == id => {
                menu.is_current |= item.is_current;
                menu.sections.push(item);
            }
            (_, Some(group)) => {
                let title = in_language(&group.title, group.localized_title.as_ref(), space.language);
                let link = Link { title: title.to_owned(), href: item.link.href.clone() };
                let (icon, is_current) = (group.icon.clone(), item.is_current);
                items.push((id, Section { link, icon, description: None, is_current, sections: vec![item] }));
            }
            (_, None) => items.push((None, item)),
        }
    }
    items.into_iter().map(|(_, item)| item).collect()
}

fn one_section(visit: &Visit, section: &PublishedSection, space: &PublishedSpace) -> Option<Section> {
    let default = visit.default_in(Some(section))?;
    let title = in_language(&section.title, section.localized_title.as_ref(), space.language);
    let description = section.description.as_deref().unwrap_or_default();
    let description = in_language(description, section.localized_description.as_ref(), space.language);
    Some(Section {
        link: Link { title: title.to_owned(), href: visit.link(&visit.site_path(default, "")) },
        icon: section.icon.clone(),
        description: (!description.is_empty()).then(|| description.to_owned()),
        is_current: space.section == Some(section.id),
        sections: Vec::new(),
    })
}

/// Returns the variants of a section (versions or languages), each with the address of the page at the same path, or
/// else of its first page. Hidden variants are left out unless they are the current one.
pub(super) fn variants(
    visit: &Visit,
    space: &PublishedSpace,
    same: &HashMap<SiteSpaceId, String>,
) -> Vec<Variant> {
    let spaces: Vec<&PublishedSpace> = visit.variants_of(space).collect();
    if spaces.len() < 2 {
        return Vec::new();
    }
    let variant = |variant: &&PublishedSpace| {
        let first = || visit.site_path(variant, "");
        let href = visit.link(&same.get(&variant.id).cloned().unwrap_or_else(first));
        let title = in_language(&variant.title, variant.localized_title.as_ref(), space.language);
        Variant {
            link: Link { title: title.to_owned(), href },
            language: language_of(variant).map(|language| tagged(&language)),
            is_current: variant.id == space.id,
        }
    };
    spaces.iter().map(variant).collect()
}

/// Returns the tag and URL of the same page in each language of a section. Empty if there is only one language.
pub(super) fn alternates(
    visit: &Visit,
    space: &PublishedSpace,
    same: &HashMap<SiteSpaceId, String>,
) -> Vec<(String, String)> {
    let mut alternates: Vec<(String, String)> = Vec::new();
    for variant in visit.variants_of(space) {
        let (Some(language), Some(path)) = (language_of(variant), same.get(&variant.id)) else { continue };
        let language = tagged(&language);
        if !alternates.iter().any(|(known, _)| *known == language) {
            alternates.push((language, visit.url(path)));
        }
    }
    if alternates.len() < 2 {
        alternates.clear();
    }
    alternates
}
