//! Spaces.

use quire_domain::merge_rules::MergeRules;
use quire_domain::object::SpaceTag;
use quire_domain::spaces::{Deletion, SpacePermissions, SpaceUrls, Visibility, VisitorAuth};
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
        id: record.id,
        title: record.title.clone(),
        emoji: record.emoji.clone(),
        visibility,
        created_at: record.created_at,
        updated_at: record.updated_at,
        deleted_at: record.deleted_at,
        edit_mode: Some(record.edit_mode),
        language: record.language,
        urls: SpaceUrls {
            location: urls.api(format_args!("spaces/{}", record.id)),
            app: urls.app(format_args!("s/{}", record.id)),
            public: published.clone().filter(|_| visibility == Visibility::Public),
            published,
            icon: record.icon.clone(),
        },
        organization: record.organization,
        parent: record.parent,
        // Someone without a role on the space, such as the holder of an invite, does not see the repository.
        git_sync: record
            .git_sync
            .as_deref()
            .filter(|_| role.is_some())
            .map(|shown| shown_git_sync(urls, record.id, shown)),
        // Visitors are authenticated by tokens that the organization's own services sign.
        visitor_auth: (visibility == Visibility::VisitorAuth).then_some(VisitorAuth::Custom),
        revision: record.head,
        default_level: record.default_level,
        merge_rules: record.merge_rules.clone().unwrap_or(MergeRules::Inherit),
        comments: count(record.comments_open),
        change_requests: count(record.change_requests),
        change_requests_open: count(record.change_requests_open),
        change_requests_draft: count(record.change_requests_draft),
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
    space.merge_rules = MergeRules::None;
    space.git_sync = None;
    space.urls.published = Some(urls.at_address(&shared.address(share_key)));
    space
}

/// Returns a space as a visitor of a site sees it, without its drafts and comments.
#[must_use]
pub fn visited_space(urls: &Urls, shared: &SharedSpace) -> Space {
    Space {
        parent: None,
        default_level: None,
        comments: 0,
        change_requests: 0,
        change_requests_open: 0,
        change_requests_draft: 0,
        ..shared_at(urls, shared, None)
    }
}

/// Converts a counter, which the database keeps from falling below 0.
pub(super) fn count(stored: i32) -> u64 {
    u64::try_from(stored).unwrap_or(0)
}
