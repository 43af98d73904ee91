//! Users: members of the organization.

use quire_domain::scim::{self, Kind, Meta, Reference, ScimUser, SearchRequest, UserInput};
use quire_storage::door::TypedDoor;
use quire_storage::people::scim::{ScimAccess, ScimUserRecord};

use super::query::{ListQuery, Projection};
use super::request::Body;
use super::request::{Provider, change};
use super::{ScimError, ScimResult, respond};
use crate::prelude::*;

/// Kind of the target of audit log entries.
const TARGET: &str = "user";

/// `GET /scim/v2/{organizationId}/Users`
pub(super) async fn list(provider: Provider, request: HttpRequest, state: State) -> ScimResult<HttpResponse> {
    list_of(provider, ListQuery::of(&request, Kind::User)?, &state).await
}

/// `POST /scim/v2/{organizationId}/Users/.search`
pub(super) async fn search(provider: Provider, Body(body): Body, state: State) -> ScimResult<HttpResponse> {
    list_of(provider, ListQuery::new(&SearchRequest::parse(&body)?, Kind::User)?, &state).await
}

async fn list_of(provider: Provider, query: ListQuery, state: &State) -> ScimResult<HttpResponse> {
    let ListQuery { selected, window, projection } = query;
    let page = state
        .read(provider.credentials, move |reader| {
            let access = reader.scim_access(provider.organization)?;
            Ok(reader.scim_users(&access, &selected, window.part())?)
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    let users = written(&base, page.items, &projection)?;
    Ok(respond::list(&users, page.total, window))
}

/// Writes the users of a page.
pub(super) fn written(
    base: &str,
    users: Vec<ScimUserRecord>,
    projection: &Projection,
) -> ScimResult<Vec<Value>> {
    users.into_iter().map(|user| Ok(projection.apply(respond::written(&present(base, user))?))).collect()
}

/// `GET /scim/v2/{organizationId}/Users/{userId}`
pub(super) async fn get(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    let projection = Projection::of(&request, Kind::User)?;
    let user = super::door(&state)
        .read(provider.credentials, move |reader| {
            let access = reader.scim_access(provider.organization)?;
            Ok::<_, ScimError>(reader.scim_user(&access, user_id(&id)?)?)
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    respond::resource(StatusCode::OK, &present(&base, user), &projection)
}

/// `POST /scim/v2/{organizationId}/Users`
pub(super) async fn create(
    provider: Provider,
    Body(body): Body,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    let (change, projection) = (change()?, Projection::of(&request, Kind::User)?);
    let user = super::door(&state)
        .transact(provider.credentials, move |tx| {
            let access = tx.scim_access(provider.organization)?;
            let id = tx.create_scim_user(&access, &UserInput::parse(&body)?.with_defaults())??;
            tx.audit_scim(&access, &change, (TARGET, &id.to_string()))?;
            Ok::<_, ScimError>(tx.scim_user(&access, id)?)
        })
        .await?;
    let base = super::service(&state.urls, provider.organization);
    respond::resource(StatusCode::CREATED, &present(&base, user), &projection)
}

/// `PUT /scim/v2/{organizationId}/Users/{userId}`
pub(super) async fn replace(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    Body(body): Body,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    change_user(provider, id, &request, &state, move |_| Ok(UserInput::parse(&body)?.with_defaults())).await
}

/// `PATCH /scim/v2/{organizationId}/Users/{userId}`
pub(super) async fn update(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    Body(body): Body,
    request: HttpRequest,
    state: State,
) -> ScimResult<HttpResponse> {
    change_user(provider, id, &request, &state, move |present| {
        let mut written = match respond::written(&present)? {
            Value::Object(attributes) => attributes,
            other => return Err(ApiError::internal(anyhow::anyhow!("a user is no object: {other}")).into()),
        };
        scim::apply(&mut written, &body, Kind::User)?;
        Ok(UserInput::parse(&written)?)
    })
    .await
}

/// Changes a user to what `input` makes of the present one.
async fn change_user(
    provider: Provider,
    id: String,
    request: &HttpRequest,
    state: &State,
    input: impl FnOnce(ScimUser) -> ScimResult<UserInput> + Send + 'static,
) -> ScimResult<HttpResponse> {
    let (change, projection) = (change()?, Projection::of(request, Kind::User)?);
    let base = super::service(&state.urls, provider.organization);
    let address = base.clone();
    let work = move |tx: &mut Tx<'_>, access: &ScimAccess| -> ScimResult<ScimUserRecord> {
        let id = user_id(&id)?;
        let before = tx.lock_scim_user(access, id)?;
        tx.update_scim_user(access, id, &input(present(&address, before))?)??;
        tx.audit_scim(access, &change, (TARGET, &id.to_string()))?;
        Ok(tx.scim_user(access, id)?)
    };
    let user = super::door(state)
        .transact(provider.credentials, move |tx| {
            let access = tx.scim_access(provider.organization)?;
            work(tx, &access)
        })
        .await?;
    respond::resource(StatusCode::OK, &present(&base, user), &projection)
}

/// `DELETE /scim/v2/{organizationId}/Users/{userId}`
pub(super) async fn delete(
    provider: Provider,
    Path((_, id)): Path<(String, String)>,
    state: State,
) -> ScimResult<HttpResponse> {
    let change = change()?;
    super::door(&state)
        .transact(provider.credentials, move |tx| {
            let access = tx.scim_access(provider.organization)?;
            let user = user_id(&id)?;
            tx.delete_scim_user(&access, user)?;
            Ok::<_, ScimError>(tx.audit_scim(&access, &change, (TARGET, &user.to_string()))?)
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Reads an id. A malformed one is answered like that of an unknown user.
fn user_id(id: &str) -> ScimResult<UserId> {
    Ok(id.parse().map_err(|_| ApiError::not_found())?)
}

fn present(base: &str, record: ScimUserRecord) -> ScimUser {
    let meta = Meta {
        resource_type: Kind::User.name(),
        created: record.created_at,
        last_modified: record.updated_at,
        location: format!("{base}/Users/{}", record.id),
    };
    let groups = record
        .groups
        .into_iter()
        .map(|group| Reference { url: format!("{base}/Groups/{}", group.value), ..group })
        .collect();
    ScimUser::new(record.id, record.input, groups, meta)
}
