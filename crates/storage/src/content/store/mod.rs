//! The content store on PostgreSQL: trees, documents and revisions, which never change, and the heads, which move.

mod amended;
mod amending;
mod analysis;
mod caches;
mod commit;
mod deleted_pages;
mod documents;
mod edit;
mod history;
mod insert;
mod listed;
mod nearest;
mod places;
mod read;
mod tags;
mod trees;
mod weighed;

pub use amended::{AmendedSweep, SWEEP_AMENDED};
pub use amending::Amending;
pub use analysis::{
    Analysis, ComputedPages, ConditionFact, DocumentAnalyzer, DocumentLinks, LinkFact, NewDocument,
    QuotedNode, SectionFact,
};
pub use caches::CacheSizes;
pub(crate) use caches::Caches;
pub use commit::{Commit, HeadOf, LockedHead};
pub(crate) use commit::{LockedChangeRequest, moved_meanwhile};
pub use deleted_pages::{DeletedPage, DeletedPageKey};
pub(crate) use documents::{document_id, document_json};
pub use history::HeadPoint;
pub use listed::{ListedRevision, RevisionFilter};
pub(crate) use weighed::{Admission, WeighedCache};
