//! Tables: a view of records, whose text cells are fragments.

mod build;
mod columns;
mod rules;
mod view;

pub(crate) use build::TableBuilder;
pub(crate) use columns::{Alignment, OBJECT_FITS, is_column_type};
pub(super) use rules::check;
pub use view::{Cell, TableView};
