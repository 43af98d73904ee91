//! Spaces with content, made when a selected case needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use quire_bench::client::{Client, text};
use reqwest::Method;
use serde_json::{Value, json};

use crate::archives::{self, Layout};
use crate::load::metric;

/// Content that cases use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Data {
    /// A space of 50 pages in folders.
    Fifty,
    /// A space of 200 pages in folders.
    Small,
    /// A space of 2,000 pages in folders.
    TwoThousand,
    /// A space of 100 siblings.
    Hundred,
    /// A space of 1,000 siblings.
    Thousand,
    /// A space of 10,000 siblings.
    Large,
    /// A space of 20 pages of 40 kB.
    Long,
    /// A space of 200 pages that is written to.
    Writes,
    /// 16 spaces of 20 pages that are written to.
    Spread,
    /// 50 empty spaces.
    Many,
    /// A space of 200 pages of 2,000 words.
    Words,
}

/// A published site of one space.
pub(crate) struct Site {
    /// The path of its first page.
    pub(crate) root: String,
    /// The paths of its other pages in the order of the tree.
    pub(crate) pages: Vec<String>,
}

impl Site {
    /// The path of a page, by its index in the tree.
    pub(crate) fn page(&self, index: usize) -> Result<String> {
        self.pages.get(index).cloned().context("the site has fewer pages")
    }
}

/// A space and its pages.
pub(crate) struct Space {
    pub(crate) id: String,
    /// The ids of its pages in the order of the tree.
    pub(crate) pages: Vec<String>,
}

impl Space {
    /// The path of a page, by its index in the tree.
    pub(crate) fn page(&self, index: usize) -> Result<String> {
        let page = self.pages.get(index).context("the space has fewer pages")?;
        Ok(format!("/v1/spaces/{}/content/page/{page}", self.id))
    }
}

/// Bytes of a page of 2,000 words.
pub(crate) const WORDS_BYTES: usize = 15_000;

/// Longest time to index all pages for search.
const INDEXING: Duration = Duration::from_mins(2);

/// Pages per import: a failed import of a slow machine says so before minutes have passed.
const PAGES_PER_IMPORT: usize = 1_000;

/// The content of one server.
pub(crate) struct Fixture {
    pub(crate) organization: String,
    spaces: BTreeMap<Data, Vec<Space>>,
    sites: BTreeMap<Data, Site>,
}

impl Fixture {
    pub(crate) fn new(organization: &str) -> Self {
        Self { organization: organization.to_owned(), spaces: BTreeMap::new(), sites: BTreeMap::new() }
    }

    /// Makes what is missing and waits until it is indexed. `published` are spaces that need a site.
    pub(crate) async fn fill(
        &mut self,
        client: &Client,
        needed: &BTreeSet<Data>,
        published: &BTreeSet<Data>,
    ) -> Result<()> {
        self.make(client, needed).await?;
        for data in published {
            if !self.sites.contains_key(data) {
                let site = publish(client, &self.organization, &self.space(*data)?.id).await?;
                self.sites.insert(*data, site);
            }
        }
        self.index(client).await
    }

    /// Makes what is missing.
    pub(crate) async fn make(&mut self, client: &Client, needed: &BTreeSet<Data>) -> Result<()> {
        for data in needed {
            if !self.spaces.contains_key(data) {
                let spaces = make(client, &self.organization, *data).await?;
                self.spaces.insert(*data, spaces);
            }
        }
        Ok(())
    }

    /// Waits until the server has indexed all pages for search, work that would otherwise fall into the first cases.
    async fn index(&self, client: &Client) -> Result<()> {
        let filled = || self.spaces.values().flatten().filter(|space| !space.pages.is_empty());
        for space in filled() {
            // A search tells the server of pages to index, also when it is refused until they are indexed.
            let _ = client.get(&format!("/v1/spaces/{}/search?query=page", space.id), &[]).await?;
        }
        let pages = f64::from(u32::try_from(filled().map(|space| space.pages.len()).sum::<usize>())?);
        let end = Instant::now() + INDEXING;
        loop {
            let metrics = client.get("/metrics", &[]).await?;
            let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
            if metric(&metrics, "quire_search_pages").is_none_or(|indexed| indexed >= pages) {
                return Ok(());
            }
            anyhow::ensure!(Instant::now() < end, "the search index lacks pages after {INDEXING:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The spaces of a kind, which must have been made.
    pub(crate) fn spaces(&self, data: Data) -> Result<&[Space]> {
        self.spaces.get(&data).map(Vec::as_slice).with_context(|| format!("{data:?} was not made"))
    }

    /// The site of a space of a kind.
    pub(crate) fn site(&self, data: Data) -> Result<&Site> {
        self.sites.get(&data).with_context(|| format!("{data:?} was not published"))
    }

    /// The only or first space of a kind.
    pub(crate) fn space(&self, data: Data) -> Result<&Space> {
        self.spaces(data)?.first().context("there is a space")
    }
}

/// Publishes a site of a space.
pub(crate) async fn publish(client: &Client, organization: &str, space: &str) -> Result<Site> {
    let sites = format!("/v1/orgs/{organization}/sites");
    let body = json!({"title": "Bench", "visibility": "public", "spaces": [space]});
    let (site, _) = client.call(Method::POST, &sites, Some(&body)).await?;
    let publish = format!("{sites}/{}/publish", text(&site, "/id")?);
    let (published, _) = client.call(Method::POST, &publish, None).await?;
    let url = text(&published, "/urls/published")?;
    let root = url.find("/sites/").and_then(|at| url.get(at..)).context("a site has a path")?.to_owned();
    let (tree, _) = client.call(Method::GET, &format!("/v1/spaces/{space}/content/pages"), None).await?;
    let mut paths = Vec::new();
    collect_paths(tree.pointer("/pages"), &mut paths)?;
    let pages = paths.iter().skip(1).map(|path| format!("{root}/{path}")).collect();
    Ok(Site { root, pages })
}

async fn make(client: &Client, organization: &str, data: Data) -> Result<Vec<Space>> {
    let (spaces, pages, bytes, layout) = match data {
        Data::Small | Data::Writes => (1, 200, 4_000, Layout::Folders),
        Data::Fifty => (1, 50, 4_000, Layout::Folders),
        Data::TwoThousand => (1, 2_000, 4_000, Layout::Folders),
        Data::Hundred => (1, 100, 4_000, Layout::Flat),
        Data::Thousand => (1, 1_000, 4_000, Layout::Flat),
        Data::Large => (1, 10_000, 4_000, Layout::Flat),
        Data::Long => (1, 20, 40_000, Layout::Folders),
        Data::Spread => (16, 20, 4_000, Layout::Folders),
        Data::Many => (50, 0, 0, Layout::Flat),
        Data::Words => (1, 200, WORDS_BYTES, Layout::Flat),
    };
    let mut made = Vec::new();
    for number in 0..spaces {
        let title = format!("{data:?} {number}");
        made.push(make_space(client, organization, &title, pages, bytes, layout).await?);
    }
    Ok(made)
}

async fn make_space(
    client: &Client,
    organization: &str,
    title: &str,
    pages: usize,
    bytes: usize,
    layout: Layout,
) -> Result<Space> {
    let id = empty_space(client, organization, title).await?;
    let numbers: Vec<usize> = (0..pages).collect();
    import(client, &id, &numbers, bytes, layout).await?;
    let path = format!("/v1/spaces/{id}/content/pages");
    let (tree, _) = client.call(Method::GET, &path, None).await?;
    let mut found = Vec::new();
    collect(tree.pointer("/pages"), &mut found)?;
    anyhow::ensure!(found.len() == pages, "{title} has {} pages instead of {pages}", found.len());
    Ok(Space { id, pages: found })
}

/// Imports the pages of these numbers.
pub(crate) async fn import(
    client: &Client,
    space: &str,
    numbers: &[usize],
    bytes: usize,
    layout: Layout,
) -> Result<()> {
    for numbers in numbers.chunks(PAGES_PER_IMPORT) {
        client.import(space, archives::zip(archives::files(numbers, bytes, layout))?).await?;
    }
    Ok(())
}

/// Makes a space and returns its id.
pub(crate) async fn empty_space(client: &Client, organization: &str, title: &str) -> Result<String> {
    let path = format!("/v1/orgs/{organization}/spaces");
    let (space, _) = client.call(Method::POST, &path, Some(&json!({"title": title}))).await?;
    text(&space, "/id")
}

fn collect(pages: Option<&Value>, found: &mut Vec<String>) -> Result<()> {
    for page in pages.and_then(Value::as_array).into_iter().flatten() {
        found.push(text(page, "/id")?);
        collect(page.get("pages"), found)?;
    }
    Ok(())
}

/// Collects the paths of pages with a document.
fn collect_paths(pages: Option<&Value>, found: &mut Vec<String>) -> Result<()> {
    for page in pages.and_then(Value::as_array).into_iter().flatten() {
        if page.get("documentId").is_some_and(Value::is_string) {
            found.push(text(page, "/path")?);
        }
        collect_paths(page.get("pages"), found)?;
    }
    Ok(())
}
