//! Languages for stemming.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

/// Language for stemming: a Snowball stemmer, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Language(Option<Algorithm>);

/// Name of the language without a stemmer.
const SIMPLE: &str = "simple";
/// First of the private-use characters that mark the language at the beginning of an indexed text.
const FIRST_MARK: u32 = 0xE000;

impl Language {
    /// No stemming: words only match themselves.
    pub const SIMPLE: Self = Self(None);

    /// Returns the language with this name, such as `english`, or `simple` for no stemming.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == SIMPLE {
            return Some(Self::SIMPLE);
        }
        Algorithm::all().iter().find(|algorithm| algorithm.name() == name).map(|found| Self(Some(*found)))
    }

    /// Returns the name of the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.map_or(SIMPLE, Algorithm::name)
    }

    /// Returns the stem of a folded word; `None` if the language has no stemmer or the word contains other characters
    /// than letters.
    pub(crate) fn stem(self, word: &str) -> Option<Cow<'_, str>> {
        let stemmer = Stemmer::new(self.0?);
        word.chars().all(char::is_alphabetic).then(|| stemmer.stem(word))
    }

    /// Returns the number of the language in the index.
    pub(crate) fn code(self) -> u64 {
        let index = |algorithm| Algorithm::all().iter().position(|other| *other == algorithm);
        self.0.and_then(index).map_or(0, |index| u64::try_from(index).unwrap_or(0) + 1)
    }

    /// Returns the language with this number in the index.
    pub(crate) fn from_code(code: u64) -> Option<Self> {
        let Some(index) = code.checked_sub(1) else { return Some(Self::SIMPLE) };
        Algorithm::all().get(usize::try_from(index).ok()?).map(|algorithm| Self(Some(*algorithm)))
    }

    /// Returns the character that marks the language at the beginning of an indexed text.
    pub(crate) fn mark(self) -> char {
        let code = u32::try_from(self.code()).unwrap_or(0);
        char::from_u32(FIRST_MARK + code).unwrap_or('\u{E000}')
    }

    /// Splits an indexed text into its language and the text after the mark.
    pub(crate) fn split_mark(text: &str) -> (Self, &str) {
        let mut chars = text.chars();
        let code = chars.next().and_then(|mark| u32::from(mark).checked_sub(FIRST_MARK));
        let language = code.and_then(|code| Self::from_code(u64::from(code)));
        language.map_or((Self::SIMPLE, text), |language| (language, chars.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn a_language_survives_its_name_code_and_mark() {
        for name in ["simple", "english", "german", "yiddish"] {
            let language = Language::from_name(name).unwrap();
            assert_eq!(language.name(), name);
            assert_eq!(Language::from_code(language.code()), Some(language));
            let text = format!("{}text", language.mark());
            assert_eq!(Language::split_mark(&text), (language, "text"));
        }
        assert_eq!(Language::from_name("klingon"), None);
        assert_eq!(Language::from_code(999), None);
    }

    #[test]
    fn only_words_of_letters_are_stemmed() {
        let english = Language::from_name("english").unwrap();
        assert_eq!(english.stem("painting").as_deref(), Some("paint"));
        assert_eq!(english.stem("utf8"), None);
        assert_eq!(Language::SIMPLE.stem("painting"), None);
    }
}
