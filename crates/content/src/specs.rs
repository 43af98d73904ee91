//! Lookup of the change that names a specification which the writer may not read.

use quire_domain::computed::RevisionSource;
use quire_domain::content::ContentChange;
use quire_domain::documents::DocumentInput;
use quire_domain::error::{Reason, Refusal};
use quire_storage::Error as StorageError;
use serde_json::Value;

use crate::error::Error;

/// Fields of a body that may name specifications, with the text in which the name is searched.
#[derive(Debug, Default)]
pub(super) struct SpecFields(Vec<(String, String)>);

impl SpecFields {
    /// Returns the fields of changes, in order.
    pub(super) fn of(changes: &[ContentChange]) -> Self {
        let fields = changes.iter().enumerate().flat_map(|(index, change)| {
            let below = move |(field, text)| (format!("changes[{index}]{field}"), text);
            of_change(change).into_iter().map(below)
        });
        Self(fields.collect())
    }

    /// Returns the error for the caller. It contains the field that names the specification.
    pub(super) fn locate(&self, error: StorageError) -> Error {
        let StorageError::UnknownSpec { name } = &error else { return error.into() };
        // A revert has no text to search, so its change is the fallback.
        let named = self.0.iter().find(|(_, text)| text.contains(name.as_str()));
        let found = named.or_else(|| self.0.iter().find(|(field, _)| field.ends_with(']')));
        let field = found.map_or_else(|| "changes".to_owned(), |(field, _)| field.clone());
        Refusal::new(Reason::InvalidContent).at(field, error.to_string()).into()
    }
}

fn of_change(change: &ContentChange) -> Option<(&'static str, String)> {
    match change {
        ContentChange::InsertComputed(change) => Some(of_source(&change.source)),
        ContentChange::UpdatePage(change) => {
            let source = change.source.as_ref().map(of_source);
            source.or_else(|| change.document.as_ref().map(of_document))
        }
        ContentChange::InsertPage(change) => Some(of_document(&change.document)),
        ContentChange::InsertReusableContent(change) => Some(of_document(&change.document)),
        ContentChange::UpdateReusableContent(change) => change.document.as_ref().map(of_document),
        ContentChange::RevertPage(_) => Some(("", String::new())),
        _ => None,
    }
}

fn of_source(source: &RevisionSource) -> (&'static str, String) {
    (".source.dependencies.spec.ref.spec", source.dependencies.spec.reference.spec.clone())
}

fn of_document(document: &DocumentInput) -> (&'static str, String) {
    match document {
        DocumentInput::Document { document } => (".document.document", names_in(document).join(" ")),
        DocumentInput::Markdown { markdown } => (".document.markdown", markdown.clone()),
    }
}

/// Returns the specification names in the references of an unchecked document, which may be as deep as a body allows.
fn names_in(document: &Value) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), vec![document]);
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(entries) => {
                names.extend(entries.get("spec").and_then(Value::as_str));
                rest.extend(entries.values());
            }
            Value::Array(items) => rest.extend(items),
            _ => {}
        }
    }
    names
}
