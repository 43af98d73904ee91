//! Zip archives of Markdown files to import.

use std::io::{Cursor, Write as _};

use anyhow::Result;
use zip::write::SimpleFileOptions;

use crate::pages;

/// The arrangement of pages.
#[derive(Clone, Copy)]
pub(crate) enum Layout {
    /// All pages are siblings: the worst case for operations whose cost depends on the number of siblings.
    Flat,
    /// Folders of 25 pages.
    Folders,
}

const PAGES_PER_FOLDER: usize = 25;

/// An archive of pages of `bytes` bytes. Each page links to some of the others.
pub(crate) fn pages(numbers: &[usize], bytes: usize, layout: Layout) -> Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for number in numbers {
        let targets = (1..8).filter_map(|step| numbers.get((number + step * 13) % numbers.len()));
        let targets: Vec<String> = match layout {
            Layout::Flat => targets.map(|target| name(*target, layout)).collect(),
            Layout::Folders => targets.map(|target| format!("../{}", name(*target, layout))).collect(),
        };
        archive.start_file(name(*number, layout), SimpleFileOptions::default())?;
        archive.write_all(pages::page(*number, bytes, &targets).as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The first page of a folder is the folder's own.
fn name(number: usize, layout: Layout) -> String {
    match (layout, number % PAGES_PER_FOLDER) {
        (Layout::Flat, _) => format!("page-{number}.md"),
        (Layout::Folders, 0) => format!("part-{}/README.md", number / PAGES_PER_FOLDER),
        (Layout::Folders, _) => format!("part-{}/page-{number}.md", number / PAGES_PER_FOLDER),
    }
}
