//! Requests and answers of signing in.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::ids::SignInProviderId;
use crate::{text_checks, texts};

/// Request body to sign in with a password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordSignIn {
    /// E-mail address of the user.
    #[validate(custom(function = "texts::Email::check"))]
    pub email: texts::Email,
    /// Password.
    #[validate(custom(function = "texts::Password::check"))]
    pub password: texts::Password,
}

/// Purpose of a link by mail.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SignInLinkPurpose {
    /// Signs the user in.
    #[default]
    SignIn,
    /// Sets a new password, and signs the user in.
    PasswordReset,
}

/// Request body to mail a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInLinkRequest {
    /// E-mail address of the user.
    #[validate(custom(function = "texts::Email::check"))]
    pub email: texts::Email,
    /// Page that the link opens; `sign-in` by default.
    #[serde(default)]
    #[schema(required = false)]
    pub purpose: SignInLinkPurpose,
}

/// Request body to sign in with a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInLinkProof {
    /// Secret of the link: the last segment of its path.
    #[validate(custom(function = "texts::LinkSecret::check"))]
    pub secret: texts::LinkSecret,
}

/// Request body to set a new password with a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordReset {
    /// Secret of the link: the last segment of its path.
    #[validate(custom(function = "texts::LinkSecret::check"))]
    pub secret: texts::LinkSecret,
    /// New password.
    #[validate(custom(function = "texts::NewPassword::check"))]
    pub password: texts::NewPassword,
}

/// Query parameters of the list of providers on the sign-in page.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct SignInProvidersQuery {
    /// Domain of the e-mail address of the person.
    #[validate(custom(function = "texts::EmailDomain::check"))]
    #[param(value_type = texts::EmailDomain, required = false, nullable = false)]
    pub email_domain: Option<texts::EmailDomain>,
}

/// Providers that sign people in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignInProviders {
    /// Providers, in the order of their labels.
    pub items: Vec<SignInProvider>,
}

/// Protocol of a provider that signs people in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SignInProtocol {
    /// OpenID Connect.
    Oidc,
    /// SAML 2.0.
    Saml,
}

/// Provider that signs people in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInProvider {
    /// Id of the provider.
    pub id: SignInProviderId,
    /// Protocol of the provider.
    pub protocol: SignInProtocol,
    /// Label of the provider.
    pub label: String,
    /// URL that starts the sign-in in a browser.
    #[serde(rename = "startURL")]
    pub start_url: String,
}

/// Providers of the caller's organizations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnIdentities {
    /// Providers, in the order of their labels.
    pub items: Vec<OwnIdentity>,
}

/// Provider of an organization of the caller, and whether it identifies the caller.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnIdentity {
    /// Id of the provider.
    pub provider: SignInProviderId,
    /// Protocol of the provider.
    pub protocol: SignInProtocol,
    /// Label of the provider.
    pub label: String,
    /// `true` if the provider signs the caller in.
    pub connected: bool,
    /// URL that connects an identity of the provider in the browser of this session. Absent for API tokens.
    #[serde(rename = "connectURL")]
    pub connect_url: Option<String>,
}

/// Purpose of a visit to a provider.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VisitPurpose {
    /// Signs the user of the identity in.
    #[default]
    SignIn,
    /// Connects the identity to the user who is signed in.
    Connect,
    /// Keeps the claims for the administrators of the organization.
    Test,
}

/// Query parameters of the start of a sign-in at a provider.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct VisitQuery {
    /// Path of the page that follows, on this service.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub next: Option<String>,
    /// Purpose; `sign-in` by default.
    #[param(inline, required = false)]
    pub purpose: VisitPurpose,
    /// Signature of the account page, required to connect an identity.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub signature: Option<String>,
}

/// Query parameters that a provider sends with a browser (OpenID Connect Core 1.0, 3.1.2.5 and 3.1.2.6).
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct OidcCallbackQuery {
    /// Authorization code.
    #[param(nullable = false)]
    pub code: Option<String>,
    /// State of the request.
    #[param(nullable = false)]
    pub state: Option<String>,
    /// Issuer (RFC 9207).
    #[param(nullable = false)]
    pub iss: Option<String>,
    /// Code of an error.
    #[param(nullable = false)]
    pub error: Option<String>,
}

/// Query parameters of the redirect that follows the response of a SAML provider.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate)]
#[serde(default)]
pub struct SamlCallbackQuery {
    /// State of the request.
    #[validate(custom(function = "text_checks::no_nul"))]
    pub state: String,
}

/// Declares the problems of a sign-in at a provider, each with its code and a sentence for the person.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $sentence:literal;)*) => {
        /// Problem of a sign-in at a provider.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SignInProblem {
            $($(#[$doc])* $name,)*
        }

        impl SignInProblem {
            /// Every problem.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the code in the address of the page about it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// Returns what failed, as a sentence.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence),* }
            }
        }
    };
}

problems! {
    /// The provider does not respond, or its response violates the specification.
    Provider = "provider", "The provider cannot be reached, or its configuration is not valid.";
    /// The provider refused, or the person cancelled.
    Denied = "denied", "The provider did not sign you in.";
    /// The browser did not start this sign-in, or did so too long ago.
    State = "state", "This sign-in was not started in this browser, or took longer than 10 minutes.";
    /// The provider does not accept the code.
    Code = "code", "The provider did not accept the code of this sign-in: it has expired or was used before.";
    /// The issuer is another provider.
    Issuer = "issuer", "The response was issued by another provider (`iss`, `Issuer`).";
    /// The token is for another client.
    Audience = "audience", "The response was issued to another application (`aud`, `Audience`).";
    /// The token belongs to another sign-in.
    Nonce = "nonce", "The response belongs to another sign-in (`nonce`, `InResponseTo`).";
    /// The token has expired.
    Expired = "expired", "The response has expired (`exp`, `NotOnOrAfter`), or is not valid yet (`NotBefore`).";
    /// The signature of the token is wrong.
    Signature = "signature", "The response is not signed with a key of the provider.";
    /// The token is missing or malformed.
    Token = "token", "The provider's response is not valid.";
    /// The provider sent a response without a request.
    Unsolicited = "unsolicited", "The provider sent a response that was not requested. Start on the sign-in page here, not at the provider.";
    /// The response was sent before.
    Replay = "replay", "The provider's response was already used.";
    /// Neither the response nor the assertion has a signature.
    Unsigned = "unsigned", "The provider's response is not signed.";
    /// The response has a shape that is open to attacks, or an algorithm that is not accepted.
    Shape = "shape", "The provider's response has a format or an algorithm that is not supported.";
    /// The assertion is encrypted in a way that is not accepted.
    Encrypted = "encrypted", "The provider encrypts its response in a way that is not supported. It must sign the response that contains the encrypted assertion, encrypt for the certificate in this service's metadata, and use AES with RSA-OAEP.";
    /// The response is for another URL.
    Recipient = "recipient", "The response was issued for another address (`Destination`, `Recipient`).";
    /// The provider sends a transient `NameID`, which differs at each sign-in.
    Transient = "transient", "The provider identifies you by a different name at each sign-in (`NameID` of the format `transient`). It must send a persistent name.";
    /// There is no verified address, so no account can be found.
    Email = "email", "The provider sent no verified e-mail address.";
    /// The account belongs to other organizations, too, or its address is not verified.
    Account = "account", "Your e-mail address belongs to an account that this provider cannot sign in to yet.";
    /// The user is disabled, or not a member.
    Disabled = "disabled", "The account is not an enabled member of the organization.";
    /// The organization is blocked and accepts no members.
    Blocked = "blocked", "The organization is blocked, so no account can join it.";
    /// The organization enforces single sign-on.
    Required = "required", "Your organization requires single sign-on: continue with its provider.";
    /// The identity belongs to another user.
    Taken = "taken", "This identity is connected to another account.";
    /// The session that asked to connect the identity has ended.
    Session = "session", "You signed out or switched to another user during this sign-in.";
}

impl SignInProblem {
    /// Returns the problem with a code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|problem| problem.as_str() == code)
    }

    /// Returns whether signing in another way and connecting the identity in the account helps.
    #[must_use]
    pub const fn is_helped_by_connecting(self) -> bool {
        matches!(self, Self::Email | Self::Account)
    }
}
