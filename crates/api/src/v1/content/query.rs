//! Query parameters of content.
//!
//! Common parameters are repeated in each struct, because errors in flattened structs lack the names of parameters.

use quire_content::reading::{Evaluation, ReaderForm};
use quire_domain::bounds::REVISION_CHANGES_LIMIT_DEFAULT;
use quire_domain::documents::Format;
use quire_domain::list::{limit, limit_in_bounds};

use crate::prelude::*;

macro_rules! content_queries {
    ($($(#[$meta:meta])* $name:ident { $($fields:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Deserialize, Validate, IntoParams)]
        #[serde(default)]
        #[into_params(parameter_in = Query)]
        pub struct $name {
            $($fields)*
            /// Set to `false` to omit the `git` keys, which locate items in the synchronized Git repository.
            #[param(default = true)]
            pub metadata: bool,
            /// Set to `false` to return placeholders instead of their computed pages.
            #[param(default = true)]
            pub computed: bool,
        }
    )*};
}

content_queries! {
    /// Query parameters of reads of content.
    ContentQuery {}

    /// Query parameters of a list of pages.
    PagesQuery {
        /// Page whose subpages are returned instead of the pages at the top of the tree.
        #[param(value_type = String, required = false)]
        pub parent: Option<PageId>,
        /// Number of levels of the tree. Pages of the last level have empty `pages`. Default: all levels.
        #[serde(deserialize_with = "limit")]
        #[validate(custom(function = "limit_in_bounds"))]
        #[param(minimum = 1, maximum = 1000, nullable = false)]
        pub depth: Option<u64>,
    }

    /// Query parameters of reads of one page.
    OnePageQuery {
        /// Format of the page's content.
        #[param(inline, default = "document")]
        pub format: Format,
        /// Evaluation of `if` blocks and inline expressions in the page's content.
        #[param(inline, default = "false")]
        pub evaluated: Evaluated,
        /// Replacement of references in the page's content.
        #[param(inline, default = "false")]
        pub dereferenced: Dereferenced,
    }

    /// Query parameters of a list of files.
    FilesQuery {
        /// Cursor: `next.page` of the previous page. Returns the first page if absent.
        #[param(nullable = false)]
        pub page: Option<String>,
        /// Maximum number of items per page.
        #[serde(deserialize_with = "limit")]
        #[validate(custom(function = "limit_in_bounds"))]
        #[param(minimum = 1, maximum = 1000, default = 50, nullable = false)]
        pub limit: Option<u64>,
    }

    /// Query parameters of a list of changes.
    ChangesQuery {
        /// Maximum number of changes.
        #[serde(deserialize_with = "limit")]
        #[validate(custom(function = "limit_in_bounds"))]
        #[param(minimum = 1, maximum = 1000, default = 10, nullable = false)]
        pub limit: Option<u64>,
    }
}

/// Evaluation of a document.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluated {
    /// The document as it is stored.
    #[default]
    False,
    /// `if` blocks are replaced by their content or removed, inline expressions by their text.
    True,
    /// `if` blocks are replaced by their content or removed. Inline expressions stay.
    DeterministicOnly,
}

/// Replacement of references in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dereferenced {
    /// References stay.
    #[default]
    False,
    /// Reusable content of the same space replaces references to it.
    True,
    /// The same as `true`.
    ReusableContents,
}

/// The form of a document.
#[derive(Clone, Copy, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ReaderDocumentQuery {
    /// Evaluation of `if` blocks and inline expressions.
    #[param(inline, default = "false")]
    pub evaluated: Evaluated,
    /// Replacement of references.
    #[param(inline, default = "false")]
    pub dereferenced: Dereferenced,
}

impl Evaluated {
    /// Returns the parts to evaluate.
    pub fn evaluation(self) -> Evaluation {
        match self {
            Self::False => Evaluation::None,
            Self::DeterministicOnly => Evaluation::Conditions,
            Self::True => Evaluation::All,
        }
    }
}

impl OnePageQuery {
    /// Returns the form of the page's content.
    pub fn form(&self) -> ReaderForm {
        ReaderForm {
            evaluation: self.evaluated.evaluation(),
            dereferenced: self.dereferenced != Dereferenced::False,
            identified: false,
        }
    }
}

impl ReaderDocumentQuery {
    /// Returns the form of the document: nodes always have keys and anchors.
    pub fn form(self) -> ReaderForm {
        ReaderForm {
            evaluation: self.evaluated.evaluation(),
            dereferenced: self.dereferenced != Dereferenced::False,
            identified: true,
        }
    }
}

impl Default for ContentQuery {
    fn default() -> Self {
        Self { metadata: true, computed: true }
    }
}

impl Default for PagesQuery {
    fn default() -> Self {
        Self { parent: None, depth: None, metadata: true, computed: true }
    }
}

impl PagesQuery {
    /// Returns the number of levels.
    pub fn levels(&self) -> usize {
        self.depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(usize::MAX)
    }
}

impl Default for OnePageQuery {
    fn default() -> Self {
        let (evaluated, dereferenced) = Default::default();
        Self { format: Format::Document, evaluated, dereferenced, metadata: true, computed: true }
    }
}

impl Default for FilesQuery {
    fn default() -> Self {
        Self { page: None, limit: None, metadata: true, computed: true }
    }
}

impl Default for ChangesQuery {
    fn default() -> Self {
        Self { limit: None, metadata: true, computed: true }
    }
}

impl FilesQuery {
    /// Returns the maximum number of items.
    pub fn limit(&self) -> u16 {
        PageQuery { page: None, limit: self.limit }.limit()
    }
}

impl ChangesQuery {
    /// Returns the maximum number of changes.
    pub fn limit(&self) -> usize {
        let limit = self.limit.unwrap_or_else(|| u64::from(REVISION_CHANGES_LIMIT_DEFAULT));
        usize::try_from(limit).unwrap_or(usize::MAX)
    }
}
