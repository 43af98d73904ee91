//! Targets and recipients of grants in paths.

use quire_storage::content::collections::CollectionRecord;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::Actor;
use quire_storage::people::permissions::{Grantee, Shared};
use serde::de::DeserializeOwned;

use crate::prelude::*;

/// Space or collection whose grants the caller may see or change.
pub enum Opened {
    Space(Authorized<SpaceRecord>),
    Collection(Authorized<CollectionRecord>),
}

/// Intended access to the grants.
#[derive(Clone, Copy)]
pub enum Intent {
    See,
    Change,
}

/// Id of a space or collection.
pub trait GrantTarget: Copy + Display + DeserializeOwned + Send + 'static {
    /// Returns the target, if the caller may see or change its grants.
    ///
    /// # Errors
    /// 404 and 403.
    fn open(self, reader: &mut Reader<'_>, intent: Intent) -> ApiResult<Opened>;
}

impl Opened {
    /// Returns the target for storage.
    pub fn shared(&self) -> Shared<'_> {
        match self {
            Self::Space(space) => Shared::Space(space),
            Self::Collection(collection) => Shared::Collection(collection),
        }
    }

    /// Returns the authorized actor.
    pub fn actor(&self) -> Actor {
        match self {
            Self::Space(space) => space.actor(),
            Self::Collection(collection) => collection.actor(),
        }
    }
}

impl GrantTarget for SpaceId {
    fn open(self, reader: &mut Reader<'_>, intent: Intent) -> ApiResult<Opened> {
        let action = match intent {
            Intent::See => Action::ViewInviteLinks,
            Intent::Change => Action::AdministerSpace,
        };
        Ok(Opened::Space(reader.space(self)?.authorize(action)?))
    }
}

impl GrantTarget for CollectionId {
    fn open(self, reader: &mut Reader<'_>, intent: Intent) -> ApiResult<Opened> {
        let action = match intent {
            Intent::See => Action::ViewInviteLinks,
            Intent::Change => Action::AdministerCollection,
        };
        Ok(Opened::Collection(reader.collection(self)?.authorize(action)?))
    }
}

/// Id of a user or team.
pub trait GranteeId: Copy + DeserializeOwned + Send + 'static {
    /// Returns the recipient for storage.
    fn grantee(self) -> Grantee;
}

impl GranteeId for UserId {
    fn grantee(self) -> Grantee {
        Grantee::User(self)
    }
}

impl GranteeId for TeamId {
    fn grantee(self) -> Grantee {
        Grantee::Team(self)
    }
}
