//! Differences of changed pages, each with a summary and its text.

use std::collections::{BTreeSet, HashSet};

use actix_web::HttpRequest;
use maud::{Markup, PreEscaped, html};
use quire_content::differences::PageVersions;
use quire_content::rendering::Targets;
use quire_domain::ids::PageId;
use quire_domain::list::Cursor;
use quire_markup::ContentRef;
use quire_render::{DifferenceView, Options, Resolved, references, render_difference};
use quire_revision::{Change, DifferenceSummary, Tree};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;

use super::content::{Content, Opened, address_of};
use super::requests::{cursor, parameter};
use super::shell::{Frame, counted};
use crate::state::Web;

/// Maximum number of pages per part.
const MOST_PAGES: usize = 20;
/// Query parameter with the cursor of the shown part.
const POSITION: &str = "changed";

/// Part of the changed pages, from a position on.
#[derive(Clone)]
pub(super) struct Part {
    list: String,
    from: usize,
}

impl Part {
    /// Returns the part that a request asks for.
    ///
    /// # Errors
    /// 400 for a cursor of another list.
    pub(super) fn of(request: &HttpRequest, list: String) -> ApiResult<Self> {
        let from = cursor(request, POSITION, &list)?.unwrap_or(0);
        Ok(Self { list, from })
    }
}

/// Returns the view in the parameter `view`.
pub(super) fn view_of(request: &HttpRequest) -> DifferenceView {
    match parameter(request, "view").as_deref() {
        Some("split") => DifferenceView::Split,
        _ => DifferenceView::Inline,
    }
}

/// Returns the part of a query that selects a view.
pub(super) fn query_of(view: DifferenceView) -> &'static str {
    match view {
        DifferenceView::Inline => "",
        DifferenceView::Split => "view=split&",
    }
}

/// Returns the buttons that choose a view, and those that lead to the changes. The latter need scripts.
pub(super) fn views(frame: &Frame, view: DifferenceView) -> Markup {
    let is_split = matches!(view, DifferenceView::Split);
    html! {
        div.steps {
            form action="#workspace:differences" {
                div.buttons role="group" aria-label="View" {
                    button.btn name="view" value="inline" aria-pressed=((!is_split).to_string()) { "Inline" }
                    button.btn name="view" value="split" aria-pressed=(is_split.to_string()) { "Side by side" }
                }
            }
            div.buttons data-steps="" {
                button.btn.ghost type="button" data-step="-1" aria-label="Previous change, K" { (frame.icon("chevron-right", "up")) }
                span role="status" {}
                button.btn.ghost type="button" data-step="1" aria-label="Next change, J" { (frame.icon("chevron-right", "down")) }
            }
        }
    }
}

/// Changed pages with both versions of their documents.
pub(super) struct Differences {
    pages: Vec<PageVersions>,
    /// Titles in the order of the pages.
    titles: Vec<String>,
    /// Number of changed documents.
    all: usize,
    part: Part,
    resolved: Resolved,
}

impl Differences {
    /// Loads both versions of the documents in a part. Sends five statements at most, plus those that load trees of
    /// other spaces.
    pub(super) fn load(
        reader: &mut Reader<'_>,
        web: &Web,
        caller: Credentials,
        opened: &Opened,
        [before, after]: [&Tree; 2],
        (changes, part): (&[Change], Part),
    ) -> ApiResult<Self> {
        let document = |tree: &Tree, id: PageId| tree.page(id).and_then(|page| page.document);
        let mut seen = HashSet::new();
        let mut ids: Vec<PageId> = changes.iter().filter_map(changed_page).collect();
        ids.retain(|id| document(before, *id) != document(after, *id) && seen.insert(*id));
        let all = ids.len();
        let ids: Vec<PageId> = ids.into_iter().skip(part.from).take(MOST_PAGES).collect();
        let pages = PageVersions::load(reader, &opened.content, [before, after], &ids)?;
        let title = |id: PageId| {
            after.page(id).or(before.page(id)).map(|page| page.title.clone()).unwrap_or_default()
        };
        let titles = pages.iter().map(|versions| title(versions.page)).collect();
        let mut named: BTreeSet<ContentRef> = BTreeSet::new();
        for versions in &pages {
            for document in versions.documents()? {
                named.extend(references(&document).targets);
            }
        }
        let shown = &opened.shown;
        let addresses = shown.place.addresses(&web.state.signer);
        let targets = Targets::new(&addresses, &web.expansions, shown.place.space, &shown.tree);
        let targets = targets.load(reader, caller, &opened.organization, &opened.content, named)?;
        let resolved = Resolved { targets, shows_all: true, ..Resolved::default() };
        Ok(Self { all, part, pages, titles, resolved })
    }

    /// Returns whether no document changed.
    pub(super) fn is_empty(&self) -> bool {
        self.all == 0
    }

    /// Writes the differences. This takes time, so it must not run within a transaction. `query` is the query of the
    /// page before the cursor. `buttons` writes the actions for a page. Adds the icons of the differences to the
    /// sprite.
    pub(super) fn write(
        &self,
        content: &Content,
        (view, query): (DifferenceView, &str),
        options: &Options<'_>,
        buttons: &dyn Fn(PageId) -> Markup,
        icons: &mut BTreeSet<String>,
    ) -> ApiResult<Markup> {
        let mut sections = Vec::new();
        for (versions, title) in self.pages.iter().zip(&self.titles) {
            let difference = versions.compare().map_err(ApiError::internal)?;
            let rendered = render_difference(&difference, view, &self.resolved, options);
            icons.extend(rendered.icons);
            let address = content.tree.page(versions.page).and_then(|page| address_of(content, page));
            sections.push(html! {
                section.diff data-page=(versions.page) aria-labelledby={ "page-" (versions.page) } {
                    header.diff-head {
                        h3 id={ "page-" (versions.page) } {
                            @match address { Some(address) => a href=(address) { (title) }, None => { (title) } }
                        }
                        (summary(&difference.summary))
                        (buttons(versions.page))
                    }
                    article.document { (PreEscaped(rendered.html)) }
                }
            });
        }
        Ok(html! {
            span id="workspace:differences" {}
            @for section in &sections { (section) }
            (self.pager(query)?)
        })
    }

    /// Writes the range of the shown pages, and the link to the next part, unless all pages are shown.
    fn pager(&self, query: &str) -> ApiResult<Markup> {
        let Part { list, from } = &self.part;
        let end = from.saturating_add(self.pages.len());
        let next = (*from < end && end < self.all)
            .then(|| Cursor::seal(list, &end))
            .transpose()
            .map_err(ApiError::internal)?;
        Ok(html! {
            @if self.pages.len() < self.all {
                p.muted { "Changed pages " (from.saturating_add(1)) " to " (end) " of " (self.all) " are shown." }
                p.pager {
                    @if *from > 0 { a.btn href={ "?" (query) } { "First changed pages" } }
                    @if let Some(next) = next { a.btn href={ "?" (query) (POSITION) "=" (next) "#workspace:differences" } { "Next changed pages" } }
                }
            }
        })
    }
}

fn changed_page(change: &Change) -> Option<PageId> {
    match change {
        Change::PageCreated { page } | Change::PageEdited { page, .. } | Change::PageDeleted { page } => {
            Some(page.id)
        }
        _ => None,
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Writes the numbers of words and blocks: "3 blocks edited, 1 added, 1 moved".
fn summary(summary: &DifferenceSummary) -> Markup {
    let blocks = [
        (summary.blocks_edited, "edited"),
        (summary.blocks_added, "added"),
        (summary.blocks_removed, "removed"),
        (summary.blocks_moved, "moved"),
    ];
    let line = happened(("block", "blocks"), blocks);
    html! {
        span.delta {
            span.p { "+" (summary.words_added) } " " span.m { "−" (summary.words_removed) } " words"
        }
        span.muted { (line) }
    }
}

/// Returns numbers of changes with a noun in singular and plural: "3 blocks edited, 1 added".
pub(super) fn happened<'w>(
    (one, many): (&str, &str),
    numbers: impl IntoIterator<Item = (usize, &'w str)>,
) -> String {
    let mut parts = numbers.into_iter().filter(|(number, _)| *number > 0);
    let first = parts.next().map(|(number, word)| format!("{} {word}", counted(count(number), one, many)));
    let rest = parts.map(|(number, word)| format!("{number} {word}"));
    first.into_iter().chain(rest).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_names_what_happened_to_blocks() {
        let numbers = DifferenceSummary {
            words_added: 14,
            words_removed: 31,
            blocks_edited: 3,
            blocks_added: 1,
            blocks_moved: 1,
            ..DifferenceSummary::default()
        };
        let html = summary(&numbers).into_string();
        assert!(html.contains("+14") && html.contains("−31"), "{html}");
        assert!(html.ends_with("3 blocks edited, 1 added, 1 moved</span>"), "{html}");
    }
}
