//! Spaces with content, made when a selected case needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use quire_bench::client::{Client, text};
use reqwest::Method;
use serde_json::{Value, json};

use crate::archives::{self, Layout};
use crate::load::metric;
use crate::report::float;

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
    /// A space of 200 pages of 2,000 words, which are 15 kB.
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

/// Longest time to index all pages for search.
const INDEXING: Duration = Duration::from_mins(4);

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

    /// Makes the spaces, publishes sites of some of them, and waits until the pages are indexed.
    pub(crate) async fn fill(
        &mut self,
        client: &Client,
        spaces: &BTreeSet<Data>,
        sites: &BTreeSet<Data>,
    ) -> Result<()> {
        for data in spaces {
            let made = make(client, &self.organization, *data).await?;
            self.spaces.insert(*data, made);
        }
        for data in sites {
            let site = publish(client, &self.organization, &self.space(*data)?.id).await?;
            self.sites.insert(*data, site);
        }
        self.index(client).await
    }

    /// Waits until the server has indexed all pages for search, work that would otherwise fall into the first cases.
    async fn index(&self, client: &Client) -> Result<()> {
        let filled = || self.spaces.values().flatten().filter(|space| !space.pages.is_empty());
        for space in filled() {
            // A search tells the server of pages to index, also when it is refused until they are indexed.
            let _ = client.get(&format!("/v1/spaces/{}/search?query=page", space.id), &[]).await?;
        }
        let (pages, start) = (float(filled().map(|space| space.pages.len()).sum()), Instant::now());
        while metric(client, "quire_search_pages").await?.is_some_and(|indexed| indexed < pages) {
            anyhow::ensure!(start.elapsed() < INDEXING, "the search index lacks pages after {INDEXING:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
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
async fn publish(client: &Client, organization: &str, space: &str) -> Result<Site> {
    let sites = format!("/v1/orgs/{organization}/sites");
    let body = json!({"title": "Bench", "visibility": "public", "spaces": [space]});
    let (site, _) = client.call(Method::POST, &sites, Some(&body)).await?;
    let publish = format!("{sites}/{}/publish", text(&site, "/id")?);
    let (published, _) = client.call(Method::POST, &publish, None).await?;
    let url = text(&published, "/urls/published")?;
    let root = url.find("/sites/").and_then(|at| url.get(at..)).context("a site has a path")?.to_owned();
    let paths = collect(client, space, "/path", true).await?;
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
        Data::Words => (1, 200, 15_000, Layout::Flat),
    };
    let mut made = Vec::new();
    for number in 0..spaces {
        let id = empty_space(client, organization, &format!("{data:?} {number}")).await?;
        for numbers in (0..pages).collect::<Vec<_>>().chunks(PAGES_PER_IMPORT) {
            client.import(&id, archives::pages(numbers, bytes, layout)?).await?;
        }
        let found = collect(client, &id, "/id", false).await?;
        anyhow::ensure!(found.len() == pages, "{data:?} has {} pages instead of {pages}", found.len());
        made.push(Space { id, pages: found });
    }
    Ok(made)
}

/// Makes a space and returns its id.
pub(crate) async fn empty_space(client: &Client, organization: &str, title: &str) -> Result<String> {
    let path = format!("/v1/orgs/{organization}/spaces");
    let (space, _) = client.call(Method::POST, &path, Some(&json!({"title": title}))).await?;
    text(&space, "/id")
}

/// Collects a field of all pages of a space, or of those with a document.
async fn collect(client: &Client, space: &str, field: &str, written: bool) -> Result<Vec<String>> {
    let (tree, _) = client.call(Method::GET, &format!("/v1/spaces/{space}/content/pages"), None).await?;
    let mut found = Vec::new();
    let mut rest: Vec<&Value> = tree.pointer("/pages").into_iter().collect();
    while let Some(value) = rest.pop() {
        if let Some(list) = value.as_array() {
            rest.extend(list.iter().rev());
            continue;
        }
        if !written || value.get("documentId").is_some_and(Value::is_string) {
            found.push(text(value, field)?);
        }
        rest.extend(value.get("pages"));
    }
    Ok(found)
}
