//! Appearance of a site: stored settings with their defaults.
//!
//! A request replaces all settings; absent ones have their defaults. The defaults equal those of the public renderer of
//! the reference product.

mod code_theme;
mod content;
mod fonts;
mod social;
mod styling;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

pub use self::code_theme::{CodeTheme, CustomizationCodeTheme, ThemedCodeTheme};
pub use self::content::{
    CustomizationAnnouncement, CustomizationContentLink, CustomizationFavicon, CustomizationFooter,
    CustomizationFooterGroup, CustomizationHeader, CustomizationHeaderItem,
};
pub use self::fonts::{CustomFont, CustomizationFont, CustomizationMonospaceFont};
pub use self::social::{PageAction, SiteSocialAccount, SocialAccountDisplay, SocialPlatform};
pub use self::styling::{CustomizationStyling, ThemedColor, ThemedUrl};
use crate::features::{ToSchema, Validate, ValidationErrors};
use crate::{object_only, patch, texts, urls};

/// Most accounts on social platforms.
pub const SOCIAL_ACCOUNTS_MAX: u64 = 10;
/// Most entries of the menu of a page.
pub const PAGE_ACTIONS_MAX: u64 = 10;

/// Customization of a site: its appearance.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Customization {
    /// Title to show. Default: the title of the site.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<String>,
    /// Colours, shapes and fonts.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub styling: CustomizationStyling,
    /// Language of the user interface.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub internationalization: CustomizationInternationalization,
    /// Favicon.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub favicon: CustomizationFavicon,
    /// Header.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub header: CustomizationHeader,
    /// Footer.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub footer: CustomizationFooter,
    /// Announcement above the content.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub announcement: Option<CustomizationAnnouncement>,
    /// Light and dark mode.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub themes: CustomizationThemes,
    /// Switch for PDF downloads by visitors. On by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub pdf: OnByDefault,
    /// Switch for page ratings by visitors. Off by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub feedback: OffByDefault,
    /// Switch for AI answers in search. On by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub ai_search: OnByDefault,
    /// AI features.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub ai: CustomizationAi,
    /// Switch for the settings of an advanced plan. Off by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub advanced_customization: OffByDefault,
    /// Links to the Git repository.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub git: CustomizationGit,
    /// Page actions for visitors.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub page_actions: CustomizationPageActions,
    /// Links to other sites.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub external_links: CustomizationExternalLinks,
    /// Switch for links to the previous and next page. On by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub pagination: OnByDefault,
    /// Switch for the name of the service in the footer. On by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub trademark: OnByDefault,
    /// Privacy policy.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub privacy_policy: CustomizationUrl,
    /// Image for previews of links to the site.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub social_preview: CustomizationUrl,
    /// Accounts of the owner on social platforms.
    #[serde(deserialize_with = "object_only::objects")]
    #[validate(nested, length(max = "SOCIAL_ACCOUNTS_MAX"))]
    #[schema(required = false, max_items = 10)]
    pub social_accounts: Vec<SiteSocialAccount>,
    /// Visitor statistics.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub insights: CustomizationInsights,
}

/// Checks all settings, for stored ones that are read outside a request.
///
/// # Errors
/// The failing fields.
#[cfg(feature = "validation")]
pub fn check_customization(customization: &Customization) -> Result<(), ValidationErrors> {
    customization.validate()
}

/// Declares a setting with one switch.
macro_rules! switches {
    ($($(#[doc = $doc:literal])* $name:ident, $key:ident: $default:literal, $what:literal;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name {
            #[doc = $what]
            #[schema(required = false)]
            pub $key: bool,
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $key: $default }
            }
        }
    )*};
}

switches! {
    /// Switch that is on by default.
    OnByDefault, enabled: true, "`true` if the switch is on.";
    /// Switch that is off by default.
    OffByDefault, enabled: false, "`true` if the switch is on.";
    /// Links to the Git repository.
    CustomizationGit, show_edit_link: false, "`true` if pages link to their source in the repository.";
    /// Visitor statistics.
    CustomizationInsights, tracking_cookie: true, "`true` if a cookie distinguishes visitors.";
}

/// Declares settings with a fixed set of values, the first of which is the default.
macro_rules! wire_enum {
    ($($(#[doc = $doc:literal])* $name:ident { $default:ident = $default_word:tt $(, $variant:ident = $word:tt)* $(,)? })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, crate::features::ToSchema)]
        #[allow(missing_docs, reason = "the names say it, and the reference says no more")]
        pub enum $name {
            #[default]
            #[serde(rename = $default_word)]
            $default,
            $(#[serde(rename = $word)] $variant,)*
        }
    )*};
}
pub(crate) use wire_enum;

wire_enum! {
    /// Language of the user interface.
    CustomizationLocale {
        En = "en", Fr = "fr", Es = "es", Zh = "zh", Ja = "ja", De = "de", Nl = "nl", No = "no", PtBr = "pt-br",
    }
    /// Light or dark mode.
    CustomizationThemeMode { Light = "light", Dark = "dark" }
    /// AI mode of the search.
    CustomizationAiMode { None = "none", Search = "search", Assistant = "assistant" }
    /// Target of links to other sites.
    ExternalLinksTarget { SameTab = "self", NewTab = "blank" }
}

/// Language of the user interface.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationInternationalization {
    /// Language of the user interface.
    #[schema(required = false)]
    pub locale: CustomizationLocale,
}

/// Light and dark mode.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationThemes {
    /// Initial mode.
    #[serde(rename = "default")]
    #[schema(required = false)]
    pub first: CustomizationThemeMode,
    /// `true` if visitors can switch the mode. The API reference spells the key so.
    #[schema(required = false)]
    pub toggeable: bool,
}

/// AI features.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationAi {
    /// AI mode of the search.
    #[schema(required = false)]
    pub mode: CustomizationAiMode,
    /// Summaries of linked pages. Off by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub page_link_summaries: OffByDefault,
}

/// Page actions for visitors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CustomizationPageActions {
    /// Entries of the menu of a page.
    #[validate(length(max = "PAGE_ACTIONS_MAX"))]
    #[schema(required = false, max_items = 10)]
    pub items: Vec<PageAction>,
    /// `true` to offer opening the page in an external AI assistant.
    #[serde(rename = "externalAI")]
    #[schema(required = false)]
    pub external_ai: bool,
    /// `true` to offer the page as Markdown.
    #[schema(required = false)]
    pub markdown: bool,
}

impl Default for CustomizationPageActions {
    fn default() -> Self {
        let items = vec![PageAction::Markdown, PageAction::ExternalAi, PageAction::Pdf];
        Self { items, external_ai: true, markdown: true }
    }
}

/// Links to other sites.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationExternalLinks {
    /// Target of the links: the same tab or a new one.
    #[schema(required = false)]
    pub target: ExternalLinksTarget,
}

/// Optional URL.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CustomizationUrl {
    /// URL.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "urls::link_url"))]
    #[schema(value_type = texts::Url, required = false)]
    pub url: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::field_errors;

    fn failing(body: serde_json::Value) -> Vec<String> {
        match serde_json::from_value::<Customization>(body) {
            Ok(settings) => {
                let errors = check_customization(&settings).err().unwrap_or_default();
                field_errors(&errors).into_iter().map(|error| error.field).collect()
            }
            Err(error) => vec![error.to_string()],
        }
    }

    #[test]
    fn nothing_is_the_default_and_the_default_passes() {
        let settings: Customization = serde_json::from_value(json!({})).unwrap();
        assert_eq!(settings, Customization::default());
        assert!(check_customization(&settings).is_ok());
        let written = serde_json::to_value(&settings).unwrap();
        assert_eq!(written["themes"], json!({"default": "light", "toggeable": false}));
        assert_eq!(written["styling"]["primaryColor"], json!({"light": "#346DDB", "dark": "#346DDB"}));
        assert_eq!(written["styling"]["font"], "Inter");
        assert_eq!(written["insights"], json!({"trackingCookie": true}));
        assert_eq!(written["ai"], json!({"mode": "none", "pageLinkSummaries": {"enabled": false}}));
        assert_eq!(serde_json::from_value::<Customization>(written).unwrap(), settings);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let rows = [
            (
                json!({"styling": {"primaryColor": {"light": "blue", "dark": "#fff"}}}),
                "styling.primaryColor.light",
            ),
            (
                json!({"header": {"links": [{"title": "a", "to": null}, {"title": "b", "to": {"kind": "url"}}]}}),
                "header.links[1].to",
            ),
            (json!({"footer": {"copyright": "c".repeat(301)}}), "footer.copyright"),
            (
                json!({"announcement": {"enabled": true, "message": "m", "style": "info"}}),
                "announcement.message",
            ),
            (json!({"privacyPolicy": {"url": "nowhere"}}), "privacyPolicy.url"),
            (
                json!({"favicon": {"emoji": "1f680", "icon": {"light": "https://a.example/i.png", "dark": "https://a.example/i.png"}}}),
                "favicon",
            ),
        ];
        for (body, field) in rows {
            assert_eq!(failing(body.clone()), [field], "{body}");
        }
        for body in [
            json!({"styling": {"theme": "plain"}}),
            json!({"styling": {"font": "Papyrus"}}),
            json!({"styling": []}),
            json!({"themes": null}),
            json!({"internationalization": {"locale": "ru"}}),
        ] {
            assert_eq!(failing(body.clone()).len(), 1, "{body}");
        }
    }

    #[test]
    fn fonts_of_ones_own_are_kept() {
        let font = json!({"id": "f1", "custom": true, "fontFamily": "Mine", "fontFaces": [
            {"weight": 400, "sources": [{"url": "https://a.example/f.woff2", "format": "woff2"}]}]});
        let settings: Customization = serde_json::from_value(json!({"styling": {"font": font}})).unwrap();
        assert!(check_customization(&settings).is_ok());
        assert_eq!(serde_json::to_value(&settings).unwrap()["styling"]["font"], font);
        let mut heavy = font;
        heavy["fontFaces"][0]["weight"] = json!(1001);
        assert_eq!(failing(json!({"styling": {"font": heavy}})), ["styling.font"]);
    }
}
