//! OpenID Connect providers, and sign-ins with them.

use quire_domain::list::PageQuery;
use quire_domain::oidc::{OidcProvider, OidcProviderCreate, OidcProviderUpdate};
use quire_domain::policy::{Action, OwnAction};
use quire_domain::sign_in::{
    OidcCallbackQuery, OwnIdentities, SignInProviders, SignInProvidersQuery, VisitQuery,
};

use crate::route::Access::{Needs, Own, Public, SignedIn};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::auth::oidc::{callback, providers, start};
    use v1::oidc::{create, delete, get, list, update};
    use v1::users::identities;
    const ALL: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/oidc", Some(Object::Organization));
    const ONE: Resource =
        Tag::Sso.at("/v1/orgs/{organizationId}/oidc/{oidcProviderId}", Some(Object::OidcProvider));
    let (inspect, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        Route::get(
            ALL,
            "listOidcProviders",
            inspect,
            "List an organization's OpenID Connect providers",
            list::list_oidc_providers,
        )
        .query::<PageQuery>()
        .lists::<OidcProvider>(),
        Route::post(
            ALL,
            "createOidcProvider",
            administer,
            "Create an OpenID Connect provider",
            create::create_oidc_provider,
        )
        .body::<OidcProviderCreate>()
        .answers::<OidcProvider>(201),
        Route::get(
            ONE,
            "getOidcProviderById",
            inspect,
            "Get an OpenID Connect provider",
            get::get_oidc_provider_by_id,
        )
        .answers::<OidcProvider>(200),
        Route::patch(
            ONE,
            "updateOidcProviderById",
            administer,
            "Update an OpenID Connect provider",
            update::update_oidc_provider_by_id,
        )
        .body::<OidcProviderUpdate>()
        .answers::<OidcProvider>(200),
        Route::delete(
            ONE,
            "deleteOidcProviderById",
            administer,
            "Delete an OpenID Connect provider",
            delete::delete_oidc_provider_by_id,
        )
        .answers_nothing(),
        Route::get(
            Tag::User.at("/v1/auth/providers", None),
            "listSignInProviders",
            Public,
            "List the providers that sign people in",
            providers::list_sign_in_providers,
        )
        .query::<SignInProvidersQuery>()
        .answers::<SignInProviders>(200),
        Route::get(
            Tag::User.at("/v1/auth/oidc/{oidcProviderId}/start", None),
            "startOidcSignIn",
            Public,
            "Send a browser to a provider",
            start::start_oidc_sign_in,
        )
        .query::<VisitQuery>()
        .redirects(),
        Route::get(
            Tag::User.at("/v1/auth/oidc/{oidcProviderId}/callback", Some(Object::OidcProvider)),
            "signInWithOidc",
            Public,
            "Sign in with OpenID Connect",
            callback::sign_in_with_oidc,
        )
        .query::<OidcCallbackQuery>()
        .redirects()
        .audited(),
        Route::get(
            Tag::User.at("/v1/user/identities", None),
            "listIdentities",
            SignedIn,
            "List the current user's identities",
            identities::list::list_identities,
        )
        .answers::<OwnIdentities>(200),
        Route::delete(
            Tag::User.at("/v1/user/identities/{oidcProviderId}", Some(Object::OidcProvider)),
            "deleteIdentity",
            Own(OwnAction::ChangeUser),
            "Disconnect an identity",
            identities::delete::delete_identity,
        )
        .answers_nothing(),
        Route::delete(
            Tag::User.at("/v1/user/saml-identities/{samlProviderId}", Some(Object::SamlProvider)),
            "deleteSamlIdentity",
            Own(OwnAction::ChangeUser),
            "Disconnect an identity of a SAML provider",
            identities::delete_saml::delete_saml_identity,
        )
        .answers_nothing(),
    ]
}
