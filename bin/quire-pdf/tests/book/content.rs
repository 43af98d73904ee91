//! Each kind of block keeps its text in the PDF.

use serde_json::{Value, json};

use crate::pdf::{Book, block, document, heading, link, page, paragraph, text_node, void};

/// Image of 2 × 1 pixels.
const PNG: &[u8] = include_bytes!("picture.png");

fn item(words: &str) -> Value {
    block("list-item", json!({}), json!([paragraph(words)]))
}

#[test]
fn a_cover_contents_and_numbered_pages() {
    let mut below = page("p2", "Second", json!([heading(2, "Deeper")]));
    below["depth"] = 1.into();
    let pdf = Book::new(json!([page("p1", "First", json!([paragraph("Hello.")])), below]))
        .with("subtitle", "Change request #1: More".into())
        .pdf();
    assert_eq!(pdf.pages(), 4);
    for words in
        ["Guide", "Change request #1: More", "2 January 2026", "Contents", "3 / 4", "4 / 4", "Hello."]
    {
        pdf.says(words);
    }
    assert_eq!(pdf.bookmarks(), ["Deeper", "First", "Second"]);
    // The table of contents links to both pages.
    assert!(pdf.links_inside() >= 2);
}

#[test]
fn words_are_never_markup() {
    let words = "#set page() $x$ *no* _no_ @ref <label> \\ // [a] #eval(\"1+1\") = not a heading";
    Book::of(json!([paragraph(words)])).pdf().says(words);
}

#[test]
fn marks_lists_and_boxes() {
    let marks = ["bold", "italic", "code", "strikethrough", "superscript", "subscript", "keyboard"];
    let mut runs: Vec<Value> = marks.iter().map(|mark| text_node(&format!(" is {mark} "), &[mark])).collect();
    runs.push(json!({"object": "text", "leaves": [{"object": "leaf", "text": "coloured", "marks": [
        {"object": "mark", "type": "color", "data": {"text": "red", "background": "$info"}}
    ]}]}));
    let inner = block("list-ordered", json!({"start": 7}), json!([item("seventh"), item("eighth")]));
    let nested = block("list-item", json!({}), json!([paragraph("outer"), inner]));
    let done = block("list-item", json!({"checked": true}), json!([paragraph("done")]));
    let pdf = Book::of(json!([
        block("paragraph", json!({}), json!(runs)),
        block("list-unordered", json!({}), json!([nested])),
        block("list-tasks", json!({}), json!([done, item("open")])),
        block("blockquote", json!({}), json!([paragraph("quoted")])),
        block("hint", json!({"style": "danger"}), json!([paragraph("careful")])),
        void("divider", json!({})),
        block(
            "tabs",
            json!({}),
            json!([block("tabs-item", json!({"title": "A tab"}), json!([paragraph("in it")]))])
        ),
        block("stepper", json!({}), json!([block("stepper-step", json!({}), json!([paragraph("do this")]))])),
        block("columns", json!({}), json!([block("column", json!({}), json!([paragraph("aside")]))])),
        json!({"object": "block", "type": "expandable", "isVoid": true, "data": {}, "fragments": [
            {"object": "fragment", "type": "expandable-title", "nodes": [paragraph("Open me")]},
            {"object": "fragment", "type": "expandable-body", "nodes": [paragraph("and read")]},
        ]}),
    ]))
    .pdf();
    for mark in marks {
        pdf.says(&format!("is {mark}"));
    }
    for words in [
        "coloured",
        "• outer",
        "7. seventh",
        "8. eighth",
        "done",
        "open",
        "quoted",
        "careful",
        "A tab",
        "in it",
        "Step 1",
        "do this",
        "aside",
        "Open me",
        "and read",
    ] {
        pdf.says(words);
    }
    let fonts = pdf.fonts().join(" ");
    for font in ["Bold", "Italic", "DejaVuSansMono"] {
        assert!(fonts.contains(font), "{fonts}");
    }
}

#[test]
fn code_has_a_title_and_numbers() {
    let line = |words: &str, marked: bool| {
        block("code-line", json!({"highlighted": marked}), json!([text_node(words, &[])]))
    };
    let data = json!({"syntax": "rust", "title": "main.rs", "lineNumbers": true});
    let pdf =
        Book::of(json!([block("code", data, json!([line("fn main() {", false), line("}", true)]))])).pdf();
    pdf.says("main.rs");
    pdf.says("1 fn main() {");
    pdf.says("2 }");
}

#[test]
fn links_lead_out_and_in() {
    let runs = json!([
        link(json!({"kind": "url", "url": "https://example.com/a"}), "out"),
        link(json!({"kind": "page", "page": "p2"}), "in"),
        link(json!({"kind": "anchor", "page": "p2", "anchor": "there"}), "deep"),
        link(json!({"kind": "anchor", "anchor": "nowhere"}), "lost"),
        link(json!({"kind": "page", "page": "p9"}), "elsewhere"),
        link(json!({"kind": "file", "file": "f1"}), "a file"),
        link(json!({"kind": "url", "url": "javascript:alert(1)"}), "a script"),
        link(json!({"kind": "url", "url": "file:///etc/passwd"}), "a path"),
    ]);
    let there = block("heading-2", json!({"id": "there"}), json!([text_node("There", &[])]));
    let first = page(
        "p1",
        "First",
        json!([
            block("paragraph", json!({}), runs),
            void("content-ref", json!({"ref": {"kind": "page", "page": "p2"}})),
            void("embed", json!({"url": "https://video.example.com/1"})),
        ]),
    );
    let empty = Book::new(json!([page("p1", "First", json!([])), page("p2", "Second", json!([]))])).pdf();
    let pdf = Book::new(json!([first, page("p2", "Second", json!([there]))]))
        .with("files", json!({"f1": {"name": "a.zip", "url": "https://quire.example/a.zip"}}))
        .with("elsewhere", json!({"p9": {"title": "Ninth", "url": "https://quire.example/ninth"}}))
        .pdf();
    assert_eq!(
        pdf.urls(),
        [
            "https://example.com/a",
            "https://quire.example/a.zip",
            "https://quire.example/ninth",
            "https://video.example.com/1"
        ]
    );
    assert_eq!(pdf.links_inside(), empty.links_inside() + 3);
    for words in ["lost", "a script", "a path", "Second"] {
        pdf.says(words);
    }
}

#[test]
fn tables_have_headers_and_cells() {
    let table = |hide: bool| {
        json!({
            "object": "block", "type": "table", "isVoid": true,
            "data": {
                "view": {"type": "grid", "columns": ["c1", "c2", "c3"], "hideHeader": hide},
                "definition": {
                    "c1": {"id": "c1", "title": "Name", "type": "text", "textAlignment": "right"},
                    "c2": {"id": "c2", "title": "Amount", "type": "number"},
                    "c3": {"id": "c3", "title": "State", "type": "select", "options": [{"value": "o", "label": "Opened", "color": "red"}]},
                },
                "records": {
                    "r2": {"orderIndex": "2", "values": {"c1": "x2", "c2": 43}},
                    "r1": {"orderIndex": "1", "values": {"c1": "x1", "c2": 42, "c3": ["o"]}},
                },
            },
            "fragments": [
                {"object": "fragment", "fragment": "x1", "nodes": [paragraph("one")]},
                {"object": "fragment", "fragment": "x2", "nodes": [paragraph("two")]},
            ],
        })
    };
    let pdf = Book::of(json!([table(false)])).pdf();
    pdf.says("Name Amount State one 42 Opened two 43");
    assert!(!Book::of(json!([table(true)])).pdf().text.contains("Amount"));
}

#[test]
fn columns_are_side_by_side_and_cards_in_a_grid() {
    let column = |words: &str, width: u32| {
        block("column", json!({"width": {"unit": "%", "value": width}}), json!([paragraph(words)]))
    };
    let columns = block("columns", json!({}), json!([column("narrow", 25), column("wide", 75)]));
    let cards = json!({
        "object": "block", "type": "table", "isVoid": true,
        "data": {
            "view": {"type": "cards", "cardSize": "large", "columns": ["c1", "c2", "c3"], "targetDefinition": "c2", "coverDefinition": "c3"},
            "definition": {
                "c1": {"id": "c1", "title": "Name", "type": "text", "textAlignment": "left"},
                "c2": {"id": "c2", "title": "Target", "type": "content-ref"},
                "c3": {"id": "c3", "title": "Cover", "type": "files"},
            },
            "records": {
                "r1": {"orderIndex": "1", "values": {"c1": "x1", "c2": {"kind": "url", "url": "https://example.com/one"}, "c3": ["f"]}},
                "r2": {"orderIndex": "2", "values": {"c1": "x2"}},
            },
        },
        "fragments": [
            {"object": "fragment", "fragment": "x1", "nodes": [paragraph("first card")]},
            {"object": "fragment", "fragment": "x2", "nodes": [paragraph("second card")]},
        ],
    });
    let many: Vec<Value> = (0..9).map(|n| column(&format!("n{n}"), 11)).collect();
    let pdf = Book::of(json!([columns, cards, block("columns", json!({}), json!(many))]))
        .with("files", json!({"f": {"name": "a.png", "url": "https://quire.example/x", "image": "f1"}}))
        .file("f1", PNG)
        .pdf();
    for words in ["narrow", "wide", "first card", "second card", "n8"] {
        pdf.says(words);
    }
    assert!(!pdf.text.contains("Target"), "cards have no headers: {}", pdf.text);
    assert!(pdf.pictures() >= 1, "a card has its cover");
    assert!(pdf.urls().iter().any(|url| url == "https://example.com/one"));
}

#[test]
fn pictures_of_other_services_are_shown_when_they_were_fetched() {
    let image = |url: &str| {
        json!({
            "object": "block", "type": "image", "isVoid": true, "data": {"ref": {"kind": "url", "url": url}, "alt": url},
            "fragments": [{"object": "fragment", "type": "caption", "nodes": []}],
        })
    };
    let images = json!([image("https://example.com/a.png"), image("https://example.com/b.png")]);
    let pdf = Book::of(
        json!([{"object": "block", "type": "images", "isVoid": false, "data": {}, "nodes": images}]),
    )
    .with("pictures", json!({"https://example.com/a.png": "p1"}))
    .file("p1", PNG)
    .pdf();
    assert!(pdf.pictures() >= 1);
    pdf.says("Image: https://example.com/b.png");
    assert!(!pdf.text.contains("a.png"), "{}", pdf.text);
}

#[test]
fn images_that_can_be_shown_are_and_others_are_mentioned() {
    let image = |file: &str, alt: &str| {
        json!({
            "object": "block", "type": "image", "isVoid": true,
            "data": {"ref": {"kind": "file", "file": file}, "alt": alt},
            "fragments": [{"object": "fragment", "type": "caption", "nodes": [paragraph(&format!("Caption of {file}"))]}],
        })
    };
    let images = json!([
        image("good", ""),
        image("vector", ""),
        image("broken", ""),
        image("absent", ""),
        image("bomb", ""),
        image("path", "")
    ]);
    let file =
        |name: &str, image: &str| json!({"name": name, "url": "https://quire.example/x", "image": image});
    let mut bomb = PNG.to_vec();
    bomb[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let pdf = Book::of(
        json!([{"object": "block", "type": "images", "isVoid": false, "data": {}, "nodes": images}]),
    )
    .with(
        "files",
        json!({
            "good": file("a.png", "f1"), "vector": file("a.svg", "f2"), "broken": file("b.png", "f3"),
            "bomb": file("c.png", "f4"), "path": file("d.png", "../f1"),
        }),
    )
    .file("f1", PNG)
    .file(
        "f2",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>",
    )
    .file("f3", b"\x89PNG\r\n\x1a\nbroken")
    .file("f4", &bomb)
    .pdf();
    assert!(pdf.pictures() >= 1);
    for shown in ["good", "vector"] {
        pdf.says(&format!("Caption of {shown}"));
        assert!(!pdf.text.contains(&format!("Image:Captionof{shown}")));
    }
    for mentioned in ["broken", "absent", "bomb", "path"] {
        pdf.says(&format!("Image: Caption of {mentioned}"));
    }
}

#[test]
fn formulas_are_set_or_shown_as_written() {
    let math = |formula: &str| void("math", json!({"formula": formula}));
    let inline =
        json!({"object": "inline", "type": "inline-math", "isVoid": true, "data": {"formula": "E=mc^2"}});
    let pdf = Book::of(json!([
        math(r"\frac{1}{2} + \sqrt[3]{x^2_i} = \sum_{i=0}^{n} \alpha_i"),
        math(r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} f = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}"),
        math(r"\begin{aligned} a &= b \\ &\neq c \end{aligned} \mathbb{R} \lim_{x \to 0} \mathbf{v}"),
        math(r"\unknowncommand{x}"),
        block("paragraph", json!({}), json!([inline])),
    ]))
    .pdf();
    for words in ["∑", "else", "lim", "√", r"\unknowncommand{x}", "𝐸=𝑚"] {
        pdf.says(words);
    }
    assert!(!pdf.text.contains("frac"), "{}", pdf.text);
}

#[test]
fn reusable_contents_are_included_but_never_in_themselves() {
    let include = |id: &str| {
        void("reusable-content", json!({"ref": {"kind": "reusable-content", "reusableContent": id}}))
    };
    let pdf = Book::of(json!([include("r1"), include("gone")]))
        .with("reusableContents", json!({"r1": document(json!([paragraph("again"), include("r1")]))}))
        .pdf();
    pdf.says("again");
    assert_eq!(pdf.text.matches("again").count(), 1);
    pdf.says("a missing reusable content");
}

/// Returns a table of code cells, or of plain text.
fn grid(rows: &[Vec<&str>], marks: &[&str]) -> Value {
    let columns: Vec<String> = (1..=rows[0].len()).map(|number| format!("c{number}")).collect();
    let cell = |text: &str| {
        let id = "f";
        json!({"object": "fragment", "type": "table-cell", "fragment": id, "nodes": [
            block("paragraph", json!({}), json!([text_node(text, marks)]))]})
    };
    let mut fragments = Vec::new();
    let mut records = serde_json::Map::new();
    for (row, cells) in rows.iter().enumerate() {
        let mut values = serde_json::Map::new();
        for (column, text) in columns.iter().zip(cells) {
            let id = format!("{column}-{row}");
            let mut fragment = cell(text);
            fragment["fragment"] = id.clone().into();
            fragments.push(fragment);
            values.insert(column.clone(), id.into());
        }
        records.insert(format!("r{row}"), json!({"orderIndex": format!("{row:06}"), "values": values}));
    }
    let definition: serde_json::Map<String, Value> = columns
        .iter()
        .map(|id| (id.clone(), json!({"id": id, "title": "Environment variable", "type": "text"})))
        .collect();
    json!({"object": "block", "type": "table", "isVoid": true, "fragments": fragments, "data": {
        "view": {"type": "grid", "columns": columns, "hideHeader": false},
        "definition": definition, "records": records}})
}

#[test]
fn wide_words_break_within_their_columns() {
    let wide = "APPLICATION_SERVER_CONNECTION_TIMEOUT_SECONDS";
    let narrow =
        grid(&[vec!["timeout", wide, "30", "integer", "How long a connection may stay idle"]], &["code"]);
    let many = grid(&[vec!["documentation"; 14]], &[]);
    let pdf = Book::of(json!([narrow, many])).pdf();
    pdf.says(wide);
    assert_eq!(pdf.text.matches("documentation").count(), 14);
}
