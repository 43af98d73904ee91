//! Deterministic Markdown pages like those of technical documentation: headings, paragraphs, links, lists, code, quotes
//! and tables.

mod words;

pub(crate) use words::Random;
use words::{NOUNS, SYLLABLES, VERBS, WORDS};

/// The number of pages that share a rare word.
pub(crate) const PAGES_PER_RARE_WORD: usize = 3;

/// The title of a page.
pub(crate) fn title(number: usize) -> String {
    let mut random = Random::new(number);
    format!("{} {} {number}", random.pick(&VERBS), random.pick(&NOUNS))
}

/// A word that only [`PAGES_PER_RARE_WORD`] consecutive pages contain.
pub(crate) fn rare_word(number: usize) -> String {
    let mut rest = number / PAGES_PER_RARE_WORD;
    let mut word = "x".to_owned();
    for _ in 0..4 {
        word.push_str(SYLLABLES.get(rest % SYLLABLES.len()).copied().unwrap_or_default());
        rest /= SYLLABLES.len();
    }
    word
}

/// A page of at least `bytes` bytes and at most about 1 kB more. Each of its sections links to one of `targets`.
pub(crate) fn page(number: usize, bytes: usize, targets: &[String]) -> String {
    let mut random = Random::new(number);
    let mut text = format!("# {}\n\n{}", title(number), body(number, 0, &mut random, targets));
    let mut section = 0;
    while text.len() < bytes {
        section += 1;
        text.push_str(&body(number, section, &mut random, targets));
    }
    text
}

fn body(number: usize, section: usize, random: &mut Random, targets: &[String]) -> String {
    let paragraph = paragraph(number, random, targets);
    if section == 0 {
        return paragraph;
    }
    let level = if section.is_multiple_of(3) { "###" } else { "##" };
    let heading = format!("{level} {} {}", random.pick(&VERBS), random.words(2, 4));
    let detail = match section % 5 {
        1 => list(random, "-"),
        2 => code(random),
        3 => list(random, "1."),
        4 => table(random),
        _ => format!("> **{}** {}\n\n", random.pick(&NOUNS), random.sentence()),
    };
    format!("{heading}\n\n{paragraph}{detail}")
}

fn paragraph(number: usize, random: &mut Random, targets: &[String]) -> String {
    let link = match targets.get(random.below(targets.len())) {
        Some(target) => format!("See [{} {}]({target}).", random.pick(&VERBS), random.pick(&NOUNS)),
        None => String::new(),
    };
    let (first, second, third) = (random.sentence(), random.sentence(), random.sentence());
    format!(
        "{first} Set `{}_{}` and *{}* for {}. {second} {link} {third}\n\n",
        random.word(),
        random.word(),
        random.words(1, 3),
        rare_word(number)
    )
}

fn list(random: &mut Random, marker: &str) -> String {
    let items: String =
        (0..3 + random.below(3)).map(|_| format!("{marker} {}\n", random.words(4, 9))).collect();
    format!("{items}\n")
}

fn code(random: &mut Random) -> String {
    let lines: String = (0..3 + random.below(4))
        .map(|_| format!("quire {} --{}={}\n", random.word(), random.word(), random.below(1_000)))
        .collect();
    format!("```sh\n{lines}```\n\n")
}

fn table(random: &mut Random) -> String {
    let mut rows = "| Option | Default | Meaning |\n|---|---|---|\n".to_owned();
    for _ in 0..3 {
        rows.push_str(&format!("| `{}` | {} | {} |\n", random.word(), random.below(100), random.words(3, 6)));
    }
    rows + "\n"
}

/// A search query of two frequent words.
pub(crate) fn common_query(number: usize) -> String {
    // Without the first ten, which are stop words of English.
    let pick = |offset: usize| WORDS.get(10 + offset % 20).copied().unwrap_or_default();
    format!("{}%20{}", pick(number), pick(number / 20 + number + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_give_equal_pages_and_other_numbers_others() {
        assert_eq!(page(7, 4_000, &[]), page(7, 4_000, &[]));
        assert_ne!(page(7, 4_000, &[]), page(8, 4_000, &[]));
    }

    #[test]
    fn sizes_are_in_range() {
        let targets = ["other.md".to_owned()];
        for (bytes, numbers) in [(4_000, 0..500), (40_000, 0..20)] {
            for number in numbers {
                let length = page(number, bytes, &targets).len();
                assert!((bytes..bytes + 1_200).contains(&length), "{number}: {length}");
            }
        }
    }

    #[test]
    fn pages_of_words_have_two_thousand() {
        for number in 0..200 {
            let words = page(number, crate::fixture::WORDS_BYTES, &[]).split_whitespace().count();
            assert!((2_000..2_800).contains(&words), "{number}: {words}");
        }
    }

    #[test]
    fn a_page_has_headings_links_lists_code_and_a_table() {
        let page = page(3, 4_000, &["other.md".to_owned()]);
        for part in ["# ", "\n## ", "\n### ", "](other.md)", "\n- ", "\n1. ", "```sh\n", "\n|---|", "\n> "] {
            assert!(page.contains(part), "{part:?} in {page}");
        }
    }

    #[test]
    fn rare_words_name_three_pages_each() {
        assert_eq!(rare_word(0), rare_word(2));
        let words: std::collections::BTreeSet<_> = (0..10_000).map(rare_word).collect();
        assert_eq!(words.len(), 3_334);
    }

    #[test]
    fn common_queries_differ() {
        let queries: std::collections::BTreeSet<_> = (0..200).map(common_query).collect();
        assert!(queries.len() >= 150, "{}", queries.len());
    }
}
