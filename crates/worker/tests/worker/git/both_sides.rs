//! Random edits on both sides: after each synchronization the sides are equal and no block is lost.
//!
//! `QUIRE_GIT_EDITS=1000` sets the number of edits against each kind of server, `QUIRE_GIT_SEED` the seed.

#![allow(clippy::print_stderr, reason = "a long run says how far it is")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use quire_domain::ids::PageId;
use quire_revision::PageType;
use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

/// Default number of edits of a run.
const EDITS: u64 = 24;

/// Edits from one line about the progress of a longer run to the next.
const STEP: u64 = 50;

/// Most edits of a side between two synchronizations.
const ROUND: u64 = 5;

/// The table of contents.
const SUMMARY: &str = "SUMMARY.md";

/// The page that is never removed.
const HOME: &str = "README.md";

/// Kind of a server.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Supports blob filters and fetches by object id, as GitHub does.
    GitHub,
    /// Also redirects to the name with `.git` and has refs of merge requests, as GitLab does.
    GitLab,
    /// Sends all objects.
    WithoutFilters,
}

/// Pseudorandom numbers from a seed (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn of<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }
}

/// Both sides, and the blocks that must be on one of them or in a change request.
struct Sides {
    connected: Connected,
    random: Random,
    /// Names of blocks that neither side removed. Each block has a unique name, and an edit gives it a new one.
    blocks: BTreeSet<String>,
    made: usize,
    /// Blocks of the open change requests read so far.
    set_aside: HashMap<String, BTreeSet<String>>,
}

/// Returns the names of the blocks of a text, in order.
fn names(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.starts_with("qb") && word.len() > 2).map(str::to_owned).collect()
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var_os(name).and_then(|value| value.to_str()?.parse().ok()).unwrap_or(default)
}

impl Sides {
    /// Connects a space to a new repository. `policy` names the side whose version stays in conflicts.
    async fn new(server: &GitServer, (form, policy): (Form, &str), seed: u64) -> Self {
        let has_filters = !matches!(form, Form::WithoutFilters);
        let mut repository = server.create(&format!("{form:?}-{policy}").to_lowercase(), has_filters);
        repository.commit(&[
            (HOME, Some(b"# Home\n\nThe block qb1 of text.\n\n- one\n- two\n")),
            ("guide/README.md", Some(b"# Guide\n\nThe block qb2 of text.\n\nThe block qb3 of text.\n")),
            ("guide/setup.md", Some(b"# Set up\r\n\r\nThe block qb4 of text.\r\n")),
            (SUMMARY, Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Set up](guide/setup.md)\n")),
        ]);
        if matches!(form, Form::GitLab) {
            let _ = repository.git(["update-ref", "refs/merge-requests/1/head", "main"]);
            let _ = repository.git(["config", "transfer.hideRefs", "refs/keep-around"]);
            repository.url = repository.url.replace("/gitlab-", "/moved/gitlab-");
        }
        let connected = Connected::to(server, repository).await;
        connected.change_connection(json!({ "defaultMergeAuthorityPolicy": policy })).await;
        let blocks = (1..=4).map(|number| format!("qb{number}")).collect();
        Self { connected, random: Random(seed), blocks, made: 4, set_aside: HashMap::new() }
    }

    fn repository(&self) -> &GitRepository {
        &self.connected.repository
    }

    /// Returns the text of a new block.
    fn block(&mut self) -> String {
        self.made += 1;
        let name = format!("qb{}", self.made);
        let text = format!("The block {name} of text.");
        self.blocks.insert(name);
        text
    }

    /// Edits, adds or removes a block of a text.
    fn changed(&mut self, text: &str) -> String {
        let mut blocks: Vec<String> = text.trim_end().split("\n\n").map(str::to_owned).collect();
        let at = self.random.below(blocks.len());
        let Some(names) = blocks.get(at).map(|block| names(block)) else { return self.block() };
        match (self.random.below(4), names.first()) {
            (0 | 1, Some(name)) => {
                self.made += 1;
                let new = format!("qb{}", self.made);
                blocks[at] = blocks[at].replace(name.as_str(), &new);
                self.blocks.remove(name);
                self.blocks.insert(new);
            }
            (2, Some(name)) => {
                self.blocks.remove(name);
                blocks.remove(at);
            }
            _ => {
                let block = self.block();
                blocks.insert(at + 1, block);
            }
        }
        format!("{}\n", blocks.join("\n\n"))
    }

    /// Drops the blocks of a removed text from the expected ones.
    fn removed(&mut self, text: &str) {
        for name in names(text) {
            self.blocks.remove(&name);
        }
    }

    /// Makes random edits in the repository, as one commit.
    fn edit_there(&mut self) {
        let texts = self.repository().texts().into_iter().filter(|(path, _)| path.ends_with(".md"));
        let mut files: BTreeMap<String, Option<String>> =
            texts.map(|(path, text)| (path, Some(text))).collect();
        let before = files.clone();
        for _ in 0..=self.random.below(usize::try_from(ROUND).unwrap()) {
            let pages: Vec<String> = files
                .iter()
                .filter(|(path, text)| *path != SUMMARY && text.is_some())
                .map(|(path, _)| path.clone())
                .collect();
            let Some(path) = self.random.of(&pages).cloned() else { continue };
            let text = files[&path].clone().unwrap_or_default();
            let summary = files.get(SUMMARY).cloned().flatten().unwrap_or_default();
            match self.random.below(10) {
                0 => {
                    let name = format!("there/page-{}.md", self.made);
                    let block = self.block();
                    files.insert(
                        SUMMARY.to_owned(),
                        Some(format!("{summary}* [Page {}]({name})\n", self.made)),
                    );
                    files.insert(name, Some(format!("# Page {}\n\n{block}\n", self.made)));
                }
                1 if path != HOME => {
                    self.removed(&text);
                    let left = summary.lines().filter(|line| !line.contains(&format!("({path})")));
                    files.insert(SUMMARY.to_owned(), Some(left.map(|line| format!("{line}\n")).collect()));
                    files.insert(path, None);
                }
                2 if path != HOME => {
                    let new = format!("moved/page-{}-{}.md", self.made, self.random.below(1000));
                    let summary = summary.replace(&format!("({path})"), &format!("({new})"));
                    files.insert(SUMMARY.to_owned(), Some(summary));
                    files.insert(path, None);
                    files.insert(new, Some(text));
                }
                _ => {
                    let is_windows = text.contains("\r\n");
                    let (title, body) = text
                        .split_once("\n\n")
                        .or_else(|| text.split_once("\r\n\r\n"))
                        .unwrap_or((&text, ""));
                    let body = self.changed(&body.replace("\r\n", "\n"));
                    let new = format!("{}\n\n{body}", title.trim_end());
                    files.insert(path, Some(if is_windows { new.replace('\n', "\r\n") } else { new }));
                }
            }
        }
        let changed: Vec<(&str, Option<&[u8]>)> = files
            .iter()
            .filter(|(path, text)| before.get(*path) != Some(*text))
            .map(|(path, text)| (path.as_str(), text.as_ref().map(String::as_bytes)))
            .collect();
        if !changed.is_empty() {
            self.repository().commit(&changed);
        }
    }

    /// Makes a random edit in the content.
    async fn edit_here(&mut self) {
        let tree = self.connected.app.content(&self.connected.space, &self.connected.admin);
        let pages: Vec<(String, bool)> = tree
            .pages_in_order()
            .filter(|page| page.page_type() == PageType::Document)
            .map(|page| (page.id.to_string(), tree.children(Some(page.id)).next().is_some()))
            .collect();
        let Some((id, has_children)) = self.random.of(&pages).cloned() else { return };
        let page = self.connected.page(&id, "markdown").await;
        let text = page["markdown"].as_str().unwrap_or_default().to_owned();
        let is_home = page["git"]["path"] == HOME;
        let moved = tree.page(id.parse().unwrap()).unwrap();
        let below: BTreeSet<PageId> = tree.descendants(moved.id).map(|page| page.id).collect();
        let may_be_in = |parent: Option<PageId>| {
            let has_name = tree.child_by_slug(parent, &moved.slug).is_some_and(|page| page.id != moved.id);
            let is_document = parent.is_none_or(|parent| {
                tree.page(parent).is_some_and(|page| page.page_type() == PageType::Document)
            });
            is_document
                && !has_name
                && parent.is_none_or(|parent| parent != moved.id && !below.contains(&parent))
        };
        let change = match self.random.below(12) {
            0 => {
                let block = self.block();
                let mut added = json!({"operation": "insert_page", "title": format!("Page {}", self.made),
                    "document": {"markdown": block}});
                if self.random.below(2) == 0 {
                    added["into"] = id.into();
                }
                added
            }
            1 if !is_home && !has_children => {
                self.removed(&text);
                json!({"operation": "delete_page", "page": id})
            }
            2 => {
                json!({"operation": "update_page", "page": id, "title": format!("Title {}", self.random.below(1000))})
            }
            3 if !is_home => {
                self.made += 1;
                let slug = format!("slug-{}-{}", self.made, self.random.below(1000));
                json!({"operation": "update_page", "page": id, "slug": slug})
            }
            4 if !is_home => {
                let parents: Vec<PageId> =
                    tree.pages().map(|page| page.id).filter(|parent| may_be_in(Some(*parent))).collect();
                let Some(parent) = self.random.of(&parents) else { return };
                json!({"operation": "update_page", "page": id, "into": parent.to_string()})
            }
            5 if !is_home && may_be_in(None) => {
                json!({"operation": "update_page", "page": id, "into": null})
            }
            _ => {
                json!({"operation": "update_page", "page": id, "document": {"markdown": self.changed(&text)}})
            }
        };
        self.connected.write(&[change]).await;
    }

    /// Returns the blocks of the main content by the paths of its pages in the repository.
    async fn blocks_here(&self) -> BTreeMap<String, Vec<String>> {
        let tree = self.connected.app.content(&self.connected.space, &self.connected.admin);
        let mut blocks = BTreeMap::new();
        for page in tree.pages_in_order().filter(|page| page.page_type() == PageType::Document) {
            let path =
                page.git.as_ref().map_or_else(|| format!("no path: {}", page.title), |git| git.path.clone());
            let page = self.connected.page(&page.id.to_string(), "markdown").await;
            blocks.insert(path, names(page["markdown"].as_str().unwrap_or_default()));
        }
        blocks
    }

    fn blocks_there(&self) -> BTreeMap<String, Vec<String>> {
        let files = self.repository().texts().into_iter();
        let pages = files.filter(|(path, _)| path.ends_with(".md") && path != SUMMARY);
        pages.map(|(path, text)| (path, names(&text))).collect()
    }

    /// Reads the blocks of change requests that are open.
    async fn read_change_requests(&mut self) {
        let base = format!("/v1/spaces/{}/change-requests", self.connected.space);
        let listed = self.connected.admin.get(&format!("{base}?status=open&limit=1000")).await.expect(200);
        for found in listed.at("/items").as_array().unwrap() {
            let id = found["id"].as_str().unwrap().to_owned();
            if self.set_aside.contains_key(&id) {
                continue;
            }
            let pages = self.connected.admin.get(&format!("{base}/{id}/content/pages")).await.expect(200);
            let mut blocks = BTreeSet::new();
            let mut left: Vec<&Value> = pages.at("/pages").as_array().unwrap().iter().collect();
            while let Some(page) = left.pop() {
                left.extend(page["pages"].as_array().into_iter().flatten());
                let path =
                    format!("{base}/{id}/content/page/{}?format=markdown", page["id"].as_str().unwrap());
                let page = self.connected.admin.get(&path).await.expect(200);
                blocks.extend(names(page.json["markdown"].as_str().unwrap_or_default()));
            }
            self.set_aside.insert(id, blocks);
        }
    }

    /// Synchronizes, and compares both sides.
    async fn settle(&mut self, context: &str) {
        self.connected.sync().await;
        self.connected.no_failures().await;
        let (here, there) = (self.blocks_here().await, self.blocks_there());
        assert_eq!(here, there, "{context}: the sides differ");
        let found: BTreeSet<String> = here.into_values().flatten().collect();
        if !self.blocks.is_subset(&found) {
            self.read_change_requests().await;
        }
        let is_set_aside = |block: &&String| self.set_aside.values().any(|blocks| blocks.contains(*block));
        let lost: Vec<&String> =
            self.blocks.difference(&found).filter(|block| !is_set_aside(block)).collect();
        assert!(lost.is_empty(), "{context}: lost {lost:?}");
        // Another synchronization changes nothing.
        let commit = self.repository().head();
        self.connected.sync().await;
        assert_eq!(self.repository().head(), commit, "{context}: a commit without an edit");
    }
}

/// Progress of a long run, for the person who waits for it.
struct Progress {
    started: Instant,
    printed: u64,
    rounds: u64,
}

impl Progress {
    /// Prints a line for each [`STEP`] edits: the work of a round, on average since the beginning.
    fn print(&mut self, server: &GitServer, sides: &Sides, (form, made, edits): (Form, u64, u64)) {
        self.rounds += 1;
        if edits <= EDITS || made < self.printed + STEP {
            return;
        }
        self.printed = made;
        let requests = u64::try_from(server.take_requests().len()).unwrap_or(u64::MAX);
        let statements = sides.connected.app.statements();
        eprintln!(
            "{form:?}: {made} of {edits} edits, {} pages, {:.0?}; a round: {:.1?}, {} statements; {requests} requests of Git",
            sides.connected.app.content(&sides.connected.space, &sides.connected.admin).pages().count(),
            self.started.elapsed(),
            self.started.elapsed() / u32::try_from(self.rounds).unwrap_or(u32::MAX),
            statements / self.rounds,
        );
    }
}

#[actix_web::test]
async fn random_edits_of_both_sides_end_equal_and_lose_nothing() {
    let Some(server) = GitServer::start() else { return };
    let (edits, seed) = (variable("QUIRE_GIT_EDITS", EDITS), variable("QUIRE_GIT_SEED", 0x5eed));
    let runs = [
        (Form::GitHub, "provider"),
        (Form::GitHub, "gitbook"),
        (Form::GitLab, "provider"),
        (Form::WithoutFilters, "provider"),
    ];
    for (form, policy) in runs {
        let mut sides = Sides::new(&server, (form, policy), seed).await;
        let mut progress = Progress { started: Instant::now(), printed: 0, rounds: 0 };
        let (mut made, mut round) = (0, 0);
        while made < edits {
            let here = 1 + sides.random.below(usize::try_from(ROUND).unwrap());
            for _ in 0..here {
                sides.edit_here().await;
            }
            sides.edit_there();
            made += u64::try_from(here).unwrap() + ROUND / 2;
            round += 1;
            sides.settle(&format!("{form:?}, {policy}, seed {seed}, round {round}")).await;
            progress.print(&server, &sides, (form, made, edits));
        }
    }
}
