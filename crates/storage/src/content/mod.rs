//! The content store on PostgreSQL: trees, documents and revisions, which never change, and the heads, which move.

mod analysis;
mod caches;
mod commit;
mod documents;
mod edit;
mod history;
mod nearest;
mod places;
mod read;
mod store;
mod tags;
mod trees;
mod weighed;

pub use analysis::{Analysis, DocumentAnalyzer, LinkFact, NewDocument, SectionFact};
pub use caches::CacheSizes;
pub(crate) use caches::Caches;
pub use commit::{Commit, HeadOf, LockedHead};
pub(crate) use commit::{LockedChangeRequest, moved_meanwhile};
pub(crate) use documents::{document_id, document_json};
pub use history::HeadPoint;
pub(crate) use weighed::{Admission, WeighedCache};
