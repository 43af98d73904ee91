//! Groups: teams of the organization.

use quire_domain::scim::{self, GroupInput, Kind, Meta, Reference, ScimGroup, SearchRequest};
use quire_storage::door::TypedDoor;
use quire_storage::people::scim::ScimGroupRecord;

use super::query::{ListQuery, Projection};
use super::request::Body;
use super::request::{Provider, change};
use super::{ScimError, ScimResult, respond};
use crate::prelude::*;

/// Kind of the target of audit log entries.
const TARGET: &str = "team";
/// Attribute that is not loaded if the client excludes it.
const MEMBERS: &str = "members";

/// `GET /scim/v2/{organizationId}/Groups`
pub(super) async fn list(provider: Provider, request: HttpRequest, state: State) -> ScimResult<HttpResponse> {
    list_of(provider, ListQuery::of(&request, Kind::Group)?, &state).await
}

/// `POST /scim/v2/{organizationId}/Groups/.search`
pub(super) async fn search(provider: Provider, Body(body): Body, state: State) -> ScimResult<HttpResponse> {
    list_of(provider, ListQuery::new(&SearchRequest::parse(&body)?, Kind::Group)?, &state).await
}

async fn list_of(provider: Provider, query: ListQuery, state: &State) -> ScimResult<HttpResponse> {
    let ListQuery { selected, window, projection } = query;
    let with_members = has_members(&projection);
    let page = state
        .read(provider.credentials, move |reader| {
            let access = reader.scim_access(provider.organization)?;
            Ok(reader.scim_groups(&access, &selected, window.part(), with_members)?)
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    let groups = written(&base, page.items, &projection)?;
    Ok(respond::list(&groups, page.total, window))
}

/// Returns whether the members of groups are loaded.
pub(super) fn has_members(projection: &Projection) -> bool {
    projection.has(MEMBERS)
}

/// Serializes the groups of a page.
pub(super) fn written(
    base: &str,
    groups: Vec<ScimGroupRecord>,
    projection: &Projection,
) -> ScimResult<Vec<Value>> {
    let with_members = has_members(projection);
    let present = |group| respond::written(&present(base, group, with_members));
    groups.into_iter().map(|group| Ok(projection.apply(present(group)?))).collect()
}

/// `GET /scim/v2/{organizationId}/Groups/{teamId}`
pub(super) async fn get(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    let projection = Projection::of(&request, Kind::Group)?;
    let with_members = has_members(&projection);
    let group = super::door(&state)
        .read(provider.credentials, move |reader| {
            let access = reader.scim_access(provider.organization)?;
            Ok::<_, ScimError>(reader.scim_group(&access, team_id(&id)?, with_members)?)
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    respond::resource(StatusCode::OK, &present(&base, group, with_members), &projection)
}

/// `POST /scim/v2/{organizationId}/Groups`
pub(super) async fn create(
    provider: Provider,
    Body(body): Body,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    let (change, projection) = (change()?, Projection::of(&request, Kind::Group)?);
    let group = super::door(&state)
        .transact(provider.credentials, move |tx| {
            let access = tx.scim_access(provider.organization)?;
            let id = tx.create_scim_group(&access, &GroupInput::parse(&body)?)??;
            tx.audit_scim(&access, &change, (TARGET, &id.to_string()))?;
            Ok::<_, ScimError>(tx.scim_group(&access, id, true)?)
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    respond::resource(StatusCode::CREATED, &present(&base, group, true), &projection)
}

/// `PUT /scim/v2/{organizationId}/Groups/{teamId}`. Without a list in the body, the members are unchanged.
pub(super) async fn replace(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    Body(body): Body,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    change_group(provider, id, &request, &state, move |_| Ok(GroupInput::parse(&body)?)).await
}

/// `PATCH /scim/v2/{organizationId}/Groups/{teamId}`
pub(super) async fn update(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    Body(body): Body,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    change_group(provider, id, &request, &state, move |present| {
        let mut written = match respond::written(&present)? {
            Value::Object(attributes) => attributes,
            other => return Err(ApiError::internal(anyhow::anyhow!("a group is no object: {other}")).into()),
        };
        scim::apply(&mut written, &body, Kind::Group)?;
        let input = GroupInput::parse(&written)?;
        Ok(GroupInput { members: Some(input.members.unwrap_or_default()), ..input })
    })
    .await
}

/// Changes a group. `input` returns the new state from the current one.
async fn change_group(
    provider: Provider,
    id: String,
    request: &HttpRequest,
    state: &State,
    input: impl FnOnce(ScimGroup) -> ScimResult<GroupInput> + Send + 'static,
) -> ScimResult<HttpResponse> {
    let (change, projection) = (change()?, Projection::of(request, Kind::Group)?);
    let base = super::service(&state.urls, provider.organization);
    let address = base.clone();
    let group = super::door(state)
        .transact(provider.credentials, move |tx| {
            let access = tx.scim_access(provider.organization)?;
            let id = team_id(&id)?;
            let before = tx.lock_scim_group(&access, id)?;
            tx.update_scim_group(&access, id, &input(present(&address, before, true))?)??;
            tx.audit_scim(&access, &change, (TARGET, &id.to_string()))?;
            Ok::<_, ScimError>(tx.scim_group(&access, id, true)?)
        })
        .await?;
    respond::resource(StatusCode::OK, &present(&base, group, true), &projection)
}

/// `DELETE /scim/v2/{organizationId}/Groups/{teamId}`
pub(super) async fn delete(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    state: State,
) -> ScimResult<HttpResponse> {
    let change = change()?;
    super::door(&state)
        .transact(provider.credentials, move |tx| {
            let access = tx.scim_access(provider.organization)?;
            let team = team_id(&id)?;
            tx.delete_scim_group(&access, team)?;
            Ok::<_, ScimError>(tx.audit_scim(&access, &change, (TARGET, &team.to_string()))?)
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Parses an id. A malformed id gets the same response as an unknown team.
fn team_id(id: &str) -> ScimResult<TeamId> {
    Ok(id.parse().map_err(|_| ApiError::not_found())?)
}

fn present(base: &str, record: ScimGroupRecord, with_members: bool) -> ScimGroup {
    let meta = Meta {
        resource_type: Kind::Group.name(),
        created: record.created_at,
        last_modified: record.updated_at,
        location: format!("{base}/Groups/{}", record.id),
    };
    let members = record
        .members
        .into_iter()
        .map(|member| Reference { url: format!("{base}/Users/{}", member.value), ..member })
        .collect();
    let members = Some(members).filter(|_| with_members);
    ScimGroup::new(record.id, record.title, record.external_id, members, meta)
}
