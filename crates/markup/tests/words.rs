//! No visible word is lost: words of sources, extracted by independent rules, are compared with the output.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

mod support;
#[allow(unreachable_pub)]
#[path = "support/words.rs"]
mod words;

use quire_markup::html::{Extract, HtmlOptions};
use quire_markup::{StableRefs, parse_page, plain_text, print_page};
use std::path::{Path, PathBuf};
use words::{entities, lost, visible_html, visible_markdown};

fn corpus() -> Vec<(PathBuf, String)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let folders = ["fluentd-docs", "rust-book"].map(|folder| std::fs::read_dir(corpus.join(folder)).unwrap());
    let paths = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages: Vec<_> = pages.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect();
    assert_eq!(pages.len(), 16);
    pages
}

#[test]
fn markdown_keeps_its_words() {
    for (path, text) in corpus() {
        let page = parse_page(&text, &StableRefs);
        let title = page.title.clone().unwrap_or_default();
        let description = page.front_matter.description.clone().unwrap_or_default();
        let source = visible_markdown(&text);
        let printed = print_page(&page.front_matter, &title, &page.document, &StableRefs);
        let plain = format!("{title}\n{description}\n{}", plain_text(&page.document));
        for (form, output) in [("Markdown", printed), ("plain text", plain)] {
            assert_eq!(lost(&source, &output), [""; 0], "{} as {form}", path.display());
        }
    }
}

#[test]
fn html_keeps_its_words() {
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.footnotes = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.render.r#unsafe = true;
    for (path, text) in corpus() {
        let html = comrak::markdown_to_html(&text, &options);
        let html = format!("<html><head><title>Elsewhere</title></head><body>{html}</body></html>");
        let read = quire_markup::html::parse(
            &html,
            &HtmlOptions { refs: &StableRefs, extract: Extract::Everything },
        );
        let output = format!("{}\n{}", read.title.unwrap_or_default(), plain_text(&read.document));
        assert_eq!(lost(&entities(&visible_html(&html)), &output), [""; 0], "{}", path.display());
    }
}

/// Returns the words in `w:t`, except for deleted and hidden text.
fn words_of_docx(body: &str) -> String {
    let mut out = String::new();
    let mut rest = body;
    while let Some((_, after)) = rest.split_once("<w:t") {
        let (tag, behind) = after.split_once('>').unwrap_or((after, ""));
        if (tag.is_empty() || tag.starts_with(' ')) && !tag.ends_with('/') {
            out.push_str(behind.split('<').next().unwrap_or_default());
            out.push(' ');
        }
        rest = behind;
    }
    entities(&out)
}

#[test]
fn runs_that_nest_deeper_than_anyone_writes_keep_their_words() {
    for depth in [10, 149, 150, 151, 400, 700] {
        let (open, close) = ("<w:smartTag>".repeat(depth), "</w:smartTag>".repeat(depth));
        let body = format!(
            "<w:p><w:r><w:t>before</w:t></w:r>{open}<w:r><w:t>deep</w:t></w:r><w:r><w:t> within</w:t></w:r>{close}<w:r><w:t>behind</w:t></w:r></w:p>"
        );
        let read = quire_markup::docx::parse(&support::docx::Docx::new(&body).build(), &StableRefs).unwrap();
        assert_eq!(lost(&words_of_docx(&body), &plain_text(&read.document)), [""; 0], "{depth}");
    }
}

#[test]
fn word_documents_keep_their_words() {
    let kinds = [
        "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Title words</w:t></w:r></w:p>",
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r><w:r><w:t>ld and plain</w:t></w:r></w:p>",
        "<w:p><w:hyperlink w:anchor=\"b\"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>",
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>one cell</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>another</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        "<w:p><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins></w:p>",
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>controlled</w:t></w:r></w:p></w:sdtContent></w:sdt>",
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"2\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>an item</w:t></w:r></w:p>",
        "<w:p><w:fldSimple w:instr=\"PAGE\"><w:r><w:t>seven</w:t></w:r></w:fldSimple></w:p>",
    ];
    // Each kind before, after and inside a table, next to each other kind.
    for one in kinds {
        for other in kinds {
            let body = format!("{one}{other}<w:tbl><w:tr><w:tc>{other}{one}</w:tc></w:tr></w:tbl>");
            let read =
                quire_markup::docx::parse(&support::docx::Docx::new(&body).build(), &StableRefs).unwrap();
            let output = format!("{}\n{}", read.title.unwrap_or_default(), plain_text(&read.document));
            assert_eq!(lost(&words_of_docx(&body), &output), [""; 0], "{body}");
        }
    }
}

/// Link definitions are invisible, with and without white space before the address. A note ends a word in scripts
/// without spaces.
#[test]
fn words_around_notes_and_definitions_are_distinguished() {
    let text = "哈希表[^note]的[拒绝服务][dos]与[二][two]\n\n[^note]: 注释\n\n[dos]:ch02-00-gone.html#比较\n[two]:\nch07-05-gone.html#idiomatic\n";
    let visible = visible_markdown(text);
    let words: Vec<&str> = visible.split_whitespace().collect();
    assert!(!visible.contains("ch0") && words.contains(&"哈希表"), "{visible}");
    let document = quire_markup::parse(text, &StableRefs);
    assert_eq!(lost(&visible, &quire_markup::print(&document, &StableRefs)), [""; 0]);
}
