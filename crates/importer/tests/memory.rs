//! Memory of an import: only one page at a time, and a few facts about the others, are in memory.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::collections::HashMap;
use std::io::{Cursor, Write as _};

use quire_domain::CountingIds;
use quire_domain::imports::ImportSource;
use quire_importer::apply::Placement;
use quire_importer::archive::{ArchiveLimits, read_zip};
use quire_importer::plan::{GeneratedIds, plan};
use quire_importer::progress::Progress;
use quire_importer::spool::Content;
use quire_revision::{DocumentId, Tree};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Counts allocated bytes.
#[global_allocator]
static ALLOCATED: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Returns a typical page of four kilobytes: headings, prose, a list, a listing, and links to other pages.
fn page(number: usize) -> String {
    let sentence = format!("Page {number} says how the service is started, watched and stopped again. ");
    let next = number + 1;
    let part = |part: usize| {
        format!(
            "## Part {part}\n\n{}See [the next page](page-{next}.md#part-{part}) and **mind** the `gap`.\n\n\
             - first of all, {sentence}\n- then the rest\n\n```sh\nquire serve\n```\n\n",
            sentence.repeat(6)
        )
    };
    let parts: String = (0..6).map(part).collect();
    format!("# Page {number}\n\n{parts}")
}

/// Returns an archive of pages, and the size of the pages.
fn archive(pages: usize) -> (Content, usize) {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut length = 0;
    for number in 0..pages {
        let text = page(number);
        length += text.len();
        writer.start_file(format!("page-{number}.md"), SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    (writer.finish().unwrap().into_inner().into(), length)
}

/// Returns the peak memory of an import, and the size of its pages.
fn peak(pages: usize) -> (usize, usize) {
    let (archive, length) = archive(pages);
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let tree = read_zip(&archive, ArchiveLimits::default(), &Progress::default()).unwrap();
    let plan = plan(ImportSource::Zip, tree, &mut GeneratedIds(&CountingIds::default())).unwrap();
    assert_eq!(plan.pages.len(), pages);
    let placement = Placement::new(plan, HashMap::new(), None);
    let mut made = 0;
    let mut make = |document: quire_markup::Document| {
        made += 1;
        DocumentId::of_canonical(document.to_canonical_json().get().as_bytes())
    };
    let drafted = placement.draft(&Tree::empty(), 0, &mut make).unwrap();
    assert_eq!(made, pages);
    drop(drafted);
    (ALLOCATED.peak_usage() - before, length)
}

#[test]
fn an_import_holds_one_page_at_a_time() {
    peak(10);
    let (small, small_length) = peak(400);
    let (large, large_length) = peak(1_600);
    println!("peak {small} for {small_length}, {large} for {large_length} bytes of pages");
    assert!(large < 3 * large_length, "{large} for {large_length}");
    assert!(large - small < 2 * (large_length - small_length), "{small} and {large}");
}
