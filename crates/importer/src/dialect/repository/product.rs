//! Detection of documentation generators.

use quire_domain::imports::{ImportReportEntry, ImportSource};

use super::super::Dialect;
use super::super::gitbook::GitBook;
use super::super::mdbook::MdBook;
use super::docfx::{self, DocFx};
use super::docsify::{self, Docsify};
use super::docusaurus::Docusaurus;
use super::hugo::{self, Hugo};
use super::jekyll::{self, Jekyll};
use super::mkdocs::MkDocs;
use super::sphinx::Sphinx;
use super::vitepress::{self, VitePress};
use super::{front, meta, mintlify, starlight, toc};
use crate::path;
use crate::report;
use crate::tree::SourceTree;

/// A generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Product {
    GitBook,
    MdBook,
    MkDocs,
    Docusaurus,
    VitePress,
    Sphinx,
    Starlight,
    Nextra,
    Fumadocs,
    Mintlify,
    Hugo,
    Jekyll,
    Docsify,
    DocFx,
}

impl Product {
    const ALL: [(Self, ImportSource); 10] = [
        (Self::GitBook, ImportSource::Gitbook),
        (Self::MdBook, ImportSource::Mdbook),
        (Self::MkDocs, ImportSource::Mkdocs),
        (Self::Docusaurus, ImportSource::Docusaurus),
        (Self::VitePress, ImportSource::Vitepress),
        (Self::Sphinx, ImportSource::Myst),
        (Self::Starlight, ImportSource::Starlight),
        (Self::Nextra, ImportSource::Nextra),
        (Self::Fumadocs, ImportSource::Fumadocs),
        (Self::Mintlify, ImportSource::Mintlify),
    ];

    /// Returns the generator that a source names.
    pub(super) fn named(source: ImportSource) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == source).map(|(product, _)| product)
    }

    fn source(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(product, _)| *product == self)
            .map_or("zip", |(_, source)| source.as_str())
    }

    /// Reads a repository. Without settings, the files are treated as pages of this generator.
    pub(super) fn open(self, tree: &SourceTree, settings: Option<&str>) -> Box<dyn Dialect> {
        match self {
            Self::GitBook => Box::new(GitBook::of(tree, settings.unwrap_or_default())),
            Self::MdBook => Box::new(MdBook::of(tree, settings.unwrap_or_default())),
            Self::MkDocs => Box::new(MkDocs::of(tree, settings)),
            Self::Docusaurus => Box::new(Docusaurus::of(tree, settings)),
            Self::VitePress => Box::new(VitePress::of(tree, settings)),
            Self::Sphinx => Box::new(Sphinx::of(tree, settings)),
            Self::Starlight => Box::new(starlight::of(tree, settings).with_math(tree, settings)),
            Self::Nextra => Box::new(meta::of(tree, settings, true).with_math(tree, settings)),
            Self::Fumadocs => Box::new(meta::of(tree, settings, false).with_math(tree, settings)),
            Self::Mintlify => Box::new(mintlify::of(tree, settings)),
            Self::Hugo => Box::new(Hugo::of(tree, settings.unwrap_or_default())),
            Self::Jekyll => Box::new(Jekyll::of(tree, settings.unwrap_or_default())),
            Self::Docsify => Box::new(Docsify::of(tree, settings.unwrap_or_default())),
            Self::DocFx => Box::new(DocFx::of(tree, settings.unwrap_or_default())),
        }
    }
}

/// Returns the generator of a settings file.
pub(super) fn of_settings(tree: &SourceTree, file: &str) -> Option<Product> {
    const SCRIPTS: [&str; 6] = ["js", "ts", "mjs", "mts", "cjs", "cts"];
    let (name, extension) = (path::name(file), path::extension(file));
    let is_script = SCRIPTS.contains(&extension.as_str());
    let says = |word: &str| tree.text(file).is_some_and(|text| text.contains(word));
    match path::stem(file) {
        "mkdocs" | "zensical" if matches!(extension.as_str(), "yml" | "yaml") => Some(Product::MkDocs),
        "zensical" if extension == "toml" => Some(Product::MkDocs),
        "docusaurus.config" if is_script => Some(Product::Docusaurus),
        "config" | "index" if is_script && is_vitepress(file) => Some(Product::VitePress),
        "astro.config" if is_script && says("starlight") => Some(Product::Starlight),
        "source.config" if is_script && says("fumadocs") => Some(Product::Fumadocs),
        "next.config" if is_script && says("nextra") => Some(Product::Nextra),
        "docs" | "mint" if extension == "json" && says("\"navigation\"") => Some(Product::Mintlify),
        "_toc" if matches!(extension.as_str(), "yml" | "yaml") => {
            tree.text(file).is_some_and(|text| toc::is_one(&text)).then_some(Product::Sphinx)
        }
        "myst" if toc::is_myst(file) && (says("project:") || says("site:")) => Some(Product::Sphinx),
        // Sphinx has its own markup by default: only projects with a Markdown parser count.
        "conf" if name == "conf.py" => says("myst").then_some(Product::Sphinx),
        _ => match (name, file) {
            (".gitbook.yaml" | ".gitbook.yml", _) => Some(Product::GitBook),
            ("book.toml", _) => Some(Product::MdBook),
            _ if jekyll::is_settings(file) => Some(Product::Jekyll),
            _ if hugo::is_settings(tree, file) => Some(Product::Hugo),
            _ if docfx::is_settings(tree, file) => Some(Product::DocFx),
            _ if docsify::is_settings(tree, file) => Some(Product::Docsify),
            _ => None,
        },
    }
}

/// Returns the folder of the documentation that a settings file describes.
pub(super) fn folder(settings: &str) -> &str {
    vitepress::split(settings).map_or_else(|| hugo::folder(settings), |(folder, _)| folder)
}

/// Returns whether a script is `.vitepress/config.ts` or `.vitepress/config/index.ts`, or the same of VuePress.
fn is_vitepress(file: &str) -> bool {
    let folder = path::folder(file);
    let is_one = |folder: &str| vitepress::FOLDERS.contains(&path::name(folder));
    match path::stem(file) {
        "config" => is_one(folder),
        _ => path::name(folder) == "config" && is_one(path::folder(folder)),
    }
}

/// Maximum bytes of pages that are searched for signs.
const SEARCHED: usize = 8 * 1024 * 1024;

/// Returns the generator that most pages show signs of, with one of the signs.
pub(super) fn of_pages(tree: &SourceTree) -> Option<(Product, Option<&'static str>)> {
    let mut counts: Vec<(Product, &'static str, usize)> = Vec::new();
    let mut searched = 0_usize;
    for file in tree.files.keys() {
        if meta::is_nextra(file) {
            count(&mut counts, Product::Nextra, "_meta");
        } else if path::stem(file) == "_category_" {
            count(&mut counts, Product::Docusaurus, "_category_.json");
        }
        if !path::is_markdown(file) || searched > SEARCHED {
            continue;
        }
        let text = tree.text(file).unwrap_or_default();
        searched = searched.saturating_add(text.len());
        if let Some((product, sign)) = signs(file, &text) {
            count(&mut counts, product, sign);
        }
    }
    let total = |product: Product| {
        counts.iter().filter(|(known, ..)| *known == product).map(|(_, _, count)| count).sum::<usize>()
    };
    let (product, sign, _) = counts.iter().max_by_key(|(product, _, count)| (total(*product), *count))?;
    Some((*product, Some(sign)))
}

fn count(counts: &mut Vec<(Product, &'static str, usize)>, product: Product, sign: &'static str) {
    match counts.iter_mut().find(|(known, written, _)| *known == product && *written == sign) {
        Some((_, _, count)) => *count += 1,
        None => counts.push((product, sign, 1)),
    }
}

/// Returns the generator of a page, detected by signs that other generators do not have.
fn signs(file: &str, text: &str) -> Option<(Product, &'static str)> {
    const WORDS: [(&str, Product); 9] = [
        ("@theme/", Product::Docusaurus),
        ("@docusaurus/", Product::Docusaurus),
        ("@astrojs/starlight", Product::Starlight),
        ("from 'nextra", Product::Nextra),
        ("from \"nextra", Product::Nextra),
        ("fumadocs-ui/", Product::Fumadocs),
        ("<CardGroup", Product::Mintlify),
        ("<CodeGroup", Product::Mintlify),
        ("<ParamField", Product::Mintlify),
    ];
    if let Some((sign, product)) = WORDS.iter().find(|(sign, _)| text.contains(sign)) {
        return Some((*product, sign.trim_start_matches("from ").trim_matches(['"', '\''])));
    }
    let properties = front::of(text);
    for sign in ["sidebar_position", "sidebar_label", "hide_table_of_contents"] {
        if properties.as_ref().is_some_and(|properties| properties.get(sign).is_some()) {
            return Some((Product::Docusaurus, sign));
        }
    }
    let is_home = properties.as_ref().is_some_and(|properties| properties.str("layout") == Some("home"));
    if is_home && text.contains("hero:") {
        return Some((Product::VitePress, "layout: home"));
    }
    let mut in_code = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```{") || trimmed.starts_with(":::{") {
            return Some((Product::Sphinx, "```{directive}"));
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            in_code = !in_code;
        }
        if in_code || line.starts_with("    ") {
            continue;
        }
        let kind = trimmed.trim_start_matches(':');
        if trimmed.starts_with(":::") && !kind.trim().is_empty() {
            return Some(match kind.starts_with(' ') {
                true => (Product::VitePress, "::: tip"),
                false => (Product::Docusaurus, ":::note"),
            });
        }
        let is_block = ["!!! ", "??? ", "???+ ", "=== \""].iter().any(|mark| trimmed.starts_with(mark));
        if is_block {
            return Some((Product::MkDocs, "!!! note"));
        }
        if trimmed.starts_with("<<< ") || trimmed == "[[toc]]" || trimmed == "<script setup>" {
            return Some((Product::VitePress, "<<< file"));
        }
        // In plain Markdown, such tags may belong to other programs.
        let tags = ["<Note>", "<Tip>", "<Warning>", "<Info>", "<Steps>", "<Frame>"];
        if path::extension(file) == "mdx" && tags.iter().any(|tag| trimmed.starts_with(tag)) {
            return Some((Product::Mintlify, "<Note>"));
        }
    }
    (path::extension(file) == "mdx").then_some((Product::Docusaurus, ".mdx"))
}

/// Returns the line of the report about a generator without settings.
pub(super) fn notice(product: Product, sign: Option<&str>) -> ImportReportEntry {
    let source = product.source();
    report::changed(
        "",
        match sign {
            Some(sign) => format!(
                "its pages were read as pages of `{source}`, because of `{sign}`; its settings are missing, so \
                 pages are in the order of their folders"
            ),
            None => {
                format!("the settings of `{source}` are missing: pages are in the order of their folders")
            }
        },
    )
}
