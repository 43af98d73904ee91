//! Parts of MDX pages: a Markdown file that is imported as a component, and files that a page includes.

use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::path;

/// Reason why a part is not a page.
pub(super) const REASON: &str = "it is part of other pages and not a page itself";

/// Returns the include for `<Part />`, which is imported from a Markdown file, and for `<Snippet file="part.mdx" />`.
/// Absolute addresses are relative to one of the `tops`.
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

/// Maximum number of lines of a Fumadocs include.
const MAX_LINES: usize = 8;

/// Returns the Fumadocs include at these lines: `<include>part.mdx</include>`, or a listing of another file. With
/// `cwd`, its path is relative to `top`.
pub(super) fn include(top: &str, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
    const END: &str = "</include>";
    let line = lines.first().filter(|line| !page.in_code && line.trim_start().starts_with("<include"))?;
    let count = lines.iter().take(MAX_LINES).position(|line| line.trim_end().ends_with(END))? + 1;
    let text = lines.get(..count)?.join(" ");
    let (attributes, inside) = text.trim().strip_prefix("<include")?.strip_suffix(END)?.split_once('>')?;
    let (file, section) = inside.trim().split_once('#').unwrap_or((inside.trim(), ""));
    let is_markdown = path::is_markdown(file);
    // A part of a page is an element with an id, whose end is not known here.
    if file.is_empty() || file.contains(['<', '\n']) || is_markdown && !section.is_empty() {
        return None;
    }
    let value = |name: &str| {
        let (_, behind) = attributes.split_once(name)?;
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        behind.get(1..)?.split_once(quote).map(|(value, _)| value)
    };
    let folder = if attributes.split_whitespace().any(|name| name == "cwd") { top } else { page.folder };
    let language = value("lang=").map_or_else(|| path::extension(file), str::to_owned);
    let around = (!is_markdown)
        .then(|| (format!("````{language} {}\n", value("meta=").unwrap_or_default()), "````\n".to_owned()));
    let snippet = Snippet {
        candidates: path::join(folder, file).into_iter().collect(),
        part: Part::of(section),
        around,
        indent: indent(line),
        has_own_links: is_markdown,
    };
    Some((snippet, count))
}
