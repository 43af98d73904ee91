//! Backups, restores, checks and recovery of a deployment.

mod backup;
mod check;
mod recover;

pub use backup::{BackupOptions, RestoreOptions};
pub use check::CheckCommand;
pub use recover::{BaseBackupOptions, RecoverOptions};

use quire_domain::clock::{Clock as _, Timestamp};

use crate::system::SystemClock;
use crate::usage::WrongInput;

/// Returns the version and build of this program.
pub fn program() -> String {
    format!("{} ({})", env!("CARGO_PKG_VERSION"), env!("QUIRE_BUILD"))
}

/// Returns the current time.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// Converts a refusal to an error of the input.
pub fn sentence(error: quire_maintenance::Error) -> anyhow::Error {
    match error {
        quire_maintenance::Error::Refused(sentence) => WrongInput(sentence).into(),
        other => other.into(),
    }
}

/// Returns a number of bytes for people.
fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        None => format!("{bytes} bytes"),
        Some((name, unit)) => {
            let tenths = bytes.saturating_mul(10).div_euclid(*unit);
            format!("{}.{} {name}", tenths.div_euclid(10), tenths.rem_euclid(10))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_in_the_largest_unit_that_fits() {
        for (bytes, shown) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1_600_000, "1.5 MiB"),
            (5 << 30, "5.0 GiB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
    }
}
