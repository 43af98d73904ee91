//! Search for users and groups together.

use quire_domain::scim::SearchRequest;
use quire_storage::people::scim::ScimPage;

use super::query::{ListQuery, MixedQuery, Projection};
use super::request::{Body, Provider};
use super::{ScimResult, groups, respond, users};
use crate::prelude::*;

/// `POST /scim/v2/{organizationId}/.search`. The groups follow the users.
pub(super) async fn search(provider: Provider, Body(body): Body, state: State) -> ScimResult<HttpResponse> {
    let MixedQuery { users, groups, window } = MixedQuery::new(&SearchRequest::parse(&body)?)?;
    let of_users = projection(users.as_ref());
    let of_groups = projection(groups.as_ref());
    let with_members = groups::has_members(&of_groups);
    let (users, groups) = state
        .read(provider.credentials, move |reader| {
            let access = reader.scim_access(provider.organization)?;
            let users = match &users {
                Some(query) => reader.scim_users(&access, &query.selected, window.part())?,
                None => ScimPage { items: Vec::new(), total: 0 },
            };
            let part = window.part_after(users.total, users.items.len());
            let groups = match &groups {
                Some(query) => reader.scim_groups(&access, &query.selected, part, with_members)?,
                None => ScimPage { items: Vec::new(), total: 0 },
            };
            Ok((users, groups))
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    let total = users.total.saturating_add(groups.total);
    let mut items = users::written(&base, users.items, &of_users)?;
    items.extend(groups::written(&base, groups.items, &of_groups)?);
    Ok(respond::list(&items, total, window))
}

fn projection(query: Option<&ListQuery>) -> Projection {
    query.map(|query| query.projection.clone()).unwrap_or_default()
}
