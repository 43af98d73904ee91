//! What members may do with themselves, whatever their role is.

use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, OrganizationRecord};

use crate::error::ApiResult;

/// The organization, if the caller may do `own` to it and is that user, or may do `others`.
///
/// # Errors
/// 404 and 403.
pub fn organization_of(
    reader: &mut Reader<'_>,
    organization: OrganizationId,
    user: UserId,
    own: Action,
    others: Action,
) -> ApiResult<Authorized<OrganizationRecord>> {
    let found = reader.organization(organization)?;
    let is_self = reader.seen_actor().is_some_and(|actor| actor.user == user);
    Ok(found.authorize(if is_self { own } else { others })?)
}
