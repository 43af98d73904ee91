#![doc = include_str!("../README.md")]

mod canonical;
#[cfg(feature = "postgres")]
mod column;
mod diff;
mod document;
mod entry;
mod hash;
#[doc(hidden)]
pub mod id;
mod merge;
mod position;
mod tree;
mod trie;

pub use canonical::canonical_json;
pub use diff::{
    Change, ChangedPage, Delta, FileAttributes, PageAttributes, ReusableContentAttributes, changed_pages,
    diff, raw_diff,
};
pub use document::{
    AttributeDifference, BlockAlignment, BlockConflict, BlockContents, DifferenceSummary, DocumentDifference,
    DocumentMerge, GainedBlocks, NodeChange, NodeDifference, WordAlignment, WordChange, WordRun, find_words,
    merge_document,
};
pub use entry::{
    Dimensions, Entry, EntryChange, EntryId, FileNode, GitBlob, PageKind, PageNode, PageType,
    ReusableContentNode,
};
pub use hash::{BlobHash, DocumentId, InvalidHash, TreeHash};
pub use id::{FileId, InvalidId, PageId, ReusableContentId};
pub use merge::{
    Conflict, ConflictId, ConflictKind, ConflictPage, DocumentMerges, DocumentVersions, Merged, Resolution,
    Strategy, Take, WithoutConflict, merge, merge_with,
};
pub use position::{InvalidPosition, Position};
pub use tree::{LoadError, MAX_PAGE_DEPTH, Tree, TreeError};
pub use trie::{MalformedNode, NodeReferences};
