//! Roles that come with making something: the maker's, and the default level.

use super::Membership;
use crate::patch::Patch;
use crate::role::{DefaultLevel, Role};

/// The role that new members of a new organization get, unless it is made with another.
pub const DEFAULT_ROLE: Role = Role::Read;

/// The level of what is inherited at the root of an organization, which has none itself.
pub const ROOT_LEVEL: Role = Role::Read;

/// The role that the maker of a space or collection is granted on it.
pub const ROLE_OF_MAKER: Role = Role::Admin;

/// The grant that the maker of a space or collection gets on it. Administrators of the organization need none, and would keep
/// it after a demotion.
pub fn grant_of_maker(membership: Membership) -> Option<Role> {
    (!membership.is_administrator()).then_some(ROLE_OF_MAKER)
}

/// The default level of something new at the root of an organization with this default role.
pub fn level_at_root(default_role: Option<Role>) -> Role {
    default_role.unwrap_or(ROOT_LEVEL)
}

/// The default level that a change writes; `None` keeps the level, `Some(None)` leaves access to grants alone. `parent` finds the
/// level of the parent; at the root it answers [`ROOT_LEVEL`].
///
/// # Errors
/// As `parent`.
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
            assert_eq!(grant_of_maker(Membership::Member(role)), expected, "{role:?}");
        }
        assert_eq!(grant_of_maker(Membership::Guest), Some(Role::Admin));
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
