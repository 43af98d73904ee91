//! Highlighted lines of listings.

use crate::highlight::Token;
use crate::page::Page;
use maud::{Markup, PreEscaped, Render, html};

/// Writer of a line. The boundaries of nodes and of tokens are independent of each other.
pub(crate) struct Line<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Line<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self { text, tokens, at: 0 }
    }

    /// Writes the next bytes.
    pub(crate) fn write(&mut self, length: usize, out: &mut String) {
        let end = self.at.saturating_add(length).min(self.text.len());
        while self.at < end {
            while let Some(((token_end, _), rest)) = self.tokens.split_first()
                && *token_end <= self.at
            {
                self.tokens = rest;
            }
            let (until, class) =
                self.tokens.first().map_or((end, None), |(token_end, class)| ((*token_end).min(end), *class));
            let words = self.text.get(self.at..until).unwrap_or_default();
            match class.filter(|_| !words.trim().is_empty()) {
                Some(class) => {
                    out.push_str(&format!("<span class=\"{class}\">"));
                    words.render_to(out);
                    out.push_str("</span>");
                }
                None => words.render_to(out),
            }
            self.at = until;
        }
    }
}

/// Renders a listing of a text that is not part of a document.
pub(crate) fn listing(page: &Page<'_>, syntax: &str, text: &str) -> Markup {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let tokens = page.highlight(syntax, &lines);
    let mut out = String::with_capacity(text.len().saturating_mul(2));
    for (index, text) in lines.iter().enumerate() {
        let tokens = tokens.get(index).map_or(&[][..], Vec::as_slice);
        Line::new(text, tokens).write(text.len(), &mut out);
        if index + 1 < lines.len() {
            out.push('\n');
        }
    }
    html! { pre dir="ltr" tabindex="0" { code { (PreEscaped(out)) } } }
}
