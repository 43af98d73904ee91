//! Collections.

use quire_domain::collections::{CollectionFacts, CollectionPermissions, CollectionUrls};
use quire_domain::object::CollectionTag;
use quire_domain::{Collection, Role};

use crate::urls::Urls;

/// Returns a collection as a user with `role` sees it.
#[must_use]
pub fn collection(urls: &Urls, facts: &CollectionFacts, role: Option<Role>) -> Collection {
    Collection {
        object: CollectionTag::Tag,
        facts: facts.clone(),
        urls: CollectionUrls {
            location: urls.api(format_args!("collections/{}", facts.id)),
            app: urls.app(format_args!("c/{}", facts.id)),
        },
        permissions: CollectionPermissions::of(role),
    }
}
