//! SCIM: the token of an identity provider, and the users and teams that it manages in its organization.
//!
//! A provider has the rights of no user. Each of its requests finds the organization by the hash of the token, and each
//! function takes that [`ScimAccess`].

mod groups;
mod token;
mod users;

use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_domain::scim::ScimProblem;

pub use groups::ScimGroupRecord;
pub use token::{IssuedScimToken, ScimTokenRecord};
pub use users::ScimUserRecord;

/// Outcome of a request of an identity provider.
pub type Outcome<T> = std::result::Result<T, ScimProblem>;

/// Organization that an identity provider manages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScimAccess {
    /// Organization.
    pub organization: OrganizationId,
    /// Role of new users; `None` for guests.
    default_role: Option<Role>,
    /// `true` if the organization is blocked, so that no one joins it.
    is_blocked: bool,
}

/// Resources of a list, with the number of all that match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScimPage<T> {
    /// Resources of the page.
    pub items: Vec<T>,
    /// Number of resources that match.
    pub total: u64,
}

/// Resources that a list selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// All.
    All,
    /// Those with a name.
    Named(String),
    /// Those with an id at the identity provider.
    External(String),
}

/// Part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Resources to skip.
    pub offset: u64,
    /// Maximum number of resources.
    pub limit: u16,
}

impl Part {
    /// Returns the part of a whole list.
    fn of<T: Clone>(self, items: &[T]) -> Vec<T> {
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        items.iter().skip(offset).take(usize::from(self.limit)).cloned().collect()
    }

    fn bounds(self) -> (i64, i64) {
        (i64::try_from(self.offset).unwrap_or(i64::MAX), i64::from(self.limit))
    }
}
