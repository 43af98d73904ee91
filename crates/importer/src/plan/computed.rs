//! Placeholders of computed pages in a table of contents: blocks of YAML with the source of the pages and the
//! properties of the placeholder.

use quire_domain::computed::RevisionSource;
use quire_domain::texts::{Seed, SpecName};
use quire_markup::openapi::Json;
use serde_json::Value;

use crate::report;
use crate::yaml;

/// Keys of a block.
const KEYS: [&str; 8] = ["type", "props", "dependencies", "title", "icon", "emoji", "hidden", "seed"];
/// Keys of `props`.
const PROPS: [&str; 3] = ["models", "downloadLink", "grouping"];
/// Maximum number of characters of a block's text in the report.
const SHOWN_MAX: usize = 100;

/// Placeholder of computed pages.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ComputedBlock {
    /// Source of the pages.
    pub(super) source: Value,
    /// Title. Default: the name of the specification.
    pub(super) title: String,
    /// Seed of the ids of the pages.
    pub(super) seed: Option<String>,
    /// Name of the icon.
    pub(super) icon: Option<String>,
    /// Emoji.
    pub(super) emoji: Option<String>,
    /// The placeholder is excluded from the navigation.
    pub(super) hidden: bool,
}

impl ComputedBlock {
    /// Reads a block. Also returns its unknown settings.
    ///
    /// # Errors
    /// For a block of another kind, the end of a sentence about it.
    pub(super) fn read(text: &str) -> Result<(Self, Vec<String>), String> {
        let block = yaml::parse(text).ok_or("is not valid")?;
        let shown = |text: &str| format!("`{}`", report::shown(text, SHOWN_MAX));
        match block.str("type") {
            Some("builtin:openapi") => {}
            Some(other) => return Err(format!("has the type {}, which is not known", shown(other))),
            None => return Err("has no type".to_owned()),
        }
        let value = serde_json::to_value(&block).map_err(|error| format!("is not valid: {error}"))?;
        let source: RevisionSource = serde_json::from_value(value).map_err(|error| {
            format!("is not a source of computed pages: {}", report::shown(&error.to_string(), SHOWN_MAX))
        })?;
        let spec = source.dependencies.spec.reference.spec.clone();
        SpecName::new(spec.as_str())
            .map_err(|error| format!("has the specification {}, which {error}", shown(&spec)))?;
        let source = serde_json::to_value(&source).map_err(|error| format!("is not valid: {error}"))?;
        let text = |key: &str| block.str(key).map(str::to_owned);
        let unknown = |entries: &[(String, Json)], known: &[&str]| {
            let names = entries.iter().map(|(name, _)| name).filter(|name| !known.contains(&name.as_str()));
            names.map(|name| shown(name)).collect::<Vec<_>>()
        };
        let mut left = unknown(block.entries(), &KEYS);
        left.extend(unknown(block.entries_of("props"), &PROPS));
        let seed = text("seed").filter(|seed| Seed::new(seed.as_str()).is_ok());
        let title = text("title").filter(|title| !title.trim().is_empty()).unwrap_or(spec);
        let (icon, emoji, hidden) = (text("icon"), text("emoji"), block.flag("hidden"));
        Ok((Self { source, title, seed, icon, emoji, hidden }, left))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BLOCK: &str = "type: builtin:openapi\nprops:\n  models: true\ndependencies:\n  spec:\n    ref:\n      kind: openapi\n      spec: pets\n";

    #[test]
    fn a_block_is_read_with_what_is_not_known() {
        let (block, unknown) = ComputedBlock::read(BLOCK).unwrap();
        let source = json!({
            "type": "builtin:openapi", "props": {"models": true},
            "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}},
        });
        assert_eq!((block.source, block.title.as_str(), block.seed), (source, "pets", None));
        assert_eq!(unknown, Vec::<String>::new());
        let more = BLOCK
            .replace("models: true", "models: false\n  grouping: by-operation\n  expandOperations: false");
        let (block, unknown) =
            ComputedBlock::read(&format!("{more}title: Pets\nseed: s\norder: 3\n")).unwrap();
        assert_eq!(block.source["props"], json!({"models": false, "grouping": "by-operation"}));
        assert_eq!((block.title.as_str(), block.seed.as_deref()), ("Pets", Some("s")));
        assert_eq!(unknown, ["`order`", "`expandOperations`"]);
    }

    #[test]
    fn other_blocks_are_refused_with_a_reason() {
        let endless = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: ".to_owned() + &"[*c".repeat(100);
        for (text, reason) in [
            ("a: [", "is not valid"),
            ("just a text", "has no type"),
            ("type: builtin:translation", "has the type `builtin:translation`, which is not known"),
            ("type: builtin:openapi", "is not a source of computed pages: missing field `dependencies`"),
            (&BLOCK.replace("pets", "''"), "has the specification ``, which"),
            (&endless, "is not valid"),
        ] {
            let error = ComputedBlock::read(text).unwrap_err();
            assert!(error.starts_with(reason), "{text}: {error}");
        }
    }
}
