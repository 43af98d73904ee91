//! Counters and other values that are derived from other rows.

use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_database::sql_files;

use crate::Result;

/// Function that passes a message for each row that breaks a rule.
type Run = fn(&mut PgConnection, &mut dyn FnMut(&str)) -> Result<()>;

/// Rule that no row may break.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Subject of the rule.
    pub name: &'static str,
    /// Passes a message for each row that breaks the rule.
    pub(super) run: Run,
}

sql_files! {
    CommentsOfSpace() -> Text = "comments_of_space.sql";
    CommentsOfChangeRequest() -> Text = "comments_of_change_request.sql";
    Replies() -> Text = "replies.sql";
    ChangeRequestsOfSpace() -> Text = "change_requests_of_space.sql";
    ChangeRequestNumbers() -> Text = "change_request_numbers.sql";
    Contributions() -> Text = "contributions.sql";
    Contributors() -> Text = "contributors.sql";
    Positions() -> Text = "positions.sql";
    CollectionPaths() -> Text = "collection_paths.sql";
    Merges() -> Text = "merges.sql";
    LostUpdates() -> Text = "lost_updates.sql";
    Parents() -> Text = "parents.sql";
    Heads() -> Text = "heads.sql";
    Replaced() -> Text = "replaced.sql";
    Grants() -> Text = "grants.sql";
    SpaceCollections() -> Text = "space_collections.sql";
}

macro_rules! rule {
    ($name:literal, $statement:ident) => {
        Rule {
            name: $name,
            run: |connection, report| {
                let lines = $statement::bind(()).load_iter::<String, PgRowByRowLoadingMode>(connection)?;
                for line in lines {
                    report(&line?);
                }
                Ok(())
            },
        }
    };
}

/// All rules.
pub const RULES: [Rule; 16] = [
    rule!("open comments of spaces", CommentsOfSpace),
    rule!("open comments of change requests", CommentsOfChangeRequest),
    rule!("replies of comments", Replies),
    rule!("change requests of spaces", ChangeRequestsOfSpace),
    rule!("numbers of change requests", ChangeRequestNumbers),
    rule!("revisions of contributors", Contributions),
    rule!("contributors of change requests", Contributors),
    rule!("positions of spaces and collections", Positions),
    rule!("paths of collections", CollectionPaths),
    rule!("merges", Merges),
    rule!("lost updates", LostUpdates),
    rule!("parents of revisions", Parents),
    rule!("heads", Heads),
    rule!("replaced revisions", Replaced),
    rule!("grants", Grants),
    rule!("collections of spaces", SpaceCollections),
];
