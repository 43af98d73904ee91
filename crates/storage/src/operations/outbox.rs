//! Outboxes: rows that a transaction writes with its change, and that one node at a time sends to a receiver over HTTP.
//! Webhooks have an outbox of deliveries, site renderers an outbox of cache tags to purge.

use std::time::Duration;

/// First pause after a failure. It doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// Maximum pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// Maximum stored length of an error message in characters.
const ERROR_CHARS: usize = 500;

/// Result of an attempt to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// HTTP status; `None` if the receiver did not respond.
    pub status: Option<u16>,
    /// Reason of a failure; `None` for success.
    pub error: Option<String>,
    /// `true` if a failure may be transient, so that another attempt can succeed.
    pub again: bool,
}

impl Attempt {
    /// Returns the status in its stored form.
    pub(crate) fn stored_status(&self) -> Option<i32> {
        self.status.map(i32::from)
    }

    /// Returns the reason of a failure in its stored form: its beginning, without NUL characters, which PostgreSQL
    /// cannot store.
    pub(crate) fn stored_error(&self) -> Option<String> {
        let error = self.error.as_ref()?;
        Some(error.chars().filter(|c| *c != '\0').take(ERROR_CHARS).collect())
    }
}

/// Returns the pause after a failure that was preceded by this number of failures.
pub(crate) fn pause(failures: i32) -> Duration {
    2_u32
        .checked_pow(u32::try_from(failures).unwrap_or(0))
        .and_then(|factor| FIRST_PAUSE.checked_mul(factor))
        .map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour() {
        for (failures, seconds) in [(0, 10), (1, 20), (2, 40), (8, 2_560), (9, 3_600), (i32::MAX, 3_600)] {
            assert_eq!(pause(failures), Duration::from_secs(seconds), "{failures}");
        }
    }

    #[test]
    fn errors_are_stored_without_nul_and_cut() {
        let error = format!("\0{}", "é".repeat(ERROR_CHARS + 1));
        let attempt = Attempt { status: Some(503), error: Some(error), again: true };
        assert_eq!(attempt.stored_error(), Some("é".repeat(ERROR_CHARS)));
        assert_eq!(Attempt { error: None, ..attempt }.stored_error(), None);
    }
}
