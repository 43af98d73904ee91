//! Path aliases in the settings of TypeScript: `"paths": { "@assets/*": ["src/assets/*"] }`.

use quire_markup::openapi::Json;

use crate::path;
use crate::tree::SourceTree;
use crate::yaml;

/// Files with the settings.
const FILES: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

/// Maximum number of aliases.
const MAX_NAMES: usize = 100;

/// Folders by the prefixes of addresses that are aliases for them.
#[derive(Debug, Default)]
pub(super) struct Aliases(Vec<(String, String)>);

impl Aliases {
    /// Reads the settings in the folder `base`.
    pub(super) fn of(tree: &SourceTree, base: &str) -> Self {
        let text = FILES.iter().find_map(|name| tree.text(&path::join(base, name)?));
        let text = text.unwrap_or_default();
        let without_comments: Vec<&str> =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let settings = yaml::parse(&without_comments.join("\n"));
        let Some(options) = settings.as_ref().and_then(|settings| settings.get("compilerOptions")) else {
            return Self::default();
        };
        let folder = options.str("baseUrl").and_then(|folder| path::join(base, folder));
        let folder = folder.unwrap_or_else(|| base.to_owned());
        let paths = options.get("paths").map(Json::entries).unwrap_or_default();
        let alias = |(name, targets): &(String, Json)| {
            let prefix =
                name.strip_suffix('*').filter(|prefix| prefix.len() > 1 && !prefix.starts_with('/'))?;
            let target = targets.items().first()?.as_str()?.strip_suffix('*')?;
            Some((prefix.to_owned(), path::join(&folder, target)?))
        };
        Self(paths.iter().take(MAX_NAMES).filter_map(alias).collect())
    }

    /// Returns the address from the root of the repository for an address that begins with an alias.
    pub(super) fn address(&self, href: &str) -> Option<String> {
        let named =
            self.0.iter().filter_map(|(prefix, folder)| Some((prefix, folder, href.strip_prefix(prefix)?)));
        let (_, folder, rest) = named.max_by_key(|(prefix, ..)| prefix.len())?;
        Some(format!("/{folder}/{rest}"))
    }
}
