//! How a site looks: the settings that are stored, each with its default.
//!
//! A request replaces all of them; what it leaves out has its default. The defaults are those that the family's public renderer
//! falls back to.

mod content;
mod fonts;
mod styling;

use serde::{Deserialize, Serialize};

pub use self::content::{
    CustomizationAnnouncement, CustomizationContentLink, CustomizationFavicon, CustomizationFooter,
    CustomizationFooterGroup, CustomizationHeader, CustomizationHeaderItem,
};
pub use self::fonts::{CustomFont, CustomizationFont, CustomizationMonospaceFont};
pub use self::styling::{CustomizationStyling, ThemedColor, ThemedUrl};
use crate::features::{ToSchema, Validate, ValidationErrors};
use crate::{addresses, patch, strict, texts};

/// How a site looks.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Customization {
    /// The title to show; the site's when left out.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<String>,
    /// Colours, shapes and fonts.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub styling: CustomizationStyling,
    /// The language of the frame around the content.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub internationalization: CustomizationInternationalization,
    /// The picture in the browser's tab.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub favicon: CustomizationFavicon,
    /// What stands above the content.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub header: CustomizationHeader,
    /// What stands below the content.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub footer: CustomizationFooter,
    /// What is announced above everything.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub announcement: Option<CustomizationAnnouncement>,
    /// Light and dark.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub themes: CustomizationThemes,
    /// Whether visitors get PDFs.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub pdf: OnByDefault,
    /// Whether visitors can rate pages.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub feedback: OffByDefault,
    /// Whether search answers questions.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub ai_search: OnByDefault,
    /// What answers questions.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub ai: CustomizationAi,
    /// Whether the settings of an advanced plan are used.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub advanced_customization: OffByDefault,
    /// Settings of links to a repository.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub git: CustomizationGit,
    /// What visitors can do with a page.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub page_actions: CustomizationPageActions,
    /// How links to elsewhere open.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub external_links: CustomizationExternalLinks,
    /// Whether pages lead to the next and the one before.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub pagination: OnByDefault,
    /// Whether the service's name is shown.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub trademark: OnByDefault,
    /// The privacy policy.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub privacy_policy: CustomizationUrl,
    /// The picture of links to the site elsewhere.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub social_preview: CustomizationUrl,
    /// Settings of visitor statistics.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub insights: CustomizationInsights,
}

/// Checks all settings, for stored ones that are read outside of a request.
///
/// # Errors
/// What the fields say.
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
    /// A switch that is on by default.
    OnByDefault, enabled: true, "Whether it is on.";
    /// A switch that is off by default.
    OffByDefault, enabled: false, "Whether it is on.";
    /// Settings of links to a repository.
    CustomizationGit, show_edit_link: false, "Whether pages link to where they are edited.";
    /// Settings of visitor statistics.
    CustomizationInsights, tracking_cookie: true, "Whether a cookie tells visitors apart.";
}

/// Declares settings with one word of a few, the first of which is the default.
macro_rules! words {
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
pub(crate) use words;

words! {
    /// A language of the frame around the content.
    CustomizationLocale {
        En = "en", Fr = "fr", Es = "es", Zh = "zh", Ja = "ja", De = "de", Nl = "nl", No = "no", PtBr = "pt-br",
    }
    /// Light or dark.
    CustomizationThemeMode { Light = "light", Dark = "dark" }
    /// What answers questions.
    CustomizationAiMode { Search = "search", Assistant = "assistant", None = "none" }
    /// How links to elsewhere open.
    ExternalLinksTarget { SameTab = "self", NewTab = "blank" }
}

/// The language of the frame around the content.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationInternationalization {
    /// The language.
    #[schema(required = false)]
    pub locale: CustomizationLocale,
}

/// Light and dark.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationThemes {
    /// What a visitor sees first.
    #[serde(rename = "default")]
    #[schema(required = false)]
    pub first: CustomizationThemeMode,
    /// Whether visitors can change it. The key is spelled so by the reference.
    #[schema(required = false)]
    pub toggeable: bool,
}

/// What answers questions.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationAi {
    /// What answers.
    #[schema(required = false)]
    pub mode: CustomizationAiMode,
    /// Summaries of pages that links to them show.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub page_link_summaries: OffByDefault,
}

/// What visitors can do with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationPageActions {
    /// Hand it to an assistant elsewhere.
    #[serde(rename = "externalAI")]
    #[schema(required = false)]
    pub external_ai: bool,
    /// Read it as Markdown.
    #[schema(required = false)]
    pub markdown: bool,
}

impl Default for CustomizationPageActions {
    fn default() -> Self {
        Self { external_ai: true, markdown: true }
    }
}

/// How links to elsewhere open.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationExternalLinks {
    /// In the same tab, or in a new one.
    #[schema(required = false)]
    pub target: ExternalLinksTarget,
}

/// An address, or none.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CustomizationUrl {
    /// The address.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "addresses::link_url"))]
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
        assert_eq!(written["ai"], json!({"mode": "search", "pageLinkSummaries": {"enabled": false}}));
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
