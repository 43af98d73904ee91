//! What isn't answered or sent about spaces, collections, change requests, content and comments.

use super::Gap;

pub const UNANSWERED: &[Gap] = &[
    ("*", "Space.gitSync Revision.git GitCommit.* GitSync.*", "there is no synchronisation with Git"),
    ("*", "VisitorAuth.integration", "the scripts of integrations aren't run"),
    ("*", "ComputedRevision.files", "specifications have no files"),
];

pub const UNSENT: &[Gap] = &[];
