//! Settings of a site that are one word of a list.

/// Returns a setting as it is stored.
pub(super) fn word(setting: impl serde::Serialize) -> Option<String> {
    serde_json::to_value(setting).ok()?.as_str().map(str::to_owned)
}
