//! Random content writes, generated from the schema: each is refused or succeeds, and never a fault of the service.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use quire_test_support::{Caller, TestApp};
use serde_json::{Map, Value, json};

use super::schema::{Document, types};
use crate::routes::{Fixture, fixture};

/// Fragments of Markdown syntax.
const PIECES: &[&str] = &[
    "# ",
    "## ",
    "\n",
    "\n\n",
    "    ",
    "\t",
    "- ",
    "1. ",
    "> ",
    "* * *",
    "---\n",
    "```",
    "```rust\n",
    "~~~",
    "`",
    "**",
    "_",
    "~~",
    "[a](b)",
    "[a](/x/y.md#z)",
    "![",
    "](",
    "](<",
    ">)",
    "[^1]",
    "[^1]: ",
    "| a | b |\n| - | :-: |\n",
    "|",
    "<details>",
    "<summary>",
    "</details>",
    "<figure>",
    "<img src=\"",
    "\">",
    "<br>",
    "<!--",
    "-->",
    "<mark style=\"color:red;\">",
    "</mark>",
    "{% hint style=\"info\" %}",
    "{% endhint %}",
    "{% tabs %}",
    "{% tab title=\"a\" %}",
    "{% endtab %}",
    "{% endtabs %}",
    "{% code title=\"",
    "{% endcode %}",
    "{% embed url=\"https://a.example\" %}",
    "{% file src=\"",
    "{% content-ref url=\"",
    "{% include \"",
    "\" %}",
    "{% stepper %}",
    "{% step %}",
    "{% columns %}",
    "{% column %}",
    "{%",
    "%}",
    "$$",
    "&amp;",
    "&#0;",
    "&#xD800;",
    "\\",
    "description: ",
    "icon: [",
    "- [x] ",
    "https://a.example/",
    "a@b.example",
    "<a href=\"#x\" id=\"x\"></a>",
    "word",
    "数据",
    "🤷",
    "\u{202e}",
    "\u{feff}",
    "e\u{301}",
    "\r\n",
    "\u{b}",
    "\u{85}",
    "\u{2028}",
    "<table data-view=\"cards\">",
    "<tr><td>",
    "</td></tr></table>",
];
const NODES: &[&str] = &[
    "paragraph",
    "heading-1",
    "heading-3",
    "list-ordered",
    "list-unordered",
    "list-item",
    "list-tasks",
    "table",
    "table-row",
    "tabs",
    "tabs-item",
    "code",
    "code-line",
    "hint",
    "expandable",
    "images",
    "image",
    "file",
    "embed",
    "math",
    "link",
    "blockquote",
    "reusable-content",
    "content-ref",
    "unknown",
    "",
];

fn markdown() -> BoxedStrategy<String> {
    let piece = prop_oneof![6 => select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat()).boxed()
}

fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        markdown().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(
                (select(vec!["object", "type", "nodes", "data", "leaves", "text", "kind", "ref"]), inner),
                0..4
            )
            .prop_map(|entries| entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
    .boxed()
}

/// Generates objects with the outer form of documents, with nodes in any order and any data.
fn document() -> BoxedStrategy<Value> {
    let leaves = (markdown(), anything()).prop_map(
        |(text, marks)| json!({"object": "text", "leaves": [{"object": "leaf", "text": text, "marks": [marks]}]}),
    );
    let leaf = prop_oneof![3 => leaves, 1 => anything()];
    let node = leaf.prop_recursive(5, 24, 4, |inner| {
        let parts = (
            select(vec!["block", "inline", "text", "fragment"]),
            select(NODES),
            anything(),
            vec(inner, 0..4),
        );
        parts.prop_map(|(object, kind, data, nodes)| {
            let data = if data.is_object() { data } else { json!({}) };
            json!({"object": object, "type": kind, "data": data, "nodes": nodes, "fragments": nodes})
        })
    });
    vec(node, 0..4)
        .prop_map(|nodes| json!({"object": "document", "data": {"schemaVersion": 1}, "nodes": nodes}))
        .boxed()
}

/// Generator of values from schemas. Its texts are often ids of existing items.
#[derive(Clone)]
struct Maker {
    document: Arc<Document>,
    /// Ids of existing items, with the names of the keys that may hold them.
    ids: Vec<(&'static [&'static str], String)>,
}

impl Maker {
    fn value(&self, schema: &Value, name: &str) -> BoxedStrategy<Value> {
        if name == "document" && self.document.resolve(schema).get("oneOf").is_none() {
            return document();
        }
        let alternatives = self.document.alternatives(schema);
        let mut made: Vec<_> = alternatives.iter().map(|schema| (80, self.of(schema, name))).collect();
        made.push((1, anything()));
        proptest::strategy::Union::new_weighted(made).boxed()
    }

    fn of(&self, schema: &Map<String, Value>, name: &str) -> BoxedStrategy<Value> {
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return select(values.clone()).boxed();
        }
        match types(schema).first().map(String::as_str) {
            Some("object") => self.object(schema),
            Some("array") => {
                let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(4).min(4);
                vec(self.value(&schema["items"], name), 0..usize::try_from(most).unwrap() + 1)
                    .prop_map(Value::from)
                    .boxed()
            }
            Some("string") if name == "markdown" => markdown().prop_map(Value::from).boxed(),
            Some("string") => self.text(name),
            Some("integer" | "number") => {
                prop_oneof![24 => 0..4_i64, 1 => any::<i64>()].prop_map(Value::from).boxed()
            }
            Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
            Some("null") => Just(Value::Null).boxed(),
            _ => self.reference(),
        }
    }

    /// Generates a text: for keys of ids, mostly an existing id.
    fn text(&self, name: &str) -> BoxedStrategy<Value> {
        let named = self
            .ids
            .iter()
            .filter(|(key, _)| key.contains(&name))
            .map(|(_, id)| id.clone())
            .collect::<Vec<_>>();
        let word = "[a-z]{1,8}".prop_map(Value::from);
        let id = select(self.ids.clone()).prop_map(|(_, id)| Value::from(id));
        let odd = markdown().prop_map(Value::from);
        if named.is_empty() {
            prop_oneof![24 => word, 1 => id, 1 => odd].boxed()
        } else {
            prop_oneof![24 => select(named).prop_map(Value::from), 1 => word, 1 => id, 1 => odd].boxed()
        }
    }

    /// Generates a content reference, whose form the schema does not fix.
    fn reference(&self) -> BoxedStrategy<Value> {
        let kinds = vec![
            "url",
            "page",
            "anchor",
            "file",
            "space",
            "user",
            "reusable-content",
            "collection",
            "openapi",
            "else",
        ];
        let parts = (select(kinds), select(self.ids.clone()), select(self.ids.clone()), anything());
        let reference = parts.prop_map(
            |(kind, (_, a), (_, b), any)| json!({"kind": kind, "url": "https://a.example/", "page": a, "file": a, "space": b, "anchor": "x", "reusableContent": b, "x": any}),
        );
        prop_oneof![4 => reference, 1 => anything()].boxed()
    }

    fn object(&self, schema: &Map<String, Value>) -> BoxedStrategy<Value> {
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut object = Just(Map::new()).boxed();
        for (key, property) in properties {
            let often = if required.contains(&json!(key)) { 0.99 } else { 0.15 };
            let value = proptest::option::weighted(often, self.value(&property, &key));
            object = (object, value)
                .prop_map(move |(mut object, value)| {
                    object.extend(value.map(|value| (key.clone(), value)));
                    object
                })
                .boxed();
        }
        object.prop_map(Value::Object).boxed()
    }
}

/// Target of the writes, in a runtime that each case enters again.
struct Bench {
    runtime: actix_web::rt::SystemRunner,
    _app: TestApp,
    admin: Caller,
    fixture: Fixture,
}

impl Bench {
    fn set() -> Self {
        let runtime = actix_web::rt::System::new();
        let (app, admin, fixture) = runtime.block_on(async {
            let app = TestApp::start().await;
            let fixture = fixture(&app).await;
            let admin = app.as_role(quire_domain::Role::Admin);
            (app, admin, fixture)
        });
        Self { runtime, _app: app, admin, fixture }
    }

    /// Fills the space with items that writes can change and remove, and returns a generator.
    fn maker(&self) -> Maker {
        let content = format!("/v1/spaces/{}/content", self.fixture.space);
        let page = |n: usize| json!({"operation": "insert_page", "title": format!("Page {n}"), "document": {"markdown": "# One\n\nTwo."}});
        let note = |n: usize| json!({"operation": "insert_reusable_content", "title": format!("Note {n}"), "document": {"markdown": "Three."}});
        let file =
            |n: usize| json!({"name": format!("{n}.txt"), "contentType": "text/plain", "base64": "YQ=="});
        let files = json!({"operation": "insert_files", "files": (0..20).map(file).collect::<Vec<_>>()});
        let revision = self.runtime.block_on(async {
            for n in 0..4 {
                let changes = (n * 40..n * 40 + 40).map(page).collect::<Vec<_>>();
                let _ = self.admin.post(&content, json!({"changes": changes})).await.expect(200);
            }
            let changes = (0..40).map(note).chain([files]).collect::<Vec<_>>();
            let _ = self.admin.post(&content, json!({"changes": changes})).await.expect(200);
            self.admin.get(&content).await.expect(200)
        });
        let all = |pointer: &str, keys: &'static [&'static str]| -> Vec<(&'static [&'static str], String)> {
            let items = revision.at(pointer).as_array().unwrap().clone();
            items.iter().map(|item| (keys, item["id"].as_str().unwrap().to_owned())).collect()
        };
        let mut ids = all("/pages", &["page", "into"]);
        ids.extend(all("/files", &["file", "files"]));
        ids.extend(all("/reusableContents", &["reusableContent"]));
        ids.push((&["revision"], revision.text("/parents/0")));
        ids.push((&["base"], revision.text("/id")));
        Maker { document: Arc::new(Document::current()), ids }
    }

    /// Reads every page in both formats, and the rest of the content.
    fn all_reads(&self) {
        let content = format!("/v1/spaces/{}/content", self.fixture.space);
        self.runtime.block_on(async {
            let pages = self.admin.get(&format!("{content}/pages")).await.expect(200);
            let _ = self.admin.get(&format!("{content}/files")).await.expect(200);
            let mut rest = pages.at("/pages").as_array().unwrap().clone();
            while let Some(page) = rest.pop() {
                rest.extend(page["pages"].as_array().cloned().unwrap_or_default());
                let page = format!("{content}/page/{}", page["id"].as_str().unwrap());
                for format in ["markdown", "document"] {
                    let _ = self.admin.get(&format!("{page}?format={format}")).await.expect(200);
                }
            }
            let search = format!("/v1/spaces/{}/search?query=word", self.fixture.space);
            let _ = self.admin.get(&search).await.expect(200);
        });
    }
}

#[test]
fn random_changes_never_break_the_service() {
    let bench = Bench::set();
    let maker = bench.maker();
    let routes = quire_api::routes();
    let route = routes.iter().find(|route| route.operation == "updateSpaceContent").unwrap();
    let bodies = maker.value(&maker.document.body(route).unwrap().clone(), "");
    let path = bench.fixture.path(route);
    let done = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(256) });
    runner
        .run(&bodies, |body| {
            let answer = bench.runtime.block_on(bench.admin.post(&path, body));
            prop_assert!(answer.status.as_u16() < 500, "{}", String::from_utf8_lossy(&answer.bytes));
            done.set(done.get() + u32::from(answer.status == 200));
            Ok(())
        })
        .unwrap();
    assert!(done.get() > 10, "only {} writes were done: the bodies are too wrong to say much", done.get());
    bench.all_reads();
}

#[test]
fn random_markdown_is_taken_and_reads_back() {
    let bench = Bench::set();
    let path = format!("/v1/spaces/{}/content", bench.fixture.space);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(128) });
    runner
        .run(&vec(markdown(), 1..4), |texts| {
            let changes: Vec<_> = texts
                .iter()
                .map(|text| json!({"operation": "insert_page", "title": "Page", "document": {"markdown": text}}))
                .collect();
            let answer = bench.runtime.block_on(bench.admin.post(&path, json!({"changes": changes})));
            prop_assert!(answer.status.as_u16() < 500, "{}", String::from_utf8_lossy(&answer.bytes));
            Ok(())
        })
        .unwrap();
    bench.all_reads();
}
