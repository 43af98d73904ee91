//! SCIM: the token of an identity provider, and the users and teams that the provider manages in its organization.
//!
//! A provider does not act as a user. Each of its requests looks up the organization by the hash of the token, and each
//! function takes the resulting [`ScimAccess`].

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
    /// `true` if the organization is blocked, so that no one can join it.
    is_blocked: bool,
}

/// Page of a list of resources, with the number of all matching resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScimPage<T> {
    /// Resources of the page.
    pub items: Vec<T>,
    /// Number of matching resources.
    pub total: u64,
}

/// Filter of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// All resources.
    All,
    /// Resources with a name.
    Named(String),
    /// Resources with an id at the identity provider.
    External(String),
}

/// Range of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Resources to skip.
    pub offset: u64,
    /// Maximum number of resources to return.
    pub limit: u16,
}

impl Part {
    /// Returns this range of a complete list.
    fn of<T: Clone>(self, items: &[T]) -> Vec<T> {
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        items.iter().skip(offset).take(usize::from(self.limit)).cloned().collect()
    }

    fn bounds(self) -> (i64, i64) {
        (i64::try_from(self.offset).unwrap_or(i64::MAX), i64::from(self.limit))
    }
}
