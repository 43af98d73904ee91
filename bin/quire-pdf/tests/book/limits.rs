//! Limits: excessive input is refused or cut, in bounded time.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::pdf::{Book, block, page, paragraph};

#[test]
fn a_book_of_many_pages() {
    let pages: Vec<Value> = (0..1_000)
        .map(|number| page(&format!("p{number}"), &format!("Page {number}"), json!([paragraph("Words.")])))
        .collect();
    let started = Instant::now();
    let pdf = Book::new(json!(pages)).pdf();
    assert!(pdf.pages() > 1_000, "{}", pdf.pages());
    assert_eq!(pdf.bookmarks().len(), 1_000);
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
}

#[test]
fn a_table_of_many_rows() {
    let records: serde_json::Map<String, Value> = (0..2_000)
        .map(|row| (format!("r{row}"), json!({"orderIndex": format!("{row:06}"), "values": {"c1": row}})))
        .collect();
    let table = json!({"object": "block", "type": "table", "isVoid": true, "fragments": [], "data": {
        "view": {"type": "grid", "columns": ["c1"], "hideHeader": false},
        "definition": {"c1": {"id": "c1", "title": "Number", "type": "number"}},
        "records": records,
    }});
    let pdf = Book::of(json!([table])).pdf();
    pdf.says("1999");
    // The header row is repeated on each page.
    assert!(pdf.text.matches("Number").count() > 10);
}

#[test]
fn deep_boxes_are_flattened() {
    for kind in ["list-unordered", "blockquote", "hint"] {
        let data = if kind == "hint" { json!({"style": "info"}) } else { json!({}) };
        let mut nodes = json!([paragraph("innermost")]);
        for _ in 0..25 {
            let inner =
                if kind.starts_with("list") { json!([block("list-item", json!({}), nodes)]) } else { nodes };
            nodes = json!([block(kind, data.clone(), inner)]);
        }
        Book::of(nodes).pdf().says("innermost");
    }
}

#[test]
fn a_very_long_word_stays_on_the_sheet() {
    let pdf = Book::of(json!([paragraph(&"x".repeat(20_000))])).pdf();
    assert_eq!(pdf.text.matches('x').count(), 20_000);
    assert!(pdf.pages() > 3);
}

#[test]
fn bounds_hold() {
    let book = || Book::of(json!([paragraph("Words.")]));
    let refused = book().argument("--memory=64").run();
    assert!(!refused.status.success());
    let none = book().argument("--size=0").run();
    assert!(String::from_utf8_lossy(&none.stderr).contains("bound"));
}

#[test]
fn an_invalid_book_is_refused_with_a_sentence() {
    let refused = Book::of(json!([])).with("pages", json!("none")).run();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the book is invalid"));
}
