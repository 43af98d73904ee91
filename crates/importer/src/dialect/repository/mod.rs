//! Repositories of books and documentation generators: the folder of their pages, their order, and their Markdown
//! dialect.

mod awesome;
mod category;
mod docusaurus;
mod js;
mod mkdocs;
mod sphinx;
mod toc;
mod vitepress;
mod yaml;

use super::Dialect;
use super::gitbook::GitBook;
use super::mdbook::MdBook;
use super::plain::Plain;
use super::quire::Quire;
use crate::path;
use crate::tree::SourceTree;

/// Finds the product by the settings nearest to the top. At the same depth, a book's settings and a table of contents
/// take precedence.
pub(super) fn of(tree: &SourceTree) -> Box<dyn Dialect> {
    let at_top =
        |names: &[&str]| tree.files.keys().find(|file| names.contains(&file.to_ascii_lowercase().as_str()));
    if let Some(settings) = at_top(&[".gitbook.yaml", ".gitbook.yml"]) {
        return Box::new(GitBook::of(tree, settings));
    }
    if let Some(settings) = at_top(&["book.toml"]) {
        return Box::new(MdBook::of(tree, settings));
    }
    if let Some(summary) = at_top(&["summary.md"]) {
        return if Quire::wrote(tree, summary) { Box::new(Quire) } else { Box::new(Plain) };
    }
    let depth = |file: &str| file.matches('/').count();
    let known = tree.files.keys().filter(|file| tree.fits_a_page(file));
    let known = known.filter_map(|file| Some((file, product(tree, file)?)));
    match known.min_by_key(|(file, _)| depth(file)) {
        Some((settings, Product::MkDocs)) => Box::new(mkdocs::MkDocs::of(tree, settings)),
        Some((settings, Product::Docusaurus)) => Box::new(docusaurus::Docusaurus::of(tree, settings)),
        Some((settings, Product::VitePress)) => Box::new(vitepress::VitePress::of(tree, settings)),
        Some((settings, Product::Sphinx)) => Box::new(sphinx::Sphinx::of(tree, settings)),
        None => Box::new(Plain),
    }
}

enum Product {
    MkDocs,
    Docusaurus,
    VitePress,
    Sphinx,
}

/// Returns the generator of a settings file.
fn product(tree: &SourceTree, file: &str) -> Option<Product> {
    const SCRIPTS: [&str; 6] = ["js", "ts", "mjs", "mts", "cjs", "cts"];
    let (name, extension) = (path::name(file), path::extension(file));
    let is_script = SCRIPTS.contains(&extension.as_str());
    match path::stem(file) {
        "mkdocs" if matches!(extension.as_str(), "yml" | "yaml") => Some(Product::MkDocs),
        "docusaurus.config" if is_script => Some(Product::Docusaurus),
        "config" | "index" if is_script && is_vitepress(file) => Some(Product::VitePress),
        "_toc" if matches!(extension.as_str(), "yml" | "yaml") => {
            tree.text(file).is_some_and(|text| toc::is_one(&text)).then_some(Product::Sphinx)
        }
        // Sphinx has its own markup by default: only projects with a Markdown parser count.
        "conf" if name == "conf.py" => {
            tree.text(file).is_some_and(|text| text.contains("myst")).then_some(Product::Sphinx)
        }
        _ => None,
    }
}

/// Returns true if a script is `.vitepress/config.ts` or `.vitepress/config/index.ts`.
fn is_vitepress(file: &str) -> bool {
    let folder = path::folder(file);
    match path::stem(file) {
        "config" => path::name(folder) == ".vitepress",
        _ => path::name(folder) == "config" && path::name(path::folder(folder)) == ".vitepress",
    }
}

/// Returns the folder at `relative`, relative to `folder`, if it contains files.
fn folder_of(tree: &SourceTree, folder: &str, relative: &str) -> Option<String> {
    let folder = path::join(folder, relative)?;
    let inside = format!("{folder}/");
    let is_there = folder.is_empty()
        || tree.files.range(inside.clone()..).next().is_some_and(|(file, _)| file.starts_with(&inside));
    is_there.then_some(folder)
}
