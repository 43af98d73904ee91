//! Custom fields.

use quire_domain::custom_fields::{
    CustomField, CustomFieldFacts, CustomFieldPermissions, CustomFieldUrls, FieldValue, SpaceCustomField,
};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::revisions::{CustomFieldValues, Delta, RevisionChange, RevisionChanges};
use quire_storage::content::custom_fields::SpaceFields;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::{Authorized, Guarded, InOrganization};
use serde_json::Value;

use crate::error::{ApiError, ApiResult};
use crate::urls::Urls;

/// Returns the permissions on custom field definitions of a user with access to the organization or a part of it.
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

/// Returns the changes of a revision, at most `limit`, with those of custom fields at the end.
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
