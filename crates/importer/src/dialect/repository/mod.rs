//! Repositories of generators of documentation: where their pages are, in which order, and how their Markdown is read.

mod category;
mod docusaurus;
mod js;
mod mkdocs;
mod route;
mod snippets;
mod sphinx;
mod vitepress;
mod yaml;

use super::Dialect;
use super::plain::Plain;
use crate::path;
use crate::tree::SourceTree;

/// The files that settings of GitBook and mdBook are in, and their table of contents: they are before those of any generator.
const BOOKS: [&str; 4] = [".gitbook.yaml", ".gitbook.yml", "book.toml", "summary.md"];

/// Finds the generator by the settings that are nearest to the top.
pub(super) fn of(tree: &SourceTree) -> Box<dyn Dialect> {
    let is_book = |file: &String| BOOKS.contains(&file.to_ascii_lowercase().as_str());
    if tree.files.keys().any(is_book) {
        return Box::new(Plain);
    }
    let depth = |file: &&String| file.matches('/').count();
    let settings = tree.files.keys().filter(|file| tree.fits_a_page(file) && product(tree, file).is_some());
    let Some(settings) = settings.min_by_key(depth) else { return Box::new(Plain) };
    match product(tree, settings) {
        Some(Product::MkDocs) => Box::new(mkdocs::MkDocs::of(tree, settings)),
        Some(Product::Docusaurus) => Box::new(docusaurus::Docusaurus::of(tree, settings)),
        Some(Product::VitePress) => Box::new(vitepress::VitePress::of(tree, settings)),
        Some(Product::Sphinx) => Box::new(sphinx::Sphinx::of(tree, settings)),
        None => Box::new(Plain),
    }
}

enum Product {
    MkDocs,
    Docusaurus,
    VitePress,
    Sphinx,
}

/// The generator whose settings a file is.
fn product(tree: &SourceTree, file: &str) -> Option<Product> {
    const SCRIPTS: [&str; 6] = ["js", "ts", "mjs", "mts", "cjs", "cts"];
    let (name, extension) = (path::name(file), path::extension(file));
    let is_script = SCRIPTS.contains(&extension.as_str());
    match path::stem(file) {
        "mkdocs" if matches!(extension.as_str(), "yml" | "yaml") => Some(Product::MkDocs),
        "docusaurus.config" if is_script => Some(Product::Docusaurus),
        "config" | "index" if is_script && is_vitepress(file) => Some(Product::VitePress),
        // Sphinx has another markup of its own: only what reads Markdown counts.
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

/// The folder at `relative`, as seen from `folder`, when there are files in it.
fn folder_of(tree: &SourceTree, folder: &str, relative: &str) -> Option<String> {
    let folder = path::join(folder, relative)?;
    let inside = format!("{folder}/");
    let is_there = folder.is_empty()
        || tree.files.range(inside.clone()..).next().is_some_and(|(file, _)| file.starts_with(&inside));
    is_there.then_some(folder)
}

/// The report of what a translator of Markdown left as text.
fn left(product: &str, left: &[String], notes: &mut Vec<String>) {
    if !left.is_empty() {
        let named: Vec<String> = left.iter().map(|written| format!("`{written}`")).collect();
        notes.push(format!(
            "markup of {product} was left as it is written, or left out: {}",
            named.join(", ")
        ));
    }
}
