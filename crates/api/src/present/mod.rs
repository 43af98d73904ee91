//! Conversion of records to resources: the keys that a caller with a role sees, with working URLs.

mod change_requests;
mod changes;
mod content;
mod git;
mod links;
mod oidc;
mod operations;
mod pages;
mod pdf;
mod people;
mod renderers;
mod revisions;
mod saml;
mod search;
mod sites;
mod spaces;

use quire_domain::error::Reason;
use quire_domain::list::{Cursor, List, NextPage};
use quire_storage::list::Slice;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, ApiResult};

pub use change_requests::{
    Shown as ShownChangeRequest, Thread, Viewer, change_request, change_request_for, comment, contributor,
    reply, requested_reviewer, review,
};
pub use changes::{changes, conflicts, content_merge};
pub use content::{
    ContentView, FileAddress, Viewed, file, import, openapi_spec, openapi_spec_version, version_location,
    visited_openapi_spec,
};
pub use git::{
    git_installation, git_operation, git_preview, git_sync, listed_git_installation, site_git_installation,
    site_git_operation,
};
pub use links::LinkView;
pub use oidc::{oidc_provider, own_identity, sign_in_provider};
pub use operations::{
    audit_entry, found_installation, installation, integration, site_installation, space_installation,
    webhook, webhook_delivery,
};
pub use pdf::{PdfAddress, SignedAddresses};
pub use people::{
    api_token, current_user, inbox_entry, invite, member, organization, own_invite, passkey,
    passkey_challenge, scim, session, team, team_member, user,
};
pub use renderers::site_renderer;
pub use revisions::{new_revision, revision, revision_around_pages};
pub use saml::{found_saml_provider, saml_provider, sso_login};
pub use search::{search_hit, site_search_hit, space_search_hit, title_hit};
pub use sites::{Parts, PartsReader, SiteView, customization, site_space_customization};
pub use spaces::{
    collection, custom_field, definition_permissions, found_custom_field, found_translation, shared_space,
    space, space_custom_fields, translation, translation_permissions, visited_space, with_custom_fields,
};

/// Returns a list from a slice. Its cursor holds the key of the last item.
///
/// # Errors
/// An error if the cursor cannot be serialized.
pub fn list<T, R, K: Serialize>(
    name: &str,
    slice: Slice<T>,
    key: impl Fn(&T) -> K,
    resource: impl FnMut(T) -> ApiResult<R>,
) -> ApiResult<List<R>> {
    let next = match slice.items.last() {
        Some(last) if slice.has_more => {
            Some(NextPage { page: Cursor::seal(name, &key(last)).map_err(ApiError::internal)? })
        }
        _ => None,
    };
    let items = slice.items.into_iter().map(resource).collect::<ApiResult<Vec<R>>>()?;
    Ok(List { next, count: slice.total, items })
}

/// Returns the key in a cursor of this list; `None` on the first page.
///
/// # Errors
/// 400 for a malformed cursor or one of another list.
pub fn cursor<K: DeserializeOwned>(name: &str, page: Option<&str>) -> ApiResult<Option<K>> {
    page.map(|page| Cursor::open(name, page)).transpose().map_err(|_| {
        ApiError::new(Reason::InvalidCursor).with_details(vec![quire_domain::error::FieldError {
            field: "page".to_owned(),
            message: "is not a cursor of this list".to_owned(),
        }])
    })
}
