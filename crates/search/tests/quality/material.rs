//! Documentation to search.

use std::collections::HashMap;
use std::path::Path;

use quire_domain::ids::{PageId, SpaceId};
use quire_search::{Context, Index, Language, Options, Page, Scope, Section};
use uuid::Uuid;

pub(crate) struct Corpus {
    pub(crate) name: &'static str,
    pub(crate) language: Language,
    pub(crate) is_dense: bool,
    pub(crate) texts: Vec<Text>,
    pub(crate) index: Index,
    space: SpaceId,
}

pub(crate) struct Text {
    pub(crate) id: PageId,
    pub(crate) title: String,
    pub(crate) sections: Vec<quire_markup::Section>,
}

impl Corpus {
    fn open(name: &'static str, language: &str, is_dense: bool, folders: &[&str]) -> Self {
        let texts: Vec<Text> = folders.iter().flat_map(|folder| read(folder)).collect();
        let language = Language::from_name(language).unwrap();
        let space = SpaceId::from_uuid(Uuid::from_u128(1));
        let index = Index::open(Options::default()).unwrap();
        let pages: Vec<Page<'_>> = texts.iter().map(Text::page).collect();
        let mut update = index.update().unwrap();
        update.add(space, language, &pages).unwrap();
        update.commit().unwrap();
        Self { name, language, is_dense, texts, index, space }
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope { space: self.space, overlay: None }
    }

    /// Returns the number of pages that have each word.
    pub(crate) fn pages_of_words(&self) -> HashMap<String, usize> {
        let mut pages = HashMap::new();
        for text in &self.texts {
            let words: std::collections::HashSet<String> =
                text.lines().flat_map(words).map(str::to_lowercase).collect();
            for word in words {
                *pages.entry(word).or_insert(0) += 1;
            }
        }
        pages
    }
}

impl Text {
    fn page(&self) -> Page<'_> {
        let sections = self.sections.iter();
        let sections = sections.map(|section| Section {
            anchor: section.anchor.as_deref(),
            heading: section.heading.as_deref(),
            text: &section.text,
        });
        Page {
            id: self.id,
            title: &self.title,
            path: "",
            context: Context::default(),
            sections: sections.collect(),
        }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().flat_map(|section| section.text.lines())
    }
}

/// Returns the words of a text that contain letters, without surrounding punctuation.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.chars().any(char::is_alphabetic))
}

fn read(folder: &str) -> Vec<Text> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let text = |(number, path): (usize, std::path::PathBuf)| {
        let text = std::fs::read_to_string(path).unwrap();
        // Chapters of the books begin with level-two headings.
        let page = quire_markup::parse_page(
            &format!("# {}", text.trim_start_matches(['#', ' '])),
            &quire_markup::StableRefs,
        );
        let id = PageId::from_uuid(Uuid::from_u64_pair(
            u64::try_from(text.len()).unwrap(),
            u64::try_from(number).unwrap(),
        ));
        Some(Text { id, title: page.title?, sections: quire_markup::sections(&page.document) })
    };
    files.into_iter().enumerate().filter_map(text).collect()
}

pub(crate) fn corpora() -> Vec<Corpus> {
    vec![
        Corpus::open("English", "english", false, &["rust-book", "fluentd"]),
        Corpus::open("English, unstemmed", "simple", false, &["rust-book", "fluentd"]),
        Corpus::open("German", "german", false, &["rust-book-de"]),
        Corpus::open("Chinese", "simple", true, &["rust-book-zh"]),
    ]
}

/// Deterministic pseudo-random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}
