//! Files to import. Equal runs make equal bytes.

use anyhow::Result;

use crate::archives::{self, Entry, Layout};
use crate::pages::{self, Random};

/// A file, by the function that makes it: all files at once would be 100 MB.
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) content: fn() -> Content,
    /// The space is searched as soon as the import has ended, before the search index has its pages.
    pub(super) is_searched: bool,
}

impl Input {
    const fn new(name: &'static str, content: fn() -> Content) -> Self {
        Self { name, content, is_searched: false }
    }

    const fn searched(self) -> Self {
        Self { is_searched: true, ..self }
    }
}

/// The content of a file to import.
pub(super) enum Content {
    Archive(Vec<Entry>),
    Page(String),
}

/// A file to upload.
pub(super) struct Upload {
    /// The kind of import.
    pub(super) source: &'static str,
    pub(super) file: &'static str,
    pub(super) bytes: Vec<u8>,
}

impl Content {
    /// The bytes of texts and images, before compression.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Archive(entries) => entries.iter().map(|(_, content)| content.len()).sum(),
            Self::Page(text) => text.len(),
        }
    }

    pub(super) fn upload(self) -> Result<Upload> {
        Ok(match self {
            Self::Archive(entries) => {
                Upload { source: "zip", file: "input.zip", bytes: archives::zip(entries)? }
            }
            Self::Page(text) => Upload { source: "markdown", file: "input.md", bytes: text.into_bytes() },
        })
    }
}

/// The rows of the table.
pub(super) const INPUTS: &[Input] = &[
    Input::new("zip of prose, 10 MB", || Content::Archive(prose(2_500))),
    Input::new("zip of prose, 10 MB, and a search", || Content::Archive(prose(2_500))).searched(),
    Input::new("zip of prose, 30 MB", || Content::Archive(prose(7_200))),
    Input::new("page of a list, 3.6 MB", || Content::Page(list())),
    Input::new("page of prose, 3.6 MB", || Content::Page(pages::page(1, 3_600_000, &[]))),
    Input::new("page of a table, 1 MB", || Content::Page(table())),
    Input::new("zip with images, 20 MB", || Content::Archive(images())),
];

/// The bytes of a page in archives of prose. Pages of 4 kB would exceed the bound on entries.
const PAGE: usize = 40_000;

fn prose(pages_of_4_kb: usize) -> Vec<Entry> {
    let numbers: Vec<usize> = (0..pages_of_4_kb * 4_000 / PAGE).collect();
    archives::files(&numbers, PAGE, Layout::Folders)
}

/// Items of eight words, of three nodes each: shorter ones would exceed the bound of 250,000 nodes per document.
fn list() -> String {
    let mut random = Random::new(1);
    let mut text = "# A long list\n\n".to_owned();
    while text.len() < 3_600_000 {
        let words: Vec<_> = (0..8).map(|_| random.word()).collect();
        text.push_str(&format!("- {}\n", words.join(" ")));
    }
    text
}

fn table() -> String {
    let mut random = Random::new(2);
    let mut text =
        "# A big table\n\n| Name | Value | Unit | Since | Meaning |\n|---|---|---|---|---|\n".to_owned();
    while text.len() < 1_000_000 {
        let mut word = || random.word();
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} {} |\n",
            word(),
            word(),
            word(),
            word(),
            word(),
            word()
        ));
    }
    text
}

/// 100 pages, each with an image of 200 kB.
fn images() -> Vec<Entry> {
    let image = |number: usize| (format!("images/{number}.png"), png(number, 200_000));
    let page = |number: usize| {
        let text = format!("{}\n![Image](images/{number}.png)\n", pages::page(number, 4_000, &[]));
        (format!("page-{number}.md"), text.into_bytes())
    };
    (0..100).flat_map(|number| [image(number), page(number)]).collect()
}

/// Signature, header and random bytes: the server reads no more of a PNG than its header.
fn png(seed: usize, bytes: usize) -> Vec<u8> {
    let mut image =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x02\0\x08\x02\0\0\0\x7b\x1a\x43\xad".to_vec();
    let mut random = Random::new(seed);
    while image.len() < bytes {
        image.extend(random.next().to_le_bytes());
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_below_the_bound_on_nodes() {
        let items = list().lines().count();
        assert!((60_000..80_000).contains(&items), "{items}");
    }

    #[test]
    fn inputs_have_their_sizes() {
        let ranges = [
            9_900_000..11_000_000,
            9_900_000..11_000_000,
            28_500_000..32 << 20,
            3_600_000..3_700_000,
            3_600_000..3_700_000,
            1_000_000..1_100_000,
            20_000_000..22_000_000,
        ];
        assert_eq!(INPUTS.len(), ranges.len());
        for (input, range) in INPUTS.iter().zip(ranges) {
            let size = (input.content)().size();
            assert!(range.contains(&size), "{}: {size}", input.name);
        }
    }
}
