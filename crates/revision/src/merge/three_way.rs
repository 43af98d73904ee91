//! Three versions of one value, and the rules that apply to every type of value.

use super::Strategy;

/// Three versions of a record, each `None` if it does not exist.
#[derive(Debug, Clone)]
pub(super) struct ThreeWay<T> {
    pub(super) base: Option<T>,
    pub(super) into: Option<T>,
    pub(super) from: Option<T>,
}

impl<T> ThreeWay<T> {
    pub(super) fn map<U>(self, mut f: impl FnMut(T) -> Option<U>) -> ThreeWay<U> {
        ThreeWay {
            base: self.base.and_then(&mut f),
            into: self.into.and_then(&mut f),
            from: self.from.and_then(&mut f),
        }
    }

    pub(super) fn as_ref(&self) -> ThreeWay<&T> {
        ThreeWay { base: self.base.as_ref(), into: self.into.as_ref(), from: self.from.as_ref() }
    }
}

/// Returns the version that both sides agree on, or the only changed one; `None` if both changed it differently.
pub(super) fn agreed<T: PartialEq>(base: Option<T>, into: T, from: T) -> Option<T> {
    if into == from || base.as_ref() == Some(&from) {
        Some(into)
    } else if base.as_ref() == Some(&into) {
        Some(from)
    } else {
        None
    }
}

/// Returns the version of a side; without a side, the version of `into`.
pub(crate) fn settled<T>(side: Option<Strategy>, into: T, from: T) -> T {
    match side {
        Some(Strategy::Ours) => from,
        Some(Strategy::Theirs) | None => into,
    }
}

/// Returns the outcome of a record that one side deleted and the other changed. Without a side the outcome is not used,
/// but must contain all records.
pub(super) fn deleted_or<T>(side: Option<Strategy>, into: Option<T>, from: Option<T>) -> Option<T> {
    match side {
        Some(Strategy::Ours) => from,
        Some(Strategy::Theirs) => into,
        None => into.or(from),
    }
}
