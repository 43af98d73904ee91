//! Natural order of file names: `2` before `10`, ignoring case.

use std::cmp::Ordering;

/// Compares names piece by piece, numbers by value. Names that differ only in case or leading zeros are compared by
/// their characters, so that the order is total.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let order = match (number(left), number(right)) {
            (Some((a, rest_a)), Some((b, rest_b))) => {
                (left, right) = (rest_a, rest_b);
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
            _ => {
                let (mut a, mut b) = (left.chars(), right.chars());
                let order = match (a.next(), b.next()) {
                    (None, None) => return one.cmp(other),
                    (a, b) => a
                        .map(char::to_lowercase)
                        .into_iter()
                        .flatten()
                        .cmp(b.map(char::to_lowercase).into_iter().flatten()),
                };
                (left, right) = (a.as_str(), b.as_str());
                order
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Splits off the digits at the start of `text`, without leading zeros.
fn number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    (end > 0).then(|| (digits.trim_start_matches('0'), rest))
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn numbers_count_by_value_and_case_does_not() {
        let mut names = ["b", "a10", "A2", "a1", "a01", "", "10", "9", "a", "ü", "a2b", "a2"];
        names.sort_by(|one, other| compare(one, other));
        assert_eq!(names, ["", "9", "10", "a", "a01", "a1", "A2", "a2", "a2b", "a10", "b", "ü"]);
    }
}
