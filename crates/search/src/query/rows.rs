//! Scores of query words that follow each other in a text.

use super::clauses::score;
use super::{Query, QueryScope, Word};

/// Number of words of a query whose pairs also count in any order.
const PAIRED: usize = 6;

/// Words of a query with their positions, to find them in a row.
pub(crate) struct Rows {
    /// Words, their parts, or pairs of characters, with their positions in the query.
    pub(crate) words: Vec<(u32, String)>,
    /// Pairs also count in any order.
    has_any_order: bool,
}

impl Rows {
    /// Returns the words of a query; `None` for a single word, and for a query of titles, which have few words.
    pub(crate) fn of(query: &Query) -> Option<Self> {
        if query.scope == QueryScope::Titles {
            return None;
        }
        let words = tokens(query);
        let is_plain = query.words.iter().all(|word| matches!(word, Word::Plain(_)));
        let has_any_order = is_plain && words.len() <= PAIRED;
        (words.len() > 1).then_some(Self { words, has_any_order })
    }

    /// Returns the score of adjacent pairs and of all words in a row, given the positions of each word in a text.
    pub(crate) fn in_order(&self, positions: &[Vec<u32>]) -> f32 {
        let mut score = 0.0;
        let pairs = self.words.windows(2).zip(positions.windows(2));
        for (words, positions) in pairs {
            if let ([(first, _), (second, _)], [before, after]) = (words, positions)
                && follows(before, after, second - first)
            {
                score += score::PAIR;
            }
        }
        let is_row = self.words.len() > 2 && self.is_row(positions);
        score + if is_row { score::PHRASE } else { 0.0 }
    }

    fn is_row(&self, positions: &[Vec<u32>]) -> bool {
        let Some(((start, _), starts)) = self.words.first().zip(positions.first()) else { return false };
        starts.iter().any(|position| {
            let mut others = self.words.iter().zip(positions).skip(1);
            others.all(|((offset, _), others)| others.binary_search(&(position + offset - start)).is_ok())
        })
    }

    /// Returns the score of pairs that are adjacent in a text but not in the query.
    pub(crate) fn in_any_order(&self, positions: &[Vec<u32>]) -> f32 {
        let mut score = 0.0;
        if !self.has_any_order {
            return score;
        }
        for (at, before) in positions.iter().enumerate() {
            for (other, after) in positions.iter().enumerate() {
                if other != at && other != at + 1 && follows(before, after, 1) {
                    score += score::PAIR;
                }
            }
        }
        score
    }
}

/// Returns whether a position in `after` is `distance` greater than one in `before`. Both are sorted.
fn follows(before: &[u32], after: &[u32], distance: u32) -> bool {
    let mut after = after.iter().peekable();
    before.iter().any(|position| {
        let wanted = position + distance;
        while after.next_if(|position| **position < wanted).is_some() {}
        after.peek().is_some_and(|position| **position == wanted)
    })
}

/// Returns the words and their parts with their positions.
fn tokens(query: &Query) -> Vec<(u32, String)> {
    let mut position = 0;
    let mut tokens: Vec<(u32, String)> = Vec::new();
    for word in &query.words {
        match word {
            Word::Plain(word) => tokens.push((position, word.clone())),
            Word::Compound { parts, .. } => tokens.extend((position..).zip(parts.iter().cloned())),
            Word::Dense(chars) => {
                tokens.extend(
                    (position..).zip(super::clauses::bigrams(chars).into_iter().map(|(_, pair)| pair)),
                );
            }
        }
        position += u32::try_from(word.positions()).unwrap_or(u32::MAX);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{Rows, follows};
    use crate::Query;
    use crate::language::Language;

    #[test]
    fn pairs_and_rows_count() {
        let rows = Rows::of(&Query::new("a b c", Language::SIMPLE)).unwrap();
        let in_order = |positions: [&[u32]; 3]| rows.in_order(&positions.map(<[u32]>::to_vec));
        assert!(in_order([&[1, 5], &[6], &[7]]) > in_order([&[1, 5], &[6], &[8]]) + 10.0);
        assert!(in_order([&[1], &[2], &[9]]) > in_order([&[1], &[3], &[9]]));
        assert!(rows.in_any_order(&[vec![2], vec![1], vec![]]) > 0.0);
        assert_eq!(rows.in_any_order(&[vec![1], vec![2], vec![3]]), 0.0);
        assert!(Rows::of(&Query::new("a", Language::SIMPLE)).is_none());
    }

    #[test]
    fn positions_are_compared_in_one_walk() {
        for (before, after, expected) in [
            (&[1, 4, 9][..], &[2, 10][..], true),
            (&[3], &[1, 2, 5], false),
            (&[], &[1], false),
            (&[7], &[8], true),
        ] {
            assert_eq!(follows(before, after, 1), expected, "{before:?} {after:?}");
        }
    }
}
