//! Errors in a change.

use quire_domain::bounded::OutOfBounds;
use quire_domain::error::FieldError;
use quire_revision::{MAX_PAGE_DEPTH, TreeError};

/// Errors in a part of a body. Field names are relative to this part. [`Problems::below`] adds the path of the part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problems(Vec<FieldError>);

/// Converts errors of texts that `validate()` has checked, so that the caller knows the field.
impl From<OutOfBounds> for Problems {
    fn from(error: OutOfBounds) -> Self {
        Self::new("", error.to_string())
    }
}

impl Problems {
    /// Returns one error for a field. An empty name means the part itself.
    pub(super) fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Returns several errors.
    pub(super) fn all(problems: impl IntoIterator<Item = FieldError>) -> Self {
        Self(problems.into_iter().collect())
    }

    /// Returns the errors with paths relative to the parent.
    pub(super) fn below(self, parent: &str) -> Self {
        let below = |field: String| {
            if field.is_empty() { parent.to_owned() } else { format!("{parent}.{field}") }
        };
        Self::all(self.0.into_iter().map(|problem| FieldError { field: below(problem.field), ..problem }))
    }

    /// Returns the details of an error body.
    pub(super) fn into_fields(self) -> Vec<FieldError> {
        self.0
    }

    /// Returns the error for a page that violates a rule of trees. `slug_is_given` is true if the caller chose the
    /// slug, and false if the page already had it.
    pub(super) fn of_page(error: &TreeError, slug_is_given: bool) -> Self {
        match error {
            TreeError::UnknownParent(_) => Self::new("into", "does not exist"),
            TreeError::ParentWithoutChildren(_) => {
                Self::new("into", "is a page of a kind that cannot have pages below it")
            }
            TreeError::NestedGroup(_) => Self::new("into", "a group must be at the top level"),
            TreeError::TooDeep(_) => {
                Self::new("into", format!("pages can be nested at most {MAX_PAGE_DEPTH} levels deep"))
            }
            TreeError::Cycle(_) => Self::new("into", "a page can't be moved below itself"),
            TreeError::SlugTaken { slug, .. } if slug_is_given => {
                Self::new("slug", format!("`{slug}` is already used by another page there"))
            }
            TreeError::SlugTaken { slug, .. } => {
                Self::new("into", format!("the slug `{slug}` is already used by another page there"))
            }
            TreeError::InvalidSlug { .. } => Self::new("slug", "is not allowed for this kind of page"),
            other => Self::new("", other.to_string()),
        }
    }
}
