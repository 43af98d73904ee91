//! Spaces, collections, custom fields and translation settings.

use quire_domain::collections::{CollectionFacts, CollectionPermissions, CollectionUrls};
use quire_domain::custom_fields::{
    CustomField, CustomFieldFacts, CustomFieldPermissions, CustomFieldUrls, FieldValue, SpaceCustomField,
};
use quire_domain::ids::OrganizationId;
use quire_domain::merge_rules::MergeRules;
use quire_domain::object::{CollectionTag, SpaceTag, TranslationSettingsTag};
use quire_domain::policy::Action;
use quire_domain::revisions::{CustomFieldValues, Delta, RevisionChange, RevisionChanges};
use quire_domain::spaces::{Deletion, SpaceFacts, SpacePermissions, SpaceUrls, Visibility, VisitorAuth};
use quire_domain::translations::{
    TranslationFacts, TranslationPermissions, TranslationSettings, TranslationUrls,
};
use quire_domain::{Collection, Role, Space};
use quire_storage::content::custom_fields::SpaceFields;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::{Authorized, Guarded, InOrganization};
use quire_storage::sites::SharedSpace;
use serde_json::Value;

use super::git::shown_git_sync;
use crate::error::{ApiError, ApiResult};
use crate::urls::Urls;

/// Returns a space as a user with `role` sees it.
#[must_use]
pub fn space(urls: &Urls, record: &SpaceRecord, role: Option<Role>) -> Space {
    // A deleted space is on no site until it is restored.
    let site = record.site.as_ref().filter(|_| record.deleted_at.is_none());
    let visibility = record.visibility();
    let published = site.map(|site| urls.at_address(&site.address));
    Space {
        object: SpaceTag::Tag,
        facts: record.facts.clone(),
        visibility,
        urls: SpaceUrls {
            location: urls.api(format_args!("spaces/{}", record.id)),
            app: urls.app(format_args!("s/{}", record.id)),
            public: published.clone().filter(|_| visibility == Visibility::Public),
            published,
            icon: record.icon.clone(),
        },
        // A caller without a role on the space, such as the bearer of an invite, does not see the repository.
        git_sync: record
            .git_sync
            .as_deref()
            .filter(|_| role.is_some())
            .map(|shown| shown_git_sync(urls, record.id, shown)),
        // Visitors are authenticated by tokens that the organization's own services sign.
        visitor_auth: (visibility == Visibility::VisitorAuth).then_some(VisitorAuth::Custom),
        permissions: SpacePermissions::of(role, Deletion::from_deleted_at(record.deleted_at)),
    }
}

/// Returns a space as the bearer of a share link sees it. Its published URL carries the key.
#[must_use]
pub fn shared_space(urls: &Urls, shared: &SharedSpace, share_key: &str) -> Space {
    shared_at(urls, shared, Some(share_key))
}

fn shared_at(urls: &Urls, shared: &SharedSpace, share_key: Option<&str>) -> Space {
    let mut space = space(urls, &shared.space, shared.role);
    space.facts.merge_rules = MergeRules::None;
    space.git_sync = None;
    space.urls.published = Some(urls.at_address(&shared.address(share_key)));
    space
}

/// Returns a space as a visitor of a site sees it, without its drafts and comments.
#[must_use]
pub fn visited_space(urls: &Urls, shared: &SharedSpace) -> Space {
    let space = shared_at(urls, shared, None);
    let facts = SpaceFacts {
        parent: None,
        default_level: None,
        comments_open: 0,
        change_requests: 0,
        change_requests_open: 0,
        change_requests_draft: 0,
        ..space.facts
    };
    Space { facts, ..space }
}

/// Converts a counter. The database keeps counters from falling below 0.
pub(super) fn count(stored: i32) -> u64 {
    u64::try_from(stored).unwrap_or(0)
}

/// Returns a collection as a user with `role` sees it.
#[must_use]
pub fn collection(urls: &Urls, facts: &CollectionFacts, role: Option<Role>) -> Collection {
    Collection {
        object: CollectionTag::Tag,
        facts: facts.clone(),
        urls: CollectionUrls {
            location: urls.api(format_args!("collections/{}", facts.id)),
            app: urls.app(format_args!("c/{}", facts.id)),
        },
        permissions: CollectionPermissions::of(role),
    }
}

/// Returns the permissions on custom fields, for a user with access to the organization or to a part of it.
#[must_use]
pub fn definition_permissions<T: Guarded>(of: &Authorized<T>) -> CustomFieldPermissions {
    CustomFieldPermissions {
        view: of.may(Action::ViewOrganizationContent),
        edit: of.may(Action::AdministerOrganization),
    }
}

/// Returns a custom field of an organization.
#[must_use]
pub fn custom_field(
    urls: &Urls,
    organization: OrganizationId,
    facts: CustomFieldFacts,
    permissions: CustomFieldPermissions,
) -> CustomField {
    CustomField {
        urls: CustomFieldUrls {
            location: urls.api(format_args!("orgs/{organization}/custom-fields/{}", facts.name)),
        },
        facts,
        permissions,
    }
}

/// Returns a custom field that was looked up, as the caller sees it.
#[must_use]
pub fn found_custom_field(urls: &Urls, found: &Authorized<InOrganization<CustomFieldFacts>>) -> CustomField {
    custom_field(urls, found.organization.id, found.item.clone(), definition_permissions(found))
}

/// Returns the custom fields of a space with their values.
///
/// # Errors
/// A malformed stored value.
pub fn space_custom_fields(
    urls: &Urls,
    space: &Authorized<SpaceRecord>,
    fields: SpaceFields,
) -> ApiResult<Vec<SpaceCustomField>> {
    let membership = fields.membership;
    let permissions = CustomFieldPermissions {
        view: membership.allows(Action::ViewOrganizationContent),
        edit: membership.allows(Action::AdministerOrganization)
            && space.actor().token_allows(Action::AdministerOrganization),
    };
    let resource = |(field, value): (_, Option<Value>)| {
        let value: Option<FieldValue> =
            value.map(serde_json::from_value).transpose().map_err(ApiError::internal)?;
        Ok(SpaceCustomField {
            custom_field: custom_field(urls, space.organization, field, permissions),
            value,
        })
    };
    fields.fields.into_iter().map(resource).collect()
}

/// Returns at most `limit` changes of a revision. Changes of custom fields come last.
#[must_use]
pub fn with_custom_fields(
    mut changes: RevisionChanges,
    custom_fields: Option<Delta<CustomFieldValues>>,
    limit: usize,
) -> RevisionChanges {
    let Some(custom_fields) = custom_fields else { return changes };
    if changes.changes.len() < limit {
        changes.changes.push(RevisionChange::CustomFieldsEdited { custom_fields });
    } else {
        changes.more = Some(changes.more.unwrap_or(0).saturating_add(1));
    }
    changes
}

/// Returns the permissions on translation settings, for a user with access to the organization or to a part of it.
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
