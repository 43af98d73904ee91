//! Runs of characters and their folded form.
//!
//! A text is a sequence of runs: words (letters and digits) and dense runs (characters of scripts without spaces).
//! Names such as `C#`, `C++` and `.NET` are words that include their signs. A folded word is in lower case without
//! accents; `ß` is `ss`. A capital inside a word (`camelCase`) starts a new part of it.

use std::iter::Peekable;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// Maximum number of bytes of a folded word; further ones are ignored.
const WORD_BYTES: usize = 100;
/// Maximum number of consecutive parts of a word that also form one word.
const JOINED: usize = 4;
/// Maximum number of parts of a word, or of words of an identifier, for consecutive ones to be joined.
pub(crate) const JOINED_OF: usize = 12;

/// Consecutive letters and digits, or consecutive characters of a script without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run<'t> {
    pub(crate) text: &'t str,
    pub(crate) start: usize,
    pub(crate) is_dense: bool,
    /// Only an underscore, or a dot between letters as in `Node.js`, separates the run from the word before.
    pub(crate) is_joined: bool,
}

/// Iterator over the runs of a text.
pub(crate) struct Runs<'t> {
    text: &'t str,
    at: usize,
    is_after_word: bool,
}

pub(crate) fn runs(text: &str) -> Runs<'_> {
    Runs { text, at: 0, is_after_word: false }
}

/// Reads a dense run or the words of one identifier, such as `snake_case`. Returns whether there was one.
pub(crate) fn read_identifier<'t>(runs: &mut Peekable<Runs<'t>>, identifier: &mut Vec<Run<'t>>) -> bool {
    identifier.clear();
    identifier.extend(runs.next());
    while !identifier.is_empty()
        && identifier.len() < JOINED_OF
        && let Some(run) = runs.next_if(|run| run.is_joined)
    {
        identifier.push(run);
    }
    !identifier.is_empty()
}

/// Returns the consecutive words of an identifier that also form one word, with the position of the first.
pub(crate) fn joined_runs<'r, 't>(identifier: &'r [Run<'t>]) -> impl Iterator<Item = (usize, &'r [Run<'t>])> {
    let whole = (identifier.len() > JOINED).then_some((0, identifier));
    let some = (0..identifier.len()).flat_map(move |at| {
        (2..=JOINED).filter_map(move |length| Some((at, identifier.get(at..at + length)?)))
    });
    some.chain(whole)
}

/// Returns the folded form of words that are joined.
pub(crate) fn fold_joined(runs: &[Run<'_>]) -> String {
    let mut folded = String::new();
    for run in runs {
        fold_into(run.text, &mut folded);
    }
    folded.truncate(folded.floor_char_boundary(WORD_BYTES));
    folded
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    fn next(&mut self) -> Option<Run<'t>> {
        let rest = self.text.get(self.at..)?;
        let skipped = rest.find(|c| class(c) != Class::Other)?;
        let mut start = self.at + skipped;
        let first = class(rest.get(skipped..)?.chars().next()?);
        let is_word = first == Class::Word;
        let is_joined = is_word && self.is_after_word && self.joins(start);
        if is_word && has_leading_dot(self.text.get(..start)?, self.text.get(start..)?) {
            start -= 1;
        }
        let rest = self.text.get(start..)?;
        let length = first_run(rest);
        self.at = start + length;
        self.is_after_word = is_word;
        Some(Run { text: rest.get(..length)?, start, is_dense: first == Class::Dense, is_joined })
    }
}

impl Runs<'_> {
    /// Returns whether the characters between the last word and the next one join them.
    fn joins(&self, start: usize) -> bool {
        match self.text.get(self.at..start) {
            Some("_") => true,
            Some(".") => {
                let bytes = self.text.as_bytes();
                let around = [self.at.checked_sub(1), Some(start)];
                around
                    .into_iter()
                    .all(|at| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic))
            }
            _ => false,
        }
    }
}

/// Returns whether a word includes the dot before it, such as `.NET` and `.env`.
fn has_leading_dot(before: &str, word: &str) -> bool {
    let Some(before) = before.strip_suffix('.') else { return false };
    let is_free = before.chars().next_back().is_none_or(|c| {
        c.is_whitespace() || matches!(c, '(' | '[' | '{' | '"' | '\'' | '`' | '«' | '“' | '‘' | '/' | '*')
    });
    is_free && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns the length in bytes of the run at the beginning of a text.
pub(crate) fn first_run(text: &str) -> usize {
    let dot = usize::from(text.starts_with('.'));
    let word = text.get(dot..).unwrap_or_default();
    let Some(first) = word.chars().next().map(class) else { return 0 };
    let end = word.find(|c| class(c) != first).unwrap_or(word.len());
    let (letters, rest) = word.split_at_checked(end).unwrap_or((word, ""));
    let is_name = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    dot + end + if is_name { trailing_signs(rest) } else { 0 }
}

/// Returns the length of the signs at the end of a name such as `C#` and `C++`, which a number may follow (`C++20`).
fn trailing_signs(rest: &str) -> usize {
    let (length, is_end): (usize, fn(char) -> bool) = if rest.starts_with("++") {
        (2, |c| c != '+' && (c.is_ascii_digit() || class(c) == Class::Other))
    } else if rest.starts_with('#') {
        (1, |c| c != '#' && class(c) == Class::Other)
    } else {
        return 0;
    };
    let next = rest.get(length..).and_then(|rest| rest.chars().next());
    if next.is_none_or(is_end) { length } else { 0 }
}

/// Returns a folded word without its signs; `None` if it has none or if they are significant, as in `c#`. `.env` and
/// `notepad++` also match without their signs.
pub(crate) fn without_signs(folded: &str) -> Option<&str> {
    let bare = folded.strip_prefix('.').unwrap_or(folded).trim_end_matches(['#', '+']);
    (bare.len() < folded.len() && bare.len() > 1).then_some(bare)
}

/// Returns whether a text has no runs.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| class(c) == Class::Other)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Dense,
    Other,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Word } else { Class::Other };
    }
    if is_dense(c) {
        Class::Dense
    } else if c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '\u{900}'..='\u{DFF}') {
        Class::Word
    } else {
        Class::Other
    }
}

/// Returns whether a character belongs to a script without spaces between words.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3134F}' | '\u{FF66}'..='\u{FF9F}')
        && (c.is_alphanumeric() || is_combining_mark(c) || !matches!(c, '\u{3040}'..='\u{30FF}'))
}

/// Returns whether a character is a mark that folding removes: accents, harakat, niqqud, nukta. Vowel signs that are
/// letters of their script, and the virama (class 9), are kept.
fn is_mark(c: char) -> bool {
    // The Arabic kashida only stretches a word.
    !matches!(canonical_combining_class(c), 0 | 8 | 9) || matches!(c, '\u{640}' | '\u{300}'..='\u{36F}')
}

/// Returns the characters of a dense run in normalized form (NFKC), such as half-width katakana in full width.
pub(crate) fn dense_chars(run: &str) -> impl Iterator<Item = char> {
    run.nfkc()
}

/// Appends the folded form of a word.
pub(crate) fn fold_into(word: &str, folded: &mut String) {
    let start = folded.len();
    if word.is_ascii() {
        folded.push_str(word);
        if let Some(added) = folded.get_mut(start..) {
            added.make_ascii_lowercase();
        }
    } else {
        for c in word.nfkd().filter(|c| !is_mark(*c)).flat_map(char::to_lowercase) {
            match plain(c) {
                Some(letters) => folded.push_str(letters),
                None if is_mark(c) => {}
                None => folded.push(c),
            }
        }
    }
    if folded.len() - start > WORD_BYTES {
        folded.truncate(folded.floor_char_boundary(start + WORD_BYTES));
    }
}

/// Returns the folded form of a word.
pub(crate) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    fold_into(word, &mut folded);
    folded
}

/// Returns the ASCII form of a letter that has no decomposition.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'þ' => "th",
        'ı' => "i",
        _ => return None,
    })
}

/// Returns the folded form of a word with its umlauts as two letters; `None` if it has none.
pub(crate) fn fold_umlauts(word: &str) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    let mut spelled = String::with_capacity(word.len() + 4);
    let mut found = false;
    for c in word.nfc().flat_map(char::to_lowercase) {
        let letters = match c {
            'ä' => "ae",
            'ö' => "oe",
            'ü' => "ue",
            _ => {
                spelled.push(c);
                continue;
            }
        };
        found = true;
        spelled.push_str(letters);
    }
    found.then(|| fold(&spelled))
}

/// Returns the ranges of the parts of a word, which begin with capitals; empty if the word has only one part.
pub(crate) fn parts(word: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    if !word.chars().skip(1).any(char::is_uppercase) {
        return parts;
    }
    let mut start = 0;
    let mut chars = word.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let begins = c.is_uppercase() && before.is_some_and(|before| !before.is_uppercase() || next_is_lower);
        // The dot of `.NET` does not end a part.
        if begins && before != Some('.') {
            parts.push(start..at);
            start = at;
        }
        before = Some(c);
    }
    if parts.is_empty() {
        return parts;
    }
    parts.push(start..word.len());
    parts
}

/// Returns the ranges of consecutive parts that also form words, such as `UserName` in `getUserName`, each with the
/// index of its first part. Parts are not joined if there are more than [`JOINED_OF`].
pub(crate) fn joined(parts: &[Range<usize>]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let parts = if parts.len() <= JOINED_OF { parts } else { &[] };
    let count = parts.len();
    parts.iter().enumerate().flat_map(move |(at, first)| {
        let last = parts.iter().skip(at + 1).take(JOINED - 1);
        last.zip(2..)
            .filter(move |(_, length)| *length < count)
            .map(move |(last, _)| (at, first.start..last.end))
    })
}

#[cfg(test)]
mod tests {
    use super::{fold, fold_joined, fold_umlauts, joined, joined_runs, parts, read_identifier, runs};

    fn texts(text: &str) -> Vec<&str> {
        runs(text).map(|run| run.text).collect()
    }

    #[test]
    fn runs_are_words_and_dense_texts() {
        assert_eq!(texts("Use snake_case, a.b.c!"), ["Use", "snake", "case", "a", "b", "c"]);
        assert_eq!(texts("使用Rust安装。好"), ["使用", "Rust", "安装", "好"]);
        assert_eq!(texts("サーバー・これ"), ["サーバー", "これ"]);
        assert_eq!(texts("การติดตั้ง"), ["การติดตั้ง"]);
        assert_eq!(texts("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(texts("... — ...").len(), 0);
        assert_eq!(
            texts("C#, F# and C++ or C++20 (.NET)"),
            ["C#", "F#", "and", "C++", "or", "C++", "20", ".NET"]
        );
        assert_eq!(
            texts("a.md#b #42 1++ i+++ ...x ASP.NET end.Next ##"),
            ["a", "md", "b", "42", "1", "i", "x", "ASP", "NET", "end", "Next"]
        );
        assert_eq!(texts("ｶﾞｲﾄﾞ か\u{3099}く"), ["ｶﾞｲﾄﾞ", "か\u{3099}く"]);
    }

    #[test]
    fn underscores_join_words() {
        let joined = |text: &'static str| -> Vec<(usize, String)> {
            let (mut runs, mut identifier) = (runs(text).peekable(), Vec::new());
            let mut joined = Vec::new();
            while read_identifier(&mut runs, &mut identifier) {
                joined.extend(joined_runs(&identifier).map(|(at, runs)| (at, fold_joined(runs))));
            }
            joined
        };
        let owned = |words: &[(usize, &str)]| -> Vec<(usize, String)> {
            words.iter().map(|(at, word)| (*at, (*word).to_owned())).collect()
        };
        assert_eq!(joined("_user_Name, a-b"), owned(&[(0, "username")]));
        assert_eq!(joined("a_b_c"), owned(&[(0, "ab"), (0, "abc"), (1, "bc")]));
        assert_eq!(joined("a_b_c_d_e").last(), owned(&[(0, "abcde")]).first());
        assert_eq!(joined("a__b 安_c a_安 1.22 C.1 a..b"), []);
        assert_eq!(joined("Node.js"), owned(&[(0, "nodejs")]));
    }

    #[test]
    fn folded_words_have_no_case_accents_or_ligatures() {
        for (word, folded) in [
            ("Crème", "creme"),
            ("cre\u{300}me", "creme"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("Łódź", "lodz"),
            ("Ⅷ", "viii"),
            ("ｗｉｄｅ", "wide"),
            ("İstanbul", "istanbul"),
            ("\u{301}", ""),
            ("مُحَمَّد", "محمد"),
            ("מַלְכּוּת", "מלכות"),
            ("ज़रूर", "जरूर"),
            ("हिन्दी", "हिन्दी"),
            (".NET", ".net"),
        ] {
            assert_eq!(fold(word), folded, "{word}");
        }
        assert_eq!(fold_umlauts("Übergröße").as_deref(), Some("uebergroesse"));
        assert_eq!(fold_umlauts("u\u{308}ber").as_deref(), Some("ueber"));
        assert_eq!(fold_umlauts("Straße"), None);
    }

    #[test]
    fn capitals_begin_parts() {
        let texts =
            |word: &'static str| -> Vec<&str> { parts(word).into_iter().map(|range| &word[range]).collect() };
        assert_eq!(texts("camelCase"), ["camel", "Case"]);
        assert_eq!(texts("HTTPServer2Go"), ["HTTP", "Server2", "Go"]);
        assert_eq!(texts("Plain"), Vec::<&str>::new());
        assert_eq!(texts(".NET"), Vec::<&str>::new());
        assert_eq!(texts("CONSTANT"), Vec::<&str>::new());
    }
    #[test]
    fn consecutive_parts_are_words_of_their_own() {
        let texts = |word: &'static str| -> Vec<(usize, &str)> {
            joined(&parts(word)).map(|(at, range)| (at, &word[range])).collect()
        };
        assert_eq!(texts("getUserName"), [(0, "getUser"), (1, "UserName")]);
        assert_eq!(
            texts("aBcDeFgHi"),
            [
                (0, "aBc"),
                (0, "aBcDe"),
                (0, "aBcDeFg"),
                (1, "BcDe"),
                (1, "BcDeFg"),
                (1, "BcDeFgHi"),
                (2, "DeFg"),
                (2, "DeFgHi"),
                (3, "FgHi"),
            ]
        );
        assert_eq!(texts("userName"), []);
        assert_eq!(texts("aBaBaBaBaBaBaBaBaBaBaBaBaBa"), []);
    }
}
