//! Hashes of passwords: Argon2id with 19 MiB, two passes and one lane, as OWASP recommends.

use std::sync::LazyLock;

use argon2::password_hash::{self, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Argon2, PasswordHash};

/// Hash that is verified when no account exists, so that the response takes as long as for an existing account.
static NO_ACCOUNT: LazyLock<Option<String>> = LazyLock::new(|| hash("no account").ok());

/// Failure to hash a password: the system has no randomness or no memory.
#[derive(Debug)]
pub struct HashError(password_hash::Error);

impl std::fmt::Display for HashError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a password cannot be hashed: {}", self.0)
    }
}

impl std::error::Error for HashError {}

/// Hashes a password with a new salt. The result is a PHC string, which names the function and its parameters.
///
/// # Errors
/// [`HashError`].
pub fn hash(password: &str) -> Result<String, HashError> {
    let hashed: PasswordHash = Argon2::default().hash_password(password.as_bytes()).map_err(HashError)?;
    Ok(hashed.to_string())
}

/// Returns whether a password matches a stored hash. Without a hash, it returns `false` after the same work.
#[must_use]
pub fn verify(password: &str, stored: Option<&str>) -> bool {
    let Some(compared) = stored.or(NO_ACCOUNT.as_deref()) else { return false };
    let matches = PasswordHash::new(compared)
        .is_ok_and(|parsed| Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok());
    matches && stored.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_salted_and_matches_its_password_alone() {
        let [first, second] = [(); 2].map(|()| hash("correct horse").unwrap());
        assert_ne!(first, second);
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert!(verify("correct horse", Some(&first)) && verify("correct horse", Some(&second)));
        assert!(!verify("correct horsf", Some(&first)));
        assert!(!verify("", Some(&first)));
        assert!(!verify("correct horse", Some("not a hash")));
        // The verification without an account costs as much.
        let parameters = |hash: &str| hash.split('$').take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(NO_ACCOUNT.as_deref().map(parameters), Some(parameters(&first)));
        for none in ["no account", ""] {
            assert!(!verify(none, None), "{none}");
        }
    }
}
