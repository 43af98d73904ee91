//! Credentials of a caller, and the authenticated actor.

use diesel::deserialize::{self, FromSql, Queryable};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::Binary;
use quire_domain::error::Reason;
use quire_domain::ids::{TokenId, UserId};
use quire_domain::policy::{Action, OwnAction, TokenLimits};
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// Hash of the API token or session secret of a request. The token itself is dropped after hashing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Credentials {
    /// SHA-256 of the token.
    pub token_hash: [u8; 32],
}

impl Credentials {
    /// Prefix of API tokens.
    pub const TOKEN_PREFIX: &'static str = "qr_";
    /// Prefix of session secrets.
    pub const SESSION_PREFIX: &'static str = "qs_";
    /// Prefix of the tokens of identity providers (SCIM).
    pub const SCIM_PREFIX: &'static str = "qp_";
    /// Number of base62 characters after the prefix: 256 bits.
    pub const TOKEN_LENGTH: usize = 43;

    /// Credentials of requests without a token, of the command line and of background jobs. No token has this hash.
    pub const ANONYMOUS: Self = Self { token_hash: [0; 32] };

    /// Returns whether the request carries no token.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        *self == Self::ANONYMOUS
    }

    /// Returns the credentials of an API token; `None` if the text does not have the form of one.
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::with_prefix(Self::TOKEN_PREFIX, token)
    }

    /// Returns the credentials of a session secret; `None` if the text does not have the form of one.
    #[must_use]
    pub fn from_session(secret: &str) -> Option<Self> {
        Self::with_prefix(Self::SESSION_PREFIX, secret)
    }

    /// Returns the credentials of an identity provider's token; `None` if the text does not have the form of one.
    /// Resource lookups never accept these credentials.
    #[must_use]
    pub fn from_scim_token(token: &str) -> Option<Self> {
        Self::with_prefix(Self::SCIM_PREFIX, token)
    }

    fn with_prefix(prefix: &str, secret: &str) -> Option<Self> {
        let random = secret.strip_prefix(prefix)?;
        let plausible =
            random.len() == Self::TOKEN_LENGTH && random.bytes().all(|b| b.is_ascii_alphanumeric());
        plausible.then(|| Self { token_hash: Sha256::digest(secret.as_bytes()).into() })
    }
}

/// Reads a stored token hash.
impl FromSql<Binary, Pg> for Credentials {
    fn from_sql(bytes: PgValue<'_>) -> deserialize::Result<Self> {
        let hash = <Vec<u8> as FromSql<Binary, Pg>>::from_sql(bytes)?;
        let token_hash = hash.try_into().map_err(|_| "a stored hash does not have 32 bytes")?;
        Ok(Self { token_hash })
    }
}

impl Queryable<Binary, Pg> for Credentials {
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

/// Converts null to credentials that belong to no user.
impl From<Option<Self>> for Credentials {
    fn from(stored: Option<Self>) -> Self {
        stored.unwrap_or(Self::ANONYMOUS)
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials(…)")
    }
}

/// Authenticated user of a request, and the token of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    /// User that the token acts as.
    pub user: UserId,
    /// Token or session; both are rows of one table.
    pub token: TokenId,
    /// `true` if the token is read-only.
    pub read_only: bool,
    /// `true` if the session lacks a second factor that an organization of the user requires.
    pub lacks_factor: bool,
}

impl Actor {
    /// Refuses a session that lacks a required second factor.
    ///
    /// # Errors
    /// [`Reason::SecondFactorMissing`], status 403.
    pub fn require_factor(self) -> Result<()> {
        match self.lacks_factor {
            true => Err(Error::refused(Reason::SecondFactorMissing, Reason::SecondFactorMissing.message())),
            false => Ok(()),
        }
    }

    /// Returns whether the token allows an action of its user.
    #[must_use]
    pub fn token_allows(self, action: Action) -> bool {
        self.token_limits().allow(action)
    }

    /// Returns whether the token allows an action on the user's own account. It does not check the limit to certain
    /// organizations, which needs a lookup of the token.
    #[must_use]
    pub fn token_allows_own(self, action: OwnAction) -> bool {
        self.token_limits().allow_own(action)
    }

    fn token_limits(self) -> TokenLimits {
        TokenLimits { read_only: self.read_only, organizations: false }
    }
}
