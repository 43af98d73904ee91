//! Codes of authenticator apps (RFC 6238): six digits for 30 seconds, with HMAC-SHA-1, as all apps support them.

use std::time::SystemTime;

use totp_rs::{Builder, Secret, Totp, TotpError};

/// Name of the service that apps show.
const ISSUER: &str = "Quire";
/// Length of a step in seconds.
const STEP: u64 = 30;
/// Accepted steps before and after the current one, to tolerate clock skew.
const SKEW: u16 = 1;

/// Returns the `otpauth` URL for an app. `account` is the account name that the app shows.
///
/// # Errors
/// A secret that is too short.
pub fn url(secret: &[u8], account: &str) -> Result<String, TotpError> {
    of(secret, account)?.to_url()
}

/// Returns the secret in base32, as users type it.
///
/// # Errors
/// A secret that is too short.
pub fn text(secret: &[u8]) -> Result<String, TotpError> {
    Ok(of(secret, ISSUER)?.secret().to_base32())
}

/// Returns the step of a code; `None` for a wrong code. The caller must refuse steps up to the last accepted one.
///
/// # Errors
/// A secret that is too short.
pub fn step_of(secret: &[u8], code: &str, now: SystemTime) -> Result<Option<u64>, TotpError> {
    let seconds = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(of(secret, ISSUER)?.check(code, seconds))
}

/// Returns the code that an app shows at a time, from the secret in base32; `None` for an invalid secret.
#[must_use]
pub fn code(text: &str, now: SystemTime) -> Option<String> {
    let seconds = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let secret = Secret::try_from_base32(text).ok()?;
    Some(of(&secret, ISSUER).ok()?.generate(seconds).to_string())
}

fn of(secret: &[u8], account: &str) -> Result<Totp, TotpError> {
    Builder::new()
        .with_secret(secret)
        .with_skew(SKEW)
        .with_step_duration(STEP)
        .with_account_name(account.replace(':', " "))
        .with_issuer(Some(ISSUER))
        .build()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn codes_are_those_of_the_specification() {
        // Test vectors of RFC 6238, appendix B, with six of the eight digits.
        let secret = b"12345678901234567890";
        for (seconds, code) in
            [(1_111_111_109_i64, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
        {
            let at = |offset: i64| {
                let seconds = u64::try_from(seconds + offset).unwrap();
                step_of(secret, code, SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap()
            };
            let step = Some(u64::try_from(seconds / 30).unwrap());
            assert_eq!((at(0), at(30), at(-30)), (step, step, step), "{code}");
            assert_eq!((at(90), at(-90)), (None, None), "{code}");
            let now = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap());
            assert_eq!(super::code(&text(secret).unwrap(), now).as_deref(), Some(code));
        }
        assert_eq!(step_of(secret, "", SystemTime::UNIX_EPOCH).unwrap(), None);
        assert_eq!(step_of(secret, "28708x", SystemTime::UNIX_EPOCH).unwrap(), None);
        assert!(step_of(b"short", "287082", SystemTime::UNIX_EPOCH).is_err());
        assert_eq!(text(secret).unwrap(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let url = url(secret, "ada@example.com").unwrap();
        assert!(url.starts_with("otpauth://totp/Quire:ada%40example.com?secret=GEZDGNBV"), "{url}");
    }
}
