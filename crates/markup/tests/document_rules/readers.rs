//! Documents stored before a rule existed, and Markdown that would break the schema.

use quire_markup::{Document, StableRefs, parse, plain_text, print};
use serde_json::json;

use crate::build::*;

/// Documents that were stored before a rule existed can be read and printed. Their Markdown keeps all words and
/// satisfies the rules.
#[test]
fn stored_documents_stay_readable() {
    let odd = document(&[
        block("updates", json!({}), &[block("update", json!({"tags": 7}), &[paragraph("news")])]),
        with(
            void("expandable", json!({})),
            "fragments",
            json!([fragment("expandable-title", &[paragraph("title")])]),
        ),
        block("prompt", json!({}), &[]),
        block("hint", json!({"style": "loud"}), &[paragraph("careful")]),
        marked(json!({"object": "mark", "type": "color", "data": {"text": "teal", "background": "x"}})),
        table(json!({"type": "rating"}), json!(3)),
        with(void("table", json!({"view": 1, "definition": [], "records": {}})), "fragments", json!([])),
        line(inline("button", json!({"label": "press"}))),
        line(inline("inline-image", json!({"ref": 7, "alt": 1}))),
        block("paragraph", json!({"align": "left", "indent": 1}), &[text("indented")]),
    ]);
    assert!(Document::from_json(&odd).is_err());
    let stored = Document::from_stored_value(&odd).unwrap();
    assert_eq!(Document::from_stored_value(&stored.to_json()).as_ref(), Ok(&stored));
    let printed = print(&stored, &StableRefs);
    let again = parse(&printed, &StableRefs);
    assert_eq!(Document::from_json(&again.to_json()).as_ref(), Ok(&again), "{printed}");
    for word in ["news", "title", "careful", "press", "indented", "before"] {
        assert!(plain_text(&again).contains(word), "{word} is lost: {printed}");
    }
}

/// Markdown that would break the schema is read as a valid document.
#[test]
fn markdown_makes_documents_that_keep_the_rules() {
    for (markdown, pointer, expected) in [
        (
            "{% updates %}\n{% update date=\"2026-01-02\" %}\na\n{% endupdate %}\n{% endupdates %}\n",
            "/nodes/0/data",
            json!({"format": "full"}),
        ),
        ("{% updates format=\"long\" %}\n{% endupdates %}\n", "/nodes/0/data/format", json!("full")),
        (
            "{% updates %}\nearly\n\n{% update date=\"d\" %}\na\n{% endupdate %}\nlate\n{% endupdates %}\n",
            "/nodes/0/nodes/0/nodes/2/nodes/0/leaves/0/text",
            json!("late"),
        ),
        (
            "{% updates %}\n{% update %}\na\n{% endupdate %}\n{% endupdates %}\n",
            "/nodes/1/nodes/0/leaves/0/text",
            json!("{% update %}"),
        ),
        ("{% prompt %}\n```\nask\n```\n{% endprompt %}\n", "/nodes/0/data", json!({"description": ""})),
        (
            "<details><summary>S</summary></details>\n",
            "/nodes/0/fragments/1/nodes/0/type",
            json!("paragraph"),
        ),
        ("a[^1]\n\n[^1]: <!-- -->\n", "/nodes/0/type", json!("paragraph")),
        (
            "<mark style=\"color:#ff0000\">a</mark>\n",
            "/nodes/0/nodes/0/leaves/0/marks/0/data",
            json!({"text": "red", "background": "default"}),
        ),
        (
            "<mark style=\"color:$tint\">a</mark>\n",
            "/nodes/0/nodes/0/leaves/0/marks/0/data/text",
            json!("$tint"),
        ),
        (
            "<mark style=\"color:nothing\">a</mark>\n",
            "/nodes/0/nodes/0/leaves/0/marks/0/data/text",
            json!("default"),
        ),
        (
            "<table><thead><tr><th data-type=\"rating\" data-max=\"3\">R</th></tr></thead></table>\n",
            "/nodes/0/data/definition/c1/max",
            json!(3),
        ),
        (
            "<table><thead><tr><th data-type=\"rating\">R</th></tr></thead></table>\n",
            "/nodes/0/data/definition/c1/max",
            json!(5),
        ),
        (
            "<table><thead><tr><th data-type=\"select\" data-properties='{\"options\":7}'>S</th></tr></thead></table>\n",
            "/nodes/0/data/definition/c1/options",
            json!([]),
        ),
        (
            "<table><thead><tr><th data-type=\"users\" data-multiple>U</th></tr></thead></table>\n",
            "/nodes/0/data/definition/c1/multiple",
            json!(true),
        ),
        (
            "<!-- properties {\"view\":{\"stickyHeader\":7}} -->\n| a |\n| - |\n",
            "/nodes/0/data/view",
            json!({"type": "grid", "hideHeader": false, "columns": ["c1"]}),
        ),
    ] {
        let read = parse(markdown, &StableRefs);
        let json = read.to_json();
        assert_eq!(Document::from_json(&json).as_ref(), Ok(&read), "{markdown}");
        assert_eq!(json.pointer(pointer), Some(&expected), "{markdown}\n{json:#}");
        assert_eq!(parse(&print(&read, &StableRefs), &StableRefs), read, "{markdown}");
    }
}
