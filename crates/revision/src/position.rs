//! Order among siblings, as sort keys that leave room between any two.

use std::fmt;
use std::str::FromStr;

use fractional_index::FractionalIndex;

use crate::hash::{bytes_from_hex, hex_from_bytes};

/// Error for a text that is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a position: expected lowercase hexadecimal digits that end in 80")]
pub struct InvalidPosition;

/// Sort key in an ordered list, a *fractional index*: between two positions there is always another, so that moving
/// an item writes its own record and no sibling's.
///
/// On the wire and in a database it is a string of lowercase hexadecimal digits, whose order byte by
/// byte (PostgreSQL: `COLLATE "C"`) is the order of the positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(FractionalIndex);

impl Position {
    /// Returns the position of the first item of an empty list.
    #[must_use]
    pub fn first() -> Self {
        Self(FractionalIndex::default())
    }

    /// Returns a position after `before` and before `after`; an absent bound is the end of the list.
    ///
    /// Returns `None` if the bounds are equal or in the wrong order.
    #[must_use]
    pub fn between(before: Option<&Self>, after: Option<&Self>) -> Option<Self> {
        match (before, after) {
            (Some(before), Some(after)) => Self::strictly_between(before, after),
            _ => FractionalIndex::new(before.map(|bound| &bound.0), after.map(|bound| &bound.0)).map(Self),
        }
    }

    /// Returns a position after this one, to append to a list.
    ///
    /// Keys of a list built only in this way grow by a byte every 127 items. If their number is known,
    /// [`Position::n_evenly`] keeps them short.
    #[must_use]
    pub fn after(&self) -> Self {
        Self(FractionalIndex::new_after(&self.0))
    }

    /// Returns `count` positions in ascending order with equal gaps, for a new list. All keys have the same length: two
    /// bytes up to 254 items, three up to 65,534.
    #[must_use]
    pub fn n_evenly(count: usize) -> Vec<Self> {
        const WIDEST: usize = 15;
        let count = u128::try_from(count).unwrap_or(u128::MAX >> 8);
        // Bytes of the smallest range with room for `count + 1` gaps.
        let width = (1..WIDEST).find(|width| count + 1 < 1_u128 << (8 * width)).unwrap_or(WIDEST);
        let step = (u128::MAX >> (128 - 8 * width)) / (count + 1);
        (1..=count)
            .filter_map(|rank| {
                let number = (rank * step).to_be_bytes();
                let (_, significant) = number.split_at_checked(number.len() - width)?;
                Self::from_unterminated(significant.to_vec())
            })
            .collect()
    }

    /// Returns `count` positions in ascending order between two bounds, to insert several items at once. An absent
    /// bound is the end of the list. Each key consists of a common key between the bounds and a key of
    /// [`Position::n_evenly`]. Returns `None` if the bounds are equal or in the wrong order.
    #[must_use]
    pub fn n_between(before: Option<&Self>, after: Option<&Self>, count: usize) -> Option<Vec<Self>> {
        if before.is_none() && after.is_none() {
            return Some(Self::n_evenly(count));
        }
        let mut first = Self::between(before, after)?;
        // Keys that begin with `first` sort next to it, unless the upper bound begins with it too.
        while after.is_some_and(|after| after.0.as_bytes().starts_with(first.0.as_bytes())) {
            first = Self::between(before, Some(&first))?;
        }
        let within = |rank: Self| [first.0.as_bytes(), rank.0.as_bytes()].concat();
        let keys = Self::n_evenly(count).into_iter().map(within);
        keys.map(|key| FractionalIndex::from_bytes(key).ok().map(Self)).collect()
    }

    /// Returns a position between two bounds, computed without their common prefix.
    ///
    /// [`FractionalIndex::new_between`] (release 2.0.2) subtracts one from a byte of the upper bound, which may be zero
    /// if both bounds begin with it. It then panics, or without overflow checks returns a key beyond the bounds.
    fn strictly_between(before: &Self, after: &Self) -> Option<Self> {
        if before >= after {
            return None;
        }
        let (before, after) = (before.0.as_bytes(), after.0.as_bytes());
        let longest = before.len().min(after.len()).saturating_sub(1);
        let common = before.iter().zip(after).take(longest).take_while(|(left, right)| left == right).count();
        let (prefix, before) = before.split_at_checked(common)?;
        let (_, after) = after.split_at_checked(common)?;
        let before = FractionalIndex::from_bytes(before.to_vec()).ok()?;
        let after = FractionalIndex::from_bytes(after.to_vec()).ok()?;
        let rest = FractionalIndex::new_between(&before, &after)?;
        FractionalIndex::from_bytes([prefix, rest.as_bytes()].concat()).ok().map(Self)
    }

    fn from_unterminated(mut bytes: Vec<u8>) -> Option<Self> {
        bytes.extend_from_slice(FractionalIndex::default().as_bytes());
        FractionalIndex::from_bytes(bytes).ok().map(Self)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex_from_bytes(self.0.as_bytes()))
    }
}

impl FromStr for Position {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The parser of `fractional_index` slices text by bytes and ignores an odd digit.
        let bytes = bytes_from_hex(text).ok_or(InvalidPosition)?;
        FractionalIndex::from_bytes(bytes).map(Self).map_err(|_| InvalidPosition)
    }
}

impl serde::Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Position {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn evenly_made_positions_are_short_and_ascending() {
        for (count, digits) in [(0, 4), (1, 4), (2, 4), (254, 4), (255, 6), (10_000, 6), (65_535, 8)] {
            let positions = Position::n_evenly(count);
            assert_eq!(positions.len(), count);
            assert!(positions.is_sorted_by(|left, right| left < right), "{count}");
            assert!(positions.iter().all(|position| position.to_string().len() == digits), "{count}");
        }
    }

    #[test]
    fn positions_between_others_are_short_and_ascending() {
        let (first, next) = (Position::first(), Position::first().after());
        for (before, after) in
            [(Some(&first), None), (None, Some(&first)), (Some(&first), Some(&next)), (None, None)]
        {
            for count in [0, 1, 2, 10_000] {
                let positions = Position::n_between(before, after, count).unwrap();
                assert_eq!(positions.len(), count);
                let all: Vec<&Position> = before.into_iter().chain(&positions).chain(after).collect();
                assert!(all.is_sorted_by(|left, right| left < right), "{before:?} {after:?} {count}");
                let longest = positions.iter().map(|position| position.to_string().len()).max();
                assert!(longest <= Some(14), "{before:?} {after:?} {longest:?}");
            }
        }
        assert_eq!(Position::n_between(Some(&first), Some(&first), 1), None);
    }

    #[test]
    fn there_is_room_for_many_below_a_bound_that_begins_alike() {
        // Each is a prefix of the next, so a key before the last one must be before all of them.
        let bounds: Vec<Position> = ["80", "8080", "808080"].map(|text| text.parse().unwrap()).into();
        for after in &bounds {
            let positions = Position::n_between(None, Some(after), 300).unwrap();
            assert!(positions.is_sorted_by(|left, right| left < right));
            assert!(positions.last() < Some(after), "{after:?}");
        }
    }

    #[test]
    fn there_is_room_between_keys_that_begin_with_zero() {
        let mut front = vec![Position::first()];
        for _ in 0..300 {
            let first = front.last().unwrap();
            front.push(Position::between(None, Some(first)).unwrap());
        }
        for pair in front.windows(2) {
            let middle = Position::between(Some(&pair[1]), Some(&pair[0])).unwrap();
            assert!(pair[1] < middle && middle < pair[0]);
        }
    }

    #[test]
    fn there_is_nothing_between_equal_or_swapped_bounds() {
        let (first, second) = (Position::first(), Position::first().after());
        assert_eq!(Position::between(Some(&first), Some(&first)), None);
        assert_eq!(Position::between(Some(&second), Some(&first)), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "8", "0", "81", "80 ", "8O", "C080", "é80", "808"] {
            assert_eq!(text.parse::<Position>(), Err(InvalidPosition), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_position_in_a_list_can_be_taken(positions in prop::collection::vec(any::<prop::sample::Index>(), 1..200)) {
            let mut list: Vec<Position> = Vec::new();
            for position in positions {
                let at = position.index(list.len() + 1);
                let before = at.checked_sub(1).and_then(|index| list.get(index));
                let position = Position::between(before, list.get(at)).unwrap();
                prop_assert_eq!(position.to_string().parse::<Position>().unwrap(), position.clone());
                list.insert(at, position);
            }
            prop_assert!(list.is_sorted_by(|left, right| left < right));
            prop_assert!(list.is_sorted_by_key(ToString::to_string));
        }
    }
}
