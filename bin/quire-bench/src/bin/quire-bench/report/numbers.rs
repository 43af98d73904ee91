//! Numbers for people.

/// Placeholder of figures that do not apply or were not measured.
pub(super) const ABSENT: &str = "-";

/// A whole number with separators of thousands.
pub(super) fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three significant digits.
pub(super) fn three(value: f64) -> String {
    match value.abs() {
        small if small < 0.9995 => format!("{value:.3}"),
        small if small < 9.995 => format!("{value:.2}"),
        small if small < 99.95 => format!("{value:.1}"),
        _ => whole(value),
    }
}

/// A figure, or the placeholder.
pub(super) fn optional(value: Option<f64>, format: fn(f64) -> String) -> String {
    value.filter(|value| value.is_finite()).map_or(ABSENT.to_owned(), format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [whole(0.4), whole(999.0), whole(1_000.0), whole(1_234_567.0)],
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(whole(-123.0), "-123");
        assert_eq!(
            [three(0.1234), three(1.234), three(12.34), three(1_234.5)],
            ["0.123", "1.23", "12.3", "1,234"]
        );
        assert_eq!([optional(None, three), optional(Some(f64::NAN), three)], ["-", "-"]);
    }
}
