//! Spaces.

use quire_domain::merge_rules::MergeRules;
use quire_domain::object::SpaceTag;
use quire_domain::spaces::{Deletion, SpaceFacts, SpacePermissions, SpaceUrls, Visibility, VisitorAuth};
use quire_domain::{Role, Space};
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::sites::SharedSpace;

use super::git::shown_git_sync;
use crate::urls::Urls;

/// Returns a space as a user with `role` sees it.
#[must_use]
pub fn space(urls: &Urls, record: &SpaceRecord, role: Option<Role>) -> Space {
    // A deleted space is on no site until it is restored.
    let site = record.site.as_ref().filter(|_| record.deleted_at.is_none());
    let visibility = record.visibility();
    let published = site.map(|site| urls.at_address(&site.address));
    Space {
        object: SpaceTag::Tag,
        facts: record.facts.clone(),
        visibility,
        urls: SpaceUrls {
            location: urls.api(format_args!("spaces/{}", record.id)),
            app: urls.app(format_args!("s/{}", record.id)),
            public: published.clone().filter(|_| visibility == Visibility::Public),
            published,
            icon: record.icon.clone(),
        },
        // Someone without a role on the space, such as the holder of an invite, does not see the repository.
        git_sync: record
            .git_sync
            .as_deref()
            .filter(|_| role.is_some())
            .map(|shown| shown_git_sync(urls, record.id, shown)),
        // Visitors are authenticated by tokens that the organization's own services sign.
        visitor_auth: (visibility == Visibility::VisitorAuth).then_some(VisitorAuth::Custom),
        permissions: SpacePermissions::of(role, Deletion::from_deleted_at(record.deleted_at)),
    }
}

/// Returns a space as the bearer of a share link sees it. Its published URL carries the key.
#[must_use]
pub fn shared_space(urls: &Urls, shared: &SharedSpace, share_key: &str) -> Space {
    shared_at(urls, shared, Some(share_key))
}

fn shared_at(urls: &Urls, shared: &SharedSpace, share_key: Option<&str>) -> Space {
    let mut space = space(urls, &shared.space, shared.role);
    space.facts.merge_rules = MergeRules::None;
    space.git_sync = None;
    space.urls.published = Some(urls.at_address(&shared.address(share_key)));
    space
}

/// Returns a space as a visitor of a site sees it, without its drafts and comments.
#[must_use]
pub fn visited_space(urls: &Urls, shared: &SharedSpace) -> Space {
    let space = shared_at(urls, shared, None);
    let facts = SpaceFacts {
        parent: None,
        default_level: None,
        comments_open: 0,
        change_requests: 0,
        change_requests_open: 0,
        change_requests_draft: 0,
        ..space.facts
    };
    Space { facts, ..space }
}

/// Converts a counter, which the database keeps from falling below 0.
pub(super) fn count(stored: i32) -> u64 {
    u64::try_from(stored).unwrap_or(0)
}
