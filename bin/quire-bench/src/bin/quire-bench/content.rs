//! Servers under measurement, and their spaces with content.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quire_bench::client::{Client, text};
use quire_bench::server::{Log, Server};
use reqwest::Method;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::load::wait_for;
use crate::pages;
use crate::process;
use crate::report::{MEMORY, Results, float};

/// Spaces of generated pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Data {
    spaces: usize,
    pages: usize,
    /// Bytes of a page.
    bytes: usize,
    in_folders: bool,
    has_site: bool,
}

const fn data(spaces: usize, pages: usize, bytes: usize, [in_folders, has_site]: [bool; 2]) -> Data {
    Data { spaces, pages, bytes, in_folders, has_site }
}

pub(crate) const SMALL: Data = data(1, 200, 4_000, [true, true]);
pub(crate) const HUNDRED: Data = data(1, 100, 4_000, [false, true]);
pub(crate) const THOUSAND: Data = data(1, 1_000, 4_000, [false, true]);
pub(crate) const LARGE: Data = data(1, 10_000, 4_000, [false, true]);
pub(crate) const LONG: Data = data(1, 20, 40_000, [true, false]);
pub(crate) const WRITES: Data = data(1, 200, 4_000, [true, false]);
pub(crate) const SPREAD: Data = data(16, 20, 4_000, [true, false]);
pub(crate) const MANY: Data = data(50, 0, 0, [false, false]);
/// Pages of 2,000 words.
pub(crate) const WORDS: Data = data(1, 200, 15_000, [false, true]);

/// A zip archive of pages of `bytes` bytes, each with links to some of the others. Either all pages are siblings, the
/// worst case for operations whose cost depends on their number, or folders have 25 pages, the first of them their own.
pub(crate) fn archive(numbers: &[usize], bytes: usize, in_folders: bool) -> Result<Vec<u8>> {
    let name = |number: usize| match (in_folders, number / 25, number % 25) {
        (false, ..) => format!("page-{number}.md"),
        (true, folder, 0) => format!("part-{folder}/README.md"),
        (true, folder, _) => format!("part-{folder}/page-{number}.md"),
    };
    let up = if in_folders { "../" } else { "" };
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for number in numbers {
        let targets = (1..8).filter_map(|step| numbers.get((number + step * 13) % numbers.len()));
        let targets: Vec<String> = targets.map(|target| format!("{up}{}", name(*target))).collect();
        archive.start_file(name(*number), SimpleFileOptions::default())?;
        archive.write_all(pages::page(*number, bytes, &targets).as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// A space, its pages and its site.
#[derive(Default)]
pub(crate) struct Space {
    /// The path of its organization in the API.
    pub(crate) organization: String,
    pub(crate) id: String,
    /// The ids of its pages in the order of the tree.
    pub(crate) pages: Vec<String>,
    /// The path of the first page of its site.
    pub(crate) site: String,
    /// The paths of the other pages of its site in the order of the tree.
    pub(crate) visited: Vec<String>,
}

impl Space {
    /// The path of the space in the API.
    pub(crate) fn path(&self) -> String {
        format!("/v1/spaces/{}", self.id)
    }

    /// The path of a page in the API, by its index in the tree.
    pub(crate) fn page(&self, index: usize) -> String {
        format!("{}/content/page/{}", self.path(), self.pages.get(index).map_or("", String::as_str))
    }

    /// The path of a page of the site, by its index in the tree.
    pub(crate) fn visit(&self, index: usize) -> String {
        self.visited.get(index).cloned().unwrap_or_default()
    }
}

/// One binary that is measured: its server, with content and results.
pub(crate) struct Run {
    pub(crate) server: Server,
    pub(crate) client: Client,
    pub(crate) results: Results,
    spaces: BTreeMap<Data, Vec<Space>>,
}

impl Run {
    /// Starts the server with its default log, and makes the spaces.
    pub(crate) async fn start(binary: &Path, content: &BTreeSet<Data>) -> Result<Self> {
        let server = Server::start(binary, Log::Default)?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let mut results = Results::new(binary);
        results.add(MEMORY, "idle", &process::memory_mb(server.pid())?);
        let client = Client::new(&server)?;
        let mut run = Self { server, client, results, spaces: BTreeMap::new() };
        for data in content {
            let spaces = run.make(*data).await?;
            run.spaces.insert(*data, spaces);
        }
        run.index().await?;
        run.server.truncate_log()?;
        Ok(run)
    }

    /// The spaces of a kind.
    pub(crate) fn spaces(&self, data: Data) -> Result<&[Space]> {
        self.spaces.get(&data).map(Vec::as_slice).with_context(|| format!("{data:?} was not made"))
    }

    /// The only or first space of a kind.
    pub(crate) fn space(&self, data: Data) -> Result<&Space> {
        self.spaces(data)?.first().context("there is a space")
    }

    async fn make(&self, data: Data) -> Result<Vec<Space>> {
        let Data { spaces, pages, bytes, in_folders, has_site } = data;
        let mut made = Vec::new();
        for number in 0..spaces {
            let id = self.empty_space(&format!("{pages} pages, {number}")).await?;
            // A failed import of a slow machine says so before minutes have passed.
            for numbers in (0..pages).collect::<Vec<_>>().chunks(1_000) {
                self.client.import(&id, archive(numbers, bytes, in_folders)?).await?;
            }
            let organization = format!("/v1/orgs/{}", self.server.organization);
            let pages = self.collect(&id, "/id", pages).await?;
            let mut space = Space { organization, id, pages, ..Space::default() };
            if has_site {
                space.site = self.publish(&space.id).await?;
                let paths = self.collect(&space.id, "/path", space.pages.len()).await?;
                space.visited = paths.iter().skip(1).map(|path| format!("{}/{path}", space.site)).collect();
            }
            made.push(space);
        }
        Ok(made)
    }

    /// Makes a space and returns its id.
    pub(crate) async fn empty_space(&self, title: &str) -> Result<String> {
        let path = format!("/v1/orgs/{}/spaces", self.server.organization);
        let (space, _) = self.client.call(Method::POST, &path, Some(&json!({"title": title}))).await?;
        text(&space, "/id")
    }

    /// Publishes a site of a space and returns its path.
    async fn publish(&self, space: &str) -> Result<String> {
        let sites = format!("/v1/orgs/{}/sites", self.server.organization);
        let body = json!({"title": "Bench", "visibility": "public", "spaces": [space]});
        let (site, _) = self.client.call(Method::POST, &sites, Some(&body)).await?;
        let publish = format!("{sites}/{}/publish", text(&site, "/id")?);
        let (published, _) = self.client.call(Method::POST, &publish, None).await?;
        let url = text(&published, "/urls/published")?;
        Ok(url.find("/sites/").and_then(|at| url.get(at..)).context("a site has a path")?.to_owned())
    }

    /// Collects a field of all pages of a space, which must have `count` pages.
    async fn collect(&self, space: &str, field: &str, count: usize) -> Result<Vec<String>> {
        let path = format!("/v1/spaces/{space}/content/pages");
        let (tree, _) = self.client.call(Method::GET, &path, None).await?;
        let mut found = Vec::new();
        let mut rest: Vec<&Value> = tree.pointer("/pages").into_iter().collect();
        while let Some(value) = rest.pop() {
            if let Some(list) = value.as_array() {
                rest.extend(list.iter().rev());
                continue;
            }
            found.push(text(value, field)?);
            rest.extend(value.get("pages"));
        }
        ensure!(found.len() == count, "{} pages instead of {count}", found.len());
        Ok(found)
    }

    /// Waits until the server has indexed all pages for search, work that would otherwise fall into the first cases.
    async fn index(&self) -> Result<()> {
        let filled = || self.spaces.values().flatten().filter(|space| !space.pages.is_empty());
        for space in filled() {
            // A search tells the server of pages to index, also when it is refused until they are indexed.
            let _ = self.client.get(&format!("{}/search?query=page", space.path()), &[]).await?;
        }
        wait_for(&self.client, "quire_search_pages", float(filled().map(|space| space.pages.len()).sum()))
            .await
    }
}
