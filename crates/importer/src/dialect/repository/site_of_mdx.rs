//! Sites of MDX pages: Starlight, Nextra, Fumadocs and Mintlify. They differ in their settings, and share the rest.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quire_markup::FrontMatter;
use quire_markup::dialects::{self, Translated};

use super::aliases::Aliases;
use super::vault::Vault;
use super::{front, home, parts};
use crate::dialect::snippets::{Page, Snippet};
use crate::dialect::{Dialect, Home, Site};
use crate::path;
use crate::tree::SourceTree;

/// Reason why a Markdown file of the repository is not a page.
const OUTSIDE: &str = "it is outside the folder with the settings";

/// A repository of a generator of MDX pages.
#[derive(Debug, Default)]
pub(super) struct MdxSite {
    pub(super) product: &'static str,
    /// The folder of the settings.
    pub(super) base: String,
    /// The folder of the pages.
    pub(super) root: String,
    /// Expressions and components are also read in `.md` files.
    pub(super) is_mdx_everywhere: bool,
    /// Single dollar signs begin formulas.
    pub(super) has_math: bool,
    /// Pages that are left out of the navigation.
    pub(super) hidden: BTreeSet<String>,
    /// Last segments of the addresses that pages declare.
    pub(super) slugs: BTreeMap<String, String>,
    /// Properties of a front matter that were used.
    pub(super) used: &'static [&'static str],
    /// Additional name, besides `index`, of files that are the page of their folder.
    pub(super) index: Option<&'static str>,
    /// Files that pages link to by name.
    pub(super) vault: Option<Vault>,
    /// Folders by their aliases in addresses.
    pub(super) aliases: Aliases,
    pub(super) site: Site,
}

impl MdxSite {
    /// Enables formulas if the settings name a plugin for them.
    pub(super) fn with_math(self, tree: &SourceTree, settings: Option<&str>) -> Self {
        Self { has_math: self.has_math || has_math(tree, settings), ..self }
    }
}

/// Returns whether the settings name a plugin for formulas between single dollar signs.
pub(super) fn has_math(tree: &SourceTree, settings: Option<&str>) -> bool {
    let text = settings.and_then(|settings| tree.text(settings)).unwrap_or_default();
    ["remark-math", "remarkMath", "latex", "katex"].iter().any(|name| text.contains(name))
}

impl Dialect for MdxSite {
    fn product(&self) -> &'static str {
        self.product
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn refusal(&self, file: &str) -> Option<&'static str> {
        let below = path::below(&self.root, file);
        let is_part = path::is_markdown(file)
            && below.is_some_and(|below| {
                below.split('/').any(|name| name.starts_with('_') || name == "snippets")
            });
        let is_outside = path::is_markdown(file) && path::below(&self.base, file).is_none();
        self.site.refusal(file).or(is_part.then_some(parts::REASON)).or(is_outside.then_some(OUTSIDE))
    }

    fn is_home(&self, file: &str) -> bool {
        self.index.is_some_and(|index| path::stem(file) == index)
    }

    fn name<'n>(&self, name: &'n str) -> &'n str {
        // A route group of Fumadocs or of an `app` folder is not part of addresses.
        name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name)
    }

    fn slug(&self, file: &str) -> Option<&str> {
        self.slugs.get(file).map(String::as_str)
    }

    fn uses(&self, property: &str) -> bool {
        self.used.contains(&property)
    }

    fn label(&self, _path: &str, properties: &FrontMatter) -> Option<String> {
        let keys = ["sidebarTitle", "sidebar/label"];
        keys.iter().find_map(|key| front::text_at(properties, key))
    }

    fn hides(&self, properties: &FrontMatter) -> bool {
        properties.extra.iter().any(|(name, value)| {
            matches!(name.as_str(), "draft" | "hidden" | "unlisted")
                && quire_markup::front_matter_flag(value) == Some(true)
        })
    }

    fn hides_file(&self, file: &str) -> bool {
        self.hidden.contains(file)
    }

    fn home(&self, properties: &FrontMatter) -> Option<Home> {
        home::of(properties)
    }

    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        self.aliases.address(href).map_or(Cow::Borrowed(href), Cow::Owned)
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["import ", "<Snippet ", "<include"]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        parts::snippet(&[&self.base, &self.root], page, lines)
            .or_else(|| parts::include(&self.base, page, lines))
    }

    fn translated(&self, file: &str, text: &str) -> Option<Translated> {
        let linked = self.vault.as_ref().filter(|_| text.contains("[[")).map(|vault| vault.with_links(text));
        let text = linked.as_deref().unwrap_or(text);
        let is_mdx = self.is_mdx_everywhere || path::extension(file) == "mdx";
        Some(match is_mdx {
            true if self.has_math => dialects::mdx_with_math(text),
            true => dialects::mdx(text),
            false => dialects::asides(text),
        })
    }
}
