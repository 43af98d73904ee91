//! `/o/{organizationId}/deleted`: deleted spaces that can be restored.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::bounds::DELETION_GRACE;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::content::spaces::{DeletedKey, ListedSpace};
use quire_storage::lookup::Credentials;

use super::{Area, MOST, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::ApiForm;
use crate::workspace::requests::{next, position};
use crate::workspace::shell::counted;

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("deleted spaces in the settings of {id}");
    let after: Option<DeletedKey> = position(request, &list)?;
    // The list itself checks the permissions for each space.
    let (settings, found) = load(web, caller, id, Action::ViewOrganization, move |reader, organization| {
        Ok(reader.deleted_spaces(organization, after, MOST)?)
    })
    .await?;
    let Some(spaces) = found else { return Ok(settings.refuse(Area::Deleted, "admin")) };
    let cursor = next(&spaces, &list, |listed| DeletedKey::of(&listed.space))?;
    let days = DELETION_GRACE.whole_days();
    let content = html! {
        p.sub { (counted(spaces.total, "deleted space", "deleted spaces")) ". A space can be restored for " (days) " days." }
        @if spaces.items.is_empty() {
            (empty("No deleted spaces", "Spaces that you administer are listed here after they were deleted."))
        } @else {
            ul.list {
                @for ListedSpace { space, .. } in &spaces.items {
                    li {
                        (settings.frame.space_icon(space))
                        span.t { (space.title) }
                        span.d { @if let Some(at) = space.deleted_at { "Deleted " (settings.frame.ago(at)) } }
                        span.w {
                            (ApiForm {
                                url: &format!("spaces/{}/restore", space.id),
                                next: Some(&format!("s/{}", space.id)),
                                submit: "Restore",
                                ..ApiForm::default()
                            }.alone(&format!("Restore {}", space.title)))
                        }
                    }
                }
            }
        }
        (more(&settings.at("deleted"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Deleted, content))
}
