//! What revisions, pages, files and reusable contents can have, and each kind of change to them.

use quire_revision::{BlobHash, FileId, GitBlob};
use quire_storage::lookup::ContentSelector;
use serde_json::{Value, json};

use super::Rich;
use crate::routes::Fixture;

/// A picture of one pixel by one.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

impl Rich<'_> {
    pub async fn content(&self, fixture: &Fixture) {
        let url = |name: &str| json!({"kind": "url", "url": format!("https://example.com/{name}.png")});
        let layout = json!({"width": "wide", "cover": true, "coverSize": "full", "title": true, "description": true,
            "tableOfContents": true, "outline": true, "pagination": true, "metadata": true});
        let record = |number: u32| {
            json!({"title": format!("Rich {number}"), "slug": format!("rich-{number}"), "emoji": "🚀", "description": format!("All {number}"),
                "hidden": true, "noIndex": true, "noRobotsIndex": true, "layout": layout,
                "cover": {"ref": url("light"), "refDark": url("dark"), "yPos": number}})
        };
        let of = |operation: &str, more: Value, record: Value| {
            let mut change = more;
            change["operation"] = json!(operation);
            change.as_object_mut().unwrap().extend(record.as_object().unwrap().clone());
            change
        };
        let text = json!({"document": {"markdown": "# One\n\nText."}});
        let picture = |name: &str| json!({"operation": "insert_files", "files": [{"name": name, "contentType": "image/png", "base64": PNG}]});
        let group =
            json!({"title": "Group", "emoji": "📦", "hidden": true, "noIndex": true, "noRobotsIndex": true});
        let target = |page: &str| json!({"target": {"kind": "page", "page": page}, "hidden": true});
        let home = fixture.named("pageId");
        let written = self
            .write(json!([
                of("insert_page", text.clone(), record(1)),
                of("insert_page", text.clone(), json!({"title": "Icon", "icon": "bolt"})),
                of("insert_group", json!({}), group),
                of("insert_group", json!({}), json!({"title": "Other", "icon": "box"})),
                of("insert_link", target(&home), json!({"title": "Link", "emoji": "🔗"})),
                of("insert_link", target(&home), json!({"title": "Link", "icon": "link"})),
                picture("a.png"),
                {"operation": "insert_reusable_content", "title": "Rich", "document": {"markdown": "Mind."}},
                {"operation": "insert_reusable_content", "title": "Gone", "document": {"markdown": "Soon."}},
            ]))
            .await;
        let changed = |kind: &str, title: &str| {
            let changes = written.at("/changes").as_array().unwrap().iter();
            let mut found = changes
                .filter_map(|change| change.get(kind))
                .filter(|made| made["title"] == title || made["name"] == title);
            found.next().unwrap_or_else(|| panic!("{title} in {}", written.json))["id"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let [rich, icon, group, other, link] =
            ["Rich 1", "Icon", "Group", "Other", "Link"].map(|title| changed("page", title));
        let [kept, gone] = ["Rich", "Gone"].map(|title| changed("reusableContent", title));
        self.app.clock.advance(std::time::Duration::from_secs(60));
        self.write(json!([
            of("update_page", json!({"page": rich}), json!({"emoji": "🛰️"})),
            of("update_page", json!({"page": icon}), json!({"icon": "star"})),
            of("update_page", json!({"page": group}), json!({"title": "Groups"})),
            of("update_page", json!({"page": other}), json!({"icon": "boxes"})),
            of("update_page", json!({"page": link, "target": url("elsewhere")}), json!({"title": "Links"})),
            {"operation": "update_file", "file": changed("file", "a.png"), "name": "b.png"},
            {"operation": "update_reusable_content", "reusableContent": kept, "title": "Richer", "document": {"markdown": "More."}},
            {"operation": "delete_reusable_content", "reusableContent": gone},
            picture("gone.png"),
        ])).await;
        self.git(fixture, &rich, &kept).await;
        let plain = json!({"hidden": false, "noIndex": false, "noRobotsIndex": false, "layout": "editorial"});
        self.write(json!([of("update_page", json!({"page": rich}), plain)])).await;
        self.write(json!([of("update_page", json!({"page": rich}), record(2))])).await;
        self.write(json!([of(
            "update_page",
            json!({"page": rich, "into": home, "document": {"markdown": "Else."}}),
            json!({})
        )]))
        .await;
        self.write(json!([of("update_page", json!({"page": rich, "into": group}), json!({}))])).await;
        let files = self.admin.get(&format!("{}/content/files?limit=1000", self.space)).await.expect(200);
        let file = files
            .at("/items")
            .as_array()
            .unwrap()
            .iter()
            .find(|file| file["name"] == "gone.png")
            .unwrap()["id"]
            .clone();
        self.write(json!([{"operation": "delete_page", "page": icon}, {"operation": "delete_files", "files": [file]}])).await;
        self.bytes(fixture).await;
        self.fields(fixture).await;
        let page = format!("{}/content/page/{rich}", self.space);
        self.get(&page).await;
        self.get(&format!("{page}?format=document")).await;
        self.get(&format!("{page}?format=markdown")).await;
        self.get(&format!("{}/content", self.space)).await;
    }

    /// What a synchronisation with Git would note.
    async fn git(&self, fixture: &Fixture, page: &str, reusable: &str) {
        let blob = || Some(GitBlob { oid: "0a".to_owned(), path: "README.md".to_owned() });
        let file: FileId = fixture.named("fileId").parse().unwrap();
        self.app.edit(self.admin, fixture.space.parse().unwrap(), ContentSelector::Space, |content| {
            content.change_page(page.parse().unwrap(), |page| page.git = blob());
            let mut node = content.tree.file(file).unwrap().clone();
            node.git = blob();
            content.tree.update_file(node).unwrap();
            let mut note = content.tree.reusable_content(reusable.parse().unwrap()).unwrap().clone();
            note.git = blob();
            content.tree.update_reusable_content(note).unwrap();
        });
    }

    /// A file gets other bytes, as by a merge of two imports.
    async fn bytes(&self, fixture: &Fixture) {
        let file: FileId = fixture.named("fileId").parse().unwrap();
        for (text, side) in [("first", 3), ("second bytes", 5)] {
            let (revision, ()) = self.app.edit(
                self.admin,
                fixture.space.parse().unwrap(),
                ContentSelector::Space,
                |content| {
                    let mut node = content.tree.file(file).unwrap().clone();
                    node.blob = BlobHash::of(text.as_bytes());
                    node.size = u64::try_from(text.len()).unwrap();
                    node.dimensions = Some(quire_revision::Dimensions { width: side, height: side });
                    node.content_type = format!("image/{side}");
                    content.tree.update_file(node).unwrap();
                },
            );
            let changes = format!("{}/revisions/{revision}/changes", self.space);
            self.get(&changes).await;
        }
    }

    /// Values of custom fields stand with the revision that follows.
    async fn fields(&self, fixture: &Fixture) {
        let path = format!("{}/custom-fields", self.space);
        for value in ["one", "two"] {
            let body = json!({"values": {(fixture.named("fieldName")): {"value": value}}});
            let _ = self.admin.patch(&path, body).await.expect(204);
            self.write(json!([{"operation": "insert_group", "title": value}])).await;
        }
    }

    /// A write that changes more than its answer lists.
    pub async fn many(&self, fixture: &Fixture) {
        let (_, top) =
            self.app.edit(self.admin, fixture.space.parse().unwrap(), ContentSelector::Space, |content| {
                let top = content.page(None, "Top", "");
                for number in 0..1_000 {
                    content.page(Some(top), &format!("Below {number}"), "");
                }
                top
            });
        self.write(json!([{"operation": "delete_page", "page": top}])).await;
    }
}
