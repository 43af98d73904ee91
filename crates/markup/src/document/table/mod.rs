//! Tables: a view over records, whose text cells are fragments.

mod build;
mod columns;
mod rules;
mod view;

pub(crate) use build::TableBuilder;
pub(crate) use columns::{Alignment, OBJECT_FITS, is_column_type};
pub(super) use rules::check;
pub use view::{Cell, TableView};

/// Most columns of a table: more than a screen shows, whatever it scrolls.
pub(crate) const MAX_COLUMNS: usize = 300;

/// Most cells of a table, the empty ones included: each is written when the table is printed, though an empty one costs nothing in JSON.
pub(crate) const MAX_CELLS: usize = 100_000;
