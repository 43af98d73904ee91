//! Identities of users at providers.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text, Uuid as SqlUuid};
use quire_domain::ids::OidcProviderId;
use uuid::Uuid;

use crate::schema::oidc_identities;
use crate::statement::sql_files;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Most providers in a list. A user can be a member of several organizations.
const MOST: i64 = 200;

sql_files! {
    OfUser(SqlUuid, BigInt) -> (SqlUuid, Text, Bool) = "oidc/of_user.sql";
}

/// Provider of an organization of the actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnProvider {
    /// Id.
    pub id: OidcProviderId,
    /// Label.
    pub label: String,
    /// `true` if the actor has an identity of it.
    pub is_connected: bool,
}

impl Reader<'_> {
    /// Returns the providers of the actor's organizations: two statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_oidc_providers(&mut self) -> Result<Vec<OwnProvider>> {
        let actor = self.actor()?;
        let rows: Vec<(Uuid, String, bool)> =
            OfUser::bind((actor.user.as_uuid(), MOST)).load(self.connection)?;
        let own = |(id, label, is_connected)| OwnProvider {
            id: OidcProviderId::from_uuid(id),
            label,
            is_connected,
        };
        Ok(rows.into_iter().map(own).collect())
    }
}

impl Tx<'_> {
    /// Disconnects the actor's identities of a provider.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor has none.
    pub fn disconnect_oidc(&mut self, provider: OidcProviderId) -> Result<()> {
        let actor = self.actor()?;
        let concerned = self.organizations_of_token(actor.token)?;
        self.concern(concerned);
        let own = oidc_identities::table
            .filter(oidc_identities::oidc_provider_id.eq(provider.as_uuid()))
            .filter(oidc_identities::user_id.eq(actor.user.as_uuid()));
        match diesel::delete(own).execute(self.connection)? {
            0 => Err(Error::NotFound),
            _ => Ok(()),
        }
    }
}
