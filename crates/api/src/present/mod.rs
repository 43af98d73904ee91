//! Conversion of records to resources: the keys that a caller with a role sees, with working URLs.

mod audit;
mod change_requests;
mod changes;
mod collections;
mod comments;
mod conflicts;
mod content;
mod content_merge;
mod custom_fields;
mod files;
mod git;
mod imports;
mod inbox;
mod integrations;
mod invites;
mod links;
mod oidc;
mod openapi_specs;
mod organizations;
mod pages;
mod pdf;
mod renderers;
mod reviews;
mod revisions;
mod saml;
mod scim;
mod search;
mod sites;
mod spaces;
mod teams;
mod translations;
mod users;
mod webhooks;

use quire_domain::error::Reason;
use quire_domain::list::{Cursor, List, NextPage};
use quire_storage::list::Slice;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, ApiResult};

pub use audit::audit_entry;
pub use change_requests::{Shown as ShownChangeRequest, change_request, change_request_for};
pub use changes::changes;
pub use collections::collection;
pub use comments::{Thread, Viewer, comment, reply};
pub use conflicts::conflicts;
pub use content::{ContentView, Viewed};
pub use content_merge::content_merge;
pub use custom_fields::{
    custom_field, definition_permissions, found_custom_field, space_custom_fields, with_custom_fields,
};
pub use files::{FileAddress, file};
pub use git::{git_installation, git_operation, git_preview, git_sync, listed_git_installation};
pub use imports::import;
pub use inbox::inbox_entry;
pub use integrations::{
    found_installation, installation, integration, site_installation, space_installation,
};
pub use invites::{invite, own_invite};
pub use links::LinkView;
pub use oidc::{oidc_provider, own_identity, sign_in_provider};
pub use openapi_specs::{openapi_spec, openapi_spec_version, version_location, visited_openapi_spec};
pub use organizations::organization;
pub use pdf::{PdfAddress, SignedAddresses};
pub use renderers::site_renderer;
pub use reviews::{contributor, requested_reviewer, review};
pub use revisions::{new_revision, revision, revision_around_pages};
pub use saml::{found_saml_provider, saml_provider, sso_login};
pub use scim::scim;
pub use search::{search_hit, site_search_hit, space_search_hit, title_hit};
pub use sites::{Parts, PartsReader, SiteView, customization, site_space_customization};
pub use spaces::{shared_space, space, visited_space};
pub use teams::{team, team_member};
pub use translations::{found_translation, translation, translation_permissions};
pub use users::{api_token, current_user, member, passkey, passkey_challenge, session, user};
pub use webhooks::{webhook, webhook_delivery};

/// Returns a list from a slice. Its cursor holds the key of the last item.
///
/// # Errors
/// A failure to write the cursor.
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
