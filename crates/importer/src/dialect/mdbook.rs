//! mdBook: a repository whose `book.toml` names the folder of the content
//! (<https://rust-lang.github.io/mdBook/format/configuration/general.html>). The [includes](crate::include) of its
//! pages are expanded in all sources, because part of a book may come without its settings.

use quire_markup::dialects::{self, Translated};

use super::Dialect;
use super::site::Site;
use crate::layout::Layout;
use crate::tree::SourceTree;

/// A repository with `book.toml`.
#[derive(Debug)]
pub(super) struct MdBook {
    site: Site,
}

impl MdBook {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let text = tree.text(settings).unwrap_or_default();
        let source = source(&text).unwrap_or_else(|| "src".to_owned());
        Self { site: Site::of_book(tree, settings, Layout::at(tree, &source, None)) }
    }
}

impl Dialect for MdBook {
    fn product(&self) -> &'static str {
        "mdBook"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(dialects::mdbook(text))
    }
}

/// Returns `src` in the section `book`.
fn source(toml: &str) -> Option<String> {
    let mut section = "";
    for line in toml.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if section == "[book]"
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "src"
        {
            return Some(value.trim().trim_matches(['"', '\'']).to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn settings_name_the_folder_of_the_content() {
        for (settings, folder) in [("[book]\nsrc = \"text\"\n", "text"), ("[book]\ntitle = \"x\"\n", "src")] {
            let files = ["text/SUMMARY.md", "src/SUMMARY.md", "x/y.md"];
            let files = files.map(|path| (path.to_owned(), Bytes::new())).into_iter();
            let settings = ("book.toml".to_owned(), Bytes::from(settings));
            let book = MdBook::of(&SourceTree::from_files(files.chain([settings])), "book.toml");
            let layout = book.site.layout.unwrap();
            assert_eq!(
                (layout.root.as_str(), layout.summary),
                (folder, Some(format!("{folder}/SUMMARY.md")))
            );
        }
    }
}
