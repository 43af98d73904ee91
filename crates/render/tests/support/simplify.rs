//! Simplification of the regular expressions of grammars, to save memory.

/// Class of the letters and digits of identifiers: ASCII letters, and all non-ASCII characters.
const LETTERS: &str = r"a-zA-Z\x{80}-\x{10FFFF}";

/// ASCII white space. Programs have other white space only in strings and comments.
const SPACES: &str = r"\t-\r\x20";

/// Returns an expression whose classes of letters, digits and white space are small.
///
/// A class such as `\p{L}` has some 700 ranges, each of which becomes states of an automaton, in each of the hundreds
/// of expressions of a grammar. The small class has the ASCII letters and one range of all other characters. The
/// additional characters, such as quotation marks, occur in programs only in strings and comments.
pub(crate) fn with_small_classes(expression: &str) -> String {
    let mut simple = String::with_capacity(expression.len());
    let mut depth: usize = 0;
    let mut rest = expression;
    while let Some(char) = rest.chars().next() {
        let (part, after) = match char {
            '\\' => escape(rest),
            _ => rest.split_at(char.len_utf8()),
        };
        rest = after;
        match (class(part), depth) {
            (Some(class), 0) => simple.push_str(&format!("[{class}]")),
            (Some(class), _) if !class.starts_with('^') => simple.push_str(&class),
            _ => simple.push_str(part),
        }
        match char {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    simple
}

/// Splits an expression after its leading escape.
fn escape(expression: &str) -> (&str, &str) {
    let name = expression.chars().nth(1).map_or(1, |name| 1 + name.len_utf8());
    let has_braces = matches!(expression.get(..3), Some(r"\p{" | r"\P{"));
    let end = if has_braces { expression.find('}').map_or(name, |end| end + 1) } else { name };
    expression.split_at(end)
}

/// Returns the content of the small class for an escape. A negated class inside a class is not replaced.
fn class(escape: &str) -> Option<String> {
    Some(match escape {
        r"\w" => format!("{LETTERS}0-9_"),
        r"\W" => format!("^{LETTERS}0-9_"),
        r"\d" | r"\p{N}" | r"\p{Nd}" => "0-9".to_owned(),
        r"\s" => SPACES.to_owned(),
        r"\S" => format!("^{SPACES}"),
        r"\p{L}" => LETTERS.to_owned(),
        r"\p{Ll}" => r"a-z\x{80}-\x{10FFFF}".to_owned(),
        r"\p{Lu}" => "A-Z".to_owned(),
        r"\p{Mn}" | r"\p{Mc}" | r"\p{Nl}" => r"\x{80}-\x{10FFFF}".to_owned(),
        r"\p{Pc}" => "_".to_owned(),
        _ => return None,
    })
}
