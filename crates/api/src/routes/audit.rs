//! The audit log.

use quire_domain::audit::{AuditEntry, AuditQuery};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Object, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::AuditLog.at("/v1/orgs/{organizationId}/audit-log", Some(Object::Organization)),
            "listAuditLog",
            Needs(Action::InspectOrganization),
            "List audit log entries",
            v1::audit::list::list_audit_log,
        )
        .query::<PageQuery>()
        .query::<AuditQuery>()
        .lists::<AuditEntry>(),
    ]
}
