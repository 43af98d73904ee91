//! Sort keys in ordered lists, from a requested `position` to a key between two neighbours.

pub use quire_revision::Position;

/// Requested position among siblings. Without bounds, the end of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedPosition<K> {
    /// Sibling that follows.
    pub before: Option<K>,
    /// Sibling that precedes.
    pub after: Option<K>,
}

impl<K> RequestedPosition<K> {
    /// Returns the position at the end of the list.
    #[must_use]
    pub const fn end() -> Self {
        Self { before: None, after: None }
    }

    /// Returns the named siblings.
    pub fn named(&self) -> impl Iterator<Item = &K> {
        self.before.iter().chain(&self.after)
    }
}

/// Reason why a position is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// `before` is not among the siblings.
    #[error("is not an item of this list")]
    UnknownBefore,
    /// `after` is not among the siblings.
    #[error("is not an item of this list")]
    UnknownAfter,
    /// `before` precedes `after`, or is the same sibling.
    #[error("must follow the item that `after` names")]
    Contradiction,
}

/// Returns a key directly before or after a sibling, or between two named siblings, close to `after`.
///
/// `siblings` are in order, without the item itself.
///
/// # Errors
/// [`PositionError`] if a named sibling is missing, or the bounds contradict each other.
pub fn requested_position<K: PartialEq>(
    siblings: &[(K, Position)],
    wanted: &RequestedPosition<K>,
) -> Result<Position, PositionError> {
    let index_of = |key: &K| siblings.iter().position(|(sibling, _)| sibling == key);
    let before = match &wanted.before {
        Some(key) => Some(index_of(key).ok_or(PositionError::UnknownBefore)?),
        None => None,
    };
    let after = match &wanted.after {
        Some(key) => Some(index_of(key).ok_or(PositionError::UnknownAfter)?),
        None => None,
    };
    // Index of the following sibling.
    let next = match (before, after) {
        (Some(before), Some(after)) if before <= after => return Err(PositionError::Contradiction),
        (_, Some(after)) => after + 1,
        (Some(before), None) => before,
        (None, None) => siblings.len(),
    };
    let at = |index: usize| siblings.get(index).map(|(_, position)| position);
    let previous = next.checked_sub(1).and_then(at);
    Position::between(previous, at(next)).ok_or(PositionError::Contradiction)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn list(length: usize) -> Vec<(usize, Position)> {
        Position::n_evenly(length).into_iter().enumerate().collect()
    }

    fn order_after(
        siblings: &[(usize, Position)],
        wanted: &RequestedPosition<usize>,
    ) -> Result<Vec<usize>, PositionError> {
        let mut all = siblings.to_vec();
        all.push((99, requested_position(siblings, wanted)?));
        all.sort_by(|left, right| left.1.cmp(&right.1));
        Ok(all.into_iter().map(|(key, _)| key).collect())
    }

    #[test]
    fn a_thing_goes_where_it_is_wanted() {
        let siblings = list(3);
        let rows = [
            (None, None, vec![0, 1, 2, 99]),
            (Some(0), None, vec![99, 0, 1, 2]),
            (Some(1), None, vec![0, 99, 1, 2]),
            (None, Some(0), vec![0, 99, 1, 2]),
            (None, Some(2), vec![0, 1, 2, 99]),
            (Some(2), Some(0), vec![0, 99, 1, 2]),
        ];
        for (before, after, expected) in rows {
            assert_eq!(order_after(&siblings, &RequestedPosition { before, after }), Ok(expected));
        }
        assert_eq!(order_after(&[], &RequestedPosition::end()), Ok(vec![99]));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let siblings = list(3);
        let refused = |before, after| requested_position(&siblings, &RequestedPosition { before, after });
        assert_eq!(refused(Some(7), None), Err(PositionError::UnknownBefore));
        assert_eq!(refused(None, Some(7)), Err(PositionError::UnknownAfter));
        assert_eq!(refused(Some(0), Some(1)), Err(PositionError::Contradiction));
        assert_eq!(refused(Some(1), Some(1)), Err(PositionError::Contradiction));
    }

    proptest! {
        #[test]
        fn a_position_is_never_taken(moves in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..60)) {
            let mut all: Vec<(usize, Position)> = Vec::new();
            for (key, (index, before)) in moves.into_iter().enumerate() {
                let neighbour = (!all.is_empty()).then(|| all[index.index(all.len())].0);
                let wanted = if before { RequestedPosition { before: neighbour, after: None } } else { RequestedPosition { before: None, after: neighbour } };
                let position = requested_position(&all, &wanted).unwrap();
                prop_assert!(all.iter().all(|(_, taken)| *taken != position));
                all.push((key, position));
                all.sort_by(|left, right| left.1.cmp(&right.1));
            }
        }
    }
}
