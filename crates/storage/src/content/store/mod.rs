//! Content store on PostgreSQL: trees, documents and revisions, which never change, and heads, which move.

mod amended;
mod amending;
mod analysis;
mod caches;
mod commit;
mod deleted_pages;
mod documents;
mod edit;
mod head;
mod history;
mod imported;
mod insert;
mod listed;
mod lookup;
mod nearest;
mod places;
mod read;
mod standalone;
mod tags;
mod trees;
mod weighed;
mod writers;

pub use amended::{AmendedSweep, SWEEP_AMENDED};
pub use amending::Amending;
pub use analysis::{
    Analysis, AnalyzedDocument, ComputedPages, ConditionFact, DocumentAnalyzer, DocumentLinks,
    GainingDocument, LinkFact, LostNode, QuotedNode, SectionFact,
};
pub use caches::CacheSizes;
pub(crate) use caches::{Caches, MovedAnchor};
pub use commit::{Commit, HeadKey, HeadOf, LockedHead, Turn};
pub(crate) use commit::{LockedChangeRequest, moved_meanwhile};
pub use deleted_pages::{DeletedPage, DeletedPageKey};
pub(crate) use documents::{document_id, document_json};
pub(crate) use head::HeadTypes;
pub use head::{ContentHead, ContentPoint, NamedChangeRequest};
pub use history::HeadPoint;
pub use imported::ImportedCommits;
pub use listed::{ListedRevision, RevisionFilter};
pub use lookup::{ContentAt, ContentSelector, RevisionRecord};
pub(crate) use weighed::{Admission, WeighedCache};
pub use writers::ContentToWrite;
