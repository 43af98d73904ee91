//! Custom fields of organizations, and their values in spaces.

use std::collections::BTreeMap;

use quire_domain::custom_fields::{
    CustomField, CustomFieldCreate, CustomFieldUpdate, CustomFieldValuesUpdate, SpaceCustomField,
    options_fit_type,
};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const OF_SPACE: Resource =
        Tag::CustomFields.at("/v1/spaces/{spaceId}/custom-fields", Some(Object::Space));
    const ALL: Resource =
        Tag::CustomFields.at("/v1/orgs/{organizationId}/custom-fields", Some(Object::Organization));
    const ONE: Resource = Tag::CustomFields
        .at("/v1/orgs/{organizationId}/custom-fields/{fieldName}", Some(Object::CustomField));
    let view = Needs(Action::ViewOrganizationContent);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(
            OF_SPACE,
            Needs(Action::ViewSpace),
            "List a space's custom field values",
            get_space_custom_fields,
        )
        .answers_array::<SpaceCustomField>(),
        Route::patch(
            OF_SPACE,
            Needs(Action::EditContent),
            "Set a space's custom field values",
            update_space_custom_fields,
        )
        .body::<CustomFieldValuesUpdate>()
        .answers_nothing(),
        Route::get(ALL, view, "List an organization's custom fields", list_organization_custom_fields)
            .query::<PageQuery>()
            .lists::<CustomField>(),
        Route::post(ALL, administer, "Create a custom field", create_organization_custom_field)
            .body::<CustomFieldCreate>()
            .answers::<CustomField>(201),
        Route::get(ONE, view, "Get a custom field", get_organization_custom_field_by_name)
            .answers::<CustomField>(200),
        Route::delete(ONE, administer, "Delete a custom field", delete_organization_custom_field)
            .answers_nothing(),
        Route::patch(ONE, administer, "Update a custom field", update_organization_custom_field)
            .body::<CustomFieldUpdate>()
            .answers::<CustomField>(200),
    ]
}

async fn list_organization_custom_fields(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<CustomFieldId>::new(format!("custom fields of {id}"), &query)?;
    let (after, limit) = list.position();
    let (slice, permissions) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            let slice = reader.custom_fields_of(&organization, after, limit)?;
            Ok((slice, present::definition_permissions(&organization)))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |field| field.id,
        |field| Ok(present::custom_field(&state.urls, id, field, permissions)),
    )
}

async fn create_organization_custom_field(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<CustomFieldCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let wrong = options_fit_type(body.field_type, body.options.is_some());
    let urls = state.urls.clone();
    let field = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if let Some(message) = wrong {
                return Err(ApiError::invalid_field("options", message));
            }
            let field = tx.create_custom_field(&organization, body)?;
            Ok(present::custom_field(&urls, id, field, present::definition_permissions(&organization)))
        })
        .await?;
    respond::created(&field.urls.location, &field)
}

async fn get_organization_custom_field_by_name(
    Caller(caller): Caller,
    Path((organization, name)): Path<(OrganizationId, String)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let field = state
        .read(caller, move |reader| {
            let found = reader.custom_field(organization, &name)?;
            Ok(found.authorize(Action::ViewOrganizationContent)?)
        })
        .await?;
    respond::ok(&request, &present::found_custom_field(&state.urls, &field))
}

async fn update_organization_custom_field(
    Caller(caller): Caller,
    Path((organization, name)): Path<(OrganizationId, String)>,
    OptionalJson(body): OptionalJson<CustomFieldUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let field = state
        .transact(caller, move |tx| {
            let field = tx.custom_field(organization, &name)?.authorize(Action::AdministerOrganization)?;
            let field = tx.lock_custom_field(field)?;
            if_match.check(&present::found_custom_field(&urls, &field))?;
            if body.options.is_some()
                && let Some(message) = options_fit_type(field.item.field_type, true)
            {
                return Err(ApiError::invalid_field("options", message));
            }
            let fresh = tx.update_custom_field(&field, body)?;
            let permissions = present::definition_permissions(&field);
            Ok(present::custom_field(&urls, organization, fresh, permissions))
        })
        .await?;
    respond::changed(&field)
}

async fn delete_organization_custom_field(
    Caller(caller): Caller,
    Path((organization, name)): Path<(OrganizationId, String)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let field = tx.custom_field(organization, &name)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.delete_custom_field(field)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn get_space_custom_fields(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let fields = state
        .read(caller, move |reader| {
            let space = reader.space(id)?.authorize(Action::ViewSpace)?;
            let fields = reader.custom_fields_of_space(&space)?;
            present::space_custom_fields(&urls, &space, fields)
        })
        .await?;
    respond::ok(&request, &fields)
}

async fn update_space_custom_fields(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    Json(CustomFieldValuesUpdate { values }): Json<CustomFieldValuesUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let values: BTreeMap<String, Option<Value>> =
        values.into_iter().map(|(name, value)| (name, value.value.map(Value::from))).collect();
    let urls = state.urls.clone();
    state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::EditContent)?;
            let locked = tx.lock_custom_fields(space, values)?;
            if_match.check_with(|| {
                let fields = tx.custom_fields_of_space(locked.space())?;
                present::space_custom_fields(&urls, locked.space(), fields)
            })?;
            Ok(tx.set_custom_fields(&locked)?)
        })
        .await?;
    Ok(respond::no_content())
}
