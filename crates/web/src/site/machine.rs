//! Files for programs: robots.txt, and the pages of a site for language models.

use std::fmt::Write as _;

use maud::html;
use quire_domain::ids::DocumentId;
use quire_domain::sites::customization::Customization;
use quire_markup::FrontMatter;
use quire_render::{Resolved, references};
use quire_revision::{PageNode, PageType, Tree};
use quire_server::ApiResult;
use quire_storage::sites::published::PublishedSpace;

use super::links::{Links, SpaceTree, site_path_of};
use super::load::Loader;
use super::page::markdown;
use super::visit::Visit;
use crate::body::{Body, TEXT_POLICY};

/// Size in bytes above which no further page is added to the text of all pages.
const MOST_TEXT: usize = 8 << 20;
/// Documents loaded per statement.
const BATCH: usize = 50;

/// Returns robots.txt.
pub(crate) fn robots(visit: &Visit) -> Body {
    let text = if visit.is_listed() {
        format!(
            "User-agent: *\nDisallow: {}\nSitemap: {}\n",
            visit.service("search"),
            visit.url("/sitemap.xml")
        )
    } else {
        "User-agent: *\nDisallow: /\n".to_owned()
    };
    Body::new(text, "text/plain; charset=utf-8", TEXT_POLICY.to_owned())
}

/// Returns the icon of a site or site space whose favicon is an emoji.
pub(crate) fn favicon(settings: &Customization) -> Option<Body> {
    let emoji = quire_markup::emoji_character(settings.favicon.emoji.as_ref()?);
    let icon = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" {
            text x="50" y="50" font-size="84" text-anchor="middle" dominant-baseline="central" { (emoji) }
        }
    };
    Some(Body::new(icon.into_string(), "image/svg+xml", TEXT_POLICY.to_owned()))
}

impl Loader<'_, '_> {
    /// Returns the trees of all spaces of the site.
    pub(super) fn all_trees(&mut self) -> ApiResult<Vec<(&PublishedSpace, SpaceTree)>> {
        let visit = self.visit;
        let mut trees = Vec::with_capacity(visit.site.spaces.len());
        for space in &visit.site.spaces {
            let (_, tree, _) = self.tree(space)?;
            trees.push((space, tree));
        }
        Ok(trees)
    }

    /// Returns the list of pages as Markdown (llmstxt.org).
    pub(crate) fn llms(mut self) -> ApiResult<Body> {
        let visit = self.visit;
        let trees = self.all_trees()?;
        let mut text = format!("# {}\n", one_line(visit.title()));
        for (space, tree) in &trees {
            let _ = write!(text, "\n## {}\n\n", one_line(&space.title));
            for page in listed(tree) {
                let Some(site_path) = site_path_of(visit, space, tree, page) else { continue };
                let site_path = if site_path.is_empty() { "/index".to_owned() } else { site_path };
                let title = one_line(&page.title).replace(['[', ']'], "");
                let _ = write!(text, "- [{title}]({}.md)", visit.url(&site_path));
                if let Some(about) = page.description.as_deref().filter(|about| !about.is_empty()) {
                    let _ = write!(text, ": {}", one_line(about));
                }
                text.push('\n');
            }
        }
        Ok(Body::new(text, "text/markdown; charset=utf-8", TEXT_POLICY.to_owned()))
    }

    /// Returns all listed pages as Markdown (llmstxt.org), up to a size limit.
    pub(crate) fn llms_full(mut self) -> ApiResult<Body> {
        let (visit, signer) = (self.visit, self.signer);
        let trees = self.all_trees()?.into_iter().map(|(space, tree)| (space.id.to_string(), tree)).collect();
        let mut text = format!("# {}\n", one_line(visit.title()));
        'spaces: for space in &visit.site.spaces {
            let (content, tree, computed) = self.tree(space)?;
            let links = Links { visit, signer, space, trees: &trees };
            let pages: Vec<&PageNode> = listed(&tree).collect();
            for batch in pages.chunks(BATCH) {
                let ids: Vec<DocumentId> = batch.iter().filter_map(|page| page.document).collect();
                let stored = self.reader.documents(&content, &ids)?;
                for page in batch {
                    let Some(site_path) = site_path_of(visit, space, &tree, page) else { continue };
                    let document = match page.document {
                        Some(id) => self.read(&content, &tree, stored.get(&id))?,
                        None => self.document(&content, &tree, &computed, page, false)?,
                    };
                    let targets = references(&document).targets.into_iter();
                    let targets = targets.filter_map(|to| Some((to.clone(), links.target(&to)?))).collect();
                    let resolved = Resolved { targets, ..Resolved::default() };
                    let _ = write!(text, "\nURL: {}\n\n", visit.url(&site_path));
                    text += &markdown(visit, &FrontMatter::default(), &page.title, &document, &resolved);
                    if text.len() > MOST_TEXT {
                        let _ = write!(text, "\nAll pages are listed in {}.\n", visit.url("/llms.txt"));
                        break 'spaces;
                    }
                }
            }
        }
        Ok(Body::new(text, "text/markdown; charset=utf-8", TEXT_POLICY.to_owned()))
    }
}

/// Returns the pages in lists for programs, including pages that the navigation hides.
pub(super) fn listed(tree: &Tree) -> impl Iterator<Item = &PageNode> {
    tree.pages_in_order().filter(|page| page.page_type() == PageType::Document && !page.no_robots_index)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
