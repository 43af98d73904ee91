//! Range requests (RFC 9110, 14).

use std::ops::Range;

/// Part of a file that a `Range` header requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// The whole file: the header is absent or may be ignored.
    All,
    /// These bytes.
    Part(Range<u64>),
    /// The file has no byte of the range.
    Unsatisfiable,
}

/// Parses a `Range` header for a file of `size` bytes. Multiple ranges, other units and malformed headers select the
/// whole file, as the standard allows.
pub(super) fn wanted(header: Option<&str>, size: u64) -> RequestedRange {
    let Some((first, last)) = header.and_then(|header| {
        let (unit, range) = header.split_once('=')?;
        unit.trim().eq_ignore_ascii_case("bytes").then(|| range.trim().split_once('-'))?
    }) else {
        return RequestedRange::All;
    };
    let number = |digits: &str| match digits {
        "" => Some(None),
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            Some(Some(digits.parse().unwrap_or(u64::MAX)))
        }
        _ => None,
    };
    let range = match (number(first), number(last)) {
        (Some(Some(first)), Some(None)) => first..size,
        (Some(Some(first)), Some(Some(last))) if first <= last => first..size.min(last.saturating_add(1)),
        (Some(None), Some(Some(last))) => size.saturating_sub(last)..size,
        _ => return RequestedRange::All,
    };
    if range.is_empty() { RequestedRange::Unsatisfiable } else { RequestedRange::Part(range) }
}

#[cfg(test)]
mod tests {
    use super::RequestedRange::{All, Part, Unsatisfiable};
    use super::*;

    #[test]
    fn single_ranges_are_followed() {
        for (header, expected) in [
            ("bytes=0-3", Part(0..4)),
            ("bytes=4-", Part(4..10)),
            ("bytes=-3", Part(7..10)),
            ("bytes=-30", Part(0..10)),
            ("bytes=8-99999999999999999999", Part(8..10)),
            ("Bytes = 9-9", Part(9..10)),
            ("bytes=10-", Unsatisfiable),
            ("bytes=99999999999999999999-", Unsatisfiable),
            ("bytes=-0", Unsatisfiable),
            ("bytes=3-1", All),
            ("bytes=-", All),
            ("bytes=0-1,3-4", All),
            ("bytes=a-b", All),
            ("items=0-3", All),
            ("bytes", All),
        ] {
            assert_eq!(wanted(Some(header), 10), expected, "{header}");
        }
        assert_eq!(wanted(None, 10), All);
        assert_eq!(wanted(Some("bytes=0-"), 0), Unsatisfiable);
    }
}
