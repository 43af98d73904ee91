//! Overrides of the customization of a site for one of its site spaces.
//!
//! Stored as JSON in the shape of the settings, with only the overridden keys.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::apply;
use utoipa::ToSchema;
use validator::Validate;

use super::content::CustomizationHeaderPreset;
use super::styling::{
    CustomizationBackground, CustomizationCorners, CustomizationDepth, CustomizationIconsStyle,
    CustomizationLinksStyle, CustomizationSearchStyle, CustomizationSidebarBackground,
    CustomizationSidebarList, CustomizationTheme, CustomizationTint,
};
use super::{
    Customization, CustomizationAnnouncement, CustomizationFavicon, CustomizationFooterGroup,
    CustomizationHeaderItem, CustomizationLocale, CustomizationThemeMode, ExternalLinksTarget,
    ThemedCodeTheme, ThemedColor, ThemedUrl,
};
use crate::bounds::CUSTOMIZATION_LIST_MAX;
use crate::clock::Timestamp;
use crate::described::ContentRef;
use crate::localized::{self, Localized};
use crate::patch::{self, Patch};
use crate::{object_only, texts, urls};

/// Keys of the settings whose objects are overridden key by key. Other values are replaced as a whole.
const GROUPS: [&str; 13] = [
    "styling",
    "sidebar",
    "codeTheme",
    "internationalization",
    "header",
    "footer",
    "themes",
    "feedback",
    "externalLinks",
    "pagination",
    "trademark",
    "privacyPolicy",
    "socialPreview",
];
/// Key of the time of the last change.
const UPDATED_AT: &str = "updatedAt";

/// Request body to override the customization of a site for a site space. Absent keys leave their values unchanged,
/// `null` removes an override.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationOverrides {
    /// Title to show. Without `localizedTitle`, it also replaces the titles of the site in other languages.
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = Option<texts::SiteTitle>)]
    pub title: Patch<String>,
    /// Titles in other languages, by the codes of the languages.
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedTitle>"))]
    #[schema(value_type = Option<BTreeMap<crate::translations::Language, texts::LocalizedTitle>>)]
    pub localized_title: Patch<Localized>,
    /// Favicon.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<CustomizationFavicon>)]
    pub favicon: Patch<CustomizationFavicon>,
    /// Colours and shapes.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<StylingOverrides>)]
    pub styling: Patch<StylingOverrides>,
    /// Language of the user interface.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<LocaleOverride>)]
    pub internationalization: Patch<LocaleOverride>,
    /// Header.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<HeaderOverrides>)]
    pub header: Patch<HeaderOverrides>,
    /// Footer.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<FooterOverrides>)]
    pub footer: Patch<FooterOverrides>,
    /// Announcement above the content. Cannot be null. Removed only by deleting all overrides.
    #[serde(deserialize_with = "object_only::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub announcement: Option<CustomizationAnnouncement>,
    /// Light and dark mode.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<ThemeOverrides>)]
    pub themes: Patch<ThemeOverrides>,
    /// Switch for page ratings by visitors.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<SwitchOverride>)]
    pub feedback: Patch<SwitchOverride>,
    /// Links to other sites.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<ExternalLinksOverride>)]
    pub external_links: Patch<ExternalLinksOverride>,
    /// Switch for links to the previous and next page.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<SwitchOverride>)]
    pub pagination: Patch<SwitchOverride>,
    /// Switch for the name of the service in the footer.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<SwitchOverride>)]
    pub trademark: Patch<SwitchOverride>,
    /// Privacy policy.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<UrlOverride>)]
    pub privacy_policy: Patch<UrlOverride>,
    /// Image for previews of links to the site.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<UrlOverride>)]
    pub social_preview: Patch<UrlOverride>,
}

/// Overrides of colours and shapes.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StylingOverrides {
    /// Intensity of the colours.
    #[schema(value_type = Option<CustomizationTheme>)]
    pub theme: Patch<CustomizationTheme>,
    /// Primary colour.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub primary_color: Patch<ThemedColor>,
    /// Tint of the whole interface.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<CustomizationTint>)]
    pub tint: Patch<CustomizationTint>,
    /// Colour of information.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub info_color: Patch<ThemedColor>,
    /// Colour of success.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub success_color: Patch<ThemedColor>,
    /// Colour of warnings.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub warning_color: Patch<ThemedColor>,
    /// Colour of danger.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub danger_color: Patch<ThemedColor>,
    /// Shape of corners.
    #[schema(value_type = Option<CustomizationCorners>)]
    pub corners: Patch<CustomizationCorners>,
    /// Shadows.
    #[schema(value_type = Option<CustomizationDepth>)]
    pub depth: Patch<CustomizationDepth>,
    /// Style of links.
    #[schema(value_type = Option<CustomizationLinksStyle>)]
    pub links: Patch<CustomizationLinksStyle>,
    /// Themes of code.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<CodeThemeOverrides>)]
    pub code_theme: Patch<CodeThemeOverrides>,
    /// Deprecated. Tint of the background.
    #[schema(value_type = Option<CustomizationBackground>)]
    pub background: Patch<CustomizationBackground>,
    /// Style of icons.
    #[schema(value_type = Option<CustomizationIconsStyle>)]
    pub icons: Patch<CustomizationIconsStyle>,
    /// Style of the table of contents.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<SidebarOverrides>)]
    pub sidebar: Patch<SidebarOverrides>,
    /// Style of the search field.
    #[schema(value_type = Option<CustomizationSearchStyle>)]
    pub search: Patch<CustomizationSearchStyle>,
}

/// Overrides of the themes of code.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CodeThemeOverrides {
    /// Themes of code.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<ThemedCodeTheme>)]
    pub default: Patch<ThemedCodeTheme>,
    /// Themes of code in the reference of an API.
    #[serde(deserialize_with = "object_only::patch")]
    #[schema(value_type = Option<ThemedCodeTheme>)]
    pub openapi: Patch<ThemedCodeTheme>,
}

/// Overrides of the style of the table of contents.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SidebarOverrides {
    /// Background of the table of contents.
    #[schema(value_type = Option<CustomizationSidebarBackground>)]
    pub background: Patch<CustomizationSidebarBackground>,
    /// Style of its entries.
    #[schema(value_type = Option<CustomizationSidebarList>)]
    pub list: Patch<CustomizationSidebarList>,
}

/// Override of the language of the user interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LocaleOverride {
    /// Language of the user interface. `null` removes the override.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    pub locale: Option<CustomizationLocale>,
}

/// Overrides of the header.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HeaderOverrides {
    /// Deprecated. Colours of the header.
    #[schema(value_type = Option<CustomizationHeaderPreset>)]
    pub preset: Patch<CustomizationHeaderPreset>,
    /// Logo URLs.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedUrl>)]
    pub logo: Patch<ThemedUrl>,
    /// Target of the title or logo.
    #[validate(custom(function = "super::content::check_reference"))]
    #[schema(value_type = Option<ContentRef>)]
    pub primary_link: Patch<Map<String, Value>>,
    /// Deprecated. Background colour of the header.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub background_color: Patch<ThemedColor>,
    /// Deprecated. Colour of the links in the header.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedColor>)]
    pub link_color: Patch<ThemedColor>,
    /// Links in the header, at most 100.
    #[serde(deserialize_with = "object_only::patch_bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(value_type = Option<Vec<CustomizationHeaderItem>>, max_items = 100)]
    pub links: Patch<Vec<CustomizationHeaderItem>>,
}

/// Overrides of the footer.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FooterOverrides {
    /// Logo URLs.
    #[serde(deserialize_with = "object_only::patch")]
    #[validate(nested)]
    #[schema(value_type = Option<ThemedUrl>)]
    pub logo: Patch<ThemedUrl>,
    /// Columns of links, at most 100.
    #[serde(deserialize_with = "object_only::patch_bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(value_type = Option<Vec<CustomizationFooterGroup>>, max_items = 100)]
    pub groups: Patch<Vec<CustomizationFooterGroup>>,
    /// Copyright line, at most 512 characters.
    #[validate(custom(function = "texts::Copyright::check"))]
    #[schema(value_type = Option<texts::Copyright>)]
    pub copyright: Patch<String>,
}

/// Overrides of light and dark mode.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ThemeOverrides {
    /// Initial mode.
    #[serde(rename = "default")]
    #[schema(value_type = Option<CustomizationThemeMode>)]
    pub first: Patch<CustomizationThemeMode>,
    /// `true` if visitors can switch the mode. The API reference spells the key so.
    #[schema(value_type = Option<bool>)]
    pub toggeable: Patch<bool>,
}

/// Override of a switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SwitchOverride {
    /// `true` if the switch is on. `null` removes the override.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    pub enabled: Option<bool>,
}

/// Override of links to other sites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExternalLinksOverride {
    /// Target of the links: the same tab or a new one. `null` removes the override.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    pub target: Option<ExternalLinksTarget>,
}

/// Override of a URL.
#[apply(Patch => #[serde(skip_serializing_if = "Patch::is_keep")])]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UrlOverride {
    /// URL.
    #[validate(custom(function = "check_url"))]
    #[schema(value_type = Option<texts::Url>)]
    pub url: Patch<String>,
}

impl CustomizationOverrides {
    /// Returns the stored overrides after this change, made at this time; `None` if none are left. A change without an
    /// effect keeps the time of the last one.
    ///
    /// # Errors
    /// Never for values that were deserialized.
    pub fn applied_to(
        &self,
        mut stored: Map<String, Value>,
        now: Timestamp,
    ) -> serde_json::Result<Option<Map<String, Value>>> {
        let before = stored.clone();
        if let Value::Object(change) = serde_json::to_value(self)? {
            merge(&mut stored, change);
        }
        if stored.keys().all(|key| key == UPDATED_AT) {
            return Ok(None);
        }
        if stored != before {
            stored.insert(UPDATED_AT.to_owned(), serde_json::to_value(now)?);
        }
        Ok(Some(stored))
    }
}

/// Returns the settings of a site with the stored overrides of a site space. A title also replaces the titles of the
/// site in other languages.
///
/// # Errors
/// Malformed overrides.
pub fn overridden(site: &Customization, overrides: &Map<String, Value>) -> serde_json::Result<Customization> {
    let mut settings = match serde_json::to_value(site)? {
        Value::Object(settings) => settings,
        _ => Map::new(),
    };
    if overrides.contains_key("title") && !overrides.contains_key("localizedTitle") {
        settings.remove("localizedTitle");
    }
    merge(&mut settings, overrides.clone());
    let settings: Customization = serde_json::from_value(Value::Object(settings))?;
    Ok(Customization { updated_at: settings.updated_at.max(site.updated_at), ..settings })
}

/// Writes values over others: objects of [`GROUPS`] key by key, and others as a whole. `null` removes a key.
fn merge(values: &mut Map<String, Value>, change: Map<String, Value>) {
    for (key, value) in change {
        match value {
            Value::Null => drop(values.remove(&key)),
            Value::Object(change) if GROUPS.contains(&key.as_str()) => {
                let mut group = match values.remove(&key) {
                    Some(Value::Object(group)) => group,
                    _ => Map::new(),
                };
                merge(&mut group, change);
                if !group.is_empty() {
                    values.insert(key, Value::Object(group));
                }
            }
            value => drop(values.insert(key, value)),
        }
    }
}

fn check_url(url: &Patch<String>) -> Result<(), validator::ValidationError> {
    url.set().map_or(Ok(()), urls::link_url)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::clock::Timestamp;
    use crate::error::field_errors;
    use crate::translations::Language;

    fn change(body: Value) -> CustomizationOverrides {
        serde_json::from_value(body).unwrap()
    }

    fn time(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).unwrap()
    }

    #[test]
    fn absent_keys_keep_their_overrides_and_null_removes_them() {
        let first = change(json!({
            "title": "Manual", "styling": {"theme": "bold", "sidebar": {"list": "pill"}},
            "header": {"links": []},
        }));
        let stored = first.applied_to(Map::new(), time(1)).unwrap().unwrap();
        let second = change(json!({"title": null, "styling": {"sidebar": {"list": null}, "depth": "flat"}}));
        let stored = second.applied_to(stored, time(2)).unwrap().unwrap();
        let expected = json!({
            "styling": {"theme": "bold", "depth": "flat"}, "header": {"links": []},
            "updatedAt": "1970-01-01T00:00:00.002Z",
        });
        assert_eq!(Value::Object(stored.clone()), expected);
        for same in [json!({}), json!({"title": null, "styling": {"depth": "flat"}})] {
            let kept = change(same).applied_to(stored.clone(), time(3)).unwrap().unwrap();
            assert_eq!(kept, stored, "the time is that of the last change");
        }
        let third = change(json!({"styling": null, "header": null}));
        assert_eq!(third.applied_to(stored, time(3)).unwrap(), None);
    }

    #[test]
    fn an_object_with_one_key_requires_it() {
        let key = |group: &str| match group {
            "internationalization" => ("locale", json!("de")),
            "externalLinks" => ("target", json!("blank")),
            _ => ("enabled", json!(true)),
        };
        for group in ["internationalization", "feedback", "externalLinks", "pagination", "trademark"] {
            let (key, value) = key(group);
            let read =
                |object: Value| serde_json::from_value::<CustomizationOverrides>(json!({ group: object }));
            let refused = read(json!({})).unwrap_err();
            assert!(refused.to_string().contains(&format!("missing field `{key}`")), "{refused}");
            let set = read(json!({ key: value })).unwrap();
            let stored = set.applied_to(Map::new(), time(1)).unwrap().unwrap();
            assert_eq!(stored[group], json!({ key: value }));
            let cleared = read(json!({ key: null })).unwrap();
            assert_eq!(cleared.applied_to(stored, time(2)).unwrap(), None);
        }
    }

    #[test]
    fn settings_of_the_site_hold_where_nothing_is_overridden() {
        let site: Customization = serde_json::from_value(json!({
            "title": "Docs", "styling": {"theme": "bold", "corners": "straight"}, "favicon": {"emoji": "🚀"},
            "header": {"preset": "bold", "links": [{"title": "Home", "to": null}]},
        }))
        .unwrap();
        let icon = json!({"light": "https://a.example/l.png", "dark": "https://a.example/d.png"});
        let overrides = change(json!({
            "styling": {"theme": "muted"}, "favicon": {"icon": icon}, "header": {"links": []},
            "themes": {"default": "dark"}, "announcement": {"enabled": true, "message": "New!", "style": "info"},
        }));
        let stored = overrides.applied_to(Map::new(), time(1)).unwrap().unwrap();
        let settings = serde_json::to_value(overridden(&site, &stored).unwrap()).unwrap();
        assert_eq!(settings["title"], "Docs");
        assert_eq!(settings["styling"]["theme"], "muted");
        assert_eq!(settings["styling"]["corners"], "straight");
        assert_eq!(settings["favicon"], json!({ "icon": icon }));
        assert_eq!(settings["header"], json!({"preset": "bold", "links": []}));
        assert_eq!(settings["themes"], json!({"default": "dark", "toggeable": false}));
        assert_eq!(settings["announcement"]["message"], "New!");
        assert_eq!(settings["updatedAt"], "1970-01-01T00:00:00.001Z");
        let later = Customization { updated_at: Some(time(2)), ..site };
        assert_eq!(overridden(&later, &stored).unwrap().updated_at, Some(time(2)));
    }

    #[test]
    fn a_title_replaces_those_of_the_site_in_all_languages() {
        let site = json!({"title": "Docs", "localizedTitle": {"de": "Doku", "fr": "Docs FR"}});
        let site: Customization = serde_json::from_value(site).unwrap();
        for (overrides, german) in [
            (json!({"title": "Manual"}), "Manual"),
            (json!({"title": "Manual", "localizedTitle": {"de": "Handbuch"}}), "Handbuch"),
            (json!({"localizedTitle": {"de": "Handbuch"}}), "Handbuch"),
            (json!({"pagination": {"enabled": false}}), "Doku"),
        ] {
            let stored = change(overrides.clone()).applied_to(Map::new(), time(1)).unwrap().unwrap();
            let settings = overridden(&site, &stored).unwrap().in_language(Some(Language::German));
            assert_eq!(settings.title.as_deref(), Some(german), "{overrides}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (body, field) in [
            (json!({"title": "x"}), "title"),
            (
                json!({"styling": {"tint": {"color": {"light": "blue", "dark": "#fff"}}}}),
                "styling.tint.color.light",
            ),
            (json!({"header": {"primaryLink": {"kind": "page"}}}), "header.primaryLink"),
            (json!({"header": {"links": [{"title": "a", "to": {"kind": "url"}}]}}), "header.links[0].to"),
            (json!({"privacyPolicy": {"url": "nowhere"}}), "privacyPolicy.url"),
        ] {
            let errors = change(body.clone()).validate().unwrap_err();
            let fields: Vec<_> = field_errors(&errors).into_iter().map(|error| error.field).collect();
            assert_eq!(fields, [field], "{body}");
        }
        for body in
            [json!({"styling": {"theme": "plain"}}), json!({"announcement": null}), json!({"themes": []})]
        {
            assert!(serde_json::from_value::<CustomizationOverrides>(body.clone()).is_err(), "{body}");
        }
    }
}
