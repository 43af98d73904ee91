//! Users, their tokens, and members of organizations.

use quire_domain::User;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{TokenId, UserId};
use quire_domain::members::Member;
use quire_domain::object::{ApiTokenTag, MemberTag, PasskeyTag, SessionTag, UserTag};
use quire_domain::passkeys::{Passkey, PasskeyChallenge};
use quire_domain::sessions::Session;
use quire_domain::tokens::ApiToken;
use quire_domain::users::{CurrentUser, UserUrls};
use quire_server::passkeys::Challenge;
use quire_storage::lookup::UserRecord;
use quire_storage::people::members::ShownMember;
use quire_storage::people::passkeys::OwnPasskey;
use quire_storage::people::tokens::OwnToken;
use quire_storage::people::user_sessions::OwnSession;
use uuid::Uuid;

use crate::urls::Urls;

/// Display name of a removed user, whose content remains.
const REMOVED: &str = "Removed user";

/// Returns a user as others see them.
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

/// Returns a member, with what administrators see if `is_administrator`.
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

/// Returns a session to a request with this token.
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
