//! Positions in the write-ahead log.

use std::fmt;
use std::str::FromStr;

/// Position in PostgreSQL's write-ahead log, written like `pg_lsn`, for example `16/B374D848`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogPosition(u64);

impl LogPosition {
    /// Position that no replica reaches: reads that require it run on the primary.
    pub const UNREACHABLE: Self = Self(u64::MAX);

    pub(crate) const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    pub(crate) const fn bytes(self) -> u64 {
        self.0
    }
}

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

impl FromStr for LogPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let part = |text: &str| match text.len() {
            1..=8 if text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                u64::from_str_radix(text, 16).map_err(drop)
            }
            _ => Err(()),
        };
        let (high, low) = text.split_once('/').ok_or(())?;
        Ok(Self((part(high)? << 32) | part(low)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_written_as_postgresql_does() {
        for text in ["0/0", "16/B374D848", "FFFFFFFF/FFFFFFFF"] {
            assert_eq!(text.parse::<LogPosition>().unwrap().to_string(), text);
        }
        for text in ["", "/", "1", "1/", "1/G", "+1/1", "123456789/1", "1/2/3"] {
            assert_eq!(text.parse::<LogPosition>(), Err(()), "{text:?}");
        }
    }
}
