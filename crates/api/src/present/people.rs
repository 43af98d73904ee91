//! Users.

use quire_domain::User;
use quire_domain::ids::UserId;
use quire_domain::object::UserTag;
use quire_domain::users::UserUrls;
use quire_storage::lookup::UserRecord;
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
