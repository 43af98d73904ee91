//! HTML of differences.

use quire_markup::{Document, StableRefs, parse};
use quire_render::{DifferenceView, Highlighter, Options, Resolved, render_difference};
use quire_revision::DocumentDifference;

fn document(markdown: &str) -> Document {
    parse(markdown, &StableRefs)
}

fn write(before: &Document, after: &Document, view: DifferenceView) -> String {
    let highlighter = Highlighter::default();
    let difference = DocumentDifference::between(&before.to_json(), &after.to_json());
    render_difference(&difference, view, &Resolved::default(), &Options::english(&highlighter)).html
}

fn inline(before: &str, after: &str) -> String {
    write(&document(before), &document(after), DifferenceView::Inline)
}

#[test]
fn words_are_inserted_and_deleted_with_their_marks_and_links() {
    let html = inline("Ferry sends a folder if 5 < 6.", "Ferry sends **two** folders if 5 < 6.");
    let expected =
        "<p>Ferry sends <del>a folder</del><ins><strong>two</strong> folders</ins> if 5 &lt; 6.</p>";
    assert!(html.contains(expected), "{html}");
    let html = inline("See [the guide](https://a.example/).", "See [a guide](https://a.example/).");
    let address = "<a href=\"https://a.example/\">";
    let expected = format!("See <del>{address}the</a></del><ins>{address}a</a></ins>{address} guide</a>.");
    assert!(html.contains(&expected), "{html}");
}

#[test]
fn blocks_say_what_happened_to_them() {
    let html = inline("One is first.\n\nTwo is next.", "Two is next.\n\nSomething else entirely.");
    assert!(html.contains("Removed</p><del><p>One is first.</p></del>"), "{html}");
    assert!(html.contains("Added</p><ins><p>Something else entirely.</p></ins>"), "{html}");
    let html = inline("# Long heading\n\nText\n\nMore", "Text\n\nMore\n\n# Long heading");
    assert!(html.contains("Moved here") && html.contains("Moved elsewhere"), "{html}");
    let hint =
        |style: &str| document(&format!("{{% hint style=\"{style}\" %}}\nMind the gap.\n{{% endhint %}}"));
    let html = write(&hint("info"), &hint("warning"), DifferenceView::Inline);
    assert!(html.contains("Edited · Style: info → warning"), "{html}");
}

#[test]
fn listings_tables_and_lists_keep_their_form() {
    let html = inline("```sh\nferry init\nferry push\n```", "```sh\nferry init --quiet\nferry push\n```");
    assert!(html.contains("<del class=\"line\"><span class=\"sign\">− </span>ferry init\n</del>"), "{html}");
    assert!(
        html.contains("<ins class=\"line\"><span class=\"sign\">+ </span>ferry init --quiet\n</ins>"),
        "{html}"
    );
    let table = |rows: &str| format!("| Option | Meaning |\n| --- | --- |\n{rows}");
    let html = inline(
        &table("| a | sends all files |\n"),
        &table("| a | sends all the files |\n| z | packs the files |\n"),
    );
    assert!(html.contains("<tr><td>Edited</td>"), "{html}");
    assert!(html.contains("sends all <ins>the </ins>files"), "{html}");
    assert!(html.contains("<tr class=\"add\"><td>Added</td>"), "{html}");
    let html = inline("- one thing\n- two things", "- one thing\n- two small things\n- three");
    assert!(html.contains("two <ins>small </ins>things"), "{html}");
    assert!(
        html.contains("<li class=\"add\"><p class=\"tagline\">Added</p><ins><p>three</p></ins></li>"),
        "{html}"
    );
}

#[test]
fn long_runs_of_unchanged_blocks_are_folded() {
    let same = "One.\n\nTwo.\n\nThree.\n\nFour.";
    let html = inline(same, &format!("{same}\n\nFive."));
    assert!(html.contains("<details class=\"gap\"><summary>4 unchanged blocks</summary>"), "{html}");
    assert!(!inline("One.\n\nTwo.", "One.\n\nTwo.\n\nThree.").contains("<details"));
    assert!(!inline(same, same).contains("<ins"));
}

#[test]
fn versions_are_shown_side_by_side() {
    let html = write(
        &document("Ferry sends a folder."),
        &document("Ferry sends two folders."),
        DifferenceView::Split,
    );
    let sides: Vec<&str> = html.split("chg-side").skip(1).collect();
    let [before, after] = sides.as_slice() else { panic!("{html}") };
    assert!(before.contains("<del>a folder</del>") && !before.contains("<ins>"), "{html}");
    assert!(after.contains("<ins>two folders</ins>") && !after.contains("<del>"), "{html}");
}
