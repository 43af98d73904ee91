//! Translation settings.

use quire_domain::translations::{TranslationSettings, TranslationSettingsInput};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource =
        Tag::Translations.at("/v1/orgs/{organizationId}/translations", Some(Object::Organization));
    const ONE: Resource = Tag::Translations.at(
        "/v1/orgs/{organizationId}/translations/{translationSettingsId}",
        Some(Object::TranslationSettings),
    );
    let view = Needs(Action::ViewOrganizationContent);
    let edit = Needs(Action::CreateOpenApiSpec);
    vec![
        Route::get(ALL, view, "List an organization's translation settings", list_translations)
            .query::<PageQuery>()
            .lists::<TranslationSettings>(),
        Route::post(ALL, edit, "Create translation settings", create_translation)
            .body::<TranslationSettingsInput>()
            .answers::<TranslationSettings>(201),
        Route::get(ONE, view, "Get translation settings", get_translation)
            .answers::<TranslationSettings>(200),
        Route::put(ONE, edit, "Update translation settings", update_translation)
            .body::<TranslationSettingsInput>()
            .answers::<TranslationSettings>(200),
        Route::delete(ONE, edit, "Delete translation settings", delete_translation).answers_nothing(),
    ]
}

async fn list_translations(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<TranslationSettingsId>::new(format!("translations of {id}"), &query)?;
    let (after, limit) = list.position();
    let (slice, permissions) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            let slice = reader.translations_of(&organization, after, limit)?;
            Ok((slice, present::translation_permissions(&organization)))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |settings| settings.id,
        |settings| Ok(present::translation(&state.urls, id, settings, permissions)),
    )
}

async fn create_translation(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(TranslationSettingsInput { title, languages }): Json<TranslationSettingsInput>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (title, urls) = (title.into_text()?, state.urls.clone());
    let settings = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::CreateOpenApiSpec)?;
            let settings = tx.create_translation(&organization, title, languages.unwrap_or_default())?;
            Ok(present::translation(&urls, id, settings, present::translation_permissions(&organization)))
        })
        .await?;
    respond::created(&settings.urls.location, &settings)
}

async fn get_translation(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, TranslationSettingsId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let settings = state
        .read(caller, move |reader| {
            let found = reader.translation(organization, id)?;
            Ok(found.authorize(Action::ViewOrganizationContent)?)
        })
        .await?;
    respond::ok(&request, &present::found_translation(&state.urls, &settings))
}

async fn update_translation(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, TranslationSettingsId)>,
    Json(TranslationSettingsInput { title, languages }): Json<TranslationSettingsInput>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let (title, urls) = (title.into_text()?, state.urls.clone());
    let settings = state
        .transact(caller, move |tx| {
            let settings = tx.translation(organization, id)?.authorize(Action::CreateOpenApiSpec)?;
            let settings = tx.lock_translation(settings)?;
            if_match.check(&present::found_translation(&urls, &settings))?;
            let fresh = tx.update_translation(&settings, title, languages)?;
            let permissions = present::translation_permissions(&settings);
            Ok(present::translation(&urls, organization, fresh, permissions))
        })
        .await?;
    respond::changed(&settings)
}

async fn delete_translation(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, TranslationSettingsId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let settings = tx.translation(organization, id)?.authorize(Action::CreateOpenApiSpec)?;
            Ok(tx.delete_translation(&settings)?)
        })
        .await?;
    Ok(respond::no_content())
}
