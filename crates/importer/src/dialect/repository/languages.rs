//! Languages of pages: in the names of files (`page.de.mdx`), and as folders (`de/page.mdx`).

use crate::path;
use crate::tree::SourceTree;

/// Reason why a translation is not imported.
pub(super) const REASON: &str = "it belongs to a translation of the documentation";

/// Languages that are commonly the original language of documentation.
const MAIN: [&str; 10] = ["de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh"];

/// Returns whether a name is the code of a language: `de`, `zh-CN`, `pt_br`, `zh-Hant`.
pub(super) fn is_code(name: &str) -> bool {
    let (language, region) =
        name.split_once(['-', '_']).map_or((name, None), |(language, region)| (language, Some(region)));
    // Some sites name a language by its country.
    (2..=3).contains(&language.len())
        && language.chars().all(|c| c.is_ascii_lowercase())
        && region.is_none_or(|region| {
            (2..=4).contains(&region.len()) && region.chars().all(|c| c.is_ascii_alphanumeric())
        })
}

/// Returns whether two folders differ in their language only, and the first is a variant of the second: `docs/zh-tw` of
/// `docs/zh`.
pub(super) fn is_variant(folder: &str, of: &str) -> bool {
    let differing = || folder.split('/').zip(of.split('/')).filter(|(one, other)| one != other);
    let is_one = |(variant, language): (&str, &str)| {
        is_code(variant) && variant.strip_prefix(language).is_some_and(|rest| rest.starts_with(['-', '_']))
    };
    folder.split('/').count() == of.split('/').count() && differing().count() == 1 && differing().all(is_one)
}

/// Splits the name of a file into the name of the page and its language.
pub(super) fn of_name(file: &str) -> Option<(&str, &str)> {
    path::stem(file).rsplit_once('.').filter(|(_, language)| is_code(language))
}

/// Returns whether a language is English, with or without a region.
pub(super) fn is_english(language: &str) -> bool {
    language.split(['-', '_']).next() == Some("en")
}

/// Returns whether a file is a translation: its page exists without a language, or in English.
pub(super) fn is_translation(tree: &SourceTree, file: &str) -> bool {
    let Some((page, language)) = of_name(file) else { return false };
    let with = |name: &str| {
        let name = path::join(path::folder(file), name);
        name.is_some_and(|name| tree.files.contains_key(&name))
    };
    let extensions = ["mdx", "md", "json", "ts", "js"];
    if extensions.iter().any(|extension| with(&format!("{page}.{extension}"))) {
        return true;
    }
    let Some(prefix) = path::join(path::folder(file), &format!("{page}.en")) else { return false };
    let in_english = |file: &str| {
        let name = of_name(file).filter(|(_, language)| is_english(language));
        name.is_some_and(|(name, _)| name == page) && extensions.contains(&path::extension(file).as_str())
    };
    let mut others = tree.files.range(prefix.clone()..).map(|(other, _)| other.as_str());
    !is_english(language) && others.by_ref().take_while(|other| other.starts_with(&prefix)).any(in_english)
}

/// Returns the folders of other languages than that of `root`: `docs/de` for `docs/en`.
pub(super) fn siblings(tree: &SourceTree, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    let segments: Vec<&str> = root.split('/').collect();
    // A folder with two letters is only certain to be a language next to a well-known one.
    let is_sure = |segment: &str| MAIN.contains(&segment.split(['-', '_']).next().unwrap_or_default());
    for (at, _) in segments.iter().enumerate().filter(|(_, segment)| is_sure(segment)) {
        let above = segments.get(..at).unwrap_or_default().join("/");
        let below = segments.get(at + 1..).unwrap_or_default().join("/");
        let inside = if above.is_empty() { String::new() } else { format!("{above}/") };
        let files = tree.files.range(inside.clone()..).map(|(file, _)| file);
        let names = files.take_while(|file| file.starts_with(&inside)).filter_map(|file| {
            let name = file.get(inside.len()..)?.split_once('/')?.0;
            let is_short = name.split(['-', '_']).next().is_some_and(|language| language.len() == 2);
            (is_short && is_code(name) && segments.get(at) != Some(&name)).then(|| name.to_owned())
        });
        let names: std::collections::BTreeSet<String> = names.collect();
        let folders = names.iter().map(|name| format!("{inside}{name}"));
        // The pages of a language are in the same subfolder as those of the others.
        let has_pages = |folder: &String| {
            let pages = path::join(folder, &below).map(|pages| format!("{pages}/")).unwrap_or_default();
            tree.files.range(pages.clone()..).next().is_some_and(|(file, _)| file.starts_with(&pages))
        };
        found.extend(folders.filter(has_pages));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_siblings_of_the_root() {
        let files = [
            "docs/en/docs/a.md",
            "docs/de/docs/a.md",
            "docs/zh-hant/docs/b.md",
            "docs/img/docs.png",
            "fr/x.md",
        ];
        let files = files.map(|file| (file.to_owned(), bytes::Bytes::from_static(b"x")));
        let tree = SourceTree::from_files(files);
        assert_eq!(siblings(&tree, "docs/en/docs"), ["docs/de", "docs/zh-hant"]);
        assert_eq!(siblings(&tree, "docs"), Vec::<String>::new());
    }

    #[test]
    fn languages_are_codes() {
        assert!(["de", "zh-CN", "pt_br", "zh-Hant", "fil"].iter().all(|code| is_code(code)));
        assert!(["v1", "DE", "api-reference", "d", "guide"].iter().all(|name| !is_code(name)));
        assert_eq!(of_name("a/page.pt-BR.mdx"), Some(("page", "pt-BR")));
        assert_eq!(of_name("a/page.mdx"), None);
    }
}
