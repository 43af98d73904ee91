//! The role that somebody has on a space or collection.

use super::{ADMINISTRATOR, Membership};
use crate::role::Role;

/// A role granted to the user, or to one of the user's teams, on a thing or on a collection above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// 0 on the thing itself, 1 on the collection that holds it, and so on upwards.
    pub distance: u32,
    /// The granted role.
    pub role: Role,
}

/// The role that counts on a space or collection.
///
/// Administrators of the organization are administrators everywhere in it. Otherwise the nearest place with a
/// grant decides, and there the strongest one: a grant can lower a role as well as raise it. Without any grant members
/// get the stronger of their role in the organization and `default_level`; guests and outsiders get nothing.
/// `default_level` is `None` where only grants count. A disabled member has no role.
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
