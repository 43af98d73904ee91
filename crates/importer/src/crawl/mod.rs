//! Websites: the pages below an address, as far as the site wants to be read.

mod navigation;
mod page;
mod robots;
mod scope;
mod sitemap;

use std::collections::{BTreeSet, VecDeque};

use futures_util::future::join_all;
use quire_markup::html::PageLink;
use url::Url;

use self::page::{Scanned, scan};
use self::robots::Robots;
use self::scope::Scope;
use crate::encoding;
use crate::fetch::{FetchError, Fetched, Fetcher};
use crate::path;
use crate::progress::Progress;
use crate::report::{failed, skipped};
use crate::source::GatherError;
use crate::spool::Spool;
use crate::tree::SourceTree;

/// How much of a site is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrawlLimits {
    /// Pages.
    pub max_pages: usize,
    /// Pictures of these pages.
    pub max_images: usize,
    /// Bytes of all pages and pictures together.
    pub max_total_bytes: u64,
    /// Requests at the same time: what a single reader's browser would ask of a site.
    pub parallel: usize,
}

impl Default for CrawlLimits {
    fn default() -> Self {
        Self { max_pages: 200, max_images: 1_000, max_total_bytes: 100 * 1024 * 1024, parallel: 6 }
    }
}

/// Maps of a site that are read.
const MAX_MAPS: usize = 10;

/// Reads the site below the folder of `start`: that page, what the site's map and navigation list, and what the pages link to.
///
/// # Errors
/// [`GatherError`] when the first page can't be had, the site doesn't want to be read, or a bound is passed.
pub(crate) async fn crawl(
    fetcher: &Fetcher,
    limits: CrawlLimits,
    start: &str,
    progress: &Progress,
) -> Result<SourceTree, GatherError> {
    let first = fetcher.fetch(start).await?;
    if !is_page(&first) {
        return Err(GatherError::NoWebsite);
    }
    let robots = robots(fetcher, &first.final_url).await;
    if !robots.allows(first.final_url.path()) {
        return Err(GatherError::RobotsRefuse);
    }
    let mut url = first.final_url.clone();
    url.set_fragment(None);
    url.set_query(None);
    let scope = Scope::below(&url);
    let mut crawl = Crawl {
        fetcher,
        limits,
        progress,
        scope,
        robots,
        tree: SourceTree::default(),
        seen: BTreeSet::from([url.to_string(), start.to_owned()]),
        queue: VecDeque::new(),
        images: Vec::new(),
        bytes: 0,
        spool: Spool::default(),
    };
    let (file, links) = crawl.take(start, first).await?.ok_or(GatherError::NoWebsite)?;
    progress.advance(1);
    let mapped = crawl.mapped(&url).await;
    let base = crawl.tree.bases.get(&file).cloned().unwrap_or_else(|| url.clone());
    crawl.follow(&base, links.iter().filter(|link| link.in_navigation).map(|link| link.href.as_str()));
    crawl.follow(&url, mapped.iter().map(String::as_str));
    crawl.follow(&base, links.iter().map(|link| link.href.as_str()));
    crawl.read_pages().await?;
    crawl.read_images().await?;
    let Crawl { mut tree, .. } = crawl;
    let addresses = &tree.addresses;
    let page = |href: &str| base.join(href).ok().and_then(|url| addresses.get(url.as_str()).cloned());
    tree.contents = navigation::contents(&links, &file, page);
    Ok(tree)
}

struct Crawl<'f> {
    fetcher: &'f Fetcher,
    limits: CrawlLimits,
    progress: &'f Progress,
    scope: Scope,
    robots: Robots,
    tree: SourceTree,
    /// Addresses that were or are going to be read.
    seen: BTreeSet<String>,
    queue: VecDeque<Url>,
    /// Pictures that pages show, each once, in their order.
    images: Vec<Url>,
    bytes: u64,
    spool: Spool,
}

impl Crawl<'_> {
    /// Has the pages that are linked from `base` read later.
    fn follow<'h>(&mut self, base: &Url, hrefs: impl Iterator<Item = &'h str>) {
        for href in hrefs {
            let Some(url) = self.scope.page(base, href) else { continue };
            // Far more addresses than pages are a trap, or a site that is too large anyway.
            let room = self.seen.len() < self.limits.max_pages.saturating_mul(10);
            if room && self.robots.allows(url.path()) && self.seen.insert(url.to_string()) {
                self.queue.push_back(url);
            }
        }
    }

    async fn read_pages(&mut self) -> Result<(), GatherError> {
        while !self.queue.is_empty() {
            let batch: Vec<Url> = self.queue.drain(..self.queue.len().min(self.limits.parallel)).collect();
            let answers = join_all(batch.iter().map(|url| self.fetcher.fetch(url.as_str()))).await;
            for (url, answer) in batch.into_iter().zip(answers) {
                self.progress.advance(1);
                match answer {
                    Ok(fetched) => {
                        let taken = self.take(url.as_str(), fetched).await?;
                        let Some((file, links)) = taken else { continue };
                        let base = self.tree.bases.get(&file).cloned().unwrap_or(url);
                        self.follow(&base, links.iter().map(|link| link.href.as_str()));
                    }
                    Err(error) => self.tree.report.push(failed(url.as_str(), reason(&error))),
                }
            }
        }
        Ok(())
    }

    /// Takes a page into the import: its file and its links. `None` for what is no page of the site, or is there under another address.
    async fn take(
        &mut self,
        asked: &str,
        fetched: Fetched,
    ) -> Result<Option<(String, Vec<PageLink>)>, GatherError> {
        let mut url = fetched.final_url.clone();
        url.set_fragment(None);
        if !is_page(&fetched) {
            self.tree.report.push(skipped(asked, "it is no HTML page"));
            return Ok(None);
        }
        if !self.scope.holds(&url) {
            self.tree.report.push(skipped(asked, format!("it leads out of the site, to {url}")));
            return Ok(None);
        }
        if let Some(known) = self.tree.addresses.get(url.as_str()).cloned() {
            self.tree.addresses.insert(asked.to_owned(), known);
            return Ok(None);
        }
        let bytes = fetched.bytes.clone();
        let address = url.clone();
        // A page may be large, and reading it takes the processor for a while.
        let scanning = tokio::task::spawn_blocking(move || scan(&address, &bytes));
        let Scanned { base, canonical, links, images } = scanning.await.map_err(GatherError::Interrupted)?;
        let canonical =
            canonical.filter(|canonical| self.scope.holds(canonical)).unwrap_or_else(|| url.clone());
        self.seen.insert(canonical.to_string());
        let Some(file) = self.scope.path_of(&canonical) else {
            self.tree.report.push(skipped(asked, "its address is no path"));
            return Ok(None);
        };
        for known_as in [asked, url.as_str(), canonical.as_str()] {
            self.tree.addresses.insert(known_as.to_owned(), file.clone());
        }
        if self.tree.files.contains_key(&file) {
            return Ok(None);
        }
        if self.tree.files.len() >= self.limits.max_pages {
            return Err(GatherError::TooManyPages { limit: self.limits.max_pages });
        }
        self.count(fetched.bytes.len())?;
        self.tree.files.insert(file.clone(), fetched.bytes.into());
        self.tree.bases.insert(file.clone(), base);
        self.images.extend(images);
        Ok(Some((file, links)))
    }

    /// The pages that the site's maps list.
    async fn mapped(&self, start: &Url) -> Vec<String> {
        let mut maps: VecDeque<String> = self.robots.sitemaps.iter().cloned().collect();
        if maps.is_empty() {
            maps.extend(start.join("/sitemap.xml").map(String::from));
        }
        let mut pages = Vec::new();
        for _ in 0..MAX_MAPS {
            let Some(map) = maps.pop_front() else { break };
            // A site without a map is a site all the same.
            let Ok(fetched) = self.fetcher.fetch(&map).await else { continue };
            let sitemap::Sitemap { pages: listed, maps: further } =
                sitemap::parse(&encoding::decode(&fetched.bytes).text);
            pages.extend(listed);
            maps.extend(further);
        }
        pages
    }

    async fn read_images(&mut self) -> Result<(), GatherError> {
        let mut seen = BTreeSet::new();
        let mut images = std::mem::take(&mut self.images);
        images.retain(|image| seen.insert(image.to_string()));
        let left = images.split_off(images.len().min(self.limits.max_images));
        let message =
            format!("it shows more than {} pictures; this one stays where it is", self.limits.max_images);
        self.tree.report.extend(left.iter().map(|image| skipped(image.as_str(), message.clone())));
        let pages = u64::try_from(self.tree.files.len()).unwrap_or(0);
        self.progress.expect(pages.saturating_add(u64::try_from(images.len()).unwrap_or(0)));
        for batch in images.chunks(self.limits.parallel.max(1)) {
            let answers = join_all(batch.iter().map(|image| self.fetcher.fetch(image.as_str()))).await;
            for (image, answer) in batch.iter().zip(answers) {
                self.progress.advance(1);
                match answer {
                    Ok(fetched) => self.take_image(image, fetched)?,
                    Err(error) => self.tree.report.push(failed(image.as_str(), reason(&error))),
                }
            }
        }
        Ok(())
    }

    fn take_image(&mut self, image: &Url, fetched: Fetched) -> Result<(), GatherError> {
        let kind = fetched.content_type.as_deref().unwrap_or_default();
        if !kind.starts_with("image/") {
            self.tree.report.push(skipped(image.as_str(), "it is no picture; the link to it stays"));
            return Ok(());
        }
        self.count(fetched.bytes.len())?;
        let name = fetched.file_name.as_deref().and_then(|name| path::sanitize(name).ok());
        let name = name.unwrap_or_else(|| "picture".to_owned());
        let by_type = mime_guess::get_mime_extensions_str(kind).and_then(<[_]>::first);
        let name = match by_type {
            Some(extension) if !is_picture(&name) => format!("{name}.{extension}"),
            _ => name,
        };
        let folder = (0_u32..).map(|number| match number {
            0 => format!(".gitbook/assets/{name}"),
            number => format!(".gitbook/assets/{number}/{name}"),
        });
        let Some(file) = folder.into_iter().find(|file| !self.tree.files.contains_key(file)) else {
            return Ok(());
        };
        let mut address = image.clone();
        address.set_fragment(None);
        self.tree.addresses.insert(address.into(), file.clone());
        let content = self.spool.keep(fetched.bytes.into()).map_err(GatherError::Spool)?;
        self.tree.files.insert(file, content);
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), GatherError> {
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        let limit = self.limits.max_total_bytes;
        if self.bytes > limit { Err(GatherError::TooLargeWebsite { limit }) } else { Ok(()) }
    }
}

/// The site's rules. A site without the file has none; one that fails to answer is left alone (RFC 9309, 2.3.1).
async fn robots(fetcher: &Fetcher, start: &Url) -> Robots {
    let Ok(address) = start.join("/robots.txt") else { return Robots::default() };
    match fetcher.fetch(address.as_str()).await {
        Ok(fetched) => Robots::parse(&encoding::decode(&fetched.bytes).text),
        Err(FetchError::Failed { status }) if status < 500 => Robots::default(),
        Err(_) => Robots::closed(),
    }
}

fn is_page(fetched: &Fetched) -> bool {
    matches!(fetched.content_type.as_deref(), Some("text/html" | "application/xhtml+xml"))
}

fn is_picture(name: &str) -> bool {
    mime_guess::from_path(name).first().is_some_and(|kind| kind.type_() == mime_guess::mime::IMAGE)
}

/// Why an address failed, with its cause: the report is all that a person sees of it.
fn reason(error: &FetchError) -> String {
    format!("it could not be fetched: {error}")
}
