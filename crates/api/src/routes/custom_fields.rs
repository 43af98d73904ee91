//! Custom fields.

use quire_domain::custom_fields::{
    CustomField, CustomFieldCreate, CustomFieldUpdate, CustomFieldValuesUpdate, SpaceCustomField,
};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::custom_fields::{create, delete, get, list, set_in_space, space, update};
    const OF_SPACE: Resource =
        Tag::CustomFields.at("/v1/spaces/{spaceId}/custom-fields", Some(Object::Space));
    const ALL: Resource =
        Tag::CustomFields.at("/v1/orgs/{organizationId}/custom-fields", Some(Object::Organization));
    const ONE: Resource = Tag::CustomFields
        .at("/v1/orgs/{organizationId}/custom-fields/{fieldName}", Some(Object::CustomField));
    let (view, administer) = (Needs(Action::ViewOrganizationContent), Needs(Action::AdministerOrganization));
    vec![
        Route::get(
            OF_SPACE,
            "getSpaceCustomFields",
            Needs(Action::ViewSpace),
            "List a space's custom field values",
            space::get_space_custom_fields,
        )
        .answers_array::<SpaceCustomField>(),
        Route::patch(
            OF_SPACE,
            "updateSpaceCustomFields",
            Needs(Action::EditContent),
            "Set a space's custom field values",
            set_in_space::update_space_custom_fields,
        )
        .body::<CustomFieldValuesUpdate>()
        .answers_nothing(),
        Route::get(
            ALL,
            "listOrganizationCustomFields",
            view,
            "List an organization's custom fields",
            list::list_organization_custom_fields,
        )
        .query::<PageQuery>()
        .lists::<CustomField>(),
        Route::post(
            ALL,
            "createOrganizationCustomField",
            administer,
            "Create a custom field",
            create::create_organization_custom_field,
        )
        .body::<CustomFieldCreate>()
        .answers::<CustomField>(201),
        Route::get(
            ONE,
            "getOrganizationCustomFieldByName",
            view,
            "Get a custom field",
            get::get_organization_custom_field_by_name,
        )
        .answers::<CustomField>(200),
        Route::delete(
            ONE,
            "deleteOrganizationCustomField",
            administer,
            "Delete a custom field",
            delete::delete_organization_custom_field,
        )
        .answers_nothing(),
        Route::patch(
            ONE,
            "updateOrganizationCustomField",
            administer,
            "Update a custom field",
            update::update_organization_custom_field,
        )
        .body::<CustomFieldUpdate>()
        .answers::<CustomField>(200),
    ]
}
