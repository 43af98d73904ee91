//! Measurement of a case at two sizes.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use crate::ALLOCATED;
use crate::cases::Case;

/// Maximum growth of the time from `n` to `4n`.
const MOST_GROWTH: f64 = 6.0;
/// Minimum time at `n`; `n` is doubled until it is reached. Shorter times are noise.
const MEASURABLE: Duration = Duration::from_millis(12);
/// Maximum input at `n` in bytes, so that `4n` is a quarter of the largest body.
const MOST_BYTES: usize = 256 << 10;
/// Times at `4n` below this pass regardless of growth.
const NOTHING: Duration = Duration::from_millis(40);
/// Allowed increase of allocated memory after a case: a fifth of the start, plus a constant for caches of the process.
const KEPT_SHARE: usize = 5;
const KEPT_BYTES: usize = 256 << 10;
/// Measurements before a case fails. The minimum of several times is the least disturbed by other processes.
const ATTEMPTS: usize = 4;

/// Measured growth of a case.
pub struct Growth {
    pub size: usize,
    /// Input bytes at `4n`.
    pub bytes: usize,
    /// Input bytes at `n`.
    small_bytes: usize,
    pub small: Duration,
    pub large: Duration,
    /// Peak of allocated bytes at `4n`, without the input.
    pub peak: usize,
    /// Bytes still allocated afterwards.
    pub kept: usize,
    /// Bytes allocated before.
    before: usize,
}

impl Growth {
    /// Returns the growth of the time for a four-fold input. Some inputs grow more than four-fold in bytes.
    pub fn factor(&self) -> f64 {
        let time = self.large.as_secs_f64() / self.small.as_secs_f64().max(1e-6);
        let bytes = self.bytes as f64 / self.small_bytes.max(1) as f64;
        time * 4.0 / bytes.max(4.0)
    }

    pub fn holds(&self) -> bool {
        let in_time = self.large < NOTHING || self.factor() < MOST_GROWTH;
        in_time && self.kept <= self.before / KEPT_SHARE + KEPT_BYTES
    }
}

/// Measures a case. If it grows too much, it is measured again at twice the size: superlinear work grows as much again,
/// while a disturbance by other processes does not repeat.
pub fn measure(case: &Case) -> Growth {
    let (size, small) = measurable(case);
    let growth = measure_at(case, size, small);
    if growth.holds() || 8 * size > case.input.most() {
        return growth;
    }
    let double = 2 * size;
    measure_at(case, double, time(case, &case.input.of_size(double)))
}

fn measure_at(case: &Case, size: usize, mut small: Duration) -> Growth {
    let input = case.input.of_size(4 * size);
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let mut large = time(case, &input);
    let peak = ALLOCATED.peak_usage().saturating_sub(before);
    let kept = ALLOCATED.current_usage().saturating_sub(before);
    let small_bytes = case.input.of_size(size).len();
    let mut growth = Growth { size, bytes: input.len(), small_bytes, small, large, peak, kept, before };
    for _ in 1..ATTEMPTS {
        if growth.large < NOTHING || growth.factor() < MOST_GROWTH {
            break;
        }
        small = small.min(time(case, &case.input.of_size(size)));
        large = large.min(time(case, &input));
        growth = Growth { small, large, ..growth };
    }
    growth
}

/// Returns a size with a measurable time, or the largest size, and the time. Also initializes lazy statics.
fn measurable(case: &Case) -> (usize, Duration) {
    let mut size = case.input.least();
    loop {
        let input = case.input.of_size(size);
        let taken = time(case, &input);
        if taken >= MEASURABLE || input.len() >= MOST_BYTES || 8 * size > case.input.most() {
            return (size, taken.min(time(case, &input)));
        }
        size *= 2;
    }
}

/// Returns the CPU time of a case. The process runs nothing else.
fn time(case: &Case, input: &[u8]) -> Duration {
    let begin = processor_time();
    case.group.run(input);
    processor_time().saturating_sub(begin)
}

fn processor_time() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Duration::ZERO };
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(u64::try_from(micros).unwrap_or_default())
}
