//! SAML providers.

use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::object::{SamlProviderTag, TeamTag};
use quire_domain::policy::Action;
use quire_domain::saml::{SamlProvider, SamlService, SamlStatus, SamlTest, SamlUrls, SsoLogin};
use quire_domain::teams::{Team, TeamPermissions};
use quire_storage::lookup::{Authorized, Guarded, InOrganization};
use quire_storage::people::saml::{DefaultTeam, SamlProviderRecord};
use serde_json::Value;

use crate::urls::Urls;

/// Returns a SAML provider, as a user with access to the organization or to a part of it sees it.
#[must_use]
pub fn saml_provider<T: Guarded>(
    urls: &Urls,
    of: &Authorized<T>,
    organization: OrganizationId,
    record: SamlProviderRecord,
) -> SamlProvider {
    let status = if record.is_complete() { SamlStatus::Active } else { SamlStatus::Pending };
    let last_test = match (record.tested_at, record.claims) {
        (Some(tested_at), Some(Value::Object(claims))) => Some(SamlTest { tested_at, claims }),
        _ => None,
    };
    SamlProvider {
        object: SamlProviderTag::Tag,
        id: record.id,
        status,
        label: record.label,
        sso_url: record.sso_url,
        entity_id: record.entity_id,
        certificate: record.certificate,
        default_team: record.default_team.map(|team| default_team(of, team)),
        default_role: record.default_role,
        claim_rules: record.claim_rules.0,
        created_at: record.created_at,
        last_test,
        service: service(urls, record.id),
        urls: SamlUrls { location: urls.api(format_args!("orgs/{organization}/saml/{}", record.id)) },
    }
}

/// Returns a SAML provider that was looked up, as the caller sees it.
#[must_use]
pub fn found_saml_provider(
    urls: &Urls,
    found: &Authorized<InOrganization<SamlProviderRecord>>,
) -> SamlProvider {
    saml_provider(urls, found, found.organization.id, found.item.clone())
}

/// Returns the login option of a provider.
#[must_use]
pub fn sso_login(urls: &Urls, record: SamlProviderRecord) -> SsoLogin {
    SsoLogin { id: record.id, label: record.label, start_url: service(urls, record.id).start_url }
}

/// Returns the URLs of this deployment for a provider.
fn service(urls: &Urls, id: SamlProviderId) -> SamlService {
    SamlService {
        acs_url: urls.saml(id, "acs"),
        start_url: urls.saml(id, "login"),
        entity_id: urls.saml(id, "metadata"),
    }
}

fn default_team<T: Guarded>(of: &Authorized<T>, team: DefaultTeam) -> Team {
    let count = |number: i64| u64::try_from(number).unwrap_or(0);
    let owned = team.owned && of.actor().token_allows(Action::ManageTeam);
    Team {
        object: TeamTag::Tag,
        id: team.id,
        title: team.title,
        members: count(team.members),
        spaces: count(team.spaces),
        created_at: team.created_at,
        permissions: TeamPermissions::of(of.may(Action::ManageTeam), owned, of.may(Action::ListTeams)),
    }
}
