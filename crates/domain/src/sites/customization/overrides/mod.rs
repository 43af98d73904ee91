//! Overrides of the customization of a site for one of its site spaces.
//!
//! Overrides are a JSON merge patch over the settings of the site, stored in the shape of the settings with only the
//! overridden keys. The settings are declared once: a patch is checked by applying it to the defaults.

mod schema;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use validator::{Validate, ValidationErrors};

use super::Customization;
use crate::clock::Timestamp;
use crate::error::path::with_path;

/// Settings that are overridden key by key.
struct Group {
    key: &'static str,
    /// Name of the schema of its overrides.
    name: &'static str,
    /// Key that a body with the group must have, if any.
    required: Option<&'static str>,
}

const fn group(key: &'static str, name: &'static str) -> Group {
    Group { key, name, required: None }
}

const fn switch(key: &'static str, name: &'static str, required: &'static str) -> Group {
    Group { key, name, required: Some(required) }
}

/// Keys of the settings whose objects are overridden key by key. Other values are replaced as a whole: a merge of two
/// references to content, or of an emoji and an icon, is not valid.
const GROUPS: [Group; 13] = [
    group("styling", "StylingOverrides"),
    group("sidebar", "SidebarOverrides"),
    group("codeTheme", "CodeThemeOverrides"),
    switch("internationalization", "LocaleOverride", "locale"),
    group("header", "HeaderOverrides"),
    group("footer", "FooterOverrides"),
    group("themes", "ThemeOverrides"),
    switch("feedback", "SwitchOverride", "enabled"),
    switch("externalLinks", "ExternalLinksOverride", "target"),
    switch("pagination", "SwitchOverride", "enabled"),
    switch("trademark", "SwitchOverride", "enabled"),
    group("privacyPolicy", "UrlOverride"),
    group("socialPreview", "UrlOverride"),
];
/// Keys of settings of the whole site, which are ignored in a body like unknown keys.
const OF_SITE: [&str; 12] = [
    UPDATED_AT,
    "pdf",
    "aiSearch",
    "ai",
    "advancedCustomization",
    "git",
    "pageActions",
    "socialAccounts",
    "insights",
    "font",
    "headingFont",
    "monospaceFont",
];
/// Key of the time of the last change.
const UPDATED_AT: &str = "updatedAt";
/// Key whose override is removed only with all others.
const ANNOUNCEMENT: &str = "announcement";

/// Request body to override the customization of a site for a site space. Absent keys leave their values unchanged,
/// `null` removes an override.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct CustomizationOverrides {
    /// Patch, with its values in the form in which settings are written.
    patch: Map<String, Value>,
    /// Default settings with the patch applied.
    settings: Customization,
}

impl<'de> Deserialize<'de> for CustomizationOverrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(Map::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Validate for CustomizationOverrides {
    fn validate(&self) -> Result<(), ValidationErrors> {
        self.settings.validate()
    }
}

/// Reads a patch. An error begins with its path.
fn read(body: Map<String, Value>) -> Result<CustomizationOverrides, String> {
    for Group { key, required, .. } in &GROUPS {
        if let (Some(Value::Object(group)), Some(required)) = (body.get(*key), required)
            && !group.contains_key(*required)
        {
            return Err(with_path(key, &format!("missing field `{required}`")));
        }
    }
    let mut values = Map::new();
    merge(&mut values, without_settings_of_site(body.clone()));
    if body.get(ANNOUNCEMENT).is_some_and(Value::is_null) {
        // Deserialization then refuses null as a value of the wrong type.
        values.insert(ANNOUNCEMENT.to_owned(), Value::Null);
    }
    let settings: Customization = serde_path_to_error::deserialize(Value::Object(values))
        .map_err(|error| with_path(&error.path().to_string(), &error.inner().to_string()))?;
    let written = serde_json::to_value(&settings).map_err(|error| error.to_string())?;
    Ok(CustomizationOverrides { patch: as_written(body, &written), settings })
}

fn without_settings_of_site(values: Map<String, Value>) -> Map<String, Value> {
    let values = values.into_iter().filter(|(key, _)| !OF_SITE.contains(&key.as_str()));
    let values = values.map(|(key, value)| match value {
        Value::Object(group) if is_group(&key) => (key, Value::Object(without_settings_of_site(group))),
        value => (key, value),
    });
    values.collect()
}

/// Returns a patch with its values as the settings write them, without unknown keys.
fn as_written(patch: Map<String, Value>, written: &Value) -> Map<String, Value> {
    let patch = patch.into_iter().filter(|(key, _)| !OF_SITE.contains(&key.as_str()));
    let patch = patch.filter_map(|(key, value)| {
        let value = match value {
            Value::Null => Value::Null,
            Value::Object(group) if is_group(&key) => Value::Object(as_written(group, written.get(&key)?)),
            _ => written.get(&key)?.clone(),
        };
        Some((key, value))
    });
    patch.collect()
}

fn is_group(key: &str) -> bool {
    GROUPS.iter().any(|group| group.key == key)
}

impl CustomizationOverrides {
    /// Returns the default settings with the patch applied.
    pub(in crate::sites) const fn settings(&self) -> &Customization {
        &self.settings
    }

    /// Returns the stored overrides after this change, made at this time; `None` if none are left. A change without an
    /// effect keeps the time of the last change.
    ///
    /// # Errors
    /// Never in practice: a time can always be written.
    pub fn applied_to(
        &self,
        mut stored: Map<String, Value>,
        now: Timestamp,
    ) -> serde_json::Result<Option<Map<String, Value>>> {
        let before = stored.clone();
        merge(&mut stored, self.patch.clone());
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
            Value::Object(change) if is_group(&key) => {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::clock::Timestamp;
    use crate::error::field_errors;
    use crate::error::path::split_path;
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
        for (body, field) in [
            (json!({"styling": {"theme": "plain"}}), "styling.theme"),
            (json!({"styling": null, "announcement": null}), "announcement"),
            (json!({"themes": []}), "themes"),
            (json!({"header": {"links": {}}}), "header.links"),
        ] {
            let error = serde_json::from_value::<CustomizationOverrides>(body.clone()).unwrap_err();
            assert_eq!(split_path(&error.to_string()).0, field, "{body}");
        }
    }

    #[test]
    fn unknown_keys_and_settings_of_the_whole_site_are_ignored() {
        for body in [
            json!({"ai": {"mode": "assistant"}, "updatedAt": "1970-01-01T00:00:00Z", "insights": []}),
            json!({"styling": {"font": "Papyrus", "headingFont": null, "colour": "red"}}),
            json!({"sidebar": {"list": "pill"}, "colour": null}),
        ] {
            assert_eq!(change(body.clone()).applied_to(Map::new(), time(1)).unwrap(), None, "{body}");
        }
        let favicon = change(json!({"favicon": {"emoji": "🚀", "colour": "red"}}));
        let stored = favicon.applied_to(Map::new(), time(1)).unwrap().unwrap();
        assert_eq!(stored["favicon"], json!({"emoji": "🚀"}));
    }
}
