//! Zip archives of Markdown files to import.

use std::io::{Cursor, Write as _};

use anyhow::Result;
use zip::write::SimpleFileOptions;

use crate::pages;

/// A path in an archive and its content.
pub(crate) type Entry = (String, Vec<u8>);

/// The arrangement of pages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// All pages are siblings: the worst case for operations whose cost depends on the number of siblings.
    Flat,
    /// Folders of 25 pages.
    Folders,
}

const PAGES_PER_FOLDER: usize = 25;

/// An archive of these files.
pub(crate) fn zip(entries: impl IntoIterator<Item = Entry>) -> Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(&content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The files of pages of `bytes` bytes. Each page links to some of the others.
pub(crate) fn files(numbers: &[usize], bytes: usize, layout: Layout) -> Vec<Entry> {
    let entry = |number: &usize| {
        let targets: Vec<String> = (1..8)
            .filter_map(|step| numbers.get((number + step * 13) % numbers.len()))
            .map(|target| match layout {
                Layout::Flat => name(*target, layout),
                Layout::Folders => format!("../{}", name(*target, layout)),
            })
            .collect();
        (name(*number, layout), pages::page(*number, bytes, &targets).into_bytes())
    };
    numbers.iter().map(entry).collect()
}

/// The first page of a folder is the folder's own.
fn name(number: usize, layout: Layout) -> String {
    match (layout, number % PAGES_PER_FOLDER) {
        (Layout::Flat, _) => format!("page-{number}.md"),
        (Layout::Folders, 0) => format!("part-{}/README.md", number / PAGES_PER_FOLDER),
        (Layout::Folders, _) => format!("part-{}/page-{number}.md", number / PAGES_PER_FOLDER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_of_the_archive() {
        let numbers: Vec<usize> = (0..50).collect();
        for (layout, prefix) in [(Layout::Flat, "]("), (Layout::Folders, "](../")] {
            let files = files(&numbers, 4_000, layout);
            assert_eq!(files.len(), 50);
            let text = String::from_utf8(files[0].1.clone()).unwrap();
            let (_, target) = text.split_once(prefix).unwrap();
            let target = target.split_once(')').unwrap().0;
            assert!(files.iter().any(|(name, _)| name == target), "{target}");
        }
    }

    #[test]
    fn archives_are_deterministic() {
        let archive = || zip(files(&[0, 1, 2], 4_000, Layout::Flat)).unwrap();
        assert_eq!(archive(), archive());
    }
}
