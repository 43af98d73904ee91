//! Integrations.

pub mod installations;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use imagesize::ImageType;
use quire_domain::bounds::INTEGRATION_IMAGE_MAX;
use quire_domain::integrations::{Integration, IntegrationPublish, IntegrationQuery};
use quire_domain::texts::IntegrationName;
use quire_storage::operations::integrations::{Image, Published};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ONE: Resource =
        Tag::Integrations.at("/v1/integrations/{integrationName}", Some(Object::Integration));
    vec![
        Route::get(
            Tag::Integrations.at("/v1/integrations", None),
            SignedIn,
            "List integrations",
            list_integrations,
        )
        .query::<PageQuery>()
        .query::<IntegrationQuery>()
        .lists::<Integration>(),
        Route::get(
            Tag::Integrations.at("/v1/orgs/{organizationId}/integrations", None),
            Needs(Action::ListIntegrations),
            "List an organization's available integrations",
            list_organization_integrations,
        )
        .query::<PageQuery>()
        .query::<IntegrationQuery>()
        .lists::<Integration>(),
        Route::get(ONE, SignedIn, "Get an integration", get_integration_by_name).answers::<Integration>(200),
        Route::post(
            ONE,
            NeedsInBody(Action::AdministerOrganization),
            "Publish an integration",
            publish_integration,
        )
        .body::<IntegrationPublish>()
        .answers::<Integration>(200)
        .may_create(),
        Route::delete(
            ONE,
            Needs(Action::AdministerOrganization),
            "Unpublish an integration",
            unpublish_integration,
        )
        .answers_nothing(),
        Route::get(
            Tag::Integrations.at("/v1/integrations/{integrationName}/images/{imageHash}", None),
            Public,
            "Get an image of an integration",
            get_integration_image,
        )
        .answers_media("image/*"),
    ]
}

async fn list_integrations(
    Caller(caller): Caller,
    Path(()): Path<()>,
    Query(page): Query<PageQuery>,
    Query(filter): Query<IntegrationQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    answer(caller, None, page, filter, &request, &state).await
}

async fn list_organization_integrations(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(filter): Query<IntegrationQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    answer(caller, Some(organization), page, filter, &request, &state).await
}

async fn answer(
    caller: Credentials,
    organization: Option<OrganizationId>,
    page: PageQuery,
    filter: IntegrationQuery,
    request: &HttpRequest,
    state: &State,
) -> ApiResult<HttpResponse> {
    let list = format!("integrations for {organization:?}, {filter:?}");
    let after: Option<IntegrationId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (slice, may_change) = state
        .read(caller, move |reader| {
            let organization = match organization {
                Some(id) => Some(reader.organization(id)?.authorize(Action::ListIntegrations)?),
                None => None,
            };
            let slice = reader.integrations(organization.as_ref(), &filter, after, limit)?;
            let actor = reader.known_actor();
            Ok((slice, actor.is_some_and(|actor| actor.token_allows(Action::AdministerOrganization))))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |found| found.item.id,
        |found| present::integration(&state.urls, found, may_change),
    )?;
    respond::ok(request, &list)
}

async fn get_integration_by_name(
    Caller(caller): Caller,
    Path(name): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| Ok(reader.integration(&name)?.authorize(Action::ViewOrganization)?))
        .await?;
    let may_change = found.actor().token_allows(Action::AdministerOrganization);
    respond::ok(&request, &present::integration(&state.urls, found.into_inner(), may_change)?)
}

async fn publish_integration(
    Caller(caller): Caller,
    Path(name): Path<String>,
    Json(body): Json<IntegrationPublish>,
    state: State,
) -> ApiResult<HttpResponse> {
    let key = body.organization.clone().into_text()?;
    let images = check_name(&name).and_then(|()| images_of(&body));
    let (published, integration) = state
        .transact(caller, move |tx| {
            let owner = tx.organization_by_key(&key).map_err(unknown_organization)?;
            let owner = owner.authorize(Action::AdministerOrganization)?;
            let (icon, previews) = images?;
            let published = tx.publish_integration(&owner, &name, body, (icon.as_ref(), &previews))?;
            let found = tx.integration(&name)?.authorize(Action::ViewOrganization)?;
            Ok((published, found.into_inner()))
        })
        .await?;
    let integration = present::integration(&state.urls, integration, true)?;
    match published {
        Published::First => respond::created(&integration.urls.location, &integration),
        Published::Again => respond::changed(&integration),
    }
}

/// Refuses a name that no integration can have.
fn check_name(name: &str) -> ApiResult<()> {
    IntegrationName::new(name).map(drop).map_err(|error| {
        let field = FieldError { field: "integrationName".to_owned(), message: error.to_string() };
        ApiError::new(Reason::InvalidPath).with_details(vec![field])
    })
}

/// Returns the icon and the previews of a body.
fn images_of(body: &IntegrationPublish) -> ApiResult<(Option<Image>, Vec<Image>)> {
    let icon = body.icon.as_deref().map(|icon| read_image("icon", icon)).transpose()?;
    let previews = body.preview_images.iter().enumerate();
    let previews = previews.map(|(index, image)| read_image(&format!("previewImages[{index}]"), image));
    Ok((icon, previews.collect::<ApiResult<_>>()?))
}

/// Attributes a missing organization to the body, not to the path.
fn unknown_organization(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => ApiError::invalid_field("organization", "does not exist"),
        error => error.into(),
    }
}

async fn unpublish_integration(
    Caller(caller): Caller,
    Path(name): Path<String>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let integration = tx.integration(&name)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.unpublish_integration(&integration)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn get_integration_image(
    Path((name, hash)): Path<(String, String)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let tag = format!("\"{}\"", respond::tag_of(hash.as_bytes()).trim_matches('"'));
    let image = state
        .read(Credentials::ANONYMOUS, move |reader| Ok(reader.integration_image(&name, &hash)?))
        .await?
        .ok_or_else(ApiError::not_found)?;
    if respond::caller_has(&request, &tag) {
        return respond::not_modified(&tag);
    }
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, image.media_type))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600, immutable"))
        .insert_header((header::ETAG, tag))
        .body(image.bytes))
}

/// Decodes the image in a field: base64 of a PNG, JPEG, GIF or WebP file, detected by content. Vector graphics are
/// refused, because they can contain scripts.
///
/// # Errors
/// 400 that names the field.
fn read_image(field: &str, text: &str) -> ApiResult<Image> {
    let wrong = |message: &str| ApiError::invalid_field(field, message);
    let bytes = STANDARD.decode(text).map_err(|_| wrong("must be base64"))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > INTEGRATION_IMAGE_MAX {
        return Err(wrong(&format!("must have at most {INTEGRATION_IMAGE_MAX} bytes")));
    }
    let media_type = match imagesize::image_type(&bytes) {
        Ok(ImageType::Png) => "image/png",
        Ok(ImageType::Jpeg) => "image/jpeg",
        Ok(ImageType::Gif) => "image/gif",
        Ok(ImageType::Webp) => "image/webp",
        _ => return Err(wrong("must be a PNG, JPEG, GIF or WebP image")),
    };
    if imagesize::blob_size(&bytes).is_err() {
        return Err(wrong("is not a complete image"));
    }
    Ok(Image { media_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::read_image;

    const PNG: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    #[test]
    fn pictures_are_known_by_their_bytes() {
        assert_eq!(read_image("icon", PNG).unwrap().media_type, "image/png");
        for text in ["", "!", "AAAA", "PHN2Zz48L3N2Zz4=", &PNG[..16]] {
            assert!(format!("{:?}", read_image("icon", text).unwrap_err()).contains("icon"), "{text}");
        }
    }
}
