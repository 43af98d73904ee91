use std::sync::atomic::{AtomicU64, Ordering};

use quire_domain::clock::{IdGenerator, Timestamp};
use quire_domain::content::ContentChanges;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::PageId;
use quire_domain::ids::RevisionId;
use quire_markup::{ContentRef, Document, links, plain_text};
use quire_revision::{BlobHash, PageNode, Tree};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Applied, Context, Drafted, Past, PastNeeds, ReadChanges, draft, replay};
use crate::attachments::{Attachments, Stored};

/// Generator of ids in ascending order.
struct Counter(AtomicU64);

impl IdGenerator for Counter {
    fn uuid(&self) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        Uuid::from_u128(0x0190_a5d2_7c1e_7000_8000_0000_0000_0000 + u128::from(number))
    }
}

/// Content with a history of writes, one second apart.
struct Content {
    tree: Tree,
    history: Vec<(RevisionId, Tree)>,
    documents: Past,
    ids: Counter,
    seconds: i64,
}

impl Content {
    fn new() -> Self {
        Self {
            tree: Tree::empty(),
            history: Vec::new(),
            documents: Past::default(),
            ids: Counter(AtomicU64::new(1)),
            seconds: 0,
        }
    }

    fn try_write(&mut self, changes: Value) -> Result<Applied, Vec<(String, String)>> {
        let body: ContentChanges = serde_json::from_value(json!({ "changes": changes })).unwrap();
        self.seconds += 1;
        let stored = Stored {
            blob: BlobHash::of(b"bytes"),
            size: 5,
            content_type: "image/png".to_owned(),
            dimensions: None,
        };
        let past = Past {
            base: self.history.last().map(|(_, tree)| tree.clone()),
            revisions: self.history.iter().cloned().collect(),
            merge_base: None,
            documents: self.documents.documents.clone(),
        };
        let context = Context {
            now: Timestamp::from_millis(self.seconds * 1_000).unwrap(),
            attachments: &Attachments::of_one_change(vec![stored.clone(), stored]),
            past: &past,
        };
        let changes = ReadChanges::read(body.changes, &self.ids, &|| false);
        draft(&self.tree, &changes, &context)
            .applied
            .map_err(|fields| fields.into_iter().map(|error| (error.field, error.message)).collect())
    }

    fn write(&mut self, changes: Value) -> Applied {
        let applied = self.try_write(changes).unwrap();
        let revision = RevisionId::from_uuid(self.ids.uuid());
        self.history.push((revision, std::mem::replace(&mut self.tree, applied.tree.clone())));
        for document in &applied.documents {
            self.documents.documents.insert(document.id(), document.body().clone());
        }
        applied
    }

    /// Asserts that a write is refused for a single field. Returns the field.
    fn refused(&mut self, changes: Value) -> String {
        let before = self.tree.root();
        let problems = self.try_write(changes).unwrap_err();
        assert_eq!(self.tree.root(), before);
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems.into_iter().map(|(field, _)| field).collect()
    }

    fn page(&self, path: &str) -> &PageNode {
        self.tree.page_by_path(path).unwrap_or_else(|| panic!("no page {path} in {:?}", self.paths()))
    }

    fn id(&self, path: &str) -> PageId {
        self.page(path).id
    }

    fn document(&self, path: &str) -> Document {
        let body = self.documents.documents.get(&self.page(path).document.unwrap()).unwrap();
        Document::from_json(&body.to_value().unwrap()).unwrap()
    }

    fn text(&self, path: &str) -> String {
        plain_text(&self.document(path))
    }

    fn links(&self, path: &str) -> Vec<ContentRef> {
        links(&self.document(path)).into_iter().map(|link| link.reference).collect()
    }

    fn paths(&self) -> Vec<String> {
        self.tree.pages_in_order().filter_map(|page| self.tree.path_of(page.id)).collect()
    }
}

fn page(title: &str, markdown: &str) -> Value {
    json!({"operation": "insert_page", "title": title, "document": {"markdown": markdown}})
}

fn with(mut change: Value, more: Value) -> Value {
    change.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    change
}

fn page_ref(id: PageId) -> ContentRef {
    ContentRef::Page { page: id.to_string(), space: None }
}

#[test]
fn pages_are_added_where_they_are_wanted() {
    let mut content = Content::new();
    content.write(json!([page("One", ""), page("Two", "")]));
    let one = content.id("one");
    content.write(json!([
        with(page("Zero", ""), json!({"at": 0})),
        with(page("Below", ""), json!({"into": one})),
        with(page("First below", ""), json!({"into": one, "at": 0})),
        with(page("Far", ""), json!({"at": 99})),
        {"operation": "insert_group", "title": "Group", "at": 1},
        {"operation": "insert_link", "title": "Out", "target": {"kind": "url", "url": "https://a.example/"}},
    ]));
    assert_eq!(content.paths(), ["zero", "group", "one", "one/first-below", "one/below", "two", "far"]);
    let link = content.tree.children(None).last().unwrap();
    assert_eq!((link.title.as_str(), link.slug.as_str()), ("Out", ""));
}

#[test]
fn slugs_that_are_made_avoid_others_and_given_ones_must_be_free() {
    let mut content = Content::new();
    content.write(json!([
        page("Größe & Gewicht", ""),
        page("Größe & Gewicht", ""),
        json!({"operation": "insert_page", "document": {"markdown": "# Größe & Gewicht"}})
    ]));
    assert_eq!(content.paths(), ["grosse-gewicht", "grosse-gewicht-1", "grosse-gewicht-2"]);
    let id = content.id("grosse-gewicht-1");
    assert_eq!(
        content.refused(json!([with(page("A", ""), json!({"slug": "grosse-gewicht"}))])),
        "changes[0].slug"
    );
    let taken = json!({"operation": "update_page", "page": id, "slug": "grosse-gewicht"});
    assert_eq!(content.refused(json!([page("B", ""), taken])), "changes[1].slug");
    content.write(json!([{"operation": "update_page", "page": id, "title": "Other"}]));
    assert_eq!(content.page("grosse-gewicht-1").title, "Other");
    content.write(json!([{"operation": "update_page", "page": id, "slug": ""}]));
    assert_eq!(content.id("other"), id);
}

#[test]
fn changes_without_effect_keep_the_tree() {
    let mut content = Content::new();
    content.write(json!([page("A", "text"), page("B", "")]));
    let id = content.id("a");
    let before = content.tree.root();
    let same = [
        json!({"operation": "update_page", "page": id}),
        json!({"operation": "update_page", "page": id, "title": "A", "slug": "", "at": 0, "into": null}),
        json!({"operation": "update_page", "page": id, "document": {"markdown": "text"}}),
        json!({"operation": "update_page", "page": content.id("b"), "at": 7}),
    ];
    assert_eq!(content.write(Value::Array(same.to_vec())).tree.root(), before);
    let now = content.write(json!([{"operation": "update_page", "page": id, "description": "new"}]));
    let page = now.tree.page(id).unwrap();
    assert_eq!((page.created_at, page.updated_at), (Some(1_000), Some(3_000)));
    assert_eq!(content.page("b").updated_at, Some(1_000));
}

#[test]
fn moving_takes_what_is_below_along_and_never_makes_a_circle() {
    let mut content = Content::new();
    content.write(json!([page("A", ""), page("C", "")]));
    let (a, c) = (content.id("a"), content.id("c"));
    content
        .write(json!([with(page("B", ""), json!({"into": a})), {"operation": "insert_group", "title": "G"}]));
    let (b, g) = (content.id("a/b"), content.id("g"));
    let update =
        |page: PageId, more: Value| json!([with(json!({"operation": "update_page", "page": page}), more)]);
    for (page, into) in [(a, a), (a, b), (g, c), (c, PageId::from_uuid(Uuid::nil()))] {
        assert_eq!(content.refused(update(page, json!({ "into": into }))), "changes[0].into");
    }
    content.write(update(a, json!({"into": c})));
    assert_eq!(content.paths(), ["c", "c/a", "c/a/b", "g"]);
    content.write(update(a, json!({"into": null, "at": 0})));
    assert_eq!(content.paths(), ["a", "a/b", "c", "g"]);
    content.write(update(b, json!({"into": g})));
    assert_eq!(content.paths(), ["a", "c", "g", "g/b"]);
    content.write(json!([with(page("B", ""), json!({"into": c}))]));
    assert_eq!(content.refused(update(b, json!({ "into": c }))), "changes[0].into");
}

#[test]
fn deleting_takes_what_is_below() {
    let mut content = Content::new();
    content.write(json!([page("A", "")]));
    let a = content.id("a");
    content.write(json!([with(page("B", ""), json!({"into": a})), page("C", "")]));
    content.write(json!([{"operation": "delete_page", "page": a}]));
    assert_eq!(content.paths(), ["c"]);
    assert_eq!(content.refused(json!([{"operation": "delete_page", "page": a}])), "changes[0].page");
}

#[test]
fn front_matter_wins_over_keys_and_a_heading_is_the_title() {
    let mut content = Content::new();
    let markdown = "---\ndescription: From the file\nicon: rocket\nhidden: true\ncover: https://a.example/c.png\ncoverY: 12\nlayout:\n  width: wide\n---\n# From the heading\n\nText.\n";
    let keys = json!({"description": "From the key", "icon": "star", "emoji": "🚀"});
    let change = with(json!({"operation": "insert_page", "document": {"markdown": markdown}}), keys);
    content.write(json!([change]));
    let made = content.page("from-the-heading");
    assert_eq!(made.title, "From the heading");
    assert_eq!(made.description.as_deref(), Some("From the file"));
    assert_eq!((made.icon.as_deref(), made.emoji.as_deref()), (Some("rocket"), Some("🚀")));
    assert!(made.hidden);
    let cover = json!({"ref": {"kind": "url", "url": "https://a.example/c.png"}, "yPos": 12.0});
    assert_eq!(made.cover.as_deref(), Some(&cover));
    assert_eq!(made.layout.as_ref().unwrap().get("width"), Some(&json!("wide")));
    assert_eq!(content.text("from-the-heading").trim(), "Text.");
}

#[test]
fn a_heading_that_is_not_the_title_stays_in_the_text() {
    let mut content = Content::new();
    content.write(json!([page("Given", "# Written\n\nText."), page("Same", "# Same\n\nText.")]));
    assert!(content.text("given").contains("Written"));
    assert_eq!(content.text("same").trim(), "Text.");
    let id = content.id("same");
    content.write(json!([{"operation": "update_page", "page": id, "document": {"markdown": "Only text."}}]));
    assert_eq!(content.page("same").title, "Same");
    content.write(
        json!([{"operation": "update_page", "page": id, "document": {"markdown": "# Renamed\n\nText."}}]),
    );
    assert_eq!((content.page("same").title.as_str(), content.text("same").trim()), ("Renamed", "Text."));
}

#[test]
fn titles_have_a_bound_wherever_they_come_from() {
    let mut content = Content::new();
    let long = "a".repeat(513);
    for markdown in [format!("# {long}\n"), format!("---\ntitle: {long}\n---\n")] {
        let change = json!({"operation": "insert_page", "document": {"markdown": markdown}});
        assert_eq!(content.refused(json!([change])), "changes[0].document.markdown");
    }
    content.write(json!([{"operation": "insert_page", "document": {}}]));
    assert_eq!(content.page("untitled").document, None);
}

#[test]
fn empty_texts_remove() {
    let mut content = Content::new();
    content
        .write(json!([with(page("A", "text"), json!({"emoji": "🚀", "icon": "star", "description": "d"}))]));
    let id = content.id("a");
    content.write(json!([{"operation": "update_page", "page": id, "emoji": "", "icon": null, "description": "", "document": {}}]));
    let page = content.page("a");
    assert_eq!((&page.emoji, &page.icon, &page.description, page.document), (&None, &None, &None, None));
}

#[test]
fn links_find_pages_by_id_path_file_and_name() {
    let mut content = Content::new();
    content.write(json!([page("Guide", "")]));
    let guide = content.id("guide");
    content.write(json!([
        with(page("Setup", ""), json!({"into": guide})),
        with(page("Use", ""), json!({"into": guide}))
    ]));
    let (setup, usage) = (content.id("guide/setup"), content.id("guide/use"));
    let markdown = format!(
        "[a](/pages/{setup}) [b](/pages/guide/setup) [c](setup.md) [d](./use.md#run) [e](../guide/README.md) [f](/guide/setup.md) \
         [g](#here) [h](missing.md) [i](https://a.example/) [j](/pages/new) [k](new)"
    );
    content.write(json!([
        {"operation": "update_page", "page": usage, "document": {"markdown": markdown}},
        with(page("New page", ""), json!({"ref": "new"})),
    ]));
    let new = content.id("new-page");
    let anchor = |page: Option<PageId>, anchor: &str| ContentRef::Anchor {
        anchor: anchor.to_owned(),
        page: page.map(|id| id.to_string()),
        space: None,
    };
    assert_eq!(
        content.links("guide/use"),
        [
            page_ref(setup),
            page_ref(setup),
            page_ref(setup),
            anchor(Some(usage), "run"),
            page_ref(guide),
            page_ref(setup),
            anchor(None, "here"),
            ContentRef::url("missing.md"),
            ContentRef::url("https://a.example/"),
            page_ref(new),
            page_ref(new),
        ]
    );
}

#[test]
fn names_of_a_write_are_given_once_and_are_no_paths() {
    let mut content = Content::new();
    content.write(json!([page("A", "")]));
    let named = |name: &str| with(page("B", ""), json!({"ref": name}));
    assert_eq!(content.refused(json!([named("x"), named("x")])), "changes[1].ref");
    assert_eq!(content.refused(json!([named("a")])), "changes[0].ref");
}

#[test]
fn files_and_reusable_contents_are_added_named_changed_and_removed() {
    let mut content = Content::new();
    let applied = content.write(json!([
        {"operation": "insert_files", "files": [
            {"name": "a.png", "contentType": "image/png", "base64": "AAAA", "ref": "logo"},
            {"name": "b.png", "contentType": "image/png", "base64": "BBBB"},
        ]},
        {"operation": "insert_reusable_content", "title": "Note", "document": {"markdown": "Mind."}, "ref": "note"},
        page("A", "![](/files/logo)\n\n{% include \"/reusable-contents/note\" %}\n"),
    ]));
    let [logo, other] = applied.files[..] else { panic!("two files") };
    let note = content.tree.reusable_contents().next().unwrap().id;
    assert!(content.links("a").contains(&ContentRef::File { file: logo.to_string(), space: None }));
    let included = ContentRef::ReusableContent { reusable_content: note.to_string(), space: None };
    assert!(content.links("a").contains(&included));
    let bytes = content.tree.file(other).unwrap().blob;
    content.write(json!([{"operation": "replace_file", "file": logo, "by": other}]));
    assert_eq!(content.tree.file_count(), 1);
    assert_eq!(content.tree.file(logo).unwrap().blob, bytes, "the links to the file lead to other bytes");
    content.write(json!([
        {"operation": "update_file", "file": logo, "name": "logo.png"},
        {"operation": "update_reusable_content", "reusableContent": note, "title": "Warning"},
    ]));
    assert_eq!(content.tree.file(logo).unwrap().name, "logo.png");
    assert_eq!(content.tree.reusable_content(note).unwrap().title, "Warning");
    content.write(json!([{"operation": "delete_reusable_content", "reusableContent": note}]));
    assert_eq!(content.tree.reusable_content_count(), 0);
    for (change, field) in [
        (json!({"operation": "update_file", "file": logo, "name": "a/b"}), "name"),
        (json!({"operation": "update_file", "file": other, "name": "b"}), "file"),
        (json!({"operation": "replace_file", "file": logo, "by": logo}), "by"),
        (json!({"operation": "replace_file", "file": logo, "by": other}), "by"),
        (json!({"operation": "replace_file", "file": other, "by": logo}), "file"),
        (json!({"operation": "delete_files", "files": [logo, other]}), "files[1]"),
        (json!({"operation": "delete_reusable_content", "reusableContent": note}), "reusableContent"),
        (json!({"operation": "update_reusable_content", "reusableContent": note}), "reusableContent"),
    ] {
        assert_eq!(content.refused(json!([change])), format!("changes[0].{field}"));
    }
}

#[test]
fn pages_take_only_what_their_kind_has() {
    let mut content = Content::new();
    content.write(json!([
        {"operation": "insert_group", "title": "G"},
        {"operation": "insert_link", "title": "L", "target": {"kind": "url", "url": "https://a.example/"}},
        page("D", ""),
    ]));
    let (group, document) = (content.id("g"), content.id("d"));
    let link = content.tree.children(None).find(|page| page.title == "L").unwrap().id;
    for (page, key, value) in [
        (group, "document", json!({"markdown": ""})),
        (group, "description", json!("d")),
        (group, "target", json!({"kind": "url", "url": "https://b.example/"})),
        (link, "slug", json!("l")),
        (link, "noIndex", json!(true)),
        (link, "target", json!({"kind": "nothing"})),
        (document, "target", json!({"kind": "url", "url": "https://b.example/"})),
    ] {
        let change = with(json!({"operation": "update_page", "page": page}), json!({ key: value }));
        assert_eq!(content.refused(json!([change])), format!("changes[0].{key}"));
    }
    let bad_cover = json!({"operation": "update_page", "page": document, "cover": {"ref": {"kind": "page", "page": group}}});
    assert_eq!(content.refused(json!([bad_cover])), "changes[0].cover.ref");
}

#[test]
fn covers_keep_the_known_keys_of_their_references() {
    let mut content = Content::new();
    let reference = json!({"kind": "url", "url": "https://a.example/c.png", "newer": ["x"], "file": 7});
    let dark = json!({"kind": "file", "file": "f", "newer": "x"});
    let cover = json!({"ref": reference, "refDark": dark, "yPos": 1.0});
    content.write(json!([with(page("D", ""), json!({ "cover": cover }))]));
    let kept = json!({
        "ref": {"kind": "url", "url": "https://a.example/c.png"},
        "refDark": {"kind": "file", "file": "f"},
        "yPos": 1.0,
    });
    assert_eq!(content.page("d").cover.as_deref(), Some(&kept));
}

#[test]
fn a_wrong_document_is_named_to_the_node() {
    let mut content = Content::new();
    let document = json!({"object": "document", "data": {}, "nodes": [{"object": "block", "type": "nonsense", "data": {}}]});
    let change = json!({"operation": "insert_page", "title": "A", "document": {"document": document}});
    let field = content.refused(json!([page("B", ""), change]));
    assert!(field.starts_with("changes[1].document.document.nodes[0]"), "{field}");
}

/// Blocks can be reverted although another block violates a rule that is newer than the document.
#[test]
fn blocks_of_an_older_document_are_taken_back() {
    let mut content = Content::new();
    content.write(json!([page("A", "first\n\nmore")]));
    let id = content.id("a");
    content
        .write(json!([{"operation": "update_page", "page": id, "document": {"markdown": "second\n\nmore"}}]));
    let present = content.page("a").document.unwrap();
    let mut older = content.documents.documents[&present].to_value().unwrap();
    let updates = json!({"object": "block", "type": "updates", "isVoid": false, "data": {}, "nodes": []});
    older["nodes"].as_array_mut().unwrap().push(updates);
    content.documents.documents.insert(present, DocumentJson::new(older.to_string()).unwrap());
    let applied = content.write(json!([{"operation": "revert_page", "page": id, "block": ["0"]}]));
    let reverted = Document::from_stored(applied.documents[0].body().as_bytes()).unwrap();
    assert_eq!(plain_text(&reverted).split_whitespace().collect::<Vec<_>>(), ["first", "more"]);
    assert_eq!(reverted.nodes.len(), 3);
}

#[test]
fn a_page_is_taken_back_to_an_earlier_state() {
    let mut content = Content::new();
    content.write(json!([page("A", "first")]));
    let id = content.id("a");
    content.write(json!([{"operation": "update_page", "page": id, "title": "A2", "slug": "a2", "document": {"markdown": "second"}}]));
    content.write(json!([page("B", "")]));
    // The history has the state before each write.
    let first = content.history[1].0;
    content.write(json!([{"operation": "revert_page", "page": id, "revision": first}]));
    assert_eq!((content.page("a2").title.as_str(), content.text("a2").trim()), ("A", "first"));
    content.write(json!([{"operation": "delete_page", "page": id}]));
    content.write(json!([{"operation": "revert_page", "page": id}]));
    assert_eq!(content.paths(), ["a2", "b"]);
    let never = content.id("b");
    let change = json!({"operation": "revert_page", "page": never, "revision": first});
    assert_eq!(content.refused(json!([change])), "changes[0].page");
    let unknown = json!({"operation": "revert_page", "page": id, "revision": Uuid::nil()});
    assert_eq!(content.refused(json!([unknown])), "changes[0].revision");
}

#[test]
fn single_blocks_are_taken_back() {
    let mut content = Content::new();
    content.write(json!([page("A", "one\n\ntwo")]));
    let id = content.id("a");
    let first = json!({"operation": "update_page", "page": id, "document": {"markdown": "ONE\n\nTWO"}});
    let back = json!({"operation": "revert_page", "page": id, "block": ["1"]});
    content.write(json!([first.clone()]));
    let body: ContentChanges = serde_json::from_value(json!({"changes": [back]})).unwrap();
    assert!(PastNeeds::of(&body).base);
    content.write(json!([back]));
    assert_eq!(content.text("a").split_whitespace().collect::<Vec<_>>(), ["ONE", "two"]);
    // The same with a revert in the same write as the change.
    let second = json!({"operation": "update_page", "page": id, "document": {"markdown": "eins\n\nzwei"}});
    content.write(json!([second, {"operation": "revert_page", "page": id, "block": ["0"]}]));
    assert_eq!(content.text("a").split_whitespace().collect::<Vec<_>>(), ["ONE", "zwei"]);
    let unknown = json!({"operation": "revert_page", "page": id, "block": ["0", "7"]});
    assert_eq!(content.refused(json!([unknown])), "changes[0].block[1]");
}

/// Draft of changes, to be replayed on later content.
struct Redone {
    changes: ReadChanges,
    past: Past,
    drafted: Drafted,
}

impl Redone {
    fn draft(content: &Content, changes: Value, past: Past) -> Self {
        let body: ContentChanges = serde_json::from_value(json!({ "changes": changes })).unwrap();
        let changes = ReadChanges::read(body.changes, &content.ids, &|| false);
        let drafted = draft(&content.tree, &changes, &Self::context(&past));
        Self { changes, past, drafted }
    }

    fn context(past: &Past) -> Context<'_> {
        static NO_ATTACHMENTS: std::sync::LazyLock<Attachments> =
            std::sync::LazyLock::new(Attachments::default);
        Context { now: Timestamp::from_millis(1_000).unwrap(), attachments: &NO_ATTACHMENTS, past }
    }

    /// Returns the tree of a replay, and the tree of a new draft.
    fn replayed(&self, tree: &Tree) -> (Result<Option<Tree>, String>, Result<Tree, String>) {
        let field = |errors: Vec<quire_domain::error::FieldError>| errors[0].field.clone();
        let context = Self::context(&self.past);
        let replayed = replay(tree, &self.changes, &context, &self.drafted.resolved).map_err(field);
        let fresh = draft(tree, &self.changes, &context).applied.map_err(field);
        (replayed.map(|applied| applied.map(|applied| applied.tree)), fresh.map(|applied| applied.tree))
    }
}

#[test]
fn a_draft_is_replayed_on_a_tree_where_its_links_lead_to_the_same_pages() {
    let mut content = Content::new();
    content.write(json!([page("Target", ""), page("Other", "text")]));
    let other = content.id("other");
    let write = Redone::draft(
        &content,
        json!([
            page("A", "# Heading\n\n[t](target) [missing](missing.md) [named](there)"),
            with(page("C", ""), json!({"ref": "there"})),
            {"operation": "insert_reusable_content", "title": "Note", "document": {"markdown": "[t](/pages/target)"}},
        ]),
        Past::default(),
    );
    content.write(json!([{"operation": "update_page", "page": other, "title": "Renamed", "document": {"markdown": "new"}}]));
    let (replayed, fresh) = write.replayed(&content.tree);
    let tree = replayed.unwrap().unwrap();
    assert_eq!(tree, fresh.unwrap());
    assert_eq!(tree.page(other).unwrap().title, "Renamed");
    assert!(tree.page_by_path("a").unwrap().document.is_some());
}

#[test]
fn a_draft_is_outdated_where_one_of_its_links_leads_elsewhere() {
    let mut content = Content::new();
    content.write(json!([page("Guide", ""), page("Target", "")]));
    let (guide, target) = (content.id("guide"), content.id("target"));
    for (change, link) in [
        (page("Missing", ""), "../missing.md"),
        (json!({"operation": "delete_page", "page": target}), "../target"),
        (json!({"operation": "update_page", "page": target, "slug": "moved"}), "/pages/target"),
        (json!({"operation": "update_page", "page": guide, "slug": "manual"}), "../target"),
    ] {
        let inserted = with(page("A", &format!("[l]({link})")), json!({"into": guide}));
        let write = Redone::draft(&content, json!([inserted]), Past::default());
        let (unchanged, _) = write.replayed(&content.tree);
        assert!(unchanged.unwrap().is_some(), "{link}");
        let ids = Counter(AtomicU64::new(1_000));
        let mut moved = Content { tree: content.tree.clone(), ids, ..Content::new() };
        moved.write(json!([change]));
        let (replayed, fresh) = write.replayed(&moved.tree);
        assert_eq!(replayed, Ok(None), "{link}");
        assert!(fresh.is_ok());
    }
}

#[test]
fn a_replay_refuses_what_no_longer_fits() {
    let mut content = Content::new();
    content.write(json!([page("A", "")]));
    let a = content.id("a");
    let update = json!([{"operation": "update_page", "page": a, "document": {"markdown": "text"}}]);
    let write = Redone::draft(&content, update, Past::default());
    content.write(json!([{"operation": "delete_page", "page": a}]));
    assert_eq!(write.replayed(&content.tree).0, Err("changes[0].page".to_owned()));
    // Replays report changes that were invalid when drafted.
    let again = Redone::draft(&content, json!([{"operation": "delete_page", "page": a}]), Past::default());
    assert_eq!(again.replayed(&content.tree).0, Err("changes[0].page".to_owned()));
}

#[test]
fn blocks_are_put_back_again_only_into_the_same_document() {
    let mut content = Content::new();
    content.write(json!([page("A", "one\n\ntwo")]));
    let id = content.id("a");
    content.write(json!([{"operation": "update_page", "page": id, "document": {"markdown": "ONE\n\nTWO"}}]));
    let past = Past {
        base: content.history.last().map(|(_, tree)| tree.clone()),
        revisions: content.history.iter().cloned().collect(),
        merge_base: None,
        documents: content.documents.documents.clone(),
    };
    let revert = json!([{"operation": "revert_page", "page": id, "block": ["1"]}]);
    let write = Redone::draft(&content, revert, past);
    content.write(json!([page("B", "")]));
    let (replayed, fresh) = write.replayed(&content.tree);
    assert_eq!(replayed.unwrap().unwrap(), fresh.unwrap());
    content
        .write(json!([{"operation": "update_page", "page": id, "document": {"markdown": "eins\n\nzwei"}}]));
    assert_eq!(write.replayed(&content.tree).0, Ok(None));
}
