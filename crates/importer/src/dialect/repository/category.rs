//! Docusaurus's settings of a folder: `_category_.json` or `_category_.yml`, and numbers before names.

use quire_markup::openapi::Json;

use crate::tree::SourceTree;
use crate::{path, yaml};

/// The settings of a folder.
#[derive(Debug, Default)]
pub(super) struct Category {
    pub(super) label: Option<String>,
    pub(super) position: Option<f64>,
    /// The id of the page that the folder's label links to.
    pub(super) page: Option<String>,
}

/// File names of a folder's settings.
const NAMES: [&str; 3] = ["_category_.json", "_category_.yml", "_category_.yaml"];

/// Returns the settings files of folders inside of `root`.
pub(super) fn settings(tree: &SourceTree, root: &str) -> Vec<String> {
    let files = tree.files.keys().filter(|file| NAMES.contains(&path::name(file)));
    files.filter(|file| path::below(root, file).is_some()).cloned().collect()
}

impl Category {
    /// The settings of the folder at `folder`.
    pub(super) fn of(tree: &SourceTree, folder: &str) -> Self {
        let text = NAMES.iter().find_map(|name| tree.text(&format!("{folder}/{name}")));
        // JSON is YAML.
        let Some(settings) = text.and_then(|text| yaml::parse(&text)) else { return Self::default() };
        let position = match settings.get("position") {
            Some(Json::Number(position)) => position.as_f64(),
            _ => None,
        };
        let page = settings.get("link").filter(|link| link.str("type") == Some("doc"));
        let page = page.and_then(|link| link.str("id")).map(str::to_owned);
        Self { label: settings.str("label").map(str::to_owned), position, page }
    }
}

/// Splits a name into its leading number and the rest: `02-install`, `2. Install`. Dates and versions have no such
/// number.
pub(super) fn numbered(name: &str) -> (Option<f64>, &str) {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = name.split_at_checked(digits).unwrap_or(("", name));
    let behind = rest.trim_start_matches([' ', '-', '_', '.']);
    let is_prefix = digits > 0
        && behind.len() < rest.len()
        && !behind.is_empty()
        && !behind.starts_with(|c: char| c.is_ascii_digit());
    match number.parse() {
        Ok(number) if is_prefix => (Some(number), behind),
        _ => (None, name),
    }
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn numbers_before_names_are_positions() {
        for (name, expected) in [
            ("02-install", (Some(2.0), "install")),
            ("2. Install", (Some(2.0), "Install")),
            ("2024-01-01-news", (None, "2024-01-01-news")),
            ("1.2", (None, "1.2")),
            ("7zip", (None, "7zip")),
            ("intro", (None, "intro")),
        ] {
            assert_eq!(numbered(name), expected, "{name}");
        }
    }
}
