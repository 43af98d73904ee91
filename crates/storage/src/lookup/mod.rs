//! Lookups of resources by token and id, with the role of the actor.
//!
//! A lookup returns a [`Found`]: the record and the actor's role on it, read with one statement. Only
//! [`Found::authorize`] returns the record, as an [`Authorized`], which all further reads and changes of the resource
//! take instead of an id. A record that the actor may not see is reported like one that does not exist.

mod actor;
mod batch;
pub(crate) mod detail_views;
mod in_organization;
pub mod list;
mod rules;
mod token_uses;
pub(crate) mod views;

use std::ops::Deref;

use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::{self, Action, Decision, Facts, Membership, Relation};

pub use quire_database::{Actor, Credentials};

pub use actor::UserRecord;
pub use batch::{ContentKey, FoundInBatch, SpaceKey};
pub use in_organization::InOrganization;

pub(crate) use actor::{ACTOR_COLUMNS, ActorRow, ActorTypes, token_is_valid};
pub(crate) use batch::arrays;
pub(crate) use token_uses::TokenUses;

use crate::{Error, Result};

/// Existing record that has not been authorized for the actor.
#[must_use = "a record is given out by `authorize`"]
pub struct Found<T> {
    pub(crate) actor: Actor,
    pub(crate) role: Option<Role>,
    /// `true` if the organization that owns the record is blocked, which makes its content read-only.
    pub(crate) blocked: bool,
    pub(crate) value: T,
}

/// Access rules of a record other than the role.
pub trait Guarded {
    /// Action that makes the record visible.
    const VIEW: Action;

    /// Returns whether a role on the record allows an action.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        policy::allows(role, action)
    }

    /// Returns whether a user has this relation to the record.
    fn is_related(&self, _user: UserId, _relation: Relation) -> bool {
        false
    }

    /// Returns whether the record is in the bin. Only [`Found::authorize_even_deleted`] returns such a record.
    fn is_deleted(&self) -> bool {
        false
    }

    /// Returns whether a public or unlisted site may show the record to actors without a role.
    fn is_on_open_site(&self) -> bool {
        false
    }
}

/// Record of an organization, or the organization itself.
pub trait OfOrganization {
    /// Returns the organization.
    fn organization(&self) -> OrganizationId;
}

impl<T> Found<T> {
    /// Converts the record.
    pub(crate) fn map<U>(self, part: impl FnOnce(T) -> U) -> Found<U> {
        Found { actor: self.actor, role: self.role, blocked: self.blocked, value: part(self.value) }
    }
}

impl<T: Guarded> Found<T> {
    /// Returns whether a public or unlisted site may show the record to an actor without a role.
    #[must_use]
    pub fn is_on_open_site(&self) -> bool {
        self.value.is_on_open_site()
    }

    /// Returns the record if the actor may do `action` with it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor may not see it; [`Error::Forbidden`] if the role or the token does not allow
    /// the action; [`Reason::OrganizationBlocked`] for a change in a blocked organization.
    pub fn authorize(self, action: Action) -> Result<Authorized<T>> {
        if self.value.is_deleted() { Err(Error::NotFound) } else { self.authorize_even_deleted(action) }
    }

    /// Like [`Found::authorize`], but also returns a deleted record to its administrators.
    ///
    /// # Errors
    /// See [`Found::authorize`].
    pub fn authorize_even_deleted(self, action: Action) -> Result<Authorized<T>> {
        let by_relation = is_related(&self.value, self.actor, action);
        self.decide(action, by_relation)
    }

    /// Like [`Found::authorize`], for several actions.
    ///
    /// # Errors
    /// See [`Found::authorize`]; the error of the first action that is refused.
    pub fn authorize_all<'a>(self, actions: impl IntoIterator<Item = &'a Action>) -> Result<Authorized<T>> {
        let authorized = self.authorize(T::VIEW)?;
        let decisions = actions.into_iter().map(|action| (*action, authorized.decision(*action)));
        if let Some((action, decision)) = decisions.min_by_key(|(_, decision)| *decision) {
            refuse(action, decision)?;
        }
        Ok(authorized)
    }

    /// Like [`Found::authorize`], for an action that concerns a user in the record, who may be the actor.
    ///
    /// # Errors
    /// See [`Found::authorize`].
    pub fn authorize_about(self, user: UserId, action: Action) -> Result<Authorized<T>> {
        if self.value.is_deleted() {
            return Err(Error::NotFound);
        }
        let by_relation = action.is_given_by(Relation::SelfUser) && self.actor.user == user;
        self.decide(action, by_relation)
    }

    /// Decides about an action. `by_relation` means that the actor has the relation that allows it.
    fn decide(self, action: Action, by_relation: bool) -> Result<Authorized<T>> {
        let Self { actor, role, blocked, value } = self;
        // Lookups of a single record have already checked this, but batches have records of several actors.
        actor.require_factor()?;
        let visible = value.allows(role, T::VIEW) && (!value.is_deleted() || policy::sees_deleted(role));
        let facts = Facts {
            visible,
            by_role: value.allows(role, action),
            by_relation,
            by_token: actor.token_allows(action),
            blocked,
        };
        refuse(action, policy::decide(action, facts))?;
        Ok(Authorized { actor, role, blocked, value })
    }
}

/// Converts a refusal to its error.
fn refuse(action: Action, decision: Decision) -> Result<()> {
    match decision {
        Decision::Hidden => Err(Error::NotFound),
        Decision::Forbidden => Err(Error::Forbidden { action }),
        Decision::Blocked => {
            Err(Error::refused(Reason::OrganizationBlocked, Reason::OrganizationBlocked.message()))
        }
        Decision::Allowed => Ok(()),
    }
}

/// Returns whether the actor has the relation to the record that allows the action.
fn is_related<T: Guarded>(value: &T, actor: Actor, action: Action) -> bool {
    action.relation().is_some_and(|relation| value.is_related(actor.user, relation))
}

/// Authorized record. Only [`Found::authorize`] and its variants create one.
#[derive(Clone, Debug)]
pub struct Authorized<T> {
    actor: Actor,
    role: Option<Role>,
    blocked: bool,
    value: T,
}

impl<T> Authorized<T> {
    /// Returns the actor that was authorized.
    #[must_use]
    pub fn actor(&self) -> Actor {
        self.actor
    }

    /// Returns the actor's role on the record.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.role
    }

    /// Returns whether the organization that owns the record is blocked.
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// Returns the record.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Transfers the authorization to a dependent value, if the actor's role on the record allows viewing it.
    pub(crate) fn with<U: Guarded>(&self, value: U) -> Result<Authorized<U>> {
        if !value.allows(self.role, U::VIEW) {
            return Err(Error::NotFound);
        }
        Ok(Authorized { actor: self.actor, role: self.role, blocked: self.blocked, value })
    }

    /// Converts the record, and keeps the authorization.
    pub(crate) fn map<U>(self, part: impl FnOnce(T) -> U) -> Authorized<U> {
        Authorized { actor: self.actor, role: self.role, blocked: self.blocked, value: part(self.value) }
    }
}

impl<T> Authorized<Option<T>> {
    /// Converts an authorized option to an option of an authorized value.
    pub(crate) fn transpose(self) -> Option<Authorized<T>> {
        let Self { actor, role, blocked, value } = self;
        value.map(|value| Authorized { actor, role, blocked, value })
    }
}

impl<T: Guarded> Authorized<T> {
    /// Returns whether the actor may also do `action`: for the `permissions` of a resource, and for rules finer than a
    /// role.
    #[must_use]
    pub fn may(&self, action: Action) -> bool {
        matches!(self.decision(action), Decision::Allowed | Decision::Blocked)
    }

    /// Returns the decision about another action on the record, which is visible.
    fn decision(&self, action: Action) -> Decision {
        let facts = Facts {
            visible: true,
            by_role: self.value.allows(self.role, action),
            by_relation: is_related(&self.value, self.actor, action),
            by_token: self.actor.token_allows(action),
            blocked: self.blocked,
        };
        policy::decide(action, facts)
    }
}

impl<T> Deref for Authorized<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Converts a rank from the database to a role.
pub(crate) fn role_from_rank(rank: Option<i16>) -> Result<Option<Role>> {
    rank.map(|rank| {
        Role::from_rank(rank)
            .ok_or_else(|| Error::corrupt("a role has an unknown rank", anyhow::anyhow!("rank {rank}")))
    })
    .transpose()
}

/// Converts the columns of a joined membership. Without a membership, `disabled` is null.
pub(crate) fn joined_membership(role: Option<i16>, disabled: Option<bool>) -> Result<Membership> {
    let role = role_from_rank(role)?;
    Ok(disabled.map_or(Membership::Outsider, |disabled| Membership::of_member(role, disabled)))
}
