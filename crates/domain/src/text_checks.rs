//! Checks of characters, lengths, lists and JSON in requests. The bounds are constants of [`crate::bounds`]. The types
//! of [`crate::texts`] use these checks.

use serde_json::Value;
use validator::ValidationError;

use crate::direction::is_direction_control;
use crate::patch::Patch;

/// Subject of a check: a text, or a key of a PATCH body that may hold one.
pub trait Text {
    /// Returns the text, if present.
    fn text(&self) -> Option<&str>;
}

impl Text for str {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl Text for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: Text + ?Sized> Text for &T {
    fn text(&self) -> Option<&str> {
        T::text(self)
    }
}

impl<T: Text> Text for Patch<T> {
    fn text(&self) -> Option<&str> {
        self.set().and_then(T::text)
    }
}

/// Returns the contents of a list of texts.
pub(crate) fn contents(items: &[impl Text]) -> Vec<&str> {
    items.iter().filter_map(Text::text).collect()
}

/// Checks that a text has `MIN` to `MAX` Unicode scalar values and no NUL.
///
/// # Errors
/// A [`ValidationError`] with a sentence that names the bound.
pub fn check<const MIN: u64, const MAX: u64>(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    check_text(value, MIN, MAX)
}

/// Checks a text as [`check`] does, with the bounds as values.
pub(crate) fn check_text(value: &(impl Text + ?Sized), min: u64, max: u64) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    no_nul(text)?;
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    if (min..=max).contains(&length) {
        return Ok(());
    }
    let message = match min {
        0 => format!("must have at most {max} characters, has {length}"),
        _ => format!("must have {min} to {max} characters, has {length}"),
    };
    Err(error("length", message))
}

/// Checks a name as [`check_text`] does. It must not contain bidirectional control characters, which would disguise it.
pub(crate) fn check_name(value: &(impl Text + ?Sized), min: u64, max: u64) -> Result<(), ValidationError> {
    check_text(value, min, max)?;
    value.text().map_or(Ok(()), no_direction_control)
}

/// Checks that a text has no bidirectional control character.
///
/// # Errors
/// A [`ValidationError`] otherwise.
pub fn no_direction_control(text: &str) -> Result<(), ValidationError> {
    match text.contains(is_direction_control) {
        true => Err(error("direction", "must not contain characters that change the text direction")),
        false => Ok(()),
    }
}

/// Checks that no item occurs twice in a list.
///
/// # Errors
/// A [`ValidationError`] for the first repeated item.
pub fn distinct<T: std::fmt::Display + Ord>(items: &[T]) -> Result<(), ValidationError> {
    let mut seen = std::collections::BTreeSet::new();
    match items.iter().find(|item| !seen.insert(*item)) {
        Some(item) => Err(error("distinct", format!("contains `{item}` twice"))),
        None => Ok(()),
    }
}

/// Checks that a text has no NUL, which PostgreSQL cannot store.
///
/// # Errors
/// A [`ValidationError`] otherwise.
pub fn no_nul(text: &str) -> Result<(), ValidationError> {
    if text.contains('\0') {
        return Err(error("nul", "must not contain a NUL character"));
    }
    Ok(())
}

/// Checks that no text or key in a JSON value has a NUL, and that it is nested at most `DEPTH` levels deep.
///
/// # Errors
/// A [`ValidationError`] otherwise.
pub fn json<const DEPTH: usize>(value: &Value) -> Result<(), ValidationError> {
    let mut rest = vec![(value, 1)];
    while let Some((value, depth)) = rest.pop() {
        if depth > DEPTH {
            return Err(error("depth", format!("must not nest deeper than {DEPTH} levels")));
        }
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => no_nul(text)?,
            Value::Array(items) => rest.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(entries) => {
                for (key, item) in entries {
                    no_nul(key)?;
                    rest.push((item, depth + 1));
                }
            }
        }
    }
    Ok(())
}

/// Checks that a list has `MIN` to `MAX` items.
///
/// # Errors
/// A [`ValidationError`] with a sentence that names the bound.
pub fn count<const MIN: u64, const MAX: u64, T>(items: &[T]) -> Result<(), ValidationError> {
    let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
    if (MIN..=MAX).contains(&count) {
        return Ok(());
    }
    Err(error("length", format!("must have {MIN} to {MAX} items, has {count}")))
}

/// Checks that a text can be a segment of a URL path: clients remove `.` and `..` from paths.
///
/// # Errors
/// A [`ValidationError`] for these and for an empty text.
pub fn path_segment(text: &str) -> Result<(), ValidationError> {
    match text {
        "" | "." | ".." => Err(error("segment", "must not be empty, `.` or `..`")),
        _ => Ok(()),
    }
}

/// Returns a validation error with a message.
pub(crate) fn error(code: &'static str, message: impl Into<String>) -> ValidationError {
    ValidationError::new(code).with_message(message.into().into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(result: Result<(), ValidationError>) -> String {
        result.unwrap_err().message.unwrap().into_owned()
    }

    #[test]
    fn lengths_count_characters_and_errors_name_the_bound() {
        assert!(check::<1, 3>("äöü").is_ok());
        assert_eq!(message(check::<1, 3>("äöüß")), "must have 1 to 3 characters, has 4");
        assert_eq!(message(check::<0, 3>("abcd")), "must have at most 3 characters, has 4");
        assert!(check::<1, 3>("").is_err());
        assert!(check::<1, 3>(&Patch::<String>::Clear).is_ok());
        assert!(check::<1, 3>(&Patch::Set("abcd".to_owned())).is_err());
    }

    #[test]
    fn nul_is_refused_everywhere() {
        assert!(check::<0, 9>("a\0b").is_err());
        assert!(json::<9>(&json!({"a": [{"b": "c\0"}]})).is_err());
        assert!(json::<9>(&json!({"a\0": 1})).is_err());
        assert!(json::<9>(&json!({"a": [{"b": "c"}]})).is_ok());
    }

    #[test]
    fn json_may_nest_as_deep_as_the_bound_and_no_deeper() {
        assert!(json::<3>(&json!([[[]]])).is_ok());
        assert_eq!(message(json::<3>(&json!([[[[]]]]))), "must not nest deeper than 3 levels");
    }
}
