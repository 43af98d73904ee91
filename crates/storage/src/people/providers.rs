//! Changes of sign-in providers that are the same for both protocols, each of which has tables of its own.

use quire_domain::error::{Reason, Refusal};

use crate::Result;

/// Declares the changes for the tables of a protocol.
macro_rules! provider_changes {
    (
        $record:ident, $id:ident, $providers:ident, $teams:ident, $put_team:ident, $identities:ident by $provider:ident;
        $delete:ident, $keep_test:ident, $end_identities:ident, $put_default_team:ident
    ) => {
        impl Tx<'_> {
            /// Deletes a provider with its identities.
            ///
            /// # Errors
            /// [`Error::NotFound`] if it was deleted.
            pub fn $delete(&mut self, provider: &Authorized<InOrganization<$record>>) -> Result<()> {
                let (organization, id) = (provider.organization.id, provider.item.id);
                let deleted =
                    diesel::delete($providers::table.find((organization, id))).execute(self.connection)?;
                if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
            }

            /// Keeps the claims that a test of a provider received.
            pub fn $keep_test(
                &mut self,
                provider: &Authorized<InOrganization<$record>>,
                claims: Map<String, Value>,
            ) -> Result<()> {
                let (organization, id) = (provider.organization.id, provider.item.id);
                diesel::update($providers::table.find((organization, id)))
                    .set(($providers::tested_at.eq(self.now), $providers::claims.eq(Value::Object(claims))))
                    .execute(self.connection)?;
                Ok(())
            }

            fn $end_identities(&mut self, organization: OrganizationId, provider: $id) -> Result<()> {
                let identities = $identities::table
                    .filter($identities::organization_id.eq(organization))
                    .filter($identities::$provider.eq(provider));
                diesel::delete(identities).execute(self.connection)?;
                Ok(())
            }

            fn $put_default_team(
                &mut self,
                organization: OrganizationId,
                provider: $id,
                team: Patch<TeamId>,
            ) -> Result<()> {
                match team {
                    Patch::Keep => Ok(()),
                    Patch::Set(team) => $crate::people::providers::refuse_unknown_team(
                        $put_team::bind((organization, provider, team)).execute(self.connection)?,
                    ),
                    Patch::Clear => {
                        diesel::delete($teams::table.find((organization, provider)))
                            .execute(self.connection)?;
                        Ok(())
                    }
                }
            }
        }
    };
}
pub(super) use provider_changes;

/// Refuses a default team for which no row was written.
pub(super) fn refuse_unknown_team(rows: usize) -> Result<()> {
    if rows == 1 {
        return Ok(());
    }
    let refusal = Refusal::new(Reason::InvalidBody).with_message("The default team does not exist.");
    Err(refusal.at("defaultTeam", "there is no such team").into())
}
