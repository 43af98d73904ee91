//! Effective role of a user on a space or collection.

use super::{ADMINISTRATOR, Membership};
use crate::role::Role;

/// Role granted to the user, or to a team of the user, on a resource or on a collection above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// Distance: 0 for the resource itself, 1 for its parent collection, and so on.
    pub distance: u32,
    /// The granted role.
    pub role: Role,
}

/// Returns the effective role on a space or collection.
///
/// Administrators of the organization are administrators of all its content. Otherwise the nearest resource with a
/// grant decides, and the strongest grant there: a grant can lower a role as well as raise it. Without grants, members
/// have the stronger of their role in the organization and `default_level`; guests and outsiders have no role.
/// `default_level` is `None` for access by grant only. A disabled member has no role.
///
/// `tests/golden/roles.txt` has the table.
pub fn effective_role(
    membership: Membership,
    grants: impl IntoIterator<Item = Grant>,
    default_level: Option<Role>,
) -> Option<Role> {
    if membership == Membership::Disabled {
        return None;
    }
    if membership.is_administrator() {
        return Some(ADMINISTRATOR);
    }
    let nearest = grants.into_iter().min_by_key(|grant| (grant.distance, std::cmp::Reverse(grant.role)));
    match (nearest, membership) {
        (Some(grant), _) => Some(grant.role),
        (None, Membership::Member(role)) => default_level.map(|level| level.max(role)),
        (None, _) => None,
    }
}
