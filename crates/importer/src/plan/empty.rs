//! Cause of an empty import. It is also in the report, but a refused import is answered without the report.

use std::collections::BTreeMap;

use quire_domain::bounds::MARKDOWN_MAX;
use quire_domain::imports::{ImportReportEntry, ImportSource, ImportStatus};

use super::PlanError;
use super::types::{ImportPlan, PageKind};
use crate::path;
use crate::report;
use crate::tree::SourceTree;

/// Maximum number of characters of a cause in an error.
const CAUSE_MAX: usize = 300;

/// Returns the error of a plan that is empty, or has only pages without text; `None` for others. `said` is true if any
/// file had text.
pub(super) fn error(
    source_kind: ImportSource,
    plan: &ImportPlan,
    tree: &SourceTree,
    said: bool,
) -> Option<PlanError> {
    let is_bare = |page: &super::PlannedPage| page.kind == PageKind::Document && page.source_path.is_some();
    let is_empty = plan.resources() == 0
        || (!said
            && plan.files.is_empty()
            && plan.reusable_contents.is_empty()
            && plan.pages.iter().all(is_bare));
    if !is_empty {
        return None;
    }
    let is_page = |path: &&String| path::is_markdown(path) || path::is_html(path);
    if let Some(path) = tree.files.keys().filter(is_page).find(|path| !tree.fits_a_page(path)) {
        let path = report::shown(path, report::PATH_MAX).into_owned();
        return Some(PlanError::PageTooLarge { path, limit: MARKDOWN_MAX });
    }
    Some(match cause(&plan.report) {
        Some(cause) if plan.resources() > 0 => PlanError::Unreadable { cause },
        cause => PlanError::Empty { source_kind, cause },
    })
}

/// Returns the most frequent reason for skipped files, with the first of them.
fn cause(report: &[ImportReportEntry]) -> Option<String> {
    let mut reasons: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    let untaken = [ImportStatus::Failed, ImportStatus::Skipped];
    for line in report.iter().filter(|line| untaken.contains(&line.status)) {
        reasons.entry(&line.message).or_insert((0, &line.path)).0 += 1;
    }
    let (reason, (count, path)) = reasons.into_iter().max_by_key(|(_, (count, _))| *count)?;
    let (path, reason) = (report::shown(path, CAUSE_MAX), report::shown(reason, CAUSE_MAX));
    Some(match count {
        1 => format!("`{path}`: {reason}"),
        count => format!("`{path}` and {} more: {reason}", count - 1),
    })
}
