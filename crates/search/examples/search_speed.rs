//! Measures searches of generated pages: `cargo run --release -p quire-search --example search_speed -- [pages]
//! [spaces]`.
//!
//! Prints the speed of building the index, its size, and resident memory. For searches, prints the median and the 99th
//! percentile of the time for ranking, for reading the texts of the first 50 pages (three of each of the first 50 of
//! several spaces), and for finding their sections.

#![allow(
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used,
    reason = "a measurement"
)]

use std::time::{Duration, Instant};

use quire_domain::ids::{PageId, SpaceId};
use quire_search::{
    Context, Hit, Index, IndexedVersion, Language, Options, Page, PageText, Query, Scope, Section,
};
use uuid::Uuid;

/// Number of pages in one answer.
const LIMIT: usize = 50;
/// Number of searches of each kind.
const SEARCHES: usize = 300;

const SYLLABLES: [&str; 16] =
    ["con", "fi", "gu", "ra", "ser", "ver", "da", "ta", "in", "sta", "ll", "que", "ry", "me", "ter", "lo"];

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// Returns a word. Frequent words have small numbers, with a distribution as in prose.
    fn word(&mut self) -> String {
        let bound = 1 << (1 + self.below(13));
        word(self.below(bound))
    }

    fn words(&mut self, count: u64) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

fn word(mut number: u64) -> String {
    let mut word = String::new();
    for _ in 0..4 {
        word.push_str(SYLLABLES[usize::try_from(number % 16).unwrap()]);
        number /= 16;
    }
    word
}

struct Generated {
    title: String,
    sections: Vec<(String, String)>,
}

fn generate(number: u64) -> Generated {
    let mut random = Random(number * 0x9E37_79B9_7F4A_7C15 + 1);
    let sections = (0..8).map(|_| (random.words(4), random.words(60))).collect();
    Generated { title: format!("{} {number}", random.words(2)), sections }
}

fn space(number: usize) -> SpaceId {
    SpaceId::from_uuid(Uuid::from_u128(number as u128 + 1))
}

fn page(number: usize) -> PageId {
    PageId::from_uuid(Uuid::from_u128(number as u128 + 1))
}

fn sections(page: &Generated) -> Vec<Section<'_>> {
    page.sections
        .iter()
        .map(|(heading, text)| Section { anchor: None, heading: Some(heading), text })
        .collect()
}

fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("RssAnon")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or_default() / 1e3
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>().unwrap());
    let (pages, spaces) = (arguments.next().unwrap_or(10_000), arguments.next().unwrap_or(1));
    let folder = tempfile::tempdir().unwrap();
    let directory = Some(folder.path().to_owned());
    let before = resident_mb();
    let index = Index::open(Options { directory, ..Options::default() }).unwrap();
    let start = Instant::now();
    let mut bytes = 0;
    let mut update = index.update().unwrap();
    let each = pages / spaces;
    for at in 0..spaces {
        let generated: Vec<Generated> =
            (0..each).map(|number| generate((at * each + number) as u64)).collect();
        let list = generated.iter().enumerate();
        let list: Vec<Page<'_>> = list
            .map(|(number, generated)| {
                bytes += generated
                    .sections
                    .iter()
                    .map(|(heading, text)| heading.len() + text.len())
                    .sum::<usize>();
                let sections = sections(generated);
                Page {
                    id: page(at * each + number),
                    title: &generated.title,
                    path: "guide/page",
                    context: Context::default(),
                    sections,
                }
            })
            .collect();
        update.add(space(at), Language::SIMPLE, &list).unwrap();
        let root = [u8::try_from(at % 256).unwrap(); 32];
        update
            .hold(
                space(at),
                IndexedVersion { root, language: Language::SIMPLE, pages: 0, missing: 0, computed: 0 },
            )
            .unwrap();
        if at % 100 == 99 {
            update.commit().unwrap();
            update = index.update().unwrap();
        }
    }
    update.commit().unwrap();
    index.cancel();
    let elapsed = start.elapsed().as_secs_f64();
    println!("{pages} pages of {} bytes in {spaces} spaces", bytes / pages);
    println!("built at {:.0} pages/s, {:.1} MB on disk", pages as f64 / elapsed, index.bytes() as f64 / 1e6);
    let scopes: Vec<Scope> = (0..spaces).map(|at| Scope { space: space(at), overlay: None }).collect();
    let queries: [(&str, fn(u64) -> String); 5] = [
        ("two common words", |n| format!("{} {}", word(n % 12), word((n / 12) % 13 + 1))),
        ("five common words", |n| (0..5).map(|at| word((n + at * 7) % 24)).collect::<Vec<_>>().join(" ")),
        ("a beginning", |n| word(n % 16)[..5].to_owned()),
        ("a rare word", |n| word(4_000 + n)),
        ("a title", |n| generate(n * 31).title),
    ];
    for (name, query) in queries {
        let queries: Vec<Query> =
            (0..SEARCHES).map(|n| Query::new(&query(n as u64), Language::SIMPLE)).collect();
        let (mut ranked, mut read, mut shown, mut hits) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for query in &queries {
            let start = Instant::now();
            let ranking = index.snapshot().search(query, &scopes).unwrap();
            let best: Vec<Hit> = if spaces == 1 {
                ranking.pages(None, LIMIT)
            } else {
                ranking.spaces(None, LIMIT, 3).into_iter().flat_map(|space| space.pages).collect()
            };
            ranked.push(start.elapsed());
            hits += ranking.pages_count();
            let start = Instant::now();
            let texts: Vec<PageText> = best.iter().map(|hit| ranking.text(hit).unwrap()).collect();
            read.push(start.elapsed());
            let start = Instant::now();
            let finder = query.section_finder();
            for text in &texts {
                std::hint::black_box(finder.find(text));
            }
            shown.push(start.elapsed());
        }
        print(name, hits / SEARCHES, [&mut ranked, &mut read, &mut shown]);
    }
    println!("{:.1} MB of memory more", resident_mb() - before);
}

fn print(name: &str, hits: usize, times: [&mut Vec<Duration>; 3]) {
    let [ranked, read, shown] = times.map(|times| {
        times.sort_unstable();
        let at = |percent: usize| times[times.len() * percent / 100].as_micros();
        format!("{} us (p99 {})", at(50), at(99))
    });
    println!("{name}: {hits} hits, ranked in {ranked}, texts in {read}, sections in {shown}");
}
