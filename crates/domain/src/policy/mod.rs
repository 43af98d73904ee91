//! Who may do what: pure functions over roles, memberships, relations and the limits of tokens.
//!
//! The tables are in `tests/golden/policy.txt` and `tests/golden/roles.txt`, where people who read no Rust can check them.

mod action;
mod effective_role;
mod membership;
mod relation;
mod requirement;
mod token;

pub use self::action::{Action, Kind};
pub use self::effective_role::{Grant, effective_role};
pub use self::membership::Membership;
pub use self::relation::{Relation, allows_related};
pub use self::requirement::{Requirement, allows, sees_deleted};
pub use self::token::{OwnAction, TokenLimits};

#[cfg(test)]
mod tests;
