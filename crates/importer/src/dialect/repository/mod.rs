//! Repositories of books and documentation generators: the folder of their pages, their order, and their Markdown
//! dialect.

mod aliases;
mod autorefs;
mod awesome;
mod category;
mod docfx;
mod docsify;
mod docusaurus;
mod folder;
mod front;
mod home;
mod hugo;
mod jekyll;
mod js;
mod languages;
mod meta;
mod mintlify;
mod mkdocs;
mod parts;
mod permalink;
mod product;
mod settings;
mod sidebar;
mod site_of_mdx;
mod sphinx;
mod starlight;
mod toc;
mod vault;
mod vitepress;

use quire_domain::imports::ImportSource;

use self::product::Product;
use super::Dialect;
use super::gitbook::GitBook;
use super::mdbook::MdBook;
use super::plain::Plain;
use super::quire::Quire;
use crate::path;
use crate::tree::SourceTree;

/// Maximum number of settings at one depth whose pages are counted.
const MAX_SETTINGS: usize = 100;

/// Reason why pages of another documentation in the repository are not imported.
const OTHER: &str = "it belongs to other documentation in the repository, with its own settings";

/// Returns the settings of the documentation with the most pages, such as that of the original language. Of several
/// with about as many pages, it returns the one whose address contains those of the others, else the first, or that of
/// the language of which the first is a variant.
fn with_most_pages<'k>(
    tree: &SourceTree,
    settings: Vec<&'k (&'k String, Product)>,
) -> Option<&'k (&'k String, Product)> {
    if settings.len() < 2 {
        return settings.into_iter().next();
    }
    let count = |file: &str| {
        let folder = product::folder(file);
        let pages = tree.files.keys().filter(|file| path::is_markdown(file));
        pages.filter(|page| path::below(folder, page).is_some()).count()
    };
    let counts: Vec<usize> = settings.iter().take(MAX_SETTINGS).map(|(file, _)| count(file)).collect();
    let most = counts.iter().max().copied().unwrap_or_default();
    let pairs = settings.into_iter().zip(counts);
    let enough = pairs.filter(|(_, count)| count.saturating_mul(5) >= most.saturating_mul(4));
    let enough: Vec<_> = enough.map(|(settings, _)| settings).collect();
    let first = *enough.first()?;
    let is_language_of = |file: &str| languages::is_variant(product::folder(first.0), product::folder(file));
    at_root(tree, &enough)
        .or_else(|| enough.iter().copied().find(|(file, _)| is_language_of(file)))
        .or(Some(first))
}

/// Returns the settings with an address that contains those of all others: `https://a.example/` if the others have
/// addresses such as `https://a.example/fr/`.
fn at_root<'k>(
    tree: &SourceTree,
    settings: &[&'k (&'k String, Product)],
) -> Option<&'k (&'k String, Product)> {
    let address = |file: &str| {
        let text = tree.text(file)?;
        let value = text.lines().find_map(|line| line.strip_prefix("site_url:"))?;
        let value = value.split(" #").next()?.trim().trim_matches(['"', '\'']).trim_end_matches('/');
        (!value.is_empty()).then(|| format!("{value}/"))
    };
    let addresses: Option<Vec<String>> = settings.iter().map(|(file, _)| address(file)).collect();
    let addresses = addresses?;
    let contains_others = |root: &String| {
        addresses.iter().all(|other| other.starts_with(root)) && !addresses.iter().all(|other| other == root)
    };
    settings.get(addresses.iter().position(contains_others)?).copied()
}

/// Detects the product by the settings nearest to the top, otherwise by the contents of pages. At the same depth, a
/// book's settings and a table of contents take precedence. A source that names a generator overrides the detection.
pub(super) fn of(source: ImportSource, tree: &SourceTree) -> Box<dyn Dialect> {
    let at_top =
        |names: &[&str]| tree.files.keys().find(|file| names.contains(&file.to_ascii_lowercase().as_str()));
    let named = Product::named(source);
    if named.is_none() {
        if let Some(settings) = at_top(&[".gitbook.yaml", ".gitbook.yml"]) {
            return Box::new(GitBook::of(tree, settings));
        }
        if let Some(settings) = at_top(&["book.toml"]) {
            return Box::new(MdBook::of(tree, settings));
        }
        if let Some(summary) = at_top(&["summary.md"]) {
            return if Quire::wrote(tree, summary) { Box::new(Quire) } else { Box::new(Plain::of(tree)) };
        }
    }
    let known: Vec<(&String, Product)> = tree
        .files
        .keys()
        .filter(|file| tree.fits_a_page(file))
        .filter_map(|file| Some((file, product::of_settings(tree, file)?)))
        .collect();
    // Hugo and Jekyll are also used for blogs next to the documentation, and GitHub reads the settings of Jekyll.
    let depth = |(file, product): &&(&String, Product)| {
        (file.matches('/').count(), matches!(product, Product::Hugo | Product::Jekyll))
    };
    let fits = |(_, product): &&(&String, Product)| named.is_none_or(|named| named == *product);
    let least = known.iter().filter(fits).map(|one| depth(&one)).min();
    let nearest = known.iter().filter(fits).filter(|one| Some(depth(one)) == least);
    let found = with_most_pages(tree, nearest.collect());
    if let Some((settings, product)) = found {
        let mut dialect = product.open(tree, Some(settings));
        // Other settings of the repository describe other documentation.
        let own = path::folder(settings);
        let others = known.iter().map(|(file, _)| product::folder(file));
        let is_other =
            |folder: &&str| !folder.is_empty() && *folder != own && path::below(folder, own).is_none();
        if let Some(site) = dialect.site_mut() {
            let root = site.layout.as_ref().map(|layout| layout.root.clone()).unwrap_or_default();
            let others = others
                .filter(is_other)
                .filter(|folder| *folder != root && path::below(folder, &root).is_none());
            site.outside.extend(others.map(|folder| (folder.to_owned(), OTHER)));
            let translations = languages::siblings(tree, &root);
            site.outside.extend(translations.into_iter().map(|folder| (folder, languages::REASON)));
        }
        return dialect;
    }
    match named.map(|named| (named, None)).or_else(|| product::of_pages(tree)) {
        Some((product, sign)) => {
            let mut dialect = product.open(tree, None);
            if let Some(site) = dialect.site_mut() {
                site.notices.push(product::notice(product, sign));
            }
            dialect
        }
        None => Box::new(Plain::of(tree)),
    }
}
