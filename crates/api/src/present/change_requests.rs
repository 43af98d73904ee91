//! Presentation of change requests and merge results.

use quire_domain::ChangeRequest;
use quire_domain::change_requests::{ChangeRequestPermissions, ChangeRequestUrls};
use quire_domain::documents::{Format, PresentedBody};
use quire_domain::ids::RevisionId;
use quire_domain::object::ChangeRequestTag;
use quire_storage::Reader;
use quire_storage::content::change_requests::{ChangeRequestRecord, InSpace, MergeCheck};
use quire_storage::lookup::Authorized;

use super::spaces::count;
use super::user;
use crate::error::ApiResult;
use crate::urls::Urls;

/// Returns a change request of a space whose head is `space_head`.
#[must_use]
pub fn change_request(urls: &Urls, record: &ChangeRequestRecord, space_head: RevisionId) -> ChangeRequest {
    let path = format!("{}/change-requests/{}", record.space, record.id);
    ChangeRequest {
        object: ChangeRequestTag::Tag,
        id: record.id,
        space: record.space,
        number: count(record.number),
        status: record.status,
        subject: record.subject.clone(),
        created_by: user(urls, &record.created_by),
        created_at: record.created_at,
        updated_at: record.updated_at,
        revision: record.head,
        revision_initial: record.revision_initial,
        revision_merged_ancestor: record.revision_merged_ancestor,
        revision_merged: record.revision_merged,
        comments: count(record.comments_open),
        outdated: record.is_outdated(space_head),
        urls: ChangeRequestUrls {
            app: urls.app(format_args!("s/{}/~/changes/{}", record.space, record.number)),
            location: urls.api(format_args!("spaces/{path}")),
        },
        description: None,
        permissions: None,
        merge_blocked_by: None,
    }
}

/// Parts of a change request that lists do not have.
#[derive(Clone, Debug)]
pub struct Shown {
    check: Option<MergeCheck>,
    description: Option<PresentedBody>,
}

impl Shown {
    /// Loads the parts: four statements at most.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn load(
        reader: &mut Reader<'_>,
        found: &Authorized<InSpace<ChangeRequestRecord>>,
        format: Format,
    ) -> ApiResult<Self> {
        Ok(Self { check: reader.merge_check(found)?, description: reader.description(found, format)? })
    }
}

/// Returns a change request with what the caller may do with it, and why not.
#[must_use]
pub fn change_request_for(
    urls: &Urls,
    found: &InSpace<ChangeRequestRecord>,
    Shown { check, description }: Shown,
) -> ChangeRequest {
    let merge = check.as_ref().is_some_and(|check| check.blocks.is_empty());
    let bypass_rules = check.as_ref().is_some_and(|check| check.may_bypass && !check.blocks.is_empty());
    ChangeRequest {
        permissions: Some(ChangeRequestPermissions { merge, bypass_rules }),
        merge_blocked_by: check.map(|check| check.blocks),
        description,
        ..change_request(urls, &found.item, found.space.head)
    }
}
