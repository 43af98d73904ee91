//! Counters and other values that follow from rows elsewhere.

use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::Result;
use crate::statement::sql_files;

/// Passes a line for each row that breaks a rule.
type Run = fn(&mut PgConnection, &mut dyn FnMut(&str)) -> Result<()>;

/// A rule that no row may break.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Subject of the rule.
    pub name: &'static str,
    /// Passes a line for each row that breaks it.
    pub(super) run: Run,
}

sql_files! {
    CommentsOfSpace() -> Text = "check/comments_of_space.sql";
    CommentsOfChangeRequest() -> Text = "check/comments_of_change_request.sql";
    Replies() -> Text = "check/replies.sql";
    ChangeRequestsOfSpace() -> Text = "check/change_requests_of_space.sql";
    ChangeRequestNumbers() -> Text = "check/change_request_numbers.sql";
    Contributions() -> Text = "check/contributions.sql";
    Contributors() -> Text = "check/contributors.sql";
    Positions() -> Text = "check/positions.sql";
    CollectionPaths() -> Text = "check/collection_paths.sql";
    Merges() -> Text = "check/merges.sql";
    LostUpdates() -> Text = "check/lost_updates.sql";
    Parents() -> Text = "check/parents.sql";
    Heads() -> Text = "check/heads.sql";
    Replaced() -> Text = "check/replaced.sql";
    Grants() -> Text = "check/grants.sql";
    SpaceCollections() -> Text = "check/space_collections.sql";
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
