//! Tables of the workspace.

use maud::{Markup, html};

/// Heading of the column of buttons, for screen readers only.
pub(super) const ACTIONS: &str = "Actions";

/// Returns a table in a region that scrolls on narrow screens. `columns` are headings with their widths in percent,
/// which add up to 100.
///
/// Browsers paint a table while it arrives. Widths derived from the rows would shift rows that are visible already. The
/// style sheet shows a row when the next one, or the element after the table, has arrived.
pub(super) fn table(label: &str, columns: &[(&str, u8)], rows: impl IntoIterator<Item = Markup>) -> Markup {
    html! { div.records.whole tabindex="0" role="region" aria-label=(label) { (columns_and_rows(columns, rows)) } }
}

/// Like [`table`], labelled by the element with this id.
pub(super) fn table_labelled_by(
    id: &str,
    columns: &[(&str, u8)],
    rows: impl IntoIterator<Item = Markup>,
) -> Markup {
    html! { div.records.whole tabindex="0" role="region" aria-labelledby=(id) { (columns_and_rows(columns, rows)) } }
}

fn columns_and_rows(columns: &[(&str, u8)], rows: impl IntoIterator<Item = Markup>) -> Markup {
    debug_assert_eq!(columns.iter().map(|(_, share)| u32::from(*share)).sum::<u32>(), 100);
    html! {
        table {
            colgroup { @for (_, share) in columns { col width={ (share) "%" }; } }
            thead {
                tr {
                    @for (heading, _) in columns {
                        th scope="col" { @if *heading == ACTIONS { span.hidden-text { (heading) } } @else { (heading) } }
                    }
                }
            }
            tbody { @for row in rows { (row) } }
        }
        span hidden {}
    }
}
