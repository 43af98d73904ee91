//! Collections.

use quire_domain::collections::{CollectionPermissions, CollectionUrls};
use quire_domain::object::CollectionTag;
use quire_domain::{Collection, Role};
use quire_storage::content::collections::CollectionRecord;

use crate::urls::Urls;

/// Returns a collection as a user with `role` sees it.
#[must_use]
pub fn collection(urls: &Urls, record: &CollectionRecord, role: Option<Role>) -> Collection {
    Collection {
        object: CollectionTag::Tag,
        id: record.id,
        title: record.title.clone(),
        description: record.description.clone(),
        organization: record.organization,
        parent: record.parent,
        default_level: record.default_level,
        urls: CollectionUrls {
            location: urls.api(format_args!("collections/{}", record.id)),
            app: urls.app(format_args!("c/{}", record.id)),
        },
        permissions: CollectionPermissions::of(role),
    }
}
