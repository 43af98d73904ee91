//! Names that references of mkdocs-autorefs resolve to: ids of headings and other elements, and the objects that
//! mkdocstrings documents (<https://mkdocstrings.github.io/autorefs/>).

use std::collections::BTreeMap;

use crate::path;
use crate::tree::SourceTree;

/// Addresses by name.
#[derive(Debug, Default)]
pub(super) struct References {
    ids: BTreeMap<String, String>,
    objects: BTreeMap<String, String>,
}

impl References {
    /// Reads the pages below a folder. The first page that defines a name is used.
    pub(super) fn of(tree: &SourceTree, root: &str) -> Self {
        let mut found = Self::default();
        for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
            let Some(below) = path::below(root, file) else { continue };
            let text = tree.text(file).unwrap_or_default();
            let mut is_code = false;
            for line in text.lines() {
                let trimmed = line.trim_start();
                if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                    is_code = !is_code;
                } else if !is_code {
                    found.add(trimmed, &format!("/{below}"));
                }
            }
        }
        found
    }

    fn add(&mut self, line: &str, page: &str) {
        if let Some(name) = line.strip_prefix("::: ").and_then(|object| object.split_whitespace().next()) {
            self.objects.entry(name.to_owned()).or_insert_with(|| page.to_owned());
            return;
        }
        let words = line.trim_start_matches('#');
        let heading = (words.len() < line.len() && words.starts_with(' ')).then_some(words);
        let list = line.rsplit_once('{').and_then(|(_, list)| list.split_once('}'));
        let stated = list.and_then(|(list, _)| {
            list.trim_start_matches(':').split_whitespace().find_map(|word| word.strip_prefix('#'))
        });
        let Some(id) = stated.map(str::to_owned).or_else(|| heading.map(slug)) else { return };
        self.ids.entry(id.clone()).or_insert_with(|| format!("{page}#{id}"));
    }

    /// Returns the address of a name. An object without documentation of its own is documented with the nearest
    /// enclosing one.
    pub(super) fn address(&self, name: &str) -> Option<String> {
        let as_id = || self.ids.get(name).or_else(|| self.ids.get(&slug(name)));
        let mut object = name;
        loop {
            if let Some(page) = self.objects.get(object) {
                return Some(page.clone());
            }
            match object.rsplit_once('.') {
                Some((around, _)) => object = around,
                None => return as_id().cloned(),
            }
        }
    }
}

/// Returns the id of a heading: its words in lower case, joined by hyphens.
fn slug(words: &str) -> String {
    let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_') || c.is_whitespace());
    let kept: String = kept.flat_map(char::to_lowercase).collect();
    kept.split_whitespace().collect::<Vec<_>>().join("-")
}
