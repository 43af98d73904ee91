//! Revisions, pages, files and reusable contents with all their fields, and each kind of change to them.

use actix_web::web::Bytes;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use diesel::connection::SimpleConnection as _;
use quire_revision::{BlobHash, FileId, GitBlob};
use quire_storage::content::store::ContentSelector;
use serde_json::{Value, json};

use super::{Rich, changed, done};
use crate::routes::Fixture;

/// Image of one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Dated update with a tag.
const NEWS: &str = "{% updates format=\"full\" %}\n{% update date=\"2026-01-02\" tags=\"new\" %}\nMore.\n\
    {% endupdate %}\n{% endupdates %}\n";

/// Returns the bytes of the image.
pub fn png() -> Vec<u8> {
    BASE64_STANDARD.decode(PNG).unwrap()
}

impl Rich<'_> {
    /// Adds, changes and deletes every kind of page, file and reusable content in a space or change request. Returns
    /// the ids of a page and a reusable content.
    pub async fn content(&self, fixture: &Fixture, resource: &str) -> (String, String) {
        let url = |name: &str| json!({"kind": "url", "url": format!("https://example.com/{name}.png")});
        let layout = json!({"width": "wide", "cover": true, "coverSize": "full", "coverMask": "radial", "title": true,
            "description": true, "tableOfContents": true, "outline": true, "pagination": true, "metadata": true,
            "tags": true, "actions": true, "anchors": true});
        let record = |number: u32| {
            json!({"title": format!("Rich {number}"), "linkTitle": format!("Short {number}"), "slug": format!("rich-{number}"), "emoji": "🚀", "description": format!("All {number}"),
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
        let base = self.head(resource).await;
        let first =
            json!({"base": base, "changes": [{"operation": "insert_group", "title": "First", "at": 0}]});
        done(&self.admin.post(&format!("{resource}/content"), first).await);
        let mut spot = target(&home);
        spot["into"] = json!(home);
        spot["at"] = json!(0);
        let mut named = text.clone();
        named["ref"] = json!("new-page");
        named["into"] = json!(home);
        named["at"] = json!(0);
        let document = self
            .get(&format!("{}/content/page/{home}?format=document", self.space))
            .await
            .at("/document")
            .clone();
        let fetched = json!({"name": "fetched.png", "ref": "picture", "url": self.server.url("/a.png")});
        let written = self
            .write(resource, json!([
                of("insert_page", named, record(1)),
                of("insert_page", text.clone(), json!({"title": "Icon", "icon": "bolt"})),
                of("insert_page", json!({"document": {"document": document}}), json!({"title": "Copy"})),
                of("insert_group", json!({}), group),
                of("insert_group", json!({}), json!({"title": "Other", "icon": "box"})),
                of("insert_link", spot.clone(), json!({"title": "Link", "emoji": "🔗"})),
                of("insert_link", spot, json!({"title": "Link", "icon": "link"})),
                picture("a.png"),
                picture("newer.png"),
                {"operation": "insert_files", "files": [fetched]},
                {"operation": "insert_reusable_content", "title": "Rich", "document": {"markdown": "Mind."}, "ref": "note"},
                {"operation": "insert_reusable_content", "title": "Gone", "document": {"markdown": "Soon."}},
            ]))
            .await;
        let [rich, icon, group, other, link] =
            ["Rich 1", "Icon", "Group", "Other", "Link"].map(|title| changed(&written, "page", title));
        let [kept, gone] = ["Rich", "Gone"].map(|title| changed(&written, "reusableContent", title));
        let picture_id = changed(&written, "file", "a.png");
        self.pass_a_minute();
        self.write(resource, json!([
            of("update_page", json!({"page": rich, "into": null, "at": 0}), json!({"emoji": "🛰️"})),
            of("update_page", json!({"page": icon}), json!({"icon": "star"})),
            of("update_page", json!({"page": group}), json!({"title": "Groups"})),
            of("update_page", json!({"page": other}), json!({"icon": "boxes"})),
            of("update_page", json!({"page": link, "target": url("elsewhere")}), json!({"title": "Links"})),
            {"operation": "replace_file", "file": picture_id, "by": changed(&written, "file", "newer.png")},
            {"operation": "update_file", "file": picture_id, "name": "b.png"},
            {"operation": "update_reusable_content", "reusableContent": kept, "title": "Richer", "document": {"markdown": NEWS}},
            {"operation": "delete_reusable_content", "reusableContent": gone},
            picture("gone.png"),
        ])).await;
        let plain = json!({"linkTitle": null, "hidden": false, "noIndex": false, "noRobotsIndex": false, "layout": "editorial"});
        self.write(resource, json!([of("update_page", json!({"page": rich}), plain)])).await;
        self.write(resource, json!([of("update_page", json!({"page": rich}), record(2))])).await;
        let before = self.head(resource).await;
        let other = json!({"page": rich, "into": home, "document": {"markdown": "Else."}});
        self.write(resource, json!([of("update_page", other, json!({}))])).await;
        let back = json!({"operation": "revert_page", "page": rich, "revision": before, "block": ["0"]});
        self.write(resource, json!([back])).await;
        self.write(resource, json!([of("update_page", json!({"page": rich, "into": group}), json!({}))]))
            .await;
        let files = self.get(&format!("{resource}/content/files?limit=1000")).await;
        let mut files = files.at("/items").as_array().unwrap().iter();
        let file = files.find(|file| file["name"] == "gone.png").unwrap()["id"].clone();
        let deleted = json!([{"operation": "delete_page", "page": icon}, {"operation": "delete_files", "files": [file]}]);
        self.write(resource, deleted).await;
        self.get(&format!("{}/deleted-pages", self.space)).await;
        let revisions = format!("{}/revisions?author={}", self.space, self.admin.user());
        self.get(&format!("{revisions}&summary=true&changedPage={rich}")).await;
        self.merge_writes(resource).await;
        (rich, kept)
    }

    /// Adds the Git data that a synchronization would record.
    pub async fn git(&self, fixture: &Fixture, page: &str, reusable: &str) {
        let blob = || Some(GitBlob { oid: "0a".to_owned(), path: "README.md".to_owned() });
        let file: FileId = fixture.named("fileId").parse().unwrap();
        self.app.edit(self.admin, fixture.space.parse().unwrap(), ContentSelector::Space, |content| {
            content.change_page(page.parse().unwrap(), |page| page.git = blob().map(Box::new));
            let mut node = content.tree.file(file).unwrap().clone();
            node.git = blob();
            content.tree.update_file(node).unwrap();
            let mut note = content.tree.reusable_content(reusable.parse().unwrap()).unwrap().clone();
            note.git = blob();
            content.tree.update_reusable_content(note).unwrap();
        });
        self.connected(&fixture.space);
    }

    /// Adds the connection state that a synchronization would record.
    fn connected(&self, space: &str) {
        let time = "2026-01-02T03:04:05.006Z";
        let operation = json!({
            "state": "failure", "direction": "import", "startedAt": time, "endedAt": time, "error": "No answer.",
        });
        let state = json!({
            "installation": "00000000-0000-7000-8000-0000000000aa", "provider": "github",
            "url": "https://github.com/acme/docs.git", "reference": "refs/heads/main", "projectDirectory": "docs/",
            "status": "active", "operation": operation, "updatedAt": time,
        });
        let statement = format!("UPDATE spaces SET git_sync = '{state}' WHERE id = '{space}'");
        self.app.connection().batch_execute(&statement).unwrap();
    }

    /// Replaces the bytes of a file, as a merge of two imports does.
    pub async fn bytes(&self, fixture: &Fixture) {
        let file: FileId = fixture.named("fileId").parse().unwrap();
        let space = fixture.space.parse().unwrap();
        for (text, side) in [("first", 3), ("second bytes", 5)] {
            let files = self.app.state.storage.files();
            files
                .put(space, BlobHash::of(text.as_bytes()), Bytes::from_static(text.as_bytes()))
                .await
                .unwrap();
            let (revision, ()) = self.app.edit(self.admin, space, ContentSelector::Space, |content| {
                let mut node = content.tree.file(file).unwrap().clone();
                node.blob = BlobHash::of(text.as_bytes());
                node.size = u64::try_from(text.len()).unwrap();
                node.dimensions = Some(quire_revision::Dimensions { width: side, height: side });
                node.content_type = format!("image/{side}");
                content.tree.update_file(node).unwrap();
            });
            let changes = format!("{}/revisions/{revision}/changes", self.space);
            self.get(&changes).await;
        }
    }

    /// Changes values of custom fields. The revision that follows lists the changes.
    pub async fn fields(&self, fixture: &Fixture) {
        let path = format!("{}/custom-fields", self.space);
        for value in ["one", "two"] {
            let body = json!({"values": {(fixture.named("fieldName")): {"value": value}}});
            let _ = self.admin.patch(&path, body).await.expect(204);
            self.write(&self.space, json!([{"operation": "insert_group", "title": value}])).await;
        }
    }

    /// Writes more changes than the response lists.
    pub async fn many(&self, fixture: &Fixture) {
        let (_, top) =
            self.app.edit(self.admin, fixture.space.parse().unwrap(), ContentSelector::Space, |content| {
                let top = content.page(None, "Top", "");
                for number in 0..1_000 {
                    content.page(Some(top), &format!("Below {number}"), "");
                }
                top
            });
        let base = self.head(&self.space).await;
        self.write(&self.space, json!([{"operation": "delete_page", "page": top}])).await;
        self.merge_write(&self.space, &base, json!([{"operation": "insert_group", "title": "Merged"}])).await;
    }
}
