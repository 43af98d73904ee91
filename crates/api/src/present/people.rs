//! Users, their tokens, and members of organizations.

use quire_domain::User;
use quire_domain::clock::Timestamp;
use quire_domain::ids::UserId;
use quire_domain::members::Member;
use quire_domain::object::{ApiTokenTag, MemberTag, UserTag};
use quire_domain::tokens::ApiToken;
use quire_domain::users::{CurrentUser, UserUrls};
use quire_storage::lookup::UserRecord;
use quire_storage::members::MemberRecord;
use quire_storage::tokens::OwnToken;
use uuid::Uuid;

use crate::urls::Urls;

/// What stands in place of a user who was removed: what it wrote stays.
const REMOVED: &str = "Removed user";

/// A user as others see it.
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

/// A user as they see themselves.
#[must_use]
pub fn current_user(urls: &Urls, record: &UserRecord, created_at: Timestamp) -> CurrentUser {
    CurrentUser { user: user(urls, record), created_at }
}

/// A member of an organization.
#[must_use]
pub fn member(urls: &Urls, record: &MemberRecord) -> Member {
    Member {
        object: MemberTag::Tag,
        id: record.id,
        role: record.role,
        user: user(urls, &record.user),
        disabled: record.disabled,
        joined_at: record.joined_at,
        last_seen_at: record.last_seen_at,
        sso: record.sso,
        spaces: record.spaces,
        teams: record.teams,
    }
}

/// A token's record, with the secret only when it was just made.
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
