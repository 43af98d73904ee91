//! Links by name, in the syntax of Obsidian and of vaults in Fumadocs: `[[Page]]`, `[[Page#heading|text]]`,
//! `![[image.png]]`.

use quire_markup::dialects::with_values;

use crate::dialect::keys::Keys;
use crate::path;
use crate::tree::SourceTree;

/// Files below a folder by their names.
#[derive(Debug, Default)]
pub(super) struct Vault {
    root: String,
    names: Keys,
}

impl Vault {
    pub(super) fn of(tree: &SourceTree, root: &str) -> Self {
        let mut names = Keys::default();
        for file in tree.files.keys().filter(|file| path::below(root, file).is_some()) {
            let name = if path::is_markdown(file) { path::stem(file) } else { path::name(file) };
            names.add(name.to_lowercase(), file);
        }
        Self { root: root.to_owned(), names }
    }

    /// Converts links by name to Markdown links. Links to unknown files are kept.
    pub(super) fn with_links(&self, text: &str) -> String {
        let text = with_values(text, "![[", "]]", &|inside| {
            let (target, words, file) = self.read(inside)?;
            let mark = if path::is_markdown(&file) { "" } else { "!" };
            Some(format!("{mark}[{words}](<{target}>)"))
        });
        with_values(&text, "[[", "]]", &|inside| {
            let (target, words, _) = self.read(inside)?;
            Some(format!("[{words}](<{target}>)"))
        })
    }

    /// Returns the address, the text and the file of a link.
    fn read(&self, inside: &str) -> Option<(String, String, String)> {
        let (target, words) =
            inside.split_once('|').map_or((inside, None), |(target, words)| (target, Some(words)));
        let (name, fragment) =
            target.split_once('#').map_or((target, None), |(name, fragment)| (name, Some(fragment)));
        let name = name.trim().trim_end_matches(".md").to_lowercase();
        let file = self.names.get(path::name(&name))?;
        let below = path::below(&self.root, &file)?;
        let fragment = fragment.map(|fragment| format!("#{}", fragment.trim())).unwrap_or_default();
        let words = words.unwrap_or(target).trim().to_owned();
        Some((format!("/{below}{fragment}"), words, file))
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn names_are_links() {
        let files =
            ["docs/a/Start Here.md", "docs/x.png", "docs/b/twice.md", "docs/c/twice.md", "source.config.ts"];
        let files = files.map(|file| (file.to_owned(), Bytes::from_static(b"x")));
        let vault = Vault::of(&SourceTree::from_files(files), "docs");
        for (text, expected) in [
            ("[[Start here]]", "[Start here](</a/Start Here.md>)"),
            ("[[a/Start Here#One two|go]]!", "[go](</a/Start Here.md#One two>)!"),
            ("![[x.png]] ![[Start Here]]", "![x.png](</x.png>) [Start Here](</a/Start Here.md>)"),
            ("[[twice]] [[none]] `[[x.png]]`", "[[twice]] [[none]] `[[x.png]]`"),
        ] {
            assert_eq!(vault.with_links(text), expected, "{text}");
        }
    }
}
