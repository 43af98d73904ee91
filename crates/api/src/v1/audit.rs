//! The audit log.

use quire_domain::audit::{AuditEntry, AuditQuery};
use quire_storage::operations::audit::AuditPosition;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::AuditLog.at("/v1/orgs/{organizationId}/audit-log", Some(Object::Organization)),
            Needs(Action::InspectOrganization),
            "List audit log entries",
            list_audit_log,
        )
        .query::<PageQuery>()
        .query::<AuditQuery>()
        .lists::<AuditEntry>(),
    ]
}

async fn list_audit_log(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<AuditQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("audit log of {organization} {query:?}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            Ok(reader.audit_entries(&organization, &query, below, limit)?)
        })
        .await?;
    list.respond(&request, slice, AuditPosition::of, |record| Ok(present::audit_entry(&state.urls, record)))
}
