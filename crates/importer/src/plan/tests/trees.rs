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
