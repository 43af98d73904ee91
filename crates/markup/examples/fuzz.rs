//! Mutates good input of one reader for some seconds: `fuzz markdown|html|docx|zip|svg <seconds> [<seed>]`. The run
//! ends at the first input that makes a reader panic, takes longer than two seconds or gives a document that the schema
//! refuses. That input and the slowest one are written to the temporary folder.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::as_conversions,
    reason = "a tool for the terminal that may stop at any fault"
)]

#[path = "../tests/support/docx.rs"]
#[allow(dead_code, unreachable_pub)]
mod docx;

use quire_markup::html::{Extract, HtmlOptions};
use quire_markup::{Document, StableRefs, parse_page, plain_text, print};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Time limit for one input.
const LIMIT: Duration = Duration::from_secs(2);

/// Size limit of mutated inputs, in bytes.
const MAX_BYTES: usize = 200_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let reader = arguments.next().unwrap_or_default();
    let seconds = arguments.next().and_then(|seconds| seconds.parse().ok()).unwrap_or(60);
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(0x9e37_79b9_7f4a_7c15);
    let (seeds, tokens) = material(&reader);
    let mut random = Random(seed);
    let mut pool: Vec<Vec<u8>> = seeds.clone();
    let begin = Instant::now();
    let (mut runs, mut slowest) = (0_u64, Duration::ZERO);
    while begin.elapsed() < Duration::from_secs(seconds) {
        let mut input = pool[random.below(pool.len())].clone();
        for _ in 0..=random.below(8) {
            mutate(&mut input, &pool, &tokens, &mut random);
        }
        input.truncate(MAX_BYTES);
        let started = busy();
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&reader, &input)));
        let took = busy().saturating_sub(started);
        if took > slowest {
            slowest = took;
            std::fs::write(std::env::temp_dir().join(format!("fuzz-{reader}-slowest")), &input).unwrap();
        }
        runs += 1;
        let problem = match outcome {
            Err(_) => Some("it panics".to_owned()),
            Ok(Err(problem)) => Some(problem),
            Ok(Ok(())) => (took > LIMIT).then(|| format!("it takes {took:?}")),
        };
        if let Some(problem) = problem {
            let path = std::env::temp_dir().join(format!("fuzz-{reader}-{runs}"));
            std::fs::write(&path, &input).unwrap();
            println!("{problem}: {}", path.display());
            std::process::exit(1);
        }
        // Some mutants are mutated again.
        if random.below(20) == 0 {
            if pool.len() < 400 {
                pool.push(input);
            } else {
                let at = seeds.len() + random.below(pool.len() - seeds.len());
                pool[at] = input;
            }
        }
    }
    println!(
        "{reader}: {runs} runs in {seconds} s from seed {seed}, the slowest in {slowest:?}, {}, no fault",
        peak()
    );
}

/// Returns the processor time of this thread, so that other processes on a busy machine do not count. Falls back to
/// elapsed time without `/proc`.
fn busy() -> Duration {
    static BEGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.and_then(|stat| stat.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}

/// Returns the peak resident memory (`VmHWM`), as reported by Linux.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(
        || "an unknown peak of memory".to_owned(),
        |peak| format!("{} at most in memory", peak.trim()),
    )
}

/// Reads an input and applies the operations that every document goes through.
fn run(reader: &str, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let documents = match reader {
        "markdown" => vec![parse_page(&text, &StableRefs).document],
        "html" => [Extract::Everything, Extract::Article]
            .map(|extract| {
                quire_markup::html::parse(&text, &HtmlOptions { refs: &StableRefs, extract }).document
            })
            .into(),
        "docx" => {
            let mut docx = docx::Docx::new("");
            docx.styles = STYLES.to_owned();
            docx.numbering = NUMBERING.to_owned();
            docx.footnotes =
                Some("<w:footnote w:id=\"2\"><w:p><w:r><w:t>n</w:t></w:r></w:p></w:footnote>".to_owned());
            docx.relation("rId1", "hyperlink", "https://a.example/", true);
            docx.relation("rId9", "image", "media/image1.png", false);
            docx.document = Some(text.into_owned());
            let bytes = docx.build();
            quire_markup::docx::parse(&bytes, &StableRefs).map(|read| read.document).into_iter().collect()
        }
        "zip" => {
            quire_markup::docx::parse(input, &StableRefs).map(|read| read.document).into_iter().collect()
        }
        _ => {
            if let Ok(safe) = quire_markup::svg::sanitize(&text) {
                let again = quire_markup::svg::sanitize(&safe).map_err(|error| error.to_string())?;
                let is_hostile = safe.contains("<script") || safe.to_ascii_lowercase().contains(" onload=");
                return if again != safe || is_hostile {
                    Err(format!("it isn't safe: {safe}"))
                } else {
                    Ok(())
                };
            }
            Vec::new()
        }
    };
    for document in documents {
        check(&document, reader == "markdown")?;
    }
    Ok(())
}

fn check(document: &Document, is_markdown: bool) -> Result<(), String> {
    let json = document.to_json();
    let again = Document::from_json(&json).map_err(|errors| format!("the schema refuses it: {errors:?}"))?;
    if again != *document {
        return Err("its JSON reads back differently".to_owned());
    }
    let text = json.to_string();
    if !is_markdown && text.contains("\"url\":\"javascript:") {
        return Err("an address runs something".to_owned());
    }
    let printed = print(document, &StableRefs);
    let _ = plain_text(document);
    let read = quire_markup::parse(&printed, &StableRefs);
    if is_markdown && read != *document {
        return Err("it reads back differently".to_owned());
    }
    Ok(())
}

fn mutate(input: &mut Vec<u8>, pool: &[Vec<u8>], tokens: &[String], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(60)).min(input.len());
    match random.below(8) {
        0 => drop(input.drain(at..end)),
        1 => {
            let copy = input[at..end].to_vec();
            for _ in 0..=random.below(30) {
                input.splice(at..at, copy.iter().copied());
            }
        }
        2 | 3 => {
            let token = tokens[random.below(tokens.len())].as_bytes();
            let times = if random.below(12) == 0 { random.below(2_000) } else { 1 };
            input.splice(at..at, token.repeat(times));
        }
        4 => {
            let other = &pool[random.below(pool.len())];
            let from = random.below(other.len() + 1);
            let to = (from + random.below(400)).min(other.len());
            input.splice(at..at, other[from..to].iter().copied());
        }
        5 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        6 => {
            let piece: Vec<u8> = input.drain(at..end).collect();
            let to = random.below(input.len() + 1);
            input.splice(to..to, piece);
        }
        _ => input.truncate(at.max(1)),
    }
}

/// Seed inputs, and the tokens that mutations insert.
fn material(reader: &str) -> (Vec<Vec<u8>>, Vec<String>) {
    let own = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    let words = |tokens: &str| tokens.split('\n').map(str::to_owned).collect::<Vec<_>>();
    match reader {
        "markdown" => {
            let seeds = own(&[
                include_str!("../tests/corpus/fluentd-docs/sample.md"),
                include_str!("../tests/corpus/fluentd-docs/rpc.md"),
                include_str!("../tests/corpus/rust-book/ch15-00-smart-pointers.md"),
            ]);
            (
                seeds,
                words(
                    "# \n* \n1. \n> \n```\n$$\n{% hint style=\"info\" %}\n{% endhint %}\n<!-- properties {\"id\":\"a\",\"x\":1} -->\n<div data-block=\"hint\" data-properties='{\"style\":\"info\"}'>\n<div data-block=\"tabs\"><div data-block=\"tabs-item\">\n</div>\n<p></p>\n<span data-annotation>\n<aside>\n</aside>\n| a | b |\n[a](b)\n![a](b)\n[^1]\n<b>\n</b>\n<td>\n<ul><li>\n\\\n&amp;\n    \n**\n_\n`",
                ),
            )
        }
        "html" => {
            let seeds = include_str!("../tests/html.rs")
                .split("r#\"")
                .skip(1)
                .filter_map(|part| part.split("\"#").next());
            let seeds = seeds.map(|seed| seed.as_bytes().to_vec()).collect();
            (
                seeds,
                words(
                    "<p>\n</p>\n<b>\n</b>\n<div>\n</div>\n<table>\n<tr>\n<td rowspan=3>\n<ul>\n<li>\n<a href=\"javascript:x\">\n<pre>\n<svg>\n<math>\n<style>.a{color:red}</style>\n<script>\n<template>\n<details>\n<summary>\n<h2 id=a>\n<img src=a>\n&#x\n<!--\n-->\n<figure>\n<figcaption>\n<select>\n<option>\n<font color=red>\n\" \n'\n=",
                ),
            )
        }
        "svg" => {
            let seeds = include_str!("../tests/svg.rs")
                .split("r#\"")
                .skip(1)
                .filter_map(|part| part.split("\"#").next());
            let seeds = seeds
                .map(|seed| format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{seed}</svg>").into_bytes())
                .collect();
            (
                seeds,
                words(
                    "<script>x()</script>\n onload=\"x()\"\n<g>\n</g>\n href=\"javascript:x\"\n<style>\n</style>\nurl(\n/*\n&#10;\n<![CDATA[\n]]>\n<!--\n-->\n<?x ?>\n xmlns=\"a\"\n:",
                ),
            )
        }
        "zip" => {
            (vec![docx::Docx::new("<w:p><w:r><w:t>a</w:t></w:r></w:p>").build()], words("PK\n\0\0\0\n\u{ff}"))
        }
        _ => {
            let body = include_str!("../tests/docx/main.rs")
                .split('"')
                .filter(|part| part.contains("<w:") || part.contains("<m:"));
            let seeds = body.map(|body| {
                docx::Docx::new(&body.replace('\\', "\"").replace("\"\"", "\""))
                    .document
                    .unwrap_or_default()
                    .into_bytes()
            });
            let mut seeds: Vec<Vec<u8>> = seeds.collect();
            seeds.push(docx::Docx::new(BODY).document.unwrap_or_default().into_bytes());
            (
                seeds,
                words(
                    "<w:p>\n</w:p>\n<w:r>\n</w:r>\n<w:tbl>\n</w:tbl>\n<w:tr>\n</w:tr>\n<w:tc>\n</w:tc>\n<w:t>a</w:t>\n<w:br/>\n<w:ins>\n</w:ins>\n<w:sdt>\n</w:sdt>\n<w:footnoteReference w:id=\"2\"/>\n<w:fldChar w:fldCharType=\"begin\"/>\n<w:numPr><w:ilvl w:val=\"8\"/><w:numId w:val=\"1\"/></w:numPr>\n<m:f>\n</m:f>\n<w:gridSpan w:val=\"999999\"/>\n&#0;",
                ),
            )
        }
    }
}

const STYLES: &str = "<w:style w:type=\"paragraph\" w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style><w:style w:type=\"paragraph\" w:styleId=\"Code\"><w:name w:val=\"Source Code\"/></w:style>";
const NUMBERING: &str = "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"decimal\"/></w:lvl><w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
const BODY: &str = "<w:p><w:pPr><w:pStyle w:val=\"H\"/></w:pPr><w:bookmarkStart w:name=\"b\"/><w:r><w:t>Title</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:hyperlink r:id=\"rId1\"><w:r><w:rPr><w:b/></w:rPr><w:t>link</w:t></w:r></w:hyperlink></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val=\"restart\"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p><w:r><w:drawing><wp:inline><wp:extent cx=\"9525\" cy=\"9525\"/><wp:docPr descr=\"d\"/><a:blip r:embed=\"rId9\"/></wp:inline></w:drawing></w:r></w:p><w:p><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den/></m:f></m:oMath></w:p>";

/// Pseudorandom numbers (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
