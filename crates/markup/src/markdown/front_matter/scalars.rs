//! Writing of YAML strings.

use serde_json::Value;

/// Characters that cannot begin a plain scalar, or that some readers interpret differently.
const SPECIAL: [char; 21] = [
    '#', '&', '*', '!', '|', '>', '%', '@', '`', '{', '}', '[', ']', ',', '?', '"', '\'', '-', ':', '=', '<',
];

/// No-break space, which GitBook writes as an escape.
const NO_BREAK: char = '\u{a0}';

/// Writes a string as a plain scalar if every reader reads it as the same string, otherwise quoted.
pub(super) fn scalar(value: &str) -> String {
    let is_plain = !value.is_empty()
        && value.trim() == value
        && !value.starts_with(SPECIAL)
        && !value.ends_with(':')
        && !value.contains(" #")
        && !value.contains(": ")
        && !value.contains(|c: char| needs_escape(c) || c == NO_BREAK)
        && !is_other(value);
    if is_plain { value.to_owned() } else { quoted(value) }
}

/// Maximum number of characters of a line of a folded scalar, as in GitBook.
const FOLDED: usize = 78;

/// Maximum number of characters of a text that is not folded.
const UNFOLDED: usize = 78;

/// Writes a text, folded if it is longer than a line.
pub(super) fn folded(value: &str) -> String {
    let width = |text: &str| text.encode_utf16().count();
    let is_foldable = width(value) > UNFOLDED
        && value.contains(' ')
        && value.trim() == value
        && !value.contains(needs_escape)
        && !value.contains(|c: char| c.is_whitespace() && c != ' ');
    if !is_foldable {
        return scalar(value);
    }
    // A line ends after the last of several spaces, so that no line begins with one.
    let mut lines: Vec<String> = Vec::new();
    let mut words = value.split_inclusive(' ').peekable();
    while let Some(word) = words.next() {
        let mut word = word.strip_suffix(' ').unwrap_or(word).to_owned();
        while words.next_if(|next| *next == " ").is_some() {
            word.push(' ');
        }
        match lines.last_mut().filter(|line| width(line) + 1 + width(&word) <= FOLDED) {
            Some(line) => {
                line.push(' ');
                line.push_str(&word);
            }
            None => lines.push(word),
        }
    }
    format!(">-\n  {}", lines.join("\n  "))
}

/// Returns whether a character must be escaped in a scalar: controls, line breaks and byte order marks.
fn needs_escape(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns whether the core schema of YAML 1.2 or YAML 1.1 reads a plain scalar as null, a boolean or a number.
fn is_other(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let words = ["null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", ".", "..."];
    let digits = lower.trim_start_matches(['+', '-', '.']);
    words.contains(&lower.as_str())
        || matches!(digits, "inf" | "nan" | "infinity")
        || digits.starts_with(|c: char| c.is_ascii_digit())
            && digits
                .chars()
                .all(|c| c.is_ascii_hexdigit() || matches!(c, '.' | '_' | '+' | '-' | 'x' | 'o' | ':'))
}

/// Writes a double-quoted scalar. YAML accepts JSON's escapes and requires some additional ones.
fn quoted(value: &str) -> String {
    let mut out = String::new();
    for character in Value::from(value).to_string().chars() {
        match character {
            NO_BREAK => out.push_str("\\_"),
            _ if needs_escape(character) => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out
}
