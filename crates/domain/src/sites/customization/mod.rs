//! Appearance of a site: stored settings with their defaults.
//!
//! A request replaces all settings; absent ones have their defaults. The defaults equal those of the public renderer of
//! the reference product.

mod code_theme;
mod content;
mod fonts;
mod overrides;
mod social;
mod styling;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationErrors};

pub use self::code_theme::{CodeTheme, CustomizationCodeTheme, ThemedCodeTheme};
pub use self::content::{
    CustomizationAnnouncement, CustomizationContentLink, CustomizationFavicon, CustomizationFooter,
    CustomizationFooterGroup, CustomizationHeader, CustomizationHeaderItem,
};
pub use self::fonts::{CustomFont, CustomizationFont, CustomizationMonospaceFont};
pub use self::overrides::{CustomizationOverrides, overridden};
pub use self::social::{PageAction, SiteSocialAccount, SocialAccountDisplay, SocialPlatform};
pub use self::styling::{CustomizationStyling, ThemedColor, ThemedUrl};
use crate::bounds::ASSISTANT_SUGGESTIONS_MAX;
use crate::clock::Timestamp;
use crate::localized::{self, Localized, in_language};
use crate::translations::Language;
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
    /// Titles in other languages, by the codes of the languages.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedTitle>"))]
    #[schema(value_type = BTreeMap<Language, texts::LocalizedTitle>, required = false)]
    pub localized_title: Option<Localized>,
    /// Time of the last change. It is set by the service. Absent before the first.
    #[serde(deserialize_with = "patch::present")]
    #[schema(read_only, required = false, nullable = false)]
    pub updated_at: Option<Timestamp>,
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
    #[validate(nested)]
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

impl Customization {
    /// Returns the settings without the links in the header whose conditions do not hold.
    #[must_use]
    pub fn shown_to(mut self, holds: impl Fn(&str) -> bool) -> Self {
        self.header.links.retain(|link| link.condition.as_deref().is_none_or(&holds));
        self
    }

    /// Returns the settings with texts in `language`. Texts without a translation are unchanged.
    #[must_use]
    pub fn in_language(mut self, language: Option<Language>) -> Self {
        let translate = |text: &mut String, localized: &Option<Localized>| {
            *text = in_language(text, localized.as_ref(), language).to_owned();
        };
        if let Some(title) = &mut self.title {
            translate(title, &self.localized_title);
        }
        for item in &mut self.header.links {
            translate(&mut item.title, &item.localized_title);
            item.links.iter_mut().for_each(|link| translate(&mut link.title, &link.localized_title));
        }
        for group in &mut self.footer.groups {
            translate(&mut group.title, &group.localized_title);
            group.links.iter_mut().for_each(|link| translate(&mut link.title, &link.localized_title));
        }
        if let Some(announcement) = &mut self.announcement {
            translate(&mut announcement.message, &announcement.localized_message);
            if let Some(link) = &mut announcement.link {
                translate(&mut link.title, &link.localized_title);
            }
        }
        self
    }
}

/// Checks all settings. For stored settings that are read outside a request.
///
/// # Errors
/// The failing fields.
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
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
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
        Ru = "ru",
    }
    /// Light mode, dark mode, or the mode of the system.
    CustomizationThemeMode { Light = "light", Dark = "dark", System = "system" }
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
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationAi {
    /// AI mode of the search.
    #[schema(required = false)]
    pub mode: CustomizationAiMode,
    /// Summaries of linked pages. Off by default.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub page_link_summaries: OffByDefault,
    /// Greeting of the assistant.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::AssistantGreeting::check"))]
    #[schema(value_type = texts::AssistantGreeting, required = false)]
    pub greeting: Option<String>,
    /// Greetings in other languages, by the codes of the languages.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedMessage>"))]
    #[schema(value_type = BTreeMap<Language, texts::LocalizedMessage>, required = false)]
    pub localized_greeting: Option<Localized>,
    /// Questions that visitors may want to ask the assistant, at most 5.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(
        function = "texts::AssistantSuggestion::check_list::<0, { ASSISTANT_SUGGESTIONS_MAX }>"
    ))]
    #[schema(value_type = Vec<texts::AssistantSuggestion>, required = false, max_items = 5)]
    pub suggestions: Option<Vec<String>>,
    /// Instructions for the assistant.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::AssistantInstructions::check"))]
    #[schema(value_type = texts::AssistantInstructions, required = false)]
    pub instructions: Option<String>,
}

/// Page actions for visitors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(from = "PageActionsInput")]
pub struct CustomizationPageActions {
    /// Entries of the menu of a page. Default: `markdown`, `external-ai`, `mcp` and `pdf`, as far as the switches
    /// allow.
    #[validate(length(max = "PAGE_ACTIONS_MAX"))]
    #[schema(required = false, max_items = 10)]
    pub items: Vec<PageAction>,
    /// Older form: `false` to leave `external-ai` out.
    #[serde(rename = "externalAI")]
    #[schema(required = false)]
    pub external_ai: bool,
    /// Older form: `false` to leave `markdown` out.
    #[schema(required = false)]
    pub markdown: bool,
    /// Older form: `false` to leave `mcp` out.
    #[schema(required = false)]
    pub mcp: bool,
}

/// Page actions in a body: `items`, switches, or both.
#[derive(Deserialize)]
#[serde(default)]
struct PageActionsInput {
    #[serde(deserialize_with = "patch::present")]
    items: Option<Vec<PageAction>>,
    #[serde(rename = "externalAI")]
    external_ai: bool,
    markdown: bool,
    mcp: bool,
}

impl Default for PageActionsInput {
    fn default() -> Self {
        Self { items: None, external_ai: true, markdown: true, mcp: true }
    }
}

impl From<PageActionsInput> for CustomizationPageActions {
    fn from(PageActionsInput { items, external_ai, markdown, mcp }: PageActionsInput) -> Self {
        let is_on = |action: &PageAction| match action {
            PageAction::ExternalAi => external_ai,
            PageAction::Markdown => markdown,
            PageAction::Mcp => mcp,
            PageAction::Pdf | PageAction::Git | PageAction::Assistant => true,
        };
        let all = [PageAction::Markdown, PageAction::ExternalAi, PageAction::Mcp, PageAction::Pdf];
        let items = items.unwrap_or_else(|| all.into_iter().filter(is_on).collect());
        Self { items, external_ai, markdown, mcp }
    }
}

impl Default for CustomizationPageActions {
    fn default() -> Self {
        PageActionsInput::default().into()
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
mod tests;
