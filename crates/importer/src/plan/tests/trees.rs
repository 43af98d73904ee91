//! Whole imports, as outlines.

use super::*;

#[test]
fn a_gitbook_repository() {
    let summary = "\
# Table of contents

* [Introduction](README.md)
* [Overview](quickstart/README.md)
  * [Life \\(of an event\\)](quickstart/life-of-an-event.md)
  * [FAQ](quickstart/FAQ.md)
  * Obsolete
    * [Version 0.12](<quickstart/old pages/v0.12.md>)
* [Website](https://example.com/)

## Guides & more <a href=\"#guides\" id=\"guides\"></a>

* [First](guides/first.md)
* [Same again](guides/first.md)
* [A part of it](guides/first.md#part)
* [Gone](guides/gone.md)
* [Manual](.gitbook/assets/manual.pdf)
";
    let plan = planned(&[
        ("docs/SUMMARY.md", summary),
        ("docs/README.md", "# The product\n\nHello.\n"),
        ("docs/quickstart/README.md", "# Overview of it\n\nText.\n"),
        ("docs/quickstart/life-of-an-event.md", "# Life\n\nText.\n"),
        ("docs/quickstart/FAQ.md", "# FAQ\n\nText.\n"),
        ("docs/quickstart/old pages/v0.12.md", "Text.\n"),
        ("docs/quickstart/unlisted.md", "# Unlisted\n\nText.\n"),
        ("docs/plugins/input/dummy.md", "# Dummy\n\nText.\n"),
        ("docs/guides/first.md", "# First\n\nText.\n"),
        ("docs/.gitbook/assets/manual.pdf", "pdf"),
        ("docs/.gitbook.yaml", "root: ./\n"),
        ("docs/.github/PULL_REQUEST_TEMPLATE.md", "x"),
    ]);
    assert_eq!(
        outline_of(&plan),
        "\
The product | the-product
Overview of it | quickstart
  Life | quickstart/life-of-an-event
  FAQ | quickstart/faq
  Obsolete | quickstart/obsolete empty
    Version 0.12 | quickstart/obsolete/v0.12
  Unlisted | quickstart/unlisted hidden
Website | - link to url https://example.com/
Guides & more | guides group
  First | guides/first
  Same again | guides/- link to page guides/first.md
  A part of it | guides/- link to anchor guides/first.md#part
  Gone | guides/gone empty
  Manual | guides/- link to file .gitbook/assets/manual.pdf
Dummy | dummy hidden
"
    );
    assert_eq!(
        report_of(&plan),
        [
            ("guides/gone.md", ImportStatus::Failed),
            ("plugins/input/dummy.md", ImportStatus::Changed),
            ("quickstart/unlisted.md", ImportStatus::Changed),
            (".gitbook.yaml", ImportStatus::Skipped),
            (".github/PULL_REQUEST_TEMPLATE.md", ImportStatus::Skipped),
        ]
    );
}

#[test]
fn an_mdbook() {
    let summary = "\
# Summary

[Foreword](foreword.md)

# User guide

- [Installation](guide/install.md)
    - [From source](guide/source.md)
- [Draft]()

# Reference

- [Formats](format/README.md)

---

[Contributors](contributors.md)
";
    let plan = planned(&[
        ("book/book.toml", "[book]\ntitle = \"A book\"\n"),
        ("book/src/SUMMARY.md", summary),
        ("book/src/foreword.md", "# Foreword\n\n{{#include ../listings/a.rs:here}}\n"),
        ("book/src/guide/install.md", "# Installation\n\nSee [the source](source.html).\n"),
        ("book/src/guide/source.md", "# From source\n\nText.\n"),
        ("book/src/format/README.md", "# Formats\n\nText.\n"),
        ("book/src/contributors.md", "# Contributors\n\nText.\n"),
        ("book/listings/a.rs", "// ANCHOR: here\nincluded\n// ANCHOR_END: here\nnot included\n"),
        ("book/CONTRIBUTING.md", "# How to help\n\nText.\n"),
    ]);
    assert_eq!(
        outline_of(&plan),
        "\
Foreword | foreword
User guide | user-guide group
  Installation | user-guide/install
    From source | user-guide/install/source
  Draft | user-guide/draft empty
Reference | reference group
  Formats | reference/format
Contributors | contributors
"
    );
    assert_eq!(plain_text(&plan.pages[0].read_document().unwrap()).trim(), "included");
}

#[test]
fn plain_folders() {
    let plan = planned(&[
        ("README.md", "# My docs\n\nText.\n"),
        ("10-last.md", "# Last\n\nText.\n"),
        ("9-before.md", "# Before\n\nText.\n"),
        ("how-to_guides/b.md", "# B\n\nText.\n"),
        ("how-to_guides/deep/er/c.md", "# C\n\nText.\n"),
        ("api/index.md", "# The API\n\nText.\n"),
        ("api/Users.md", "# Users\n\nText.\n"),
        ("api/users.markdown", "# Users, too\n\nText.\n"),
        ("setup.md", "# Set-up\n\nText.\n"),
        ("setup/linux.md", "# Linux\n\nText.\n"),
    ]);
    assert_eq!(
        outline_of(&plan),
        "\
My docs | my-docs
Before | 9-before
Last | 10-last
The API | api
  Users | api/users
  Users, too | api/users-1
How to guides | how-to_guides group
  B | how-to_guides/b
  Deep | how-to_guides/deep empty
    Er | how-to_guides/deep/er empty
      C | how-to_guides/deep/er/c
Set-up | setup
  Linux | setup/linux
"
    );
    assert_eq!(plan.report, []);
}

#[test]
fn the_readme_at_the_top_has_the_slug_that_it_states() {
    let page = |slug: &str| format!("---\nslug: {slug}\n---\n\n# The start\n\nText.\n");
    for (slug, outline, reports) in [("begin", "begin", 0), ("/", "the-start", 1), ("a/b", "the-start", 1)] {
        let plan = planned(&[("README.md", &page(slug))]);
        assert_eq!(outline_of(&plan), format!("The start | {outline}\n"), "{slug}");
        assert_eq!(plan.report.len(), reports, "{slug}: {:?}", plan.report);
    }
    let plan = planned(&[("README.md", "# Top\n"), ("guide.md", &page("begin"))]);
    assert_eq!(plan.pages[1].slug.as_deref(), Some("guide"), "files keep their names");
}

#[test]
fn a_single_file() {
    let plan = planned(&[("Release notes (final).md", "Text without a heading.\n")]);
    assert_eq!(outline_of(&plan), "Release notes (final) | release-notes-final\n");
}

#[test]
fn a_folder_that_the_settings_name_is_the_root() {
    let plan = planned(&[
        (".gitbook.yaml", "root: ./docs/\nstructure:\n  readme: start.md\n"),
        ("docs/start.md", "# Start\n\n[other](/other.md) [code](../README.md)\n"),
        ("docs/other.md", "# Other\n\nText.\n"),
        ("docs/.gitbook/assets/script.js", ""),
        ("docs/.gitbook/includes/note.md", "Note.\n"),
        ("README.md", "# The repository\n\nText.\n"),
    ]);
    assert_eq!((plan.files.len(), plan.reusable_contents.len()), (2, 1), "a linked file outside is a file");
    assert_eq!(outline_of(&plan), "Start | start\nOther | other\n");
}

#[test]
fn a_listed_address_with_pages_below_stays_a_page() {
    let plan = planned(&[
        ("SUMMARY.md", "* [The *site*](https://example.com/a_(b))\n  * [A](a.md)\n"),
        ("a.md", "# A\n\nx\n"),
    ]);
    assert_eq!(outline_of(&plan), "The site | the-site\n  A | the-site/a\n");
    let links = quire_markup::links(&plan.pages[0].read_document().unwrap());
    assert_eq!(shown(&plan, &links[0].reference), "url https://example.com/a_(b)");
}

#[test]
fn an_anchor_of_a_page_that_nothing_else_lists_is_the_page() {
    let plan = planned(&[("SUMMARY.md", "* [One](a.md#one)\n* [Two](a.md#two)\n"), ("a.md", "# A\n\nx\n")]);
    assert_eq!(outline_of(&plan), "A | a\nTwo | - link to anchor a.md#two\n");
}

#[test]
fn a_folder_called_readme_does_not_take_the_page_of_its_parent() {
    let plan = planned(&[("README.md", "# Top\n\nx\n"), ("README/a.md", "# A\n\nx\n")]);
    assert_eq!(outline_of(&plan), "Top | top\nREADME | readme group\n  A | readme/a\n");
}

/// A DocBook book in files whose names are not in page order.
#[test]
fn a_book_in_html_by_the_lists_of_its_first_page() {
    let page = |title: &str, next: &str| {
        format!(
            "<head><title>{title}</title><link rel=\"next\" href=\"{next}\"></head><h1>{title}</h1><p>Text.</p>"
        )
    };
    let lists = "<div class=\"toc\"><ul class=\"toc\"><li><a href=\"start.html\">1. Start</a><ul><li><a href=\"start.html#x\">x</a></li><li><a href=\"z%20z.html\">1.1. Z</a></li></ul></li><li><a href=\"end.html\">2. End</a></li></ul></div>";
    let first = page("The book", "start.html") + lists;
    let pages = [
        ("book/index.html", first.as_str()),
        ("book/a.html", &page("A", "")),
        ("book/end.html", &page("End", "a.html")),
        ("book/start.html", &page("Start", "z%20z.html")),
        ("book/z z.html", &page("Z", "deep.html")),
        ("book/deep.html", &page("Deep", "end.html")),
        ("book/other.html", "<h1>Other</h1><p>Text.</p>"),
        ("book/style.css", ""),
    ];
    let expected = "\
The book | the-book
Start | start
  Z | start/z-z
    Deep | start/z-z/deep
End | end
  A | end/a
Other | other
";
    assert_eq!(outline_of(&planned(&pages)), expected);
    let source = ImportSource::Html;
    let plan = plan(source, tree(&pages), &mut GeneratedIds(&CountingIds::default())).unwrap();
    assert_eq!(outline_of(&plan), expected);
}

#[test]
fn a_book_in_html_by_what_follows() {
    let page = |title: &str, next: &str| {
        format!("<h1>{title}</h1><p>Text.</p><a class='next' rel='next' href='{next}'>Next</a>")
    };
    let pages = [
        ("index.html", page("Book", "ch02.html")),
        ("ch02.html", page("Two", "ch01.html")),
        ("ch01.html", page("One", "apa.html#top")),
        ("apa.html", page("Appendix", "index.html")),
    ];
    let pages = pages.each_ref().map(|(path, text)| (*path, text.as_str()));
    assert_eq!(outline_of(&planned(&pages)), "Book | book\nTwo | ch02\nOne | ch01\nAppendix | apa\n");
}

#[test]
fn html_files_that_no_page_lists_are_in_the_order_of_their_names() {
    let pages = [
        ("index.html", "<h1>Start</h1><ul><li><a href=\"b.html\">B</a></li></ul>"),
        ("b.html", "<h1>B</h1><p>Text.</p>"),
        ("a.html", "<h1>A</h1><p>Text.</p>"),
        ("c/index.html", "<h1>C</h1><p>Text.</p>"),
        ("c/d.html", "<h1>D</h1><p>Text.</p>"),
    ];
    assert_eq!(outline_of(&planned(&pages)), "Start | start\nA | a\nB | b\nC | c\n  D | c/d\n");
}

/// A repository of a GitBook site with settings in `docs.yaml`.
#[test]
fn several_spaces_of_a_repository_by_their_tables_of_contents() {
    let settings = "site:\n  structure:\n    - {type: space, title: Guides, content: {directory: ./guides}}\n    - {type: space, title: Main, content: {directory: ./documentation}}\n";
    let guides = "# Table of contents\n\n* [Start](README.md)\n\n## Part\n\n* [One](one.md \"1\")\n* [Site](https://example.com)\n";
    let documentation =
        "* [Start](README.md)\n* [A b](</a b.md>)\n  * [Further](./c/d.md)\n* [Start](README.md#x)\n";
    let mut files = vec![
        ("README.md", "# Repository\n\nText.\n"),
        ("documentation/SUMMARY.md", documentation),
        ("documentation/README.md", "# Home\n\n[Other](../guides/one.md)\n"),
        ("documentation/a b.md", "# A b\n\nText.\n"),
        ("documentation/c/d.md", "# D\n\nText.\n"),
        ("documentation/e.md", "# E\n\nText.\n"),
        ("guides/SUMMARY.md", guides),
        ("guides/README.md", "# Guides\n\nText.\n"),
        ("guides/one.md", "# One in full\n\nText.\n"),
        ("notes/f.md", "# F\n\nText.\n"),
    ];
    let of = |first: &str, second: &str| format!("Repository | repository\n{first}{second}F | f\n");
    let documentation = |title: &str| {
        let slug = title.to_lowercase();
        format!(
            "{title} | {slug} group\n  Home | {slug}/home\n    E | {slug}/home/e hidden\n  A b | {slug}/a-b\n    D | {slug}/a-b/d\n  Start | {slug}/- link to anchor documentation/README.md#x\n"
        )
    };
    let guides = "Guides | guides group\n  Guides | guides/guides\n  Part | guides/part empty\n    One in full | guides/part/one\n    Site | guides/part/- link to url https://example.com\n";
    let plan = planned(&files);
    assert_eq!(outline_of(&plan), of(&documentation("Documentation"), guides));
    files.extend([("docs.yaml", settings), (".gitbook.yaml", "")]);
    let plan = planned(&files);
    assert_eq!(outline_of(&plan), of(guides, &documentation("Main")));
    let hidden = plan
        .report
        .iter()
        .filter(|entry| entry.message.contains("`documentation/SUMMARY.md` does not list it"));
    assert_eq!(hidden.count(), 1);
}
