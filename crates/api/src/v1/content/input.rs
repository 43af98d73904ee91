//! Documents in the bodies of requests.

use std::time::{Duration, Instant};

use quire_domain::documents::DocumentInput;
use quire_domain::error::FieldError;
use quire_markup::{Document, StableRefs, try_parse};

/// Time limit for parsing the Markdown of one text. The longest text takes a fraction of it.
const READING_TIME: Duration = Duration::from_secs(5);

/// Reason for which a text is refused, with the fields of the request.
#[derive(Debug)]
pub enum InvalidInput {
    /// Broken rules of a document.
    Document(Vec<FieldError>),
    /// Exceeded bound of Markdown.
    Markdown(FieldError),
}

impl InvalidInput {
    /// Returns the fields.
    pub fn into_fields(self) -> Vec<FieldError> {
        match self {
            Self::Document(fields) => fields,
            Self::Markdown(field) => vec![field],
        }
    }
}

/// Parses the text at a key of a request.
///
/// # Errors
/// The path of each broken rule, or the exceeded bound.
pub fn parse(key: &str, input: &DocumentInput) -> Result<Document, InvalidInput> {
    match input {
        DocumentInput::Document { document } => Document::from_json(document).map_err(|errors| {
            let errors = errors.into_iter();
            let field = |path: String| format!("{key}.{path}");
            let errors = errors.map(|error| FieldError { field: field(error.path), message: error.message });
            InvalidInput::Document(errors.collect())
        }),
        DocumentInput::Markdown { markdown } => {
            let deadline = Instant::now() + READING_TIME;
            try_parse(markdown, &StableRefs, &|| Instant::now() > deadline).map_err(|excess| {
                InvalidInput::Markdown(FieldError {
                    field: format!("{key}.markdown"),
                    message: excess.to_string(),
                })
            })
        }
    }
}
