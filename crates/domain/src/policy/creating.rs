//! Roles that come with creating a resource: the creator's grant and the default level.

use super::Membership;
use crate::patch::Patch;
use crate::role::{DefaultLevel, Role};

/// Default role of new members of a new organization.
pub const DEFAULT_ROLE: Role = Role::Read;

/// Level that content at the root of an organization inherits. The organization has no level of its own.
pub const ROOT_LEVEL: Role = Role::Read;

/// Role granted to the creator of a space or collection.
pub const CREATOR_ROLE: Role = Role::Admin;

/// Returns the grant for the creator of a space or collection. Administrators of the organization get none: they have
/// access without it, and it would survive a demotion.
pub fn creator_grant(membership: Membership) -> Option<Role> {
    (!membership.is_administrator()).then_some(CREATOR_ROLE)
}

/// Returns the default level of new content at the root of an organization with this default role.
pub fn level_at_root(default_role: Option<Role>) -> Role {
    default_role.unwrap_or(ROOT_LEVEL)
}

/// Returns the default level to write: `None` keeps the level, `Some(None)` leaves access to grants only. `parent`
/// returns the level of the parent, which is [`ROOT_LEVEL`] at the root.
///
/// # Errors
/// The error of `parent`.
pub fn level_to_write<E>(
    change: Patch<DefaultLevel>,
    parent: impl FnOnce() -> Result<Option<Role>, E>,
) -> Result<Option<Option<Role>>, E> {
    match change {
        Patch::Keep => Ok(None),
        Patch::Clear => Ok(Some(None)),
        Patch::Set(level) => match level.role() {
            Some(role) => Ok(Some(Some(role))),
            None => parent().map(Some),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makers_get_a_grant_unless_they_administer_the_organization() {
        for role in Role::ALL {
            let expected = (role != Role::Admin).then_some(Role::Admin);
            assert_eq!(creator_grant(Membership::Member(role)), expected, "{role:?}");
        }
        assert_eq!(creator_grant(Membership::Guest), Some(Role::Admin));
    }

    #[test]
    fn levels_at_the_root() {
        assert_eq!(level_at_root(None), Role::Read);
        assert_eq!(level_at_root(Some(Role::Edit)), Role::Edit);
    }

    #[test]
    fn a_change_names_a_level_or_inherits_one() {
        let write = |change| level_to_write(change, || Ok::<_, ()>(Some(Role::Review)));
        assert_eq!(write(Patch::Keep), Ok(None));
        assert_eq!(write(Patch::Clear), Ok(Some(None)));
        assert_eq!(write(Patch::Set(DefaultLevel::Edit)), Ok(Some(Some(Role::Edit))));
        assert_eq!(write(Patch::Set(DefaultLevel::Inherit)), Ok(Some(Some(Role::Review))));
        assert_eq!(level_to_write(Patch::Set(DefaultLevel::Inherit), || Ok::<_, ()>(None)), Ok(Some(None)));
        assert_eq!(level_to_write(Patch::Set(DefaultLevel::Inherit), || Err("gone")), Err("gone"));
    }
}
