//! Translation settings.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::translations::{TranslationSettings, TranslationSettingsInput};

use super::{delete, get, post, put};
use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::translations::{create, delete as remove, get as read, list, update};
    const ALL: &str = "/v1/orgs/{organizationId}/translations";
    const ONE: &str = "/v1/orgs/{organizationId}/translations/{translationSettingsId}";
    let (view, edit) = (Needs(Action::ViewOrganizationContent), Needs(Action::CreateOpenApiSpec));
    vec![
        get(ALL, "listTranslations", view, "List an organization's translation settings", list::handle)
            .query::<PageQuery>()
            .lists::<TranslationSettings>(),
        post(ALL, "createTranslation", edit, "Make translation settings", create::handle)
            .body::<TranslationSettingsInput>()
            .answers::<TranslationSettings>(201),
        get(ONE, "getTranslation", view, "Get translation settings", read::handle)
            .answers::<TranslationSettings>(200),
        put(ONE, "updateTranslation", edit, "Change translation settings", update::handle)
            .body::<TranslationSettingsInput>()
            .answers::<TranslationSettings>(200),
        delete(ONE, "deleteTranslation", edit, "Delete translation settings", remove::handle)
            .answers_nothing(),
    ]
}
