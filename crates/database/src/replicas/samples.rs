//! Recent positions of the primary, which bound the staleness of reads on replicas.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::log_position::LogPosition;

/// Maximum staleness of a read on a replica.
pub(super) const MAX_LAG: Duration = Duration::from_secs(1);

/// Positions of the primary's log. Everything committed before the time of a sample is at or before its position.
#[derive(Debug, Default)]
pub(super) struct Samples(Mutex<VecDeque<(Instant, LogPosition)>>);

impl Samples {
    /// Adds a sample. `at` is the time at which it was requested.
    pub(super) fn add(&self, at: Instant, position: LogPosition) {
        let mut samples = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while samples.front().is_some_and(|(old, _)| at.saturating_duration_since(*old) >= MAX_LAG) {
            samples.pop_front();
        }
        samples.push_back((at, position));
    }

    /// Returns the position that a replica must have replayed to lag less than [`MAX_LAG`]; `None` if it is unknown
    /// because the primary has not responded.
    pub(super) fn required(&self, now: Instant) -> Option<LogPosition> {
        let samples = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = samples.iter().find(|(at, _)| now.saturating_duration_since(*at) < MAX_LAG);
        recent.map(|(_, position)| *position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_sample_that_is_young_enough_is_required() {
        let (samples, start) = (Samples::default(), Instant::now());
        let at = |millis: u64| start + Duration::from_millis(millis);
        assert_eq!(samples.required(start), None);
        for (millis, position) in [(0, 10), (400, 20), (800, 30)] {
            samples.add(at(millis), LogPosition::new(position));
        }
        for (millis, expected) in
            [(900, Some(10)), (999, Some(10)), (1_000, Some(20)), (1_400, Some(30)), (1_800, None)]
        {
            assert_eq!(samples.required(at(millis)), expected.map(LogPosition::new), "{millis}");
        }
    }
}
