//! `GET /saml/{samlProviderId}/certificate`

use actix_web::HttpResponse;
use actix_web::http::header;
use quire_domain::ids::SamlProviderId;
use quire_server::saml::EncryptionPair;
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::saml::UsableSamlProvider;

use crate::error::{ApiError, ApiResult};
use crate::extract::Path;
use crate::state::State;

/// Returns the certificate with which a provider may encrypt assertions, as a file.
pub(super) async fn get(Path(id): Path<SamlProviderId>, state: State) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_saml_provider(id)?)).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/pem-certificate-chain"))
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"encryption.pem\""))
        .body(certificate(&state, provider).await?))
}

/// Returns the encryption certificate of a provider in PEM. The first request creates its key.
pub(super) async fn certificate(state: &State, provider: UsableSamlProvider) -> ApiResult<String> {
    if let Some(certificate) = provider.encryption_certificate {
        return Ok(certificate);
    }
    let EncryptionPair { private, certificate } =
        state.compute(|_| EncryptionPair::generate().map_err(ApiError::internal)).await?;
    let put =
        move |tx: &mut Tx<'_>| Ok(tx.put_saml_encryption_key(&provider, private.as_pem(), &certificate)?);
    state.transact(Credentials::ANONYMOUS, put).await
}
