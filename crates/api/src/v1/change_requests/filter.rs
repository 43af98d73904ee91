//! Common part of the lists of change requests.

use quire_domain::change_requests::ChangeRequestQuery;
use quire_domain::ids::SpaceId;
use quire_storage::change_requests::ChangeRequestFilter;

/// Returns the filter of a list, and the name that its cursors are bound to. `of` identifies the list.
pub fn filter(of: &str, query: ChangeRequestQuery, space: Option<SpaceId>) -> (ChangeRequestFilter, String) {
    let name = format!("change requests of {of} in {space:?}: {query:?}");
    let ChangeRequestQuery { status, contributor, creator, requested_reviewer, order_by, order } = query;
    let filter = ChangeRequestFilter {
        status,
        contributor,
        creator,
        requested_reviewer,
        space,
        changed_page: None,
        sort: order_by,
        order,
    };
    (filter, name)
}
