//! What is wrong with a change.

use quire_domain::bounded::OutOfBounds;
use quire_domain::error::FieldError;
use quire_revision::{MAX_PAGE_DEPTH, TreeError};

/// What is wrong with a part of a body. Fields are named from that part on; whoever knows where it stands says so with
/// [`Problems::below`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problems(Vec<FieldError>);

/// For texts that `validate()` has checked: it knows their fields.
impl From<OutOfBounds> for Problems {
    fn from(error: OutOfBounds) -> Self {
        Self::new("", error.to_string())
    }
}

impl Problems {
    /// One problem with one field; an empty name stands for the part itself.
    pub(super) fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Several problems.
    pub(super) fn all(problems: impl IntoIterator<Item = FieldError>) -> Self {
        Self(problems.into_iter().collect())
    }

    /// The problems as seen from one level further up.
    pub(super) fn below(self, parent: &str) -> Self {
        let below = |field: String| {
            if field.is_empty() { parent.to_owned() } else { format!("{parent}.{field}") }
        };
        Self::all(self.0.into_iter().map(|problem| FieldError { field: below(problem.field), ..problem }))
    }

    /// The details of an error body.
    pub(super) fn into_fields(self) -> Vec<FieldError> {
        self.0
    }

    /// A rule of trees that a page breaks where it is put. `slug_is_given` tells a slug that the caller chose from one that the
    /// page brought along.
    pub(super) fn of_page(error: &TreeError, slug_is_given: bool) -> Self {
        match error {
            TreeError::UnknownParent(_) => Self::new("into", "there is no such page"),
            TreeError::ParentWithoutChildren(_) => {
                Self::new("into", "is a page of a kind that has no pages below it")
            }
            TreeError::NestedGroup(_) => Self::new("into", "a group stands at the top only"),
            TreeError::TooDeep(_) => Self::new("into", format!("pages nest {MAX_PAGE_DEPTH} levels at most")),
            TreeError::Cycle(_) => Self::new("into", "a page can't be moved below itself"),
            TreeError::SlugTaken { slug, .. } if slug_is_given => {
                Self::new("slug", format!("`{slug}` is taken by another page there"))
            }
            TreeError::SlugTaken { slug, .. } => {
                Self::new("into", format!("the slug `{slug}` is taken by another page there"))
            }
            TreeError::InvalidSlug { .. } => Self::new("slug", "such a page can't have this slug"),
            other => Self::new("", other.to_string()),
        }
    }
}
