//! Plan of an import: every page, file and reusable content that it will store, with final references between them. The
//! plan only depends on the tree and the ids.

mod anchors;
mod changes;
mod computed;
mod content;
mod document;
mod empty;
mod facts;
mod files;
mod inventory;
mod locate;
pub(crate) mod names;
mod natural_order;
mod outline;
mod pages;
mod resolve;
mod settle;
mod types;
mod unresolved;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quire_domain::ids::PageId;
use quire_domain::imports::{ImportPhase, ImportReportEntry, ImportSource, ImportStatus};

pub use self::changes::{ChangedText, plan_changes};
use self::content::ContentReader;
pub use self::document::PlannedDocument;
use self::inventory::Inventory;
use self::locate::Locator;
use self::outline::Node;
use self::pages::PageWriter;
use self::resolve::Targets;
use self::settle::Settler;
pub use self::types::{
    Dimensions, DroppedProperties, GeneratedIds, Ids, ImportPlan, PageKind, PlannedCover, PlannedFile,
    PlannedPage, PlannedReusableContent,
};
use crate::dialect::csv_table::{self, CellBudget};
use crate::dialect::{self, Contents};
use crate::include::Budget;
use crate::path;
use crate::progress::Progress;
use crate::report::{self, changed, skipped};
use crate::spool::{Content, Spool};
use crate::summary;
use crate::tree::SourceTree;

/// Reason why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No page, file or reusable content.
    #[error(
        "it contains nothing that an import from `{}` accepts{}",
        source_kind.as_str(),
        cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default()
    )]
    Empty {
        /// The source of the import.
        source_kind: ImportSource,
        /// The most frequent reason for skipped files.
        cause: Option<String>,
    },
    /// Only pages whose files cannot be read.
    #[error("none of its files can be read: {cause}")]
    Unreadable {
        /// The most frequent cause.
        cause: String,
    },
    /// A single page that is larger than the limit for pages.
    #[error("`{path}` is larger than {limit} bytes, the limit for a page")]
    PageTooLarge {
        /// The file.
        path: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The import has too much text.
    #[error("the texts of its pages together are larger than {limit} bytes")]
    TooMuchText {
        /// The limit in bytes.
        limit: usize,
    },
    /// A document could not be read back from disk.
    #[error("a document cannot be read back from disk: {cause}")]
    Spool {
        /// The cause.
        cause: String,
    },
    /// The import has too many pages; a table of contents can list pages without files.
    #[error("it has more than {limit} pages")]
    TooManyPages {
        /// The limit.
        limit: usize,
    },
}

/// Maximum number of pages of an import.
const MAX_PAGES: usize = 10_000;

/// Location of the content in a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentLocation {
    /// Folder of the content; empty for the root.
    pub root: String,
    /// Path of the table of contents, if there is one.
    pub summary: Option<String>,
    /// Path of the top page, if settings name it.
    pub readme: Option<String>,
}

/// Returns the location of the content in a tree. Only settings need to have their bytes.
#[must_use]
pub fn content_location(source: ImportSource, tree: &SourceTree) -> ContentLocation {
    let layout = dialect::of(source, tree).layout(tree);
    ContentLocation { root: layout.root, summary: layout.summary, readme: layout.readme }
}

/// Plans the import of `tree`.
///
/// A `SUMMARY.md` defines order and nesting, and unlisted pages are kept as hidden pages. Without a `SUMMARY.md`,
/// folders and their README or index pages define the order.
///
/// # Errors
/// [`PlanError`] if there is nothing to import, or too much.
pub fn plan(source: ImportSource, tree: SourceTree, ids: &mut dyn Ids) -> Result<ImportPlan, PlanError> {
    plan_with(source, tree, ids, &Progress::default())
}

/// Like [`plan`], and reports the number of pages read as the progress of the phase.
///
/// # Errors
/// As [`plan`].
pub fn plan_with(
    source: ImportSource,
    mut tree: SourceTree,
    ids: &mut dyn Ids,
    progress: &Progress,
) -> Result<ImportPlan, PlanError> {
    let mut report = std::mem::take(&mut tree.report);
    let dialect = dialect::of(source, &tree);
    let dialect = &*dialect;
    let layout = dialect.layout(&tree);
    report.extend(dialect.site().notices.iter().cloned());
    let inventory = Inventory::of(&tree, &layout, dialect);
    let texts = inventory.texts().chain(&layout.summary);
    let lengths = texts.filter_map(|path| match dialect.database(path) {
        // The limit of bytes for a database is the same as for a page.
        Some(data) => tree.files.get(data).map(|data| data.len().min(csv_table::MAX_BYTES)),
        None => tree.files.get(path).map(Content::len),
    });
    if lengths.sum::<usize>() > tree.max_text {
        return Err(PlanError::TooMuchText { limit: tree.max_text });
    }
    let locator = Locator { tree: &tree, layout: &layout, inventory: &inventory, dialect };
    let outline = outline(&locator, &mut report);
    let count = outline.iter().map(Node::count).sum::<usize>();
    if count > MAX_PAGES {
        return Err(PlanError::TooManyPages { limit: MAX_PAGES });
    }
    progress.enter(ImportPhase::Planning, u64::try_from(count).ok());
    let mut targets = Targets::new(locator, ids);
    let placed = pages::place(outline, &mut targets, ids);

    let content = ContentReader {
        targets: &targets,
        report: &mut report,
        includes: Budget::default(),
        cells: CellBudget::default(),
        ids,
        extracted: Vec::new(),
        names: BTreeMap::new(),
        shows: BTreeSet::new(),
        properties: DroppedProperties::default(),
        said: false,
        spool: Spool::default(),
    };
    let mut writer = PageWriter::new(&targets, content, progress);
    writer.write(placed, None);
    let PageWriter { mut content, mut pages, unlisted, facts, spellings, .. } = writer;
    let settler = (!dialect.anchors_are_exact()).then_some(Settler { facts: &facts, spellings: &spellings });
    if let Some(settler) = &settler {
        for page in &mut pages {
            let settled = settler.settle(page, &mut content.spool);
            settled.map_err(|error| PlanError::Spool { cause: error.to_string() })?;
        }
    }
    let broken = unresolved::report(&pages, &facts, settler.as_ref());
    let reusable_contents =
        targets.reusable_contents.iter().map(|(path, id)| content.reusable_content(*id, path)).collect();
    let ContentReader { extracted, names, shows, properties, said, .. } = content;
    report.splice(..0, raw_pages(&pages, &shows));
    report.extend(unresolved::refused(&targets.refused()));

    let kept = targets.into_kept_files();
    for (path, reason) in inventory.others.iter().filter(|(path, _)| !kept.contains_key(*path)) {
        report.push(skipped(path, *reason));
    }
    report.extend(broken);
    let mut files = Vec::with_capacity(kept.len() + extracted.len());
    for (path, id) in kept {
        let Some(content) = tree.files.get(&path).cloned() else { continue };
        let name = names.get(&path).map_or_else(|| path::name(&path).to_owned(), Clone::clone);
        files.push(files::planned(id, path, &name, content, &mut report));
    }
    files.extend(extracted);
    let reads_pages_alone = dialect.reads_pages_alone();
    let mut plan = ImportPlan {
        pages,
        files,
        reusable_contents,
        report,
        unlisted,
        properties,
        found: 0,
        reads_pages_alone,
    };
    let left = plan.report.iter().filter(|entry| entry.status == ImportStatus::Skipped).count();
    plan.found = plan.resources() + left;
    if let Some(error) = empty::error(source, &plan, &tree, said) {
        return Err(error);
    }
    plan.report = report::bounded(plan.report);
    let pages = plan.pages.iter().filter_map(|page| Some((page.source_path.as_deref()?, page.id)));
    let pages: HashMap<&str, PageId> = pages.collect();
    for entry in &mut plan.report {
        entry.page = pages.get(entry.path.as_str()).copied();
    }
    Ok(plan)
}

/// Returns the report entry with the number of pages that show markup of their source as text.
fn raw_pages(pages: &[PlannedPage], shows: &BTreeSet<String>) -> Option<ImportReportEntry> {
    let is_raw = |page: &&PlannedPage| page.source_path.as_ref().is_some_and(|path| shows.contains(path));
    let count = pages.iter().filter(is_raw).count();
    let all = pages.iter().filter(|page| page.source_path.is_some()).count();
    (count > 0).then(|| changed("", format!("{count} of {all} pages show markup of their source as text")))
}

/// Returns the tree of pages, including unlisted ones.
fn outline(locator: &Locator<'_>, report: &mut Vec<ImportReportEntry>) -> Vec<Node> {
    let Locator { tree, layout, inventory, dialect } = *locator;
    if let Some(Contents { path, parts }) = &dialect.site().contents {
        let mut nodes = outline::from_summary(parts.clone(), path, locator, report);
        // The navigation of a product may be incomplete, and pages missing in it may be visible.
        let hidden = dialect.site().hides_unlisted;
        for unlisted in outline::add_unlisted(&mut nodes, inventory, layout, hidden) {
            // Some navigations name pages to hide them.
            if hidden && !dialect.hides_file(&unlisted) {
                let message = format!("`{path}` does not list it: it was kept as a hidden page");
                report.push(changed(unlisted, message));
            }
        }
        return nodes;
    }
    let contents = layout.summary.as_ref().and_then(|path| Some((path, tree.text(path)?)));
    let mut nodes = match contents {
        Some((path, text)) => outline::from_summary(summary::parse(&text), path, locator, report),
        None => outline::from_folders(inventory, layout, dialect),
    };
    let reason = layout.summary.as_ref().map_or_else(
        || format!("it is outside `{}`", layout.root),
        |summary| format!("`{summary}` does not list it"),
    );
    for unlisted in outline::add_unlisted(&mut nodes, inventory, layout, true) {
        report.push(changed(unlisted, format!("{reason}: it was kept as a hidden page")));
    }
    nodes
}

#[cfg(test)]
mod tests;
