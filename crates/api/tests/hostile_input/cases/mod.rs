//! The list of hostile inputs.

mod documents;
mod markdown;
mod others;
mod run;

use crate::inputs::Input;

/// Hostile input.
pub struct Case {
    pub group: Group,
    pub name: &'static str,
    pub input: Input,
}

/// Kind of input, which selects the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Markdown,
    Html,
    Docx,
    Zip,
    OpenApi,
    /// One condition per line; the last line holds the claims.
    Condition,
    Schema,
    Svg,
    Search,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Docx => "DOCX",
            Self::Zip => "zip",
            Self::OpenApi => "OpenAPI",
            Self::Condition => "condition",
            Self::Schema => "JSON schema",
            Self::Svg => "SVG",
            Self::Search => "search",
        }
    }
}

/// Returns all cases.
pub fn all() -> Vec<Case> {
    let lists = [
        (Group::Markdown, markdown::CASES),
        (Group::Html, documents::HTML),
        (Group::Docx, documents::DOCX),
        (Group::Zip, documents::ZIP),
        (Group::OpenApi, others::OPENAPI),
        (Group::Condition, others::CONDITIONS),
        (Group::Schema, others::SCHEMAS),
        (Group::Svg, others::SVG),
        (Group::Search, others::SEARCH),
    ];
    let cases = lists.into_iter().flat_map(|(group, cases)| {
        cases.iter().map(move |(name, input)| Case { group, name, input: *input })
    });
    cases.collect()
}
