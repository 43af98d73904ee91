//! Settings of a site with a fixed set of values.

/// Returns the stored form of a setting.
pub(super) fn word(setting: impl serde::Serialize) -> Option<String> {
    serde_json::to_value(setting).ok()?.as_str().map(str::to_owned)
}
