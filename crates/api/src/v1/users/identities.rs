//! The caller's identities at providers.

use quire_domain::sign_in::OwnIdentities;
use quire_server::second_factor::require_recent_proof;
use quire_server::sign_in::connection_url;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::User.at("/v1/user/identities", None),
            SignedIn,
            "List the current user's identities",
            list_identities,
        )
        .answers::<OwnIdentities>(200),
        Route::delete(
            Tag::User.at("/v1/user/identities/{oidcProviderId}", Some(Object::OidcProvider)),
            Own(OwnAction::ChangeUser),
            "Disconnect an identity",
            delete_identity,
        )
        .answers_nothing(),
        Route::delete(
            Tag::User.at("/v1/user/saml-identities/{samlProviderId}", Some(Object::SamlProvider)),
            Own(OwnAction::ChangeUser),
            "Disconnect an identity of a SAML provider",
            delete_saml_identity,
        )
        .operation("deleteSamlIdentity")
        .answers_nothing(),
    ]
}

async fn list_identities(
    Caller(caller): Caller,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (account, providers) =
        state.read(caller, |reader| Ok((reader.own_account()?, reader.own_providers()?))).await?;
    let session = account.proven_at.map(|_| account.actor.token);
    let items = providers.into_iter().map(|provider| {
        let url = session.map(|session| connection_url(&state, session, &provider, None));
        present::own_identity(provider, url)
    });
    respond::ok(&request, &OwnIdentities { items: items.collect() })
}

async fn delete_identity(
    Caller(caller): Caller,
    Path(provider): Path<OidcProviderId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            if !tx.own_account()?.limits.allow_own(OwnAction::ChangeUser) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            require_recent_proof(tx)?;
            Ok(tx.disconnect_oidc(provider)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn delete_saml_identity(
    Caller(caller): Caller,
    Path(provider): Path<SamlProviderId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            if !tx.own_account()?.limits.allow_own(OwnAction::ChangeUser) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            require_recent_proof(tx)?;
            Ok(tx.disconnect_saml(provider)?)
        })
        .await?;
    Ok(respond::no_content())
}
