//! From an import plan to a revision.

mod apply;
mod errors;
mod identity;
pub mod layout;

use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_importer::plan::Ids;
use quire_storage::Storage;

pub use apply::apply;
pub use errors::{gather_error, plan_error};

/// Ids for what a plan holds while it is one: [`apply`] gives the final ones.
pub struct NewIds<'a>(pub &'a Storage);

impl Ids for NewIds<'_> {
    fn page(&mut self) -> PageId {
        PageId::from_uuid(self.0.ids().uuid())
    }

    fn file(&mut self) -> FileId {
        FileId::from_uuid(self.0.ids().uuid())
    }

    fn reusable_content(&mut self) -> ReusableContentId {
        ReusableContentId::from_uuid(self.0.ids().uuid())
    }
}
