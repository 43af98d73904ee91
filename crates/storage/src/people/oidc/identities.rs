//! Identities of users at providers.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{OidcProviderId, SignInProviderId};
use quire_domain::sign_in::SignInProtocol;
use uuid::Uuid;

use super::queries::protocol;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Maximum number of providers in a list. A user can be a member of several organizations.
const MOST: i64 = 200;

sql_files! {
    Disconnect(SqlUuid, SqlUuid) = "disconnect.sql";
    OfUser(SqlUuid, BigInt) -> (SqlUuid, Text, Bool, Bool) = "of_user.sql";
}

/// Provider of one of the actor's organizations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnProvider {
    /// Id.
    pub id: SignInProviderId,
    /// Protocol.
    pub protocol: SignInProtocol,
    /// Label.
    pub label: String,
    /// `true` if the actor has an identity at the provider.
    pub is_connected: bool,
}

impl Reader<'_> {
    /// Returns the providers of the actor's organizations. Takes two statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error).
    pub fn own_providers(&mut self) -> Result<Vec<OwnProvider>> {
        let actor = self.own_actor()?;
        let rows: Vec<(Uuid, String, bool, bool)> = OfUser::bind((actor.user, MOST)).load(self.connection)?;
        let own = |(id, label, is_saml, is_connected)| OwnProvider {
            id: SignInProviderId::from_uuid(id),
            protocol: protocol(is_saml),
            label,
            is_connected,
        };
        Ok(rows.into_iter().map(own).collect())
    }
}

impl Tx<'_> {
    /// Disconnects the actor's identities at a provider, if there are any.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor has none, and the provider belongs to none of the actor's organizations.
    pub fn disconnect_oidc(&mut self, provider: OidcProviderId) -> Result<()> {
        let actor = self.own_actor()?;
        let concerned = self.organizations_of_token(actor.token)?;
        self.concern(concerned);
        let removed = Disconnect::bind((provider, actor.user)).execute(self.connection)?;
        if removed > 0 || self.has_own_provider(provider)? { Ok(()) } else { Err(Error::NotFound) }
    }

    /// Returns whether a provider belongs to one of the actor's organizations.
    pub(crate) fn has_own_provider(&mut self, provider: impl Into<Uuid>) -> Result<bool> {
        let provider = provider.into();
        Ok(self.own_providers()?.iter().any(|own| Uuid::from(own.id) == provider))
    }
}
