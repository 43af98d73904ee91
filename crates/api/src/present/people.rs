//! Organizations, their invites and teams, users and inboxes.

use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TokenId, UserId};
use quire_domain::inbox::{InboxEntry, InboxEntryUrls};
use quire_domain::invites::{
    CollectionInvite, Invite, InviteUrls, OrganizationInvite, OwnInvite, OwnInviteOrganization, SpaceInvite,
};
use quire_domain::members::Member;
use quire_domain::object::{
    ApiTokenTag, EmailInviteTag, InboxEntryTag, InviteTag, MemberTag, OrganizationTag, PasskeyTag, ScimTag,
    SessionTag, TeamTag, UserTag,
};
use quire_domain::organizations::{Blocked, OrganizationPermissions, OrganizationUrls, Trial};
use quire_domain::passkeys::{Passkey, PasskeyChallenge};
use quire_domain::policy::Action;
use quire_domain::scim::{Scim, ScimUrls};
use quire_domain::sessions::Session;
use quire_domain::teams::{
    Team, TeamMember, TeamMemberPermissions, TeamMembership, TeamPermissions, TeamRole,
};
use quire_domain::tokens::ApiToken;
use quire_domain::users::{CurrentUser, UserUrls};
use quire_domain::{Organization, User};
use quire_server::passkeys::Challenge;
use quire_storage::lookup::UserRecord;
use quire_storage::people::inbox::InboxItem;
use quire_storage::people::invites::{AddressedInvite, InviteRecord, InviteTarget};
use quire_storage::people::members::ShownMember;
use quire_storage::people::organizations::OrganizationRecord;
use quire_storage::people::passkeys::OwnPasskey;
use quire_storage::people::scim::ScimTokenRecord;
use quire_storage::people::teams::ListedTeam;
use quire_storage::people::tokens::OwnToken;
use quire_storage::people::user_sessions::OwnSession;
use serde::de::value::Error as WordError;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value;
use uuid::Uuid;

use super::{collection, space};
use crate::error::{ApiError, ApiResult};
use crate::scim::service;
use crate::urls::Urls;

/// Returns an organization as a member sees it, or a user who may find it.
///
/// # Errors
/// A stored value that the API does not know.
pub fn organization(urls: &Urls, record: OrganizationRecord) -> ApiResult<Organization> {
    let membership = record.membership();
    let views_billing = membership.allows(Action::ViewBilling);
    Ok(Organization {
        object: OrganizationTag::Tag,
        id: record.id,
        title: record.title,
        created_at: record.created_at,
        email_domains: record.email_domains,
        hostname: record.hostname,
        organization_type: word(&record.kind)?,
        use_case: record.use_case.as_deref().map(word).transpose()?,
        community_type: record.community_type.as_deref().map(word).transpose()?,
        default_role: record.default_role,
        default_content: record.default_content.map(json).transpose()?,
        sso: Some(record.sso),
        second_factor_required: record.second_factor_required,
        ai: Some(record.ai),
        invite_links: record.invite_links,
        plan: word(&record.plan)?,
        billing: record.billing.filter(|_| views_billing).map(json).transpose()?,
        merge_rules: record.merge_rules.filter(|_| record.is_member).unwrap_or_default(),
        urls: OrganizationUrls {
            location: urls.api(format_args!("orgs/{}", record.id)),
            app: urls.app(format_args!("o/{}", record.id)),
            logo: record.logo,
        },
        trial: trial(record.trial)?,
        custom_hostname: record.custom_hostname,
        blocked: record
            .blocked_reason
            .as_deref()
            .map(|reason| Ok::<_, ApiError>(Blocked { reason: word(reason)? }))
            .transpose()?,
        internal_is_on_new_trial: Some(true),
        internal_billing_migration: record
            .billing_migration
            .filter(|_| views_billing)
            .map(json)
            .transpose()?,
        permissions: OrganizationPermissions::of(membership, record.owns_team),
    })
}

/// Returns a trial. Operators store its status, and optionally the number of trials.
fn trial(stored: Value) -> ApiResult<Trial> {
    let trial: Trial = json(stored)?;
    Ok(Trial { count: trial.count.max(trial.status.least_count()), ..trial })
}

fn word<T: DeserializeOwned>(stored: &str) -> ApiResult<T> {
    T::deserialize(IntoDeserializer::<WordError>::into_deserializer(stored)).map_err(ApiError::internal)
}

fn json<T: DeserializeOwned>(stored: Value) -> ApiResult<T> {
    serde_json::from_value(stored).map_err(ApiError::internal)
}

/// Display name of a removed user, whose content remains.
const REMOVED: &str = "Removed user";

/// Returns a user as other users see them.
#[must_use]
pub fn user(urls: &Urls, record: &UserRecord) -> User {
    let id = record.id().unwrap_or_else(|| UserId::from_uuid(Uuid::nil()));
    User {
        object: UserTag::Tag,
        id,
        display_name: record.display_name().unwrap_or(REMOVED).to_owned(),
        email: record.email().map(str::to_owned),
        photo_url: record.photo_url().map(str::to_owned),
        urls: UserUrls { location: urls.api(format_args!("users/{id}")) },
    }
}

/// Returns a user as they see themselves.
#[must_use]
pub fn current_user(urls: &Urls, record: &UserRecord, created_at: Timestamp) -> CurrentUser {
    CurrentUser { user: user(urls, record), created_at }
}

/// Returns a member, with the fields for administrators if `is_administrator`.
#[must_use]
pub fn member(urls: &Urls, record: &ShownMember, is_administrator: bool) -> Member {
    Member {
        object: MemberTag::Tag,
        id: record.id,
        role: record.role,
        user: user(urls, &record.user),
        disabled: record.disabled,
        joined_at: record.joined_at,
        last_seen_at: record.last_seen_at,
        sso: record.sso,
        second_factor: is_administrator.then_some(record.reach.has_factor),
        spaces: record.reach.spaces,
        teams: record.reach.teams,
        sites: record.reach.sites,
    }
}

/// Returns the record of a token, with the secret only directly after creation.
#[must_use]
pub fn api_token(record: OwnToken, token: Option<String>) -> ApiToken {
    let OwnToken { id, label, limits, created_at, last_used_at } = record;
    ApiToken {
        object: ApiTokenTag::Tag,
        id,
        label,
        read_only: limits.read_only,
        organizations: limits.organizations,
        created_at,
        expires_at: limits.expires_at,
        last_used_at,
        token,
    }
}

/// Returns a passkey.
#[must_use]
pub fn passkey(record: OwnPasskey) -> Passkey {
    let OwnPasskey { id, name, created_at, last_used_at } = record;
    Passkey { object: PasskeyTag::Tag, id, name, created_at, last_used_at }
}

/// Returns a challenge to a passkey.
#[must_use]
pub fn passkey_challenge(challenge: Challenge) -> PasskeyChallenge {
    let Challenge { id, expires_at, options } = challenge;
    PasskeyChallenge { id, expires_at, public_key: options }
}

/// Returns a session, for a request with this token.
#[must_use]
pub fn session(record: OwnSession, token: TokenId) -> Session {
    let current = record.is_of(token);
    let OwnSession { id, user_agent, address, created_at, last_used_at, expires_at } = record;
    Session {
        object: SessionTag::Tag,
        id,
        current,
        user_agent,
        address,
        created_at,
        last_used_at,
        expires_at,
    }
}

/// Returns a team as a user who may list teams sees it. `manages`: the user manages all teams of the organization.
#[must_use]
pub fn team(listed: ListedTeam, manages: bool) -> Team {
    let ListedTeam { team, members, spaces } = listed;
    Team {
        object: TeamTag::Tag,
        id: team.id,
        title: team.title,
        members,
        spaces,
        created_at: team.created_at,
        permissions: TeamPermissions::of(manages, team.is_owner, true),
    }
}

/// Returns a member of a team. `view`: the caller may see the organization's members.
#[must_use]
pub fn team_member(urls: &Urls, record: &ShownMember, role: TeamRole, view: bool) -> TeamMember {
    TeamMember {
        organization: member(urls, record, false),
        team: TeamMembership { role },
        permissions: TeamMemberPermissions { view },
    }
}

/// Returns an invite, as its creator or a bearer of the link sees it.
#[must_use]
pub fn invite(urls: &Urls, record: InviteRecord) -> Invite {
    let InviteRecord { id, seed: _, organization: _, role, target, actor_role, redundant } = record;
    let object = InviteTag::Tag;
    let app = InviteUrls { app: urls.invite(id, None) };
    match target {
        InviteTarget::Organization => {
            Invite::Organization(OrganizationInvite { object, id, role, redundant, urls: app })
        }
        InviteTarget::Space(record) => {
            let space = space(urls, &record, actor_role);
            Invite::Space(Box::new(SpaceInvite { object, id, level: role, redundant, urls: app, space }))
        }
        InviteTarget::Collection(record) => {
            let collection = collection(urls, &record, actor_role);
            Invite::Collection(CollectionInvite { object, id, level: role, redundant, urls: app, collection })
        }
    }
}

/// Returns an e-mail invite, as the invited person sees it.
#[must_use]
pub fn own_invite(record: AddressedInvite) -> OwnInvite {
    let AddressedInvite { invite, organization, organization_title } = record;
    OwnInvite {
        object: EmailInviteTag::Tag,
        id: invite.id,
        organization: OwnInviteOrganization { id: organization, title: organization_title },
        role: invite.role,
        created_at: invite.created_at,
        expires_at: invite.expires_at,
    }
}

/// Returns an entry of an inbox.
#[must_use]
pub fn inbox_entry(urls: &Urls, item: InboxItem) -> InboxEntry {
    let app = urls.app(item.app_path());
    let InboxItem { facts, actor, .. } = item;
    InboxEntry {
        object: InboxEntryTag::Tag,
        facts,
        actor: actor.id().map(|_| user(urls, &actor)),
        urls: InboxEntryUrls { app },
    }
}

/// Returns the access of an identity provider. `token` is the SCIM token of the organization, if it has one.
#[must_use]
pub fn scim(urls: &Urls, organization: OrganizationId, token: Option<ScimTokenRecord>) -> Scim {
    Scim {
        object: ScimTag::Tag,
        enabled: token.is_some(),
        default_role: token.as_ref().and_then(|token| token.default_role),
        created_at: token.map(|token| token.created_at),
        urls: ScimUrls {
            location: urls.api(format_args!("orgs/{organization}/scim")),
            service: service(urls, organization),
        },
    }
}
