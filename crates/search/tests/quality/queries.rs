//! Queries derived from pages.

use crate::Case;
use crate::material::{Corpus, Random, Text, words};

/// Maximum number of queries of a kind per page.
const EACH: usize = 6;

fn cases<'t>(corpus: &'t Corpus, mut of: impl FnMut(&'t Text) -> Vec<String>) -> Vec<Case> {
    let texts = corpus.texts.iter();
    texts.flat_map(|text| of(text).into_iter().map(|query| Case { query, page: text.id })).collect()
}

pub(crate) fn titles(corpus: &Corpus) -> Vec<Case> {
    // Two pages with the same title can't both be first.
    let is_unique = |text: &Text| corpus.texts.iter().filter(|other| other.title == text.title).count() == 1;
    cases(corpus, |text| if is_unique(text) { vec![text.title.clone()] } else { Vec::new() })
}

pub(crate) fn headings(corpus: &Corpus) -> Vec<Case> {
    let having = |heading: &str| {
        let has =
            |text: &&Text| text.sections.iter().any(|section| section.heading.as_deref() == Some(heading));
        corpus.texts.iter().filter(has).count()
    };
    cases(corpus, |text| {
        let headings = text.sections.iter().filter_map(|section| section.heading.clone());
        headings.filter(|heading| having(heading) <= 3).collect()
    })
}

/// Returns titles whose last word is truncated.
pub(crate) fn prefixes(corpus: &Corpus, random: &mut Random) -> Vec<Case> {
    cases(corpus, |text| {
        let title: Vec<char> = text.title.trim_end_matches(|c: char| !c.is_alphanumeric()).chars().collect();
        let last = title.iter().rev().take_while(|c| c.is_alphanumeric()).count();
        if last < 4 || !title.iter().rev().take(last).all(|c| c.is_ascii_alphabetic() || c.is_lowercase()) {
            return vec![title.iter().collect()];
        }
        let cut = 1 + random.below(last - 3);
        vec![title.iter().take(title.len() - cut).collect()]
    })
}

/// Returns five consecutive words of texts, without the lines that most pages end with.
pub(crate) fn five_words(corpus: &Corpus, random: &mut Random, reordered: bool) -> Vec<Case> {
    let having =
        |line: &str| corpus.texts.iter().filter(|text| text.lines().any(|other| other == line)).count();
    cases(corpus, |text| {
        let lines: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| having(line) <= 3)
            .map(|line| words(line).collect())
            .filter(|words: &Vec<&str>| words.len() >= 5)
            .collect();
        let mut query = || {
            let line = &lines[random.below(lines.len())];
            let start = random.below(line.len() - 4);
            let mut words = line[start..start + 5].to_vec();
            if reordered {
                words.reverse();
                words.swap(0, 2);
            }
            words.join(" ")
        };
        if lines.is_empty() { Vec::new() } else { (0..EACH).map(|_| query()).collect() }
    })
}

/// Returns a word with one letter omitted, doubled, replaced or swapped with the next.
fn with_error(word: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let index = 1 + random.below(letters.len() - 2);
    match random.below(4) {
        0 => drop(letters.remove(index)),
        1 => letters.insert(index, letters[index]),
        2 => letters[index] = if letters[index] == 'x' { 'y' } else { 'x' },
        _ if letters[index] != letters[index + 1] => letters.swap(index, index + 1),
        _ => drop(letters.remove(index)),
    }
    letters.into_iter().collect()
}

/// Returns titles with an error in their longest word.
pub(crate) fn errors_in_titles(corpus: &Corpus, random: &mut Random) -> Vec<Case> {
    cases(corpus, |text| {
        let longest = words(&text.title).max_by_key(|word| word.chars().count()).unwrap_or_default();
        if longest.chars().count() < 6 || !longest.chars().all(char::is_alphabetic) {
            return Vec::new();
        }
        vec![text.title.replace(longest, &with_error(longest, random))]
    })
}

/// Returns words with an error that only one page has.
pub(crate) fn errors_in_texts(corpus: &Corpus, random: &mut Random) -> Vec<Case> {
    let pages = corpus.pages_of_words();
    cases(corpus, |text| {
        let is_rare = |word: &&str| {
            word.chars().count() >= 7
                && word.chars().all(char::is_alphabetic)
                && !word.chars().skip(1).any(char::is_uppercase)
                && pages[&word.to_lowercase()] == 1
        };
        let mut rare: Vec<&str> = text.lines().flat_map(words).filter(is_rare).collect();
        rare.sort_unstable();
        rare.dedup();
        let wrong = |word: &str| with_error(word, random);
        let wrong: Vec<String> = rare.into_iter().take(EACH).map(wrong).collect();
        // The error may produce a word of another page.
        wrong.into_iter().filter(|word| !pages.contains_key(&word.to_lowercase())).collect()
    })
}

fn dense_runs(text: &Text) -> Vec<Vec<char>> {
    let is_dense = |c: char| matches!(c, '\u{4E00}'..='\u{9FFF}');
    let runs = text.lines().flat_map(|line| line.split(move |c: char| !is_dense(c)));
    runs.map(|run| run.chars().collect()).collect()
}

fn consecutive(corpus: &Corpus, random: &mut Random, length: usize) -> Vec<Case> {
    cases(corpus, |text| {
        let runs: Vec<Vec<char>> = dense_runs(text).into_iter().filter(|run| run.len() >= length).collect();
        let mut query = || {
            let run = &runs[random.below(runs.len())];
            let start = random.below(run.len() + 1 - length);
            run[start..start + length].iter().collect()
        };
        if runs.is_empty() { Vec::new() } else { (0..EACH * 2).map(|_| query()).collect() }
    })
}

pub(crate) fn characters(corpus: &Corpus, random: &mut Random) -> Vec<Case> {
    consecutive(corpus, random, 4)
}

pub(crate) fn long_characters(corpus: &Corpus, random: &mut Random) -> Vec<Case> {
    consecutive(corpus, random, 8)
}

/// Returns the long words that are in lower case after their first letter.
fn long_words(text: &Text) -> Vec<&str> {
    let is_long = |word: &&str| {
        word.chars().count() >= 14
            && word.chars().all(char::is_alphabetic)
            && word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().skip(1).all(char::is_lowercase)
    };
    let mut words: Vec<&str> = text.lines().flat_map(words).filter(is_long).collect();
    words.sort_unstable();
    words.dedup();
    words
}

pub(crate) fn compounds(corpus: &Corpus) -> Vec<Case> {
    cases(corpus, |text| long_words(text).into_iter().map(str::to_lowercase).collect())
}

/// Returns the second halves of long words that are not words themselves.
pub(crate) fn ends_of_compounds(corpus: &Corpus) -> Vec<Case> {
    let pages = corpus.pages_of_words();
    cases(corpus, |text| {
        let end = |word: &str| -> String { word.chars().skip(word.chars().count() - 7).collect() };
        let ends = long_words(text).into_iter().map(end);
        // An end that is a word or a prefix of one elsewhere is found there.
        ends.filter(|end| !pages.keys().any(|word| word.starts_with(end.as_str()))).collect()
    })
}

/// Returns words with umlauts in another spelling.
pub(crate) fn umlauts(corpus: &Corpus, spelled_out: bool) -> Vec<Case> {
    cases(corpus, |text| {
        let has =
            |word: &&str| word.chars().count() >= 5 && word.contains(['ä', 'ö', 'ü', 'Ä', 'Ö', 'Ü', 'ß']);
        let mut words: Vec<&str> = text.lines().flat_map(words).filter(has).collect();
        words.sort_unstable();
        words.dedup();
        let spell = |word: &str| {
            let pairs = [("ä", "a"), ("ö", "o"), ("ü", "u")];
            let word = word.to_lowercase().replace('ß', "ss");
            pairs.iter().fold(word, |word, (umlaut, plain)| {
                let spelled = if spelled_out { format!("{plain}e") } else { (*plain).to_owned() };
                word.replace(umlaut, &spelled)
            })
        };
        words.into_iter().map(spell).take(EACH * 2).collect()
    })
}
