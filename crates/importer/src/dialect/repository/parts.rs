//! Parts of MDX pages: a Markdown file that is imported as a component.

use crate::dialect::snippets::{Page, Snippet, indent};
use crate::path;

/// Reason why a part is not a page.
pub(super) const REASON: &str = "it is part of other pages and not a page itself";

/// Returns the include for `<Part />`, which is imported from a Markdown file, and for `<Snippet file="part.mdx" />`.
/// Absolute addresses begin at one of the `tops`.
pub(super) fn snippet(tops: &[&str], page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
    let line = lines.first().filter(|_| !page.in_code)?;
    let inside = line.trim().strip_prefix('<')?.strip_suffix("/>")?;
    let name = inside.split_whitespace().next()?;
    let of_snippet = || {
        let (_, file) = inside.split_once("file=").filter(|_| name == "Snippet")?;
        let file = file.trim().trim_matches(['"', '\'', '{', '}']);
        Some(format!("/snippets/{}", file.trim_start_matches('/')))
    };
    let file = page.imports.get(name).map(|file| (*file).to_owned()).or_else(of_snippet)?;
    let absolute = ["@site/", "@/", "~/", "/"].iter().find_map(|prefix| file.strip_prefix(prefix));
    let candidates: Vec<String> = match absolute {
        Some(file) => tops.iter().filter_map(|top| path::join(top, file)).collect(),
        None => path::join(page.folder, &file).into_iter().collect(),
    };
    Some((Snippet { candidates, indent: indent(line), ..Snippet::default() }, 1))
}
