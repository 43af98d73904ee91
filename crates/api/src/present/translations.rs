//! Translation settings.

use quire_domain::ids::OrganizationId;
use quire_domain::object::TranslationSettingsTag;
use quire_domain::policy::Action;
use quire_domain::translations::{
    TranslationFacts, TranslationPermissions, TranslationSettings, TranslationUrls,
};
use quire_storage::lookup::{Authorized, Guarded, InOrganization};

use crate::urls::Urls;

/// Returns the permissions on translation settings of a user with access to the organization or a part of it.
#[must_use]
pub fn translation_permissions<T: Guarded>(of: &Authorized<T>) -> TranslationPermissions {
    TranslationPermissions {
        view: of.may(Action::ViewOrganizationContent),
        edit: of.may(Action::CreateOpenApiSpec),
    }
}

/// Returns translation settings of an organization.
#[must_use]
pub fn translation(
    urls: &Urls,
    organization: OrganizationId,
    facts: TranslationFacts,
    permissions: TranslationPermissions,
) -> TranslationSettings {
    let location = urls.api(format_args!("orgs/{organization}/translations/{}", facts.id));
    TranslationSettings {
        object: TranslationSettingsTag::Tag,
        facts,
        permissions,
        urls: TranslationUrls { location },
    }
}

/// Returns translation settings that were looked up, as the caller sees them.
#[must_use]
pub fn found_translation(
    urls: &Urls,
    found: &Authorized<InOrganization<TranslationFacts>>,
) -> TranslationSettings {
    translation(urls, found.organization.id, found.item.clone(), translation_permissions(found))
}
