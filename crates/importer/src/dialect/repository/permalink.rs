//! Address patterns of Hugo and Jekyll: `/:year/:title/`.

/// Expands a pattern to an address; `None` if `value` has no value for a name in it.
pub(super) fn expanded(pattern: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::with_capacity(pattern.len());
    let mut pieces = pattern.split(':');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
        let (name, rest) = piece.split_at_checked(end)?;
        out.push_str(&value(name)?);
        out.push_str(rest);
    }
    Some(out)
}

/// Returns the part of a date with this name: `year`, `month` or `day`.
pub(super) fn part_of_date(name: &str, date: &str) -> Option<String> {
    let range = match name {
        "year" => 0..4,
        "month" => 5..7,
        "day" => 8..10,
        _ => return None,
    };
    date.get(range).filter(|part| part.chars().all(|c| c.is_ascii_digit())).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced() {
        let value = |name: &str| match name {
            "title" => Some("start".to_owned()),
            name => part_of_date(name, "2026-03-09"),
        };
        for (pattern, expected) in [
            ("/:year/:month-:day/:title.html", Some("/2026/03-09/start.html")),
            ("/docs/", Some("/docs/")),
            ("/:unknown/", None),
        ] {
            assert_eq!(expanded(pattern, value).as_deref(), expected, "{pattern}");
        }
    }
}
