//! The audit log.

use quire_domain::audit::{AuditEntry, AuditQuery};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/v1/orgs/{organizationId}/audit-log",
            "listAuditLog",
            Needs(Action::InspectOrganization),
            "List what was changed in an organization",
            v1::audit::list::handle,
        )
        .query::<PageQuery>()
        .query::<AuditQuery>()
        .lists::<AuditEntry>(),
    ]
}
