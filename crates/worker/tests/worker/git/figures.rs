//! Measurements with real repositories: the files and lines that an edit changes, and the cost of a synchronization.
//!
//! `QUIRE_REPOSITORIES=a:b cargo test -p quire-worker --test worker figures -- --ignored --nocapture`, with folders or
//! bare repositories.

#![allow(clippy::print_stderr, reason = "figures are for a person")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;
use words::visible_markdown;

#[allow(unreachable_pub)]
#[path = "../../../../markup/tests/support/words.rs"]
mod words;

/// Number of printed lines of a difference.
const SHOWN: usize = 12;

/// Number of changes per request.
const CHANGES: usize = 50;

/// Most pages with one edited word, evenly spread over the pages of a repository.
const EDITED: usize = 160;

/// Letters that are appended to a word.
const ENDING: &str = "ish";

/// Measurements of a repository.
#[derive(Default)]
struct Figures {
    files: usize,
    /// Entries without bytes in the repository: submodules, and files of an incomplete copy.
    absent: usize,
    pages: usize,
    first: Duration,
    /// Files left alone by an edit of another page: their number, and how many of them kept their blob.
    untouched: (usize, usize),
    /// Number of changed lines per page with one edited word.
    lines: Vec<usize>,
    /// Number of pages with one edited word and one changed line.
    one_line: usize,
    /// Words that edited pages lost.
    lost: Vec<String>,
    /// Commit of two files: time, bytes, and kilobytes of memory.
    two_files: (Duration, u64, u64),
}

/// Time since the last stage of a run.
struct Stages(Instant);

impl Stages {
    /// Prints and returns how long a stage took.
    fn end(&mut self, name: &str) -> Duration {
        let took = self.0.elapsed();
        eprintln!("  {name}: {took:.1?}");
        self.0 = Instant::now();
        took
    }
}

/// Fills a repository with the files of a folder, or of another repository.
fn fill(repository: &GitRepository, source: &str) {
    if Path::new(source).join("objects").exists() {
        let _ = repository.git(["fetch", "--quiet", "--update-shallow", source, "+HEAD:refs/heads/main"]);
        return;
    }
    let _ = repository.git(["--git-dir=.", &format!("--work-tree={source}"), "add", "--all"]);
    let tree = repository.git(["write-tree"]);
    repository.commit_tree(&tree);
}

/// Appends [`ENDING`] to the first long word of a paragraph, and returns the word.
fn edit_word(node: &mut Value, in_paragraph: bool) -> Option<String> {
    if let Some(text) = node.get("text").and_then(Value::as_str).filter(|_| in_paragraph) {
        let is_plain = |word: &&str| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let word = text.split(|c: char| !c.is_alphanumeric()).find(is_plain)?.to_owned();
        let edited = text.replacen(&word, &format!("{word}{ENDING}"), 1);
        node["text"] = edited.into();
        return Some(word);
    }
    let in_paragraph = in_paragraph || node.get("type").is_some_and(|kind| kind == "paragraph");
    ["nodes", "leaves"].into_iter().find_map(|children| {
        let children = node.get_mut(children)?.as_array_mut()?;
        children.iter_mut().find_map(|child| edit_word(child, in_paragraph))
    })
}

/// Returns the visible words that a text lost, except for an edited one.
fn lost(before: &str, after: &str, edited: &str) -> Vec<String> {
    let visible = visible_markdown(&before.replace("\r\n", "\n"));
    let after = after.replace("\r\n", "\n");
    // Elements may occur in the middle of a word.
    let after = format!("{after}\n{}\n{edited}", visible_markdown(&after));
    words::lost(&visible, &after)
}

/// Returns the changed lines of files between two commits.
fn changed_lines(repository: &GitRepository, from: &str, to: &str) -> BTreeMap<String, (usize, usize)> {
    let listed = repository.git(["diff", "--numstat", "-z", "--no-renames", from, to]);
    let lines = listed.split('\0').filter_map(|line| {
        let mut parts = line.splitn(3, '\t');
        let (added, removed) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some((parts.next()?.to_owned(), (added, removed)))
    });
    lines.collect()
}

/// Returns the memory of this process in kilobytes: current, and peak since [`forget_peak`].
fn memory() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()
    };
    (value("VmRSS:").unwrap_or_default(), value("VmHWM:").unwrap_or_default())
}

fn forget_peak() {
    drop(fs::write("/proc/self/clear_refs", "5"));
}

impl Connected {
    /// Edits one word of a page, and returns the path of its file and the word.
    async fn with_edited_word(&self, id: &str) -> Option<(String, String, Value)> {
        let page = self.page(id, "document").await;
        let mut document = page["document"].clone();
        let word = edit_word(&mut document, false)?;
        let path = page["git"]["path"].as_str()?.to_owned();
        let change = json!({"operation": "update_page", "page": id, "document": {"document": document}});
        Some((path, word, change))
    }

    async fn figures(&self, server: &GitServer, stages: &mut Stages) -> Figures {
        let repository = &self.repository;
        let space = self.space.clone();
        let tree = self.app.content(&space, &self.admin);
        let ids: Vec<String> = tree
            .pages_in_order()
            .filter(|page| page.git.is_some() && page.document.is_some())
            .map(|page| page.id.to_string())
            .collect();
        let files = repository.files().len();
        let absent = files - repository.texts().len();
        let mut figures = Figures { files, absent, pages: ids.len(), ..Figures::default() };

        // One page.
        for id in &ids {
            let Some((path, _, change)) = self.with_edited_word(id).await else { continue };
            let before = repository.files();
            self.write(&[change]).await;
            self.sync().await;
            let after = repository.files();
            assert_ne!(before[&path], after[&path], "the edit was not exported");
            let untouched = before.iter().filter(|(other, _)| **other != path);
            let same = untouched.clone().filter(|(other, id)| after.get(*other) == Some(id)).count();
            figures.untouched = (untouched.count(), same);
            break;
        }
        stages.end("one edited page");

        // One word of each page.
        let (mut changes, mut edited) = (Vec::new(), Vec::new());
        for id in ids.iter().step_by(ids.len().div_ceil(EDITED).max(1)) {
            let Some((path, word, change)) = self.with_edited_word(id).await else { continue };
            edited.push((path, word));
            changes.push(change);
        }
        for changes in changes.chunks(CHANGES) {
            self.write(changes).await;
        }
        stages.end("edits of words");
        let from = repository.head().unwrap();
        let before = repository.texts();
        self.sync().await;
        self.no_failures().await;
        stages.end("their export");
        let (lines, after) =
            (changed_lines(repository, &from, &repository.head().unwrap()), repository.texts());
        for (path, word) in &edited {
            let (added, removed) = lines.get(path).copied().unwrap_or_default();
            figures.lines.push(added.max(removed));
            figures.one_line += usize::from((added, removed) == (1, 1));
            let lost = lost(&before[path], &after[path], word);
            if (added, removed) != (1, 1) {
                eprintln!("  {path}: +{added} -{removed} lines, lost {lost:?}");
                let diff = repository.git(["diff", "--unified=0", "--word-diff", &from, "main", "--", path]);
                for line in diff.lines().skip(4).take(SHOWN) {
                    eprintln!("    {}", line.chars().take(160).collect::<String>());
                }
            }
            figures.lost.extend(lost.into_iter().map(|word| format!("{word} in {path}")));
        }

        stages.end("comparison of texts");

        // Two files in the repository, after a first commit that is the rest of the edits to this node.
        let (first, last) = (edited[0].0.as_str(), edited[edited.len() - 1].0.as_str());
        for _ in 0..2 {
            self.sync().await;
            let texts = [first, last].map(|path| format!("{}\nOne more line.\n", repository.text(path)));
            repository.commit(&[(first, Some(texts[0].as_bytes())), (last, Some(texts[1].as_bytes()))]);
        }
        self.ask().await;
        let _ = server.take_bytes();
        forget_peak();
        let ((memory_before, _), started) = (memory(), Instant::now());
        self.app.run_jobs().await;
        let time = started.elapsed();
        figures.two_files = (time, server.take_bytes(), memory().1.saturating_sub(memory_before));
        assert_eq!(self.log().await[0]["direction"], "import");
        stages.end("commits of two files");
        figures
    }
}

impl Figures {
    fn print(mut self, name: &str) {
        self.lines.sort_unstable();
        let at = |part: usize| self.lines.get(self.lines.len() * part / 100).copied().unwrap_or_default();
        let Self { files, absent, pages, first, untouched, one_line, lost, .. } = &self;
        let (time, bytes, memory) = &self.two_files;
        let absent = if *absent == 0 { String::new() } else { format!(" ({absent} of them without bytes)") };
        eprintln!("{name}: {files} files{absent}, {pages} pages, first synchronization {first:.1?}");
        eprintln!("  untouched files with the same blob: {} of {}", untouched.1, untouched.0);
        eprintln!(
            "  one word edited: one line in {one_line} of {}, median {}, p90 {}, at most {}",
            self.lines.len(),
            at(50),
            at(90),
            self.lines.last().copied().unwrap_or_default(),
        );
        eprintln!("  lost words: {} {:?}", lost.len(), lost.iter().take(20).collect::<Vec<_>>());
        eprintln!("  commit of 2 files: {time:.2?}, {bytes} bytes, {memory} kB of memory");
    }
}

#[actix_web::test]
#[ignore = "needs repositories that QUIRE_REPOSITORIES names"]
async fn figures_of_repositories() {
    let server = GitServer::start().unwrap();
    let sources = std::env::var_os("QUIRE_REPOSITORIES").unwrap();
    for (number, source) in sources.to_str().unwrap().split(':').enumerate() {
        let repository = server.create(&format!("docs-{number}"), true);
        fill(&repository, source);
        let mut stages = Stages(Instant::now());
        let connected = Connected::to(&server, repository).await;
        let first = stages.end("first synchronization");
        let figures = Figures { first, ..connected.figures(&server, &mut stages).await };
        figures.print(source);
    }
}
