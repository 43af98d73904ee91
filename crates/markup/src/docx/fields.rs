//! Fields: links and generated text (17.16).

use crate::document::InlineNode;
use std::rc::Rc;

/// Open field.
#[derive(Debug)]
pub(super) struct Field {
    /// Instruction, such as `HYPERLINK "https://example.com"`.
    pub(super) instruction: String,
    /// The position is after the separator, within the result, which is shown.
    pub(super) in_result: bool,
    /// Link around the result: the field's own, or that of the nearest enclosing field.
    pub(super) link: Option<Rc<InlineNode>>,
    /// The enclosing fields show their content.
    is_around_shown: bool,
}

impl Field {
    /// Returns a field within an outer one.
    pub(super) fn within(outer: Option<&Self>) -> Self {
        Self {
            instruction: String::new(),
            in_result: false,
            link: outer.and_then(|outer| outer.link.clone()),
            is_around_shown: outer.is_none_or(Self::is_shown),
        }
    }

    /// Returns whether content at this position is shown.
    pub(super) fn is_shown(&self) -> bool {
        self.in_result && self.is_around_shown
    }
}

/// Returns the target of a link field: an address, or a bookmark of the document (17.16.5.25). References to a bookmark
/// are links only with the switch for it (17.16.5.43, 17.16.5.45, 17.16.5.51).
pub(super) fn hyperlink(instruction: &str) -> Option<String> {
    let words = words(instruction);
    let mut words = words.iter().map(String::as_str);
    let name = words.next()?.to_ascii_uppercase();
    if matches!(name.as_str(), "REF" | "PAGEREF" | "NOTEREF") {
        let bookmark = words.next().filter(|word| !word.starts_with('\\'))?;
        return words.any(|word| word.eq_ignore_ascii_case("\\h")).then(|| format!("#{bookmark}"));
    }
    if name != "HYPERLINK" {
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

/// Splits an instruction into words; quoted words may contain spaces.
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
