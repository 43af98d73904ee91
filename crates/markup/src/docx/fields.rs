//! Fields: links and what programs fill in (17.16).

use crate::runs::RunLink;
use std::rc::Rc;

/// A field that has begun and not yet ended.
#[derive(Debug, Default)]
pub(super) struct Field {
    /// What it is, such as `HYPERLINK "https://example.com"`.
    pub(super) instruction: String,
    /// Whether its result follows, which is what is shown.
    pub(super) in_result: bool,
    /// The link around its result.
    pub(super) link: Option<Rc<RunLink>>,
}

/// The address of a link field: that of a page, or a bookmark of the document (17.16.5.25).
pub(super) fn hyperlink(instruction: &str) -> Option<String> {
    let words = words(instruction);
    let mut words = words.iter().map(String::as_str);
    if !words.next()?.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let mut address = String::new();
    let mut bookmark = None;
    while let Some(word) = words.next() {
        match word {
            "\\l" => bookmark = words.next(),
            "\\o" | "\\t" => drop(words.next()),
            switch if switch.starts_with('\\') => {}
            word if address.is_empty() => word.clone_into(&mut address),
            _ => {}
        }
    }
    if let Some(bookmark) = bookmark {
        address = format!("{address}#{bookmark}");
    }
    Some(address).filter(|address| !address.is_empty())
}

/// The words of an instruction; those in quotation marks may have spaces.
fn words(instruction: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = instruction.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}
