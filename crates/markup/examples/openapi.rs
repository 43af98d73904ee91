//! Splits a specification, renders each of its pages and prints the cost: `cargo run --release --example openapi
//! <file>`.
#![allow(clippy::print_stdout, reason = "printing is its purpose")]

use std::collections::HashMap;
use std::error::Error;
use std::time::Instant;

use quire_markup::openapi::{self, Context, Json, render};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("a file is needed")?;
    let text = std::fs::read_to_string(path)?;
    let start = Instant::now();
    let specification = openapi::read(&text)?;
    println!(
        "{} pages and {} parts in {:?}",
        specification.pages.len(),
        specification.parts.len(),
        start.elapsed()
    );
    let (mut nodes, mut slowest) = (0, std::time::Duration::ZERO);
    let start = Instant::now();
    for page in &specification.pages {
        let start = Instant::now();
        let mut read = Vec::new();
        for part in page.parts.iter().filter_map(|part| specification.parts.get(usize::try_from(*part).ok()?))
        {
            read.push((part.pointer.as_str(), Json::parse(&part.body)?));
        }
        let parts: HashMap<&str, &Json> = read.iter().map(|(pointer, part)| (*pointer, part)).collect();
        let context =
            Context { children: &[], blocks: &[], page_at: &|_| None, key: &|number| number.to_string() };
        nodes += render(page.kind, &Json::parse(&page.body)?, &parts, &context).nodes.len();
        slowest = slowest.max(start.elapsed());
    }
    println!("{nodes} blocks in {:?}, the slowest page in {slowest:?}", start.elapsed());
    Ok(())
}
