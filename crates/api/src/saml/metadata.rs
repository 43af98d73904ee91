//! `GET /saml/{samlProviderId}/metadata`

use quire_server::saml;

use super::encryption::certificate;
use crate::prelude::*;

/// Returns the metadata of this service, which an identity provider imports.
pub(super) async fn get(Path(id): Path<SamlProviderId>, state: State) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_saml_provider(id)?)).await?;
    let certificate = certificate(&state, provider).await?;
    let metadata =
        saml::metadata(&state.urls.saml(id, "metadata"), &state.urls.saml(id, "acs"), &certificate);
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/samlmetadata+xml"))
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"metadata.xml\""))
        .body(metadata.map_err(ApiError::internal)?))
}
