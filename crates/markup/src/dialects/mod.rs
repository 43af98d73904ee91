//! Dialects of Markdown, translated into the Markdown that [`parse`](crate::parse) reads.
//!
//! Each dialect is a translator from text to text: call-outs, tabs and similar syntax become the block tags and
//! elements of our own Markdown. A translator takes linear time, limits nesting, and never changes code. Unknown markup
//! is kept as written and reported.

use crate::limits::markdown::{MAX_REPORTED_SYNTAX, MAX_REPORTED_SYNTAX_CHARS};
use crate::markdown::without_front_matter;
mod admonitions;
mod alerts;
mod attributes;
mod books;
mod callout;
mod code;
mod containers;
mod definitions;
mod docfx;
mod docsify;
mod inline;
mod kramdown;
mod liquid_listings;
mod list_table;
mod listing;
mod md_in_html;
mod mdx;
mod mkdocs;
mod myst;
mod references;
mod restructured;
mod roles;
mod templates;
mod values;
mod vitepress;

use std::collections::BTreeSet;

pub(crate) use code::code_lines;

pub use books::{book, hugo, jekyll, mdbook};
pub use docfx::docfx;
pub use docsify::docsify;
pub use kramdown::CalloutKind;
pub use mdx::{asides, mdx, mdx_with_math};
pub use mkdocs::{MkDocsOptions, mkdocs};
pub use myst::{MystOptions, myst};
pub use references::with_references;
pub use values::with_values;
pub use vitepress::vitepress;

/// Text in our own Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Translated {
    /// Text.
    pub text: String,
    /// Markup of the dialect that was kept as text or dropped, as written, without duplicates.
    pub left: Vec<String>,
}

/// Set of the markup that a translation keeps as text or drops.
#[derive(Debug, Default)]
struct Left(BTreeSet<String>);

impl Left {
    fn add(&mut self, written: &str) {
        if self.0.len() < MAX_REPORTED_SYNTAX {
            self.0.insert(written.trim().chars().take(MAX_REPORTED_SYNTAX_CHARS).collect());
        }
    }
}

/// Translates the text after the front matter, which is kept unchanged.
fn translated(text: &str, translate: impl FnOnce(&str, &mut Left) -> String) -> Translated {
    let (front, body) = split_front_matter(text);
    let mut left = Left::default();
    let body = translate(body, &mut left);
    Translated { text: format!("{front}{body}"), left: left.0.into_iter().collect() }
}

/// Doubles the dollar signs around the formulas of a text, as our own Markdown has them. There must be no white space
/// directly inside the dollar signs, and no digit after the closing one.
///
/// ```
/// let text = quire_markup::dialects::with_formulas("The root $\\sqrt{x}$ costs $5 to $6.\n");
/// assert_eq!(text, "The root $$\\sqrt{x}$$ costs $5 to $6.\n");
/// ```
#[must_use]
pub fn with_formulas(text: &str) -> String {
    inline::formulas(text)
}

/// Splits a text into its front matter, with the fences, and the rest.
fn split_front_matter(text: &str) -> (&str, &str) {
    let length = text.len() - without_front_matter(text).len();
    text.split_at_checked(length).unwrap_or(("", text))
}

/// Counts the columns of white space before the text of a line; a tab counts as four.
fn indent(line: &str) -> usize {
    let mut columns = 0;
    for character in line.chars() {
        match character {
            ' ' => columns += 1,
            '\t' => columns += 4 - columns % 4,
            _ => break,
        }
    }
    columns
}

/// Removes up to `columns` of white space from the start of a line.
fn dedented(line: &str, columns: usize) -> &str {
    let mut left = columns;
    let mut rest = line;
    while left > 0 {
        let width = match rest.chars().next() {
            Some(' ') => 1,
            Some('\t') => 4,
            _ => break,
        };
        rest = rest.get(1..).unwrap_or_default();
        left = left.saturating_sub(width);
    }
    rest
}

/// Appends indented lines; empty lines stay empty.
fn push_indented(out: &mut String, text: &str, columns: usize) {
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            out.extend(std::iter::repeat_n(' ', columns));
        }
        out.push_str(line);
    }
}

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
