//! Placeholders in the text of a statement.

/// Maximum number of a placeholder.
const MOST: usize = 64;

/// Part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Text without placeholders.
    Text(&'a str),
    /// First occurrence of the value with this number.
    First(usize),
    /// Further occurrence of a value, with its position among all values in the order of their first occurrence, from
    /// 1.
    Again(usize),
    /// Columns of a record, of the table or view with this name.
    Columns(&'a str),
    /// `$` that starts none of these.
    Invalid,
}

/// Values that have occurred so far.
#[derive(Debug)]
pub(super) struct Placeholders {
    /// Position of the value with each number; 0 if it has not occurred.
    positions: [u8; MOST],
    mentioned: u8,
}

impl Default for Placeholders {
    fn default() -> Self {
        Self { positions: [0; MOST], mentioned: 0 }
    }
}

impl Placeholders {
    /// Calls `each` with the parts of a text, until a call fails. Comment lines before the statement are left out.
    pub(super) fn parts<'a, E>(
        &mut self,
        text: &'a str,
        mut each: impl FnMut(Part<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = without_comment(text);
        while let Some((before, after)) = rest.split_once('$') {
            each(Part::Text(before))?;
            if let Some((of, tail)) = after.strip_prefix("columns(").and_then(|tail| tail.split_once(')')) {
                each(Part::Columns(of))?;
                rest = tail;
                continue;
            }
            let tail = after.trim_start_matches(|c: char| c.is_ascii_digit());
            let (number, tail) = after.split_at(after.len() - tail.len());
            each(self.mention(number))?;
            rest = tail;
        }
        each(Part::Text(rest))
    }

    fn mention(&mut self, number: &str) -> Part<'static> {
        let Some(number) = number.parse().ok().filter(|number| *number > 0) else { return Part::Invalid };
        let Some(position) = self.positions.get_mut(number - 1) else { return Part::Invalid };
        if *position > 0 {
            return Part::Again(usize::from(*position));
        }
        self.mentioned += 1;
        *position = self.mentioned;
        Part::First(number)
    }
}

/// Returns the text after its leading comment lines.
fn without_comment(mut text: &str) -> &str {
    while text.starts_with("--") {
        text = text.split_once('\n').map_or("", |(_, rest)| rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Part, Placeholders};

    fn parts(text: &str) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        let pushed = Placeholders::default().parts(text, |part| {
            parts.push(part);
            Ok::<_, ()>(())
        });
        pushed.unwrap();
        parts
    }

    #[test]
    fn values_are_sent_once_in_the_order_of_their_first_mention() {
        assert_eq!(
            parts("-- $9 is not sent.\n$12 + $2 - $12"),
            [
                Part::Text(""),
                Part::First(12),
                Part::Text(" + "),
                Part::First(2),
                Part::Text(" - "),
                Part::Again(1),
                Part::Text(""),
            ]
        );
    }

    #[test]
    fn columns_are_those_of_a_table() {
        assert_eq!(
            parts("SELECT $columns(s) FROM"),
            [Part::Text("SELECT "), Part::Columns("s"), Part::Text(" FROM")]
        );
    }

    #[test]
    fn a_placeholder_without_a_number_is_invalid() {
        for text in ["$", "$x", "$0", "$65", "$columns", "$columns(s"] {
            assert_eq!(parts(text).get(1), Some(&Part::Invalid), "{text}");
        }
    }
}
