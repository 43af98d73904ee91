//! Changes to sign-in providers that are common to both protocols. Each protocol has its own tables.

use quire_domain::claim_rules::ClaimRuleInput;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, TeamId};

use crate::Result;
use crate::transaction::Tx;

/// Declares the changes for the tables of a protocol.
macro_rules! provider_changes {
    (
        $record:ident, $id:ident, $providers:ident, $teams:ident, $put_team:ident, $identities:ident,
        $rules:ident by $provider:ident;
        $delete:ident, $keep_test:ident, $end_identities:ident, $put_default_team:ident, $put_rules:ident
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

            /// Stores the claims received in a test of a provider.
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

            /// Replaces the claim rules, if there are new ones.
            fn $put_rules(
                &mut self,
                organization: OrganizationId,
                provider: $id,
                rules: Option<Vec<ClaimRuleInput>>,
            ) -> Result<()> {
                let Some(rules) = rules else { return Ok(()) };
                self.require_teams_of_rules(organization, &rules)?;
                let present = $rules::table
                    .filter($rules::organization_id.eq(organization))
                    .filter($rules::$provider.eq(provider));
                diesel::delete(present).execute(self.connection)?;
                let row = |(place, rule): (i16, ClaimRuleInput)| -> Result<_> {
                    let ClaimRuleInput { claim, value, team, role } = rule;
                    Ok((
                        $rules::organization_id.eq(organization),
                        $rules::$provider.eq(provider),
                        $rules::place.eq(place),
                        $rules::claim.eq(claim.into_text()?),
                        $rules::value.eq(value.into_text()?),
                        $rules::team_id.eq(team),
                        $rules::role.eq(role),
                    ))
                };
                let rows = (0..).zip(rules).map(row).collect::<Result<Vec<_>>>()?;
                if !rows.is_empty() {
                    diesel::insert_into($rules::table).values(rows).execute(self.connection)?;
                }
                Ok(())
            }
        }
    };
}
pub(super) use provider_changes;

/// Refuses a default team if no row was written for it.
pub(super) fn refuse_unknown_team(rows: usize) -> Result<()> {
    if rows == 1 {
        return Ok(());
    }
    let refusal = Refusal::new(Reason::InvalidBody).with_message("The default team does not exist.");
    Err(refusal.at("defaultTeam", "does not exist").into())
}

impl Tx<'_> {
    /// Refuses rules with a team that does not exist, and prevents the deletion of their teams until the transaction
    /// ends.
    pub(super) fn require_teams_of_rules(
        &mut self,
        organization: OrganizationId,
        rules: &[ClaimRuleInput],
    ) -> Result<()> {
        let (places, teams): (Vec<usize>, Vec<TeamId>) =
            rules.iter().enumerate().filter_map(|(place, rule)| Some((place, rule.team?))).unzip();
        if teams.is_empty() {
            return Ok(());
        }
        let unknown = self.lock_teams(organization, &teams)?;
        if unknown.is_empty() {
            return Ok(());
        }
        let refusal = Refusal::new(Reason::InvalidBody).with_message("A team of the rules does not exist.");
        let unknown = unknown.into_iter().filter_map(|index| places.get(index));
        let refusal = unknown.fold(refusal, |refusal, place| {
            refusal.at(format!("claimRules[{place}].team"), "does not exist")
        });
        Err(refusal.into())
    }
}
