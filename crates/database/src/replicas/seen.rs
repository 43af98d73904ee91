//! Positions of the write-ahead log that callers have seen.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::credentials::Credentials;
use crate::log_position::LogPosition;

/// Time after which a position is no longer needed, because every replica in use has replayed it.
const KEPT: Duration = Duration::from_secs(3);
/// Maximum number of callers with a recorded position.
const MAX_CALLERS: usize = 10_000;

/// Positions that callers have seen.
#[derive(Debug, Default)]
pub(super) struct Seen(Mutex<Positions>);

#[derive(Debug, Default)]
struct Positions {
    callers: HashMap<[u8; 32], Noted>,
    /// Position shared by all callers, if there are too many of them.
    everyone: Option<Noted>,
}

#[derive(Clone, Copy, Debug)]
struct Noted {
    position: LogPosition,
    at: Instant,
}

impl Noted {
    fn is_needed(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.at) < KEPT
    }
}

impl Seen {
    fn lock(&self) -> MutexGuard<'_, Positions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a caller has seen everything committed up to a position.
    pub(super) fn note(&self, caller: &Credentials, position: LogPosition, now: Instant) {
        let mut positions = self.lock();
        if positions.callers.len() >= MAX_CALLERS {
            positions.callers.retain(|_, noted| noted.is_needed(now));
        }
        let is_full =
            positions.callers.len() >= MAX_CALLERS && !positions.callers.contains_key(&caller.token_hash);
        let noted = if is_full {
            positions.everyone.get_or_insert(Noted { position, at: now })
        } else {
            positions.callers.entry(caller.token_hash).or_insert(Noted { position, at: now })
        };
        // An expired position is replaced, even by a smaller one.
        let position = if noted.is_needed(now) { noted.position.max(position) } else { position };
        *noted = Noted { position, at: now };
    }

    /// Returns the position that reads of a caller need; `None` if every replica in use has replayed it.
    pub(super) fn of(&self, caller: &Credentials, now: Instant) -> Option<LogPosition> {
        let positions = self.lock();
        let noted = positions.callers.get(&caller.token_hash).into_iter().chain(&positions.everyone);
        noted.filter(|noted| noted.is_needed(now)).map(|noted| noted.position).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(number: usize) -> Credentials {
        Credentials::from_token(&format!("qr_{number:043}")).unwrap()
    }

    #[test]
    fn a_caller_needs_the_largest_of_its_recent_positions() {
        let (seen, now) = (Seen::default(), Instant::now());
        seen.note(&caller(1), LogPosition::new(7), now);
        seen.note(&caller(1), LogPosition::new(5), now);
        assert_eq!(seen.of(&caller(1), now), Some(LogPosition::new(7)));
        assert_eq!(seen.of(&caller(2), now), None);
        let later = now + KEPT;
        assert_eq!(seen.of(&caller(1), later), None);
        seen.note(&caller(1), LogPosition::new(5), later);
        assert_eq!(seen.of(&caller(1), later), Some(LogPosition::new(5)));
    }

    #[test]
    fn of_too_many_callers_everyone_needs_the_position() {
        let (seen, now) = (Seen::default(), Instant::now());
        for number in 0..=MAX_CALLERS {
            seen.note(&caller(number), LogPosition::new(9), now);
        }
        assert_eq!(seen.of(&caller(MAX_CALLERS + 1), now), Some(LogPosition::new(9)));
        assert_eq!(seen.of(&caller(MAX_CALLERS + 1), now + KEPT), None);
    }
}
