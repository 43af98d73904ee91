//! Permissions: pure functions over roles, memberships, relations and the limits of tokens.
//!
//! The tables are in `tests/golden/policy.txt` and `tests/golden/roles.txt`, to be checked without reading Rust.

mod action;
mod administrators;
mod creating;
mod decision;
mod effective_role;
mod joining;
mod membership;
mod relation;
mod requirement;
mod token;
mod visiting;

pub use self::action::{Action, Kind};
pub use self::administrators::{ADMINISTRATOR, Administrators};
pub use self::creating::{
    CREATOR_ROLE, DEFAULT_ROLE, ROOT_LEVEL, creator_grant, level_at_root, level_to_write,
};
pub use self::decision::{Decision, Facts, decide};
pub use self::effective_role::{Grant, effective_role};
pub use self::joining::{grants_sso, joined_role, may_use_sso};
pub use self::membership::Membership;
pub use self::relation::{Relation, allows_related};
pub use self::requirement::{Requirement, allows, sees_deleted};
pub use self::token::{Limits, OwnAction, TokenLimits};
pub use self::visiting::{SiteReader, SiteSpaceView, Visitor};

#[cfg(test)]
mod tests;
