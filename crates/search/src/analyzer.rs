//! Tokens of indexed texts.
//!
//! Tokens of a word, all at its position: the word, its spelling without umlauts, and its stem. A word with parts that
//! begin with capitals is one token, and its parts are tokens at consecutive positions. Consecutive parts also form
//! joined tokens at the position of the first part, and so do words joined by underscores. In a dense run, each
//! character and each pair of consecutive characters is a token.

use std::iter::Peekable;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::language::Language;
use crate::text::{
    JOINED_OF, Run, Runs, dense_chars, fold, fold_into, fold_joined, fold_umlauts, joined, joined_runs,
    parts, read_identifier, runs, without_signs,
};

/// Prefix that distinguishes stems from words in one field.
pub(crate) const STEM: char = '\u{1}';

/// Returns the term of a stem.
pub(crate) fn stem_term(stem: &str) -> String {
    let mut term = String::with_capacity(stem.len() + 1);
    term.push(STEM);
    term.push_str(stem);
    term
}

/// Tokenizer of texts that begin with the mark of their language.
#[derive(Clone, Default)]
pub(crate) struct Analyzer {
    tokens: Tokens,
}

impl Tokenizer for Analyzer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        let (language, text) = Language::split_mark(text);
        self.tokens.clear();
        let runs = runs(text).peekable();
        Stream { tokens: &mut self.tokens, runs, identifier: Vec::new(), language, position: 0 }
    }
}

pub(crate) struct Stream<'a> {
    tokens: &'a mut Tokens,
    runs: Peekable<Runs<'a>>,
    identifier: Vec<Run<'a>>,
    language: Language,
    position: usize,
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        while !self.tokens.advance() {
            self.tokens.clear();
            if !read_identifier(&mut self.runs, &mut self.identifier) {
                return false;
            }
            self.position = match self.identifier.as_slice() {
                [run] if run.is_dense => self.tokens.push_dense(run.text, self.position),
                words => self.tokens.push_identifier(words, self.position, self.language),
            };
        }
        true
    }

    fn token(&self) -> &Token {
        &self.tokens.current
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens.current
    }
}

/// Tokens of one run. The strings are reused for the next run.
#[derive(Clone, Default)]
struct Tokens {
    texts: Vec<(String, usize)>,
    used: usize,
    read: usize,
    current: Token,
}

impl Tokens {
    fn clear(&mut self) {
        self.used = 0;
        self.read = 0;
    }

    fn advance(&mut self) -> bool {
        if self.read >= self.used {
            return false;
        }
        let Some((text, position)) = self.texts.get_mut(self.read) else { return false };
        self.read += 1;
        std::mem::swap(&mut self.current.text, text);
        self.current.position = *position;
        true
    }

    /// Adds the token that `write` produces, unless it is empty.
    fn push(&mut self, position: usize, write: impl FnOnce(&mut String)) {
        if self.used == self.texts.len() {
            self.texts.push((String::new(), 0));
        }
        let Some((text, at)) = self.texts.get_mut(self.used) else { return };
        text.clear();
        write(text);
        *at = position;
        self.used += usize::from(!text.is_empty());
    }

    fn push_dense(&mut self, run: &str, mut position: usize) -> usize {
        let mut chars = dense_chars(run).peekable();
        while let Some(first) = chars.next() {
            self.push(position, |text| text.push(first));
            if let Some(second) = chars.peek() {
                self.push(position, |text| text.extend([first, *second]));
            }
            position += 1;
        }
        position
    }

    fn push_identifier(&mut self, words: &[Run<'_>], start: usize, language: Language) -> usize {
        let mut position = start;
        let mut positions = [start; JOINED_OF];
        for (word, at) in words.iter().zip(&mut positions) {
            *at = position;
            position = self.push_word(word.text, position, language);
        }
        for (at, joined) in joined_runs(words) {
            let at = positions.get(at).copied().unwrap_or(start);
            self.push(at, |text| text.push_str(&fold_joined(joined)));
            self.push_stem(at, language);
        }
        // The index requires the positions of a word in ascending order.
        if let Some(tokens) = self.texts.get_mut(..self.used) {
            tokens.sort_by_key(|(_, position)| *position);
        }
        position
    }

    fn push_word(&mut self, word: &str, position: usize, language: Language) -> usize {
        self.push_forms(word, position, language);
        let parts = parts(word);
        for (offset, part) in parts.iter().enumerate() {
            if let Some(part) = word.get(part.clone()) {
                self.push_forms(part, position + offset, language);
            }
        }
        for (offset, range) in joined(&parts) {
            if let Some(joined) = word.get(range) {
                self.push_forms(joined, position + offset, language);
            }
        }
        position + parts.len().max(1)
    }

    fn push_forms(&mut self, word: &str, position: usize, language: Language) {
        self.push(position, |text| fold_into(word, text));
        self.push_stem(position, language);
        if word.starts_with('.') || word.ends_with(['#', '+']) {
            let folded = fold(word);
            if let Some(bare) = without_signs(&folded) {
                self.push(position, |text| text.push_str(bare));
                self.push_stem(position, language);
            }
        }
        if let Some(spelled) = fold_umlauts(word) {
            self.push(position, |text| text.push_str(&spelled));
            self.push_stem(position, language);
        }
    }

    /// Adds the stem of the last token.
    fn push_stem(&mut self, position: usize, language: Language) {
        let Some((word, _)) = self.used.checked_sub(1).and_then(|last| self.texts.get(last)) else { return };
        let Some(stem) = language.stem(word) else { return };
        let term = stem_term(&stem);
        self.push(position, |text| text.push_str(&term));
    }
}

#[cfg(test)]
mod tests {
    use tantivy::tokenizer::{TokenStream as _, Tokenizer as _};

    use super::Analyzer;
    use crate::language::Language;

    fn tokens(language: &str, text: &str) -> Vec<String> {
        let text = format!("{}{text}", Language::from_name(language).unwrap().mark());
        let mut analyzer = Analyzer::default();
        let mut stream = analyzer.token_stream(&text);
        let mut tokens = Vec::new();
        while stream.advance() {
            tokens.push(format!("{}{}", stream.token().position, stream.token().text.replace('\u{1}', "~")));
        }
        tokens
    }

    #[test]
    fn forms_of_a_word_share_its_position() {
        assert_eq!(tokens("simple", "Über uns"), ["0uber", "0ueber", "1uns"]);
        assert_eq!(tokens("english", "painting houses2"), ["0painting", "0~paint", "1houses2"]);
        assert_eq!(
            tokens("simple", "getUserName x"),
            ["0getusername", "0get", "0getuser", "1user", "1username", "2name", "3x"]
        );
        assert_eq!(
            tokens("simple", "user_name_userName x"),
            [
                "0user",
                "0username",
                "0usernameusername",
                "1name",
                "1nameusername",
                "2username",
                "2user",
                "3name",
                "4x"
            ]
        );
        assert_eq!(
            tokens("english", "user_names"),
            ["0user", "0~user", "0usernames", "0~usernam", "1names", "1~name"]
        );
        assert_eq!(tokens("simple", "数据库 a"), ["0数", "0数据", "1据", "1据库", "2库", "3a"]);
        assert_eq!(tokens("simple", "\u{301} a"), ["1a"]);
        assert_eq!(tokens("simple", ".NET C# Notepad++"), ["0.net", "0net", "1c#", "2notepad++", "2notepad"]);
        assert_eq!(tokens("simple", "ｶﾞ"), ["0ガ"]);
    }
}
