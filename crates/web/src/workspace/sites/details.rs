//! Settings of a site's appearance that have no preview: announcement, logos, header, footer, menus of pages, fonts and
//! colors. Each form replaces the stored settings and keeps those of the other forms.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_server::{ApiError, ApiResult};
use quire_storage::lookup::Credentials;
use serde_json::Value;

use super::link_lines::{accounts, columns, link, menus};
use super::look::{settings_of, six_digits};
use super::{Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area, Field, Lines, Select, Tick, Whole};

const STYLES: [(&str, &str); 4] =
    [("info", "Information"), ("success", "Success"), ("warning", "Warning"), ("danger", "Danger")];
const TARGETS: [(&str, &str); 2] = [("self", "In the same tab"), ("blank", "In a new tab")];
const LOCALES: [(&str, &str); 10] = [
    ("en", "English"),
    ("fr", "Français"),
    ("es", "Español"),
    ("zh", "中文"),
    ("ja", "日本語"),
    ("de", "Deutsch"),
    ("nl", "Nederlands"),
    ("no", "Norsk"),
    ("pt-br", "Português (Brasil)"),
    ("ru", "Русский"),
];
const FONTS: [&str; 15] = [
    "Inter",
    "ABCFavorit",
    "Roboto",
    "RobotoSlab",
    "OpenSans",
    "SourceSansPro",
    "Lato",
    "Ubuntu",
    "Raleway",
    "Merriweather",
    "Overpass",
    "NotoSans",
    "IBMPlexSerif",
    "Poppins",
    "FiraSans",
];
const CODE_FONTS: [&str; 8] = [
    "FiraCode",
    "IBMPlexMono",
    "JetBrainsMono",
    "SourceCodePro",
    "RobotoMono",
    "SpaceMono",
    "DMMono",
    "Inconsolata",
];
const LINKS: [(&str, &str); 2] = [("default", "Underlined"), ("accent", "In the main color")];
const DEPTHS: [(&str, &str); 2] = [("subtle", "Soft shadows"), ("flat", "No shadows")];
const BACKGROUNDS: [(&str, &str); 2] = [("default", "Plain"), ("filled", "Filled")];
const ENTRIES: [(&str, &str); 3] = [("default", "Plain"), ("pill", "Rounded"), ("line", "With a line")];
const SEARCHES: [(&str, &str); 2] = [("prominent", "Wide"), ("subtle", "Small")];
/// Colors of hints and states, with their labels.
const COLORS: [(&str, &str); 8] = [
    ("styling.infoColor.light", "Information on light pages"),
    ("styling.infoColor.dark", "Information on dark pages"),
    ("styling.successColor.light", "Success on light pages"),
    ("styling.successColor.dark", "Success on dark pages"),
    ("styling.warningColor.light", "Warnings on light pages"),
    ("styling.warningColor.dark", "Warnings on dark pages"),
    ("styling.dangerColor.light", "Danger on light pages"),
    ("styling.dangerColor.dark", "Danger on dark pages"),
];
/// Maximum length of an announcement.
const LONGEST_MESSAGE: u32 = 128;

/// Settings of a site with the address that replaces them.
struct Details {
    settings: Value,
    url: String,
}

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let opened = Opened::load(web, caller, key, |_, opened| Ok(opened)).await?;
    let settings = serde_json::to_value(settings_of(&opened.site)?).map_err(ApiError::internal)?;
    let details = Details { settings, url: format!("{}/customization", opened.url()) };
    let main = html! {
        h2 { "More of the look" }
        p { "Each form is saved by itself. " a href=(opened.at("look")) { "Title, colors and preview" } }
        @if opened.manages() {
            (details.announcement())
            (details.pictures())
            (details.header())
            (details.footer())
            (details.pages())
            (details.styling())
            (details.everything()?)
        }
    };
    Ok(opened.respond(Tab::Look, &main))
}

impl Details {
    fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.settings, |value, name| value.get(name))
    }

    fn text(&self, path: &str) -> &str {
        self.at(path).and_then(Value::as_str).unwrap_or_default()
    }

    fn is_on(&self, path: &str) -> bool {
        self.at(path).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Returns a form with the stored settings except for `owned`, which are absent if their fields are empty.
    fn form(&self, title: &str, submit: &str, owned: &[&str], fields: &Markup) -> Markup {
        let mut body = self.settings.clone();
        for path in owned {
            remove(&mut body, path);
        }
        let body = body.to_string();
        ApiForm { method: "PUT", url: &self.url, body: Some(&body), submit, ..ApiForm::default() }
            .named(title, fields)
    }

    fn field(&self, name: &'static str, label: &'static str, hint: Option<&'static str>) -> Markup {
        html! { (Field { name, label, value: self.text(name), hint, ..Field::default() }) }
    }

    fn switch(&self, name: &'static str, label: &'static str) -> Markup {
        html! { (Tick { name, label, value: None, is_ticked: self.is_on(name) }) }
    }

    fn choice(&self, name: &'static str, label: &'static str, options: &[(&str, &str)]) -> Markup {
        html! { (Select { name, label, options, value: self.text(name), hint: None }) }
    }

    /// Returns a field with one link a line, or a note if the links have parts that lines cannot express.
    fn lines(&self, field: &Lines<'_>, text: Option<&str>) -> Markup {
        match text {
            Some(value) => html! { (Lines { area: Area { value, ..field.area }, ..*field }) },
            None => html! {
                p.note { (field.area.label) ": they have translations, conditions or targets that only " em { "All settings" } " below can change." }
            },
        }
    }

    fn announcement(&self) -> Markup {
        let announcement = self.at("announcement");
        let found = announcement.and_then(|announcement| announcement.get("link"));
        let text = found.map_or_else(|| Some(String::new()), link);
        let owned: &[&str] = if text.is_some() { &["announcement.link"] } else { &[] };
        let area = Area {
            name: "announcement.link",
            label: "Link of the announcement",
            value: "",
            hint: Some(
                "A title, = and an address, such as Read more = https://example.com/news. May be empty.",
            ),
            is_required: false,
            is_list: false,
        };
        html! {
            (self.form("Announcement", "Save the announcement", owned, &html! {
                (Field { name: "announcement.message", label: "Text of the announcement", value: self.text("announcement.message"), is_required: true, longest: LONGEST_MESSAGE, ..Field::default() })
                (self.choice("announcement.style", "Kind of the announcement", &STYLES))
                (self.lines(&Lines { area, kind: "link" }, text.as_deref()))
                (self.switch("announcement.enabled", "Show it above all pages"))
            }))
            @if announcement.is_some() { (self.removal()) }
        }
    }

    fn removal(&self) -> Markup {
        let mut body = self.settings.clone();
        remove(&mut body, "announcement");
        let body = body.to_string();
        ApiForm {
            method: "PUT",
            url: &self.url,
            body: Some(&body),
            submit: "Remove the announcement",
            ..ApiForm::default()
        }
        .alone("Remove the announcement")
    }

    fn pictures(&self) -> Markup {
        let both = Some("Address of a picture. Give one for light and one for dark pages, or none.");
        let owned = ["header.logo", "favicon.icon", "favicon.emoji", "footer.logo", "socialPreview.url"];
        self.form("Logos and icons", "Save the pictures", &owned, &html! {
            (self.field("header.logo.light", "Logo on light pages", both))
            (self.field("header.logo.dark", "Logo on dark pages", None))
            (self.field("favicon.emoji", "Emoji as the icon of the site", Some("Instead of a picture.")))
            (self.field("favicon.icon.light", "Icon of the site in a light browser", both))
            (self.field("favicon.icon.dark", "Icon of the site in a dark browser", None))
            (self.field("footer.logo.light", "Logo of the footer on light pages", both))
            (self.field("footer.logo.dark", "Logo of the footer on dark pages", None))
            (self.field("socialPreview.url", "Picture for links to the site", Some("Leave empty for a picture with the title of the page.")))
        })
    }

    fn header(&self) -> Markup {
        let text = self.at("header.links").map_or_else(|| Some(String::new()), menus);
        let area = Area {
            name: "header.links",
            label: "Links in the header",
            value: "",
            hint: Some(
                "One per line, such as Blog = https://example.com/blog. More > Status = https://example.com/status is a link in the menu More.",
            ),
            is_required: false,
            is_list: false,
        };
        self.form(
            "Header",
            "Save the header",
            &[],
            &self.lines(&Lines { area, kind: "menus" }, text.as_deref()),
        )
    }

    fn footer(&self) -> Markup {
        let groups = self.at("footer.groups").map_or_else(|| Some(String::new()), columns);
        let handles = self.at("socialAccounts").map_or_else(|| Some(String::new()), accounts);
        let columns = Area {
            name: "footer.groups",
            label: "Columns of links",
            value: "",
            hint: Some("One link per line, such as Product > Prices = https://example.com/prices."),
            is_required: false,
            is_list: false,
        };
        let accounts = Area {
            name: "socialAccounts",
            label: "Accounts on social platforms",
            value: "",
            hint: Some("One per line, such as github = acme."),
            is_required: false,
            is_list: false,
        };
        self.form(
            "Footer",
            "Save the footer",
            &["footer.copyright", "privacyPolicy.url"],
            &html! {
                (self.lines(&Lines { area: columns, kind: "columns" }, groups.as_deref()))
                (self.field("footer.copyright", "Copyright line", None))
                (self.field("privacyPolicy.url", "Address of the privacy policy", None))
                (self.lines(&Lines { area: accounts, kind: "accounts" }, handles.as_deref()))
                (self.switch("trademark.enabled", "Name the software in the footer"))
            },
        )
    }

    fn pages(&self) -> Markup {
        let actions: Vec<&str> = self
            .at("pageActions.items")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        self.form("Pages", "Save the settings of pages", &[], &html! {
            (self.choice("internationalization.locale", "Language of menus and buttons", &LOCALES))
            (self.choice("externalLinks.target", "Links to other sites open", &TARGETS))
            (Area {
                name: "pageActions.items",
                label: "Menu of a page",
                value: &actions.join("\n"),
                hint: Some("One per line: markdown, external-ai, mcp, pdf, git or assistant. The first one is the button."),
                is_required: false,
                is_list: true,
            })
            (self.switch("git.showEditLink", "Link pages to their source in the Git repository"))
        })
    }

    fn styling(&self) -> Markup {
        self.form("Fonts and colors", "Save fonts and colors", &["styling.tint"], &html! {
            (self.font("styling.font", "Font of texts", &FONTS, None))
            (self.font("styling.headingFont", "Font of headings", &FONTS, Some("As for texts")))
            (self.font("styling.monospaceFont", "Font of code", &CODE_FONTS, None))
            (self.choice("styling.links", "Links in texts", &LINKS))
            (self.choice("styling.depth", "Shadows", &DEPTHS))
            (self.choice("styling.sidebar.background", "Background of the navigation", &BACKGROUNDS))
            (self.choice("styling.sidebar.list", "Entries of the navigation", &ENTRIES))
            (self.choice("styling.search", "Search field", &SEARCHES))
            (self.field("styling.tint.color.light", "Tint of light pages", Some("Color such as #EDF4FF. Give one for light and one for dark pages, or none.")))
            (self.field("styling.tint.color.dark", "Tint of dark pages", None))
            @for (name, label) in COLORS {
                (Field { name, label, kind: "color", value: &six_digits(self.text(name)), ..Field::default() })
            }
            (self.field("styling.codeTheme.default.light", "Theme of code on light pages", Some("Such as github-light.")))
            (self.field("styling.codeTheme.default.dark", "Theme of code on dark pages", Some("Such as github-dark.")))
            (self.field("styling.codeTheme.openapi.light", "Theme of code of APIs on light pages", None))
            (self.field("styling.codeTheme.openapi.dark", "Theme of code of APIs on dark pages", None))
        })
    }

    /// Returns the choice of a font. A font of one's own is kept until another is chosen.
    fn font(
        &self,
        name: &'static str,
        label: &'static str,
        fonts: &[&'static str],
        none: Option<&'static str>,
    ) -> Markup {
        let own = self.at(name).and_then(|font| font.get("fontFamily")).and_then(Value::as_str);
        let kept = own.map(|own| format!("{own} (your own)"));
        let kept = kept.as_deref().map(|kept| ("", kept));
        let none = none.map(|none| ("null", none));
        let options: Vec<(&str, &str)> =
            kept.into_iter().chain(none).chain(fonts.iter().map(|font| (*font, *font))).collect();
        let stored = if own.is_some() { "" } else { self.text(name) };
        let value = if stored.is_empty() && own.is_none() { "null" } else { stored };
        html! { (Select { name, label, options: &options, value, hint: None }) }
    }

    /// Returns the form of all settings as JSON, for those without fields.
    fn everything(&self) -> ApiResult<Markup> {
        let mut settings = self.settings.clone();
        remove(&mut settings, "updatedAt");
        let text = serde_json::to_string_pretty(&settings).map_err(ApiError::internal)?;
        let form =
            ApiForm { method: "PUT", url: &self.url, submit: "Save all settings", ..ApiForm::default() };
        Ok(html! {
            details {
                summary { "All settings" }
                (form.named("All settings as JSON", Whole(Area {
                    name: "settings",
                    label: "Settings",
                    value: &text,
                    hint: Some("Also fonts of your own, translations, conditions of links, and settings for a front end of your own. An absent setting gets its default."),
                    is_required: true,
                    is_list: false,
                })))
            }
        })
    }
}

/// Removes the member of an object at a dotted path.
fn remove(object: &mut Value, path: &str) {
    let Value::Object(members) = object else { return };
    match path.split_once('.') {
        Some((name, rest)) => {
            if let Some(inner) = members.get_mut(name) {
                remove(inner, rest);
            }
        }
        None => drop(members.remove(path)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_member_is_removed_at_its_path_only() {
        let mut settings = json!({"header": {"logo": {"light": "a"}, "links": []}, "title": "Ferry"});
        remove(&mut settings, "header.logo");
        remove(&mut settings, "footer.logo");
        remove(&mut settings, "title.of");
        assert_eq!(settings, json!({"header": {"links": []}, "title": "Ferry"}));
    }
}
