//! Crawler of websites: fetches the pages below an address, as far as the site allows.

mod frontier;
mod navigation;
mod page;
mod quota;
mod robots;
mod scope;
mod sitemap;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::join_all;
use quire_domain::imports::ImportReportEntry;
use quire_markup::html::PageLink;
use url::Url;

use self::frontier::Frontier;
use self::page::{Scanned, scan};
use self::quota::{IMAGE_MAX, MAP_MAX, PAGE_MAX, Quota, ROBOTS_MAX};
use self::robots::Robots;
use self::scope::Scope;
use crate::encoding;
use crate::fetch::{Downloaded, FetchError, Fetched, Fetcher};
use crate::gather_error::GatherError;
use crate::path;
use crate::progress::Progress;
use crate::report::{failed, skipped};
use crate::spool::{Content, Spool};
use crate::stub;
use crate::tree::SourceTree;

/// Limits of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrawlLimits {
    /// Pages.
    pub max_pages: usize,
    /// Pictures on these pages.
    pub max_images: usize,
    /// Bytes of all fetched content: pages, pictures, robots.txt and sitemaps.
    pub max_total_bytes: u64,
    /// Concurrent requests, as many as a browser makes.
    pub parallel: usize,
}

impl Default for CrawlLimits {
    fn default() -> Self {
        Self { max_pages: 200, max_images: 1_000, max_total_bytes: 512 * 1024 * 1024, parallel: 6 }
    }
}

/// Number of sitemaps that are read.
const MAX_MAPS: usize = 10;

/// Crawls the site below the folder of `start`: the page itself, the pages in the sitemap and navigation, and pages
/// linked from others.
///
/// # Errors
/// [`GatherError`] if the first page cannot be fetched, the site disallows it, or a limit is exceeded.
pub(crate) async fn crawl(
    fetcher: &Fetcher,
    limits: CrawlLimits,
    start: &str,
    progress: &Progress,
) -> Result<SourceTree, GatherError> {
    let mut quota = Quota::new(fetcher, limits.max_total_bytes);
    let first = quota.fetch(start, PAGE_MAX).await;
    quota.count(first.as_ref().map(|fetched| fetched.bytes.len()), PAGE_MAX)?;
    let first = first?;
    if !is_page(&first) {
        return Err(GatherError::NoWebsite);
    }
    let robots = robots(&mut quota, &first.final_url).await?;
    if !robots.allows(first.final_url.path()) {
        return Err(GatherError::RobotsRefuse);
    }
    let mut url = first.final_url.clone();
    url.set_fragment(None);
    url.set_query(None);
    let frontier = Frontier {
        scope: Arc::new(Scope::below(&url)),
        robots: Arc::new(robots),
        seen: BTreeSet::from([url.to_string(), start.to_owned()]),
        most: limits.max_pages.saturating_mul(10),
    };
    let mut crawl = Crawl {
        quota,
        limits,
        progress,
        frontier,
        tree: SourceTree::default(),
        queue: VecDeque::new(),
        images: Vec::new(),
        spool: Spool::default(),
        aliases: Vec::new(),
        start: None,
    };
    let (file, links) = crawl.take(start, first).await?.ok_or(GatherError::NoWebsite)?;
    crawl.start = Some(url.clone());
    progress.advance(1);
    let mapped = crawl.mapped(&url).await?;
    let base = crawl.tree.bases.get(&file).cloned().unwrap_or_else(|| url.clone());
    let (in_navigation, all) = (
        links.iter().filter(|link| link.in_navigation).filter_map(href).collect(),
        links.iter().filter_map(href).collect(),
    );
    crawl.follow(&base, in_navigation).await?;
    crawl.follow(&url, mapped).await?;
    crawl.follow(&base, all).await?;
    crawl.read_pages().await?;
    crawl.read_images().await?;
    let Crawl { mut tree, aliases, .. } = crawl;
    for (from, to) in aliases {
        if let Some(file) = tree.addresses.get(to.as_str()).cloned() {
            tree.addresses.entry(from).or_insert(file);
        }
    }
    let addresses = &tree.addresses;
    let page = |href: &str| base.join(href).ok().and_then(|url| addresses.get(url.as_str()).cloned());
    tree.contents = navigation::contents(&links, &file, page);
    Ok(tree)
}

struct Crawl<'f> {
    quota: Quota<'f>,
    limits: CrawlLimits,
    progress: &'f Progress,
    frontier: Frontier,
    tree: SourceTree,
    queue: VecDeque<Url>,
    /// Pictures on pages, without duplicates, in order.
    images: Vec<Url>,
    spool: Spool,
    /// Alternative addresses of pages.
    aliases: Vec<(String, Url)>,
    /// The address of the first page.
    start: Option<Url>,
}

/// Address under which a page is imported.
enum Canonical {
    /// The requested address, with the page's own content.
    Own(Url),
    /// Another page, which was fetched now.
    Other(Url, Bytes, Box<Scanned>),
    /// Another page, which is already known.
    Known(Url),
}

impl Crawl<'_> {
    /// Queues the pages that are linked from `base`.
    async fn follow(&mut self, base: &Url, hrefs: Vec<String>) -> Result<(), GatherError> {
        let (base, mut frontier) = (base.clone(), self.frontier.clone());
        let (frontier, found) = self
            .quota
            .blocking(move || {
                let found = frontier.follow(&base, &hrefs);
                (frontier, found)
            })
            .await?;
        self.frontier = frontier;
        self.queue.extend(found);
        Ok(())
    }

    async fn read_pages(&mut self) -> Result<(), GatherError> {
        while !self.queue.is_empty() {
            let batch: Vec<Url> = self.queue.drain(..self.queue.len().min(self.limits.parallel)).collect();
            let answers = join_all(batch.iter().map(|url| self.quota.fetch(url.as_str(), PAGE_MAX))).await;
            for (url, answer) in batch.into_iter().zip(answers) {
                self.progress.advance(1);
                self.quota.count(answer.as_ref().map(|fetched| fetched.bytes.len()), PAGE_MAX)?;
                match answer {
                    Ok(fetched) => {
                        let taken = self.take(url.as_str(), fetched).await?;
                        let Some((file, links)) = taken else { continue };
                        let base = self.tree.bases.get(&file).cloned().unwrap_or(url);
                        self.follow(&base, links.iter().filter_map(href).collect()).await?;
                    }
                    Err(error) => self.tree.report.push(not_taken(&url, "page", &error)),
                }
            }
        }
        Ok(())
    }

    /// Adds a page to the import: its file and its links. Returns `None` if it is not a page of the site, or is known
    /// under another address.
    async fn take(
        &mut self,
        asked: &str,
        fetched: Fetched,
    ) -> Result<Option<(String, Vec<PageLink>)>, GatherError> {
        let mut url = fetched.final_url.clone();
        url.set_fragment(None);
        let scope = Arc::clone(&self.frontier.scope);
        if !is_page(&fetched) {
            self.tree.report.push(skipped(asked, "it is not an HTML page"));
            return Ok(None);
        }
        if !scope.holds(&url) {
            self.tree.report.push(skipped(asked, format!("it redirects out of the site, to {url}")));
            return Ok(None);
        }
        if let Some(known) = self.tree.addresses.get(url.as_str()).cloned() {
            self.tree.addresses.insert(asked.to_owned(), known);
            return Ok(None);
        }
        let scanned = self.scan(&url, &fetched.bytes).await?;
        if let Some(target) = scanned.stub_of {
            self.tree.report.push(skipped(asked, stub::REASON));
            self.aliases.extend([asked.to_owned(), url.to_string()].map(|from| (from, target.clone())));
            self.follow(&url, vec![target.into()]).await?;
            return Ok(None);
        }
        if scanned.is_print {
            self.tree.report.push(skipped(asked, "it repeats all pages of the book for printing"));
            return Ok(None);
        }
        let (canonical, bytes, scanned) = match self.canonical(&url, &scanned).await? {
            Canonical::Own(address) => (address, fetched.bytes, scanned),
            Canonical::Other(address, bytes, other) => {
                self.tree
                    .report
                    .push(skipped(asked, format!("{address}, its canonical address, was read instead")));
                (address, bytes, *other)
            }
            Canonical::Known(address) => {
                self.tree
                    .report
                    .push(skipped(asked, format!("{address}, its canonical address, was read instead")));
                self.aliases.extend([asked.to_owned(), url.to_string()].map(|from| (from, address.clone())));
                return Ok(None);
            }
        };
        let Scanned { base, links, images, .. } = scanned;
        self.frontier.seen.insert(canonical.to_string());
        let Some(file) = scope.path_of(&canonical) else {
            self.tree.report.push(skipped(asked, "its address is not a valid path"));
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
        let content = self.keep(bytes.into()).await?;
        self.tree.files.insert(file.clone(), content);
        self.tree.bases.insert(file.clone(), base);
        self.images.extend(images);
        Ok(Some((file, links)))
    }

    /// Reads the links and metadata of a page. A page may be large, and parsing it is CPU-intensive.
    async fn scan(&self, url: &Url, bytes: &Bytes) -> Result<Scanned, GatherError> {
        let (address, bytes) = (url.clone(), bytes.clone());
        self.quota.blocking(move || scan(&address, &bytes)).await
    }

    /// Returns the address under which a page is imported. The canonical address that a page declares is preferred if
    /// it is a page of the site, and neither redirects to nor declares another one. The start page is not the canonical
    /// form of other pages.
    async fn canonical(&mut self, url: &Url, scanned: &Scanned) -> Result<Canonical, GatherError> {
        let named = scanned.canonical.clone().map(|mut named| {
            named.set_fragment(None);
            named
        });
        let named = named.filter(|named| self.frontier.scope.holds(named) && named != url);
        let Some(named) = named else { return Ok(Canonical::Own(url.clone())) };
        // Addresses that only differ in a query or a trailing slash denote the same page.
        let plain = |url: &Url| url.path().trim_end_matches("index.html").trim_end_matches('/').to_owned();
        if plain(&named) == plain(url) {
            return Ok(Canonical::Own(named));
        }
        if self.start.as_ref().is_some_and(|start| plain(start) == plain(&named)) {
            return Ok(Canonical::Own(url.clone()));
        }
        if self.tree.addresses.contains_key(named.as_str()) {
            return Ok(Canonical::Known(named));
        }
        if !self.frontier.robots.allows(named.path()) {
            return Ok(Canonical::Own(url.clone()));
        }
        let answer = self.quota.fetch(named.as_str(), PAGE_MAX).await;
        self.quota.count(answer.as_ref().map(|fetched| fetched.bytes.len()), PAGE_MAX)?;
        let Some(fetched) = answer.ok().filter(|fetched| is_page(fetched) && fetched.final_url == named)
        else {
            return Ok(Canonical::Own(url.clone()));
        };
        let other = self.scan(&named, &fetched.bytes).await?;
        let is_itself = other.canonical.as_ref().is_none_or(|further| plain(further) == plain(&named));
        Ok(match other.stub_of.is_none() && is_itself {
            true => Canonical::Other(named, fetched.bytes, Box::new(other)),
            false => Canonical::Own(url.clone()),
        })
    }

    /// Stores fetched content in the import's spool.
    async fn keep(&mut self, content: Content) -> Result<Content, GatherError> {
        let mut spool = std::mem::take(&mut self.spool);
        let (spool, kept) = self
            .quota
            .blocking(move || {
                let kept = spool.copy(&content);
                (spool, kept)
            })
            .await?;
        self.spool = spool;
        kept.map_err(GatherError::Spool)
    }

    /// Returns the pages in the site's sitemaps.
    async fn mapped(&mut self, start: &Url) -> Result<Vec<String>, GatherError> {
        let mut maps: VecDeque<String> =
            self.frontier.robots.sitemaps.iter().take(MAX_MAPS).cloned().collect();
        if maps.is_empty() {
            maps.extend(start.join("/sitemap.xml").map(String::from));
        }
        let mut pages = Vec::new();
        for _ in 0..MAX_MAPS {
            let Some(map) = maps.pop_front() else { break };
            let fetched = self.quota.fetch(&map, MAP_MAX).await;
            self.quota.count(fetched.as_ref().map(|fetched| fetched.bytes.len()), MAP_MAX)?;
            // A sitemap is optional.
            let Ok(fetched) = fetched else { continue };
            let parsed =
                self.quota.blocking(move || sitemap::parse(&encoding::decode(&fetched.bytes).text)).await?;
            let room = self.frontier.most.saturating_sub(pages.len());
            pages.extend(parsed.pages.into_iter().take(room));
            maps.extend(parsed.maps.into_iter().take(MAX_MAPS));
        }
        Ok(pages)
    }

    async fn read_images(&mut self) -> Result<(), GatherError> {
        let mut seen = BTreeSet::new();
        let mut images = std::mem::take(&mut self.images);
        images.retain(|image| seen.insert(image.to_string()));
        let left = images.split_off(images.len().min(self.limits.max_images));
        let message = format!(
            "it shows more than {} pictures; this one was left on the website",
            self.limits.max_images
        );
        self.tree.report.extend(left.iter().map(|image| skipped(image.as_str(), message.clone())));
        let pages = u64::try_from(self.tree.files.len()).unwrap_or(0);
        self.progress.expect(pages.saturating_add(u64::try_from(images.len()).unwrap_or(0)));
        for batch in images.chunks(self.limits.parallel.max(1)) {
            let answers =
                join_all(batch.iter().map(|image| self.quota.download(image.as_str(), IMAGE_MAX))).await;
            for (image, answer) in batch.iter().zip(answers) {
                self.progress.advance(1);
                self.quota.count(answer.as_ref().map(|fetched| fetched.content.len()), IMAGE_MAX)?;
                match answer {
                    Ok(fetched) => self.take_image(image, fetched).await?,
                    Err(error) => self.tree.report.push(not_taken(image, "picture", &error)),
                }
            }
        }
        Ok(())
    }

    async fn take_image(&mut self, image: &Url, fetched: Downloaded) -> Result<(), GatherError> {
        let kind = fetched.content_type.as_deref().unwrap_or_default();
        if !kind.starts_with("image/") {
            self.tree.report.push(skipped(image.as_str(), "it is not a picture; the link to it was kept"));
            return Ok(());
        }
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
        let content = self.keep(fetched.content).await?;
        self.tree.files.insert(file, content);
        Ok(())
    }
}

/// Returns the address of a link; `None` for a label.
fn href(link: &PageLink) -> Option<String> {
    (!link.href.is_empty()).then(|| link.href.clone())
}

/// Returns the site's rules. A site without `robots.txt` has none; a site whose `robots.txt` cannot be fetched or is
/// too large is not crawled (RFC 9309, 2.3.1).
async fn robots(quota: &mut Quota<'_>, start: &Url) -> Result<Robots, GatherError> {
    let Ok(address) = start.join("/robots.txt") else { return Ok(Robots::default()) };
    let fetched = quota.fetch(address.as_str(), ROBOTS_MAX).await;
    quota.count(fetched.as_ref().map(|fetched| fetched.bytes.len()), ROBOTS_MAX)?;
    match fetched {
        Ok(fetched) => quota.blocking(move || Robots::parse(&encoding::decode(&fetched.bytes).text)).await,
        Err(FetchError::Failed { status }) if status < 500 => Ok(Robots::default()),
        Err(_) => Ok(Robots::closed()),
    }
}

fn is_page(fetched: &Fetched) -> bool {
    matches!(fetched.content_type.as_deref(), Some("text/html" | "application/xhtml+xml"))
}

fn is_picture(name: &str) -> bool {
    mime_guess::from_path(name).first().is_some_and(|kind| kind.type_() == mime_guess::mime::IMAGE)
}

/// Returns the report entry for a page or picture that could not be fetched. Its cause is the only information that
/// users get.
fn not_taken(address: &Url, kind: &str, error: &FetchError) -> ImportReportEntry {
    match error {
        FetchError::TooLarge { .. } => {
            skipped(address.as_str(), format!("it is larger than the limit for a {kind}"))
        }
        error => failed(address.as_str(), format!("it could not be fetched: {error}")),
    }
}

#[cfg(test)]
mod tests;
