//! Translation settings.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::translations::{TranslationSettings, TranslationSettingsInput};

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::translations::{create, delete, get, list, update};
    const ALL: Resource =
        Tag::Translations.at("/v1/orgs/{organizationId}/translations", Some(Object::Organization));
    const ONE: Resource = Tag::Translations.at(
        "/v1/orgs/{organizationId}/translations/{translationSettingsId}",
        Some(Object::TranslationSettings),
    );
    let (view, edit) = (Needs(Action::ViewOrganizationContent), Needs(Action::CreateOpenApiSpec));
    vec![
        Route::get(
            ALL,
            "listTranslations",
            view,
            "List an organization's translation settings",
            list::list_translations,
        )
        .query::<PageQuery>()
        .lists::<TranslationSettings>(),
        Route::post(
            ALL,
            "createTranslation",
            edit,
            "Create translation settings",
            create::create_translation,
        )
        .body::<TranslationSettingsInput>()
        .answers::<TranslationSettings>(201),
        Route::get(ONE, "getTranslation", view, "Get translation settings", get::get_translation)
            .answers::<TranslationSettings>(200),
        Route::put(ONE, "updateTranslation", edit, "Update translation settings", update::update_translation)
            .body::<TranslationSettingsInput>()
            .answers::<TranslationSettings>(200),
        Route::delete(
            ONE,
            "deleteTranslation",
            edit,
            "Delete translation settings",
            delete::delete_translation,
        )
        .answers_nothing(),
    ]
}
