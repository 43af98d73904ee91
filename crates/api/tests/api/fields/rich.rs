//! Answers that have what a plain fixture lacks.

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_revision::{BlobHash, FileId, GitBlob};
use quire_storage::lookup::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

use crate::routes::Fixture;

/// A picture of one pixel by one.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Answers, each with the operation that gave it.
pub async fn answers(app: &TestApp, fixture: &Fixture, admin: &Caller) -> Vec<(&'static str, Value)> {
    let photo =
        format!("UPDATE users SET photo_url = 'https://example.com/ada.png' WHERE id = '{}'", admin.user());
    app.connection().batch_execute(&photo).unwrap();
    let mut rich = Rich { app, admin, space: format!("/v1/spaces/{}", fixture.space), answers: Vec::new() };
    rich.places(fixture).await;
    rich.content(fixture).await;
    rich.computed(fixture).await;
    rich.links(fixture).await;
    rich.discussion(fixture).await;
    rich.merges(fixture).await;
    rich.reviews(fixture).await;
    rich.many(fixture).await;
    rich.import().await;
    rich.watched_imports(fixture).await;
    rich.published(fixture).await;
    rich.answers
}

/// An upload of a page with a link that leads nowhere.
fn upload(target: &str) -> TestRequest {
    let body = "--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nmarkdown\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guide.md\"\r\n\r\n\
         # Guide\n\n[nowhere](missing.md)\r\n--b--\r\n";
    let request = TestRequest::post().uri(target).set_payload(body);
    request.insert_header(("Content-Type", "multipart/form-data; boundary=b"))
}

struct Rich<'a> {
    app: &'a TestApp,
    admin: &'a Caller,
    space: String,
    answers: Vec<(&'static str, Value)>,
}

impl Rich<'_> {
    fn keep(&mut self, operation: &'static str, answer: &Answer) {
        assert!(answer.status.is_success(), "{operation}: {}", answer.json);
        self.answers.push((operation, answer.json.clone()));
    }

    async fn get(&mut self, operation: &'static str, path: &str) -> Answer {
        let answer = self.admin.get(path).await;
        self.keep(operation, &answer);
        answer
    }

    /// Writes into the space's content; answers the revision, whose changes are kept.
    async fn write(&mut self, changes: Value) -> Answer {
        let path = format!("{}/content", self.space);
        let written = self.admin.post(&path, json!({ "changes": changes })).await;
        self.keep("updateSpaceContent", &written);
        let changes = format!("{}/revisions/{}/changes", self.space, written.text("/id"));
        self.get("getRevisionSemanticChanges", &format!("{changes}?limit=1")).await;
        self.get("getRevisionSemanticChanges", &format!("{changes}?limit=1000")).await;
        written
    }

    async fn places(&mut self, fixture: &Fixture) {
        let outer = fixture.named("collectionId");
        let collections = format!("/v1/orgs/{}/collections", fixture.named("organizationId"));
        let inner = self.admin.post(&collections, json!({"parent": outer})).await.expect(201).text("/id");
        let body = json!({"description": "What is inside"});
        let changed = self.admin.patch(&format!("/v1/collections/{inner}"), body).await;
        self.keep("updateCollectionById", &changed);
        let icon = json!({"icon": "https://example.com/icon.png"});
        let changed = self.admin.patch(&self.space, icon).await;
        self.keep("updateSpaceById", &changed);
        let spaces = format!("/v1/orgs/{}/spaces", fixture.named("organizationId"));
        let made = self.admin.post(&spaces, json!({"parent": inner})).await;
        self.keep("createSpace", &made);
        let path = format!("/v1/spaces/{}", made.text("/id"));
        let _ = self.admin.delete(&path).await.expect(204);
        self.get("getSpaceById", &path).await;
    }

    async fn content(&mut self, fixture: &Fixture) {
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
        self.get("getPageById", &page).await;
        self.get("getPageById", &format!("{page}?format=document")).await;
        self.get("getPageById", &format!("{page}?format=markdown")).await;
        self.get("getCurrentRevision", &format!("{}/content", self.space)).await;
    }

    /// What a synchronisation with Git would note.
    async fn git(&mut self, fixture: &Fixture, page: &str, reusable: &str) {
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
    async fn bytes(&mut self, fixture: &Fixture) {
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
            self.get("getRevisionSemanticChanges", &changes).await;
        }
    }

    /// Values of custom fields stand with the revision that follows.
    async fn fields(&mut self, fixture: &Fixture) {
        let path = format!("{}/custom-fields", self.space);
        for value in ["one", "two"] {
            let body = json!({"values": {(fixture.named("fieldName")): {"value": value}}});
            let _ = self.admin.patch(&path, body).await.expect(204);
            self.write(json!([{"operation": "insert_group", "title": value}])).await;
        }
    }

    async fn computed(&mut self, fixture: &Fixture) {
        let spec = json!({"ref": {"kind": "openapi", "spec": fixture.named("specSlug")}});
        let source =
            json!({"type": "builtin:openapi", "dependencies": {"spec": spec}, "props": {"models": true}});
        let place = |title: &str, key: &str, name: &str| json!({"operation": "insert_computed", "title": title, "source": source, key: name});
        self.write(json!([place("Emoji", "emoji", "🧮"), place("Icon", "icon", "bolt")])).await;
        self.app.clock.advance(std::time::Duration::from_secs(60));
        let pages = self.get("listPages", &format!("{}/content/pages?computed=false", self.space)).await;
        let of_kind = pages.at("/pages").as_array().unwrap().iter().filter(|page| page["type"] == "computed");
        let renamed =
            of_kind.map(|page| json!({"operation": "update_page", "page": page["id"], "title": "API"}));
        self.write(renamed.collect()).await;
        self.get("listPages", &format!("{}/content/pages?computed=false", self.space)).await;
        self.get("listPages", &format!("{}/content/pages", self.space)).await;
        let body = json!({"source": source, "seed": "seed"});
        let made = self.admin.post(&format!("{}/content/computed/revision", self.space), body).await;
        self.keep("getComputedRevision", &made);
        let mut source = source;
        source["props"] = json!({"doc": "info"});
        let made = self
            .admin
            .post(
                &format!("{}/content/computed/document", self.space),
                json!({"source": source, "seed": "seed"}),
            )
            .await;
        self.keep("getComputedDocument", &made);
    }

    async fn links(&mut self, fixture: &Fixture) {
        let reference = |kind: &str, key: &str, value: &str| json!({"operation": "insert_link", "title": kind, "target": {"kind": kind, key: value}});
        let (user, page) = (self.admin.user().to_string(), fixture.named("pageId"));
        let anchor = json!({"operation": "insert_link", "title": "Anchor", "target": {"kind": "anchor", "page": page, "anchor": "nowhere"}});
        let heading = json!({"operation": "update_page", "page": page, "document": {"markdown": "# Set up\n\nRun it."}});
        let there = json!({"operation": "insert_link", "title": "Anchor", "target": {"kind": "anchor", "page": page, "anchor": "set-up"}});
        let file = json!({"operation": "insert_link", "title": "File", "target": {"kind": "file", "file": fixture.named("fileId")}});
        let collection = fixture.named("collectionId");
        self.write(json!([
            reference("user", "user", &user),
            reference("space", "space", &self.other_space(fixture).await),
            reference("collection", "collection", &collection),
            reference("openapi", "spec", &fixture.named("specSlug")),
            reference("reusable-content", "reusableContent", &fixture.named("reusableContentId")),
            heading,
            anchor,
            there,
            file,
        ]))
        .await;
        self.get("listSpaceLinks", &format!("{}/links?limit=1000", self.space)).await;
        self.get("listSpaceLinks", &format!("{}/links?limit=1", self.space)).await;
        let requests = format!("{}/change-requests", self.space);
        let request =
            format!("{requests}/{}", self.admin.post_empty(&requests).await.expect(201).text("/id"));
        let changes = json!({"changes": [{"operation": "insert_link", "title": "Gone", "target": {"kind": "page", "page": fixture.named("revisionId")}}]});
        let written = self.admin.post(&format!("{request}/content"), changes).await;
        self.keep("updateChangeRequestContent", &written);
        self.get("listChangeRequestLinks", &format!("{request}/links?limit=1000")).await;
        self.get("getRevisionOfChangeRequestById", &format!("{request}/content")).await;
    }

    async fn other_space(&self, fixture: &Fixture) -> String {
        let spaces = format!("/v1/orgs/{}/spaces", fixture.named("organizationId"));
        self.admin.post_empty(&spaces).await.expect(201).text("/id")
    }

    async fn discussion(&mut self, fixture: &Fixture) {
        let home = fixture.named("pageId");
        let page = json!({"operation": "insert_page", "title": "Discussed", "into": home, "document": {"markdown": "Run it."}});
        let written = self.write(json!([page])).await;
        let page = written.at("/changes/0/page/id").clone();
        self.get("listPages", &format!("{}/content/pages", self.space)).await;
        self.get("searchSpaceContent", &format!("{}/search?query=run", self.space)).await;
        for (key, value) in [("emoji", "🚀"), ("icon", "bolt")] {
            let changed = json!({"operation": "update_page", "page": page, "document": {"markdown": format!("# Set up\n\nRun {key}.")}, key: value});
            self.write(json!([changed])).await;
            let body = json!({"body": {"markdown": "Why?"}, "page": page, "node": "0"});
            let posted = self.admin.post(&format!("{}/comments", self.space), body).await;
            self.keep("postCommentInSpace", &posted);
            let path = format!("{}/comments/{}", self.space, posted.text("/id"));
            let replies = format!("{path}/replies");
            let reply = self.admin.post(&replies, json!({"body": {"markdown": "So."}})).await;
            self.keep("postCommentReplyInSpace", &reply);
            self.app.clock.advance(std::time::Duration::from_secs(60));
            let edited =
                json!({"body": {"markdown": "Why not?"}, "addedReactions": ["🚀"], "resolved": true});
            let changed = self.admin.put(&path, edited.clone()).await;
            self.keep("updateCommentInSpace", &changed);
            let changed = self.admin.put(&format!("{replies}/{}", reply.text("/id")), edited).await;
            self.keep("updateCommentReplyInSpace", &changed);
        }
        self.get("listCommentsInSpace", &format!("{}/comments?format=document", self.space)).await;
    }

    async fn merges(&mut self, fixture: &Fixture) {
        let requests = format!("{}/change-requests", self.space);
        let page = json!({"operation": "insert_page", "title": "Shared", "document": {"markdown": "One."}});
        let written = self.write(json!([page])).await;
        let page = written.at("/changes/0/page/id").clone();
        let (file, note) = (fixture.named("fileId"), fixture.named("reusableContentId"));
        let rename = |title: &str| {
            json!({"changes": [
                {"operation": "update_page", "page": page, "title": title},
                {"operation": "update_file", "file": file, "name": format!("{title}.png")},
                {"operation": "update_reusable_content", "reusableContent": note, "title": title},
            ]})
        };
        let mut paths = Vec::new();
        for title in ["Mine", "Yours"] {
            let made = self.admin.post_empty(&requests).await;
            self.keep("createChangeRequest", &made);
            paths.push(format!("{requests}/{}", made.text("/id")));
            let _ = self
                .admin
                .post(&format!("{}/content", paths.last().unwrap()), rename(title))
                .await
                .expect(200);
        }
        for path in &paths {
            let merged = self.admin.post_empty(&format!("{path}/merge")).await;
            self.keep("mergeChangeRequest", &merged);
            self.get("getChangeRequestById", path).await;
        }
        for body in [json!({}), json!({"strategy": "ours"})] {
            let updated = self.admin.post(&format!("{}/update", paths[1]), body).await;
            self.keep("updateChangeRequest", &updated);
        }
        self.get("getChangeRequestById", &paths[1]).await;
        let revision = self.get("getCurrentRevision", &format!("{}/content", self.space)).await.text("/id");
        self.get("getRevisionSemanticChanges", &format!("{}/revisions/{revision}/changes", self.space)).await;
    }

    async fn reviews(&mut self, fixture: &Fixture) {
        let path = format!("{}/change-requests/{}", self.space, fixture.named("changeRequestId"));
        let reviewer = self.app.as_role(Role::Admin);
        let asked = json!({"users": [reviewer.user()], "teams": [fixture.named("teamId")]});
        let asked = self.admin.post(&format!("{path}/requested-reviewers"), asked).await;
        self.keep("requestReviewersInChangeRequest", &asked);
        let body = json!({"status": "approved", "comment": {"markdown": "Good."}});
        let review = reviewer.post(&format!("{path}/reviews"), body).await;
        self.keep("submitChangeRequestReview", &review);
        let changes = json!({"changes": [{"operation": "insert_group", "title": "After"}]});
        let _ = self.admin.post(&format!("{path}/content"), changes).await.expect(200);
        self.get("listChangeRequestReviews", &format!("{path}/reviews")).await;
        self.get("getChangeRequestChanges", &format!("{path}/changes?limit=1")).await;
    }

    /// A write that changes more than its answer lists.
    async fn many(&mut self, fixture: &Fixture) {
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

    async fn import(&mut self) {
        let target = format!("{}/content/import", self.space);
        let imported = self.admin.send(upload(&target)).await;
        self.keep("importContent", &imported);
    }

    /// Imports that are watched: to a page and to a change request; that of the fixture fails.
    async fn watched_imports(&mut self, fixture: &Fixture) {
        let requests = format!("{}/change-requests", self.space);
        let request = self.admin.post(&requests, json!({})).await.expect(201).text("/id");
        let page = format!("{}/content/page/{}/import", self.space, fixture.named("pageId"));
        for target in [page, format!("{requests}/{request}/content/import")] {
            let begun = upload(&target).insert_header(("Prefer", "respond-async"));
            let _ = self.admin.send(begun).await.expect(202);
        }
        self.app.run_jobs().await;
        // A phase is noted once a second, which none of these takes.
        let noted = "UPDATE imports SET phase = 'fetching' WHERE status = 'failed'";
        self.app.connection().batch_execute(noted).unwrap();
        let imports = format!("{}/imports", self.space);
        self.get("listImports", &imports).await;
    }

    async fn published(&mut self, fixture: &Fixture) {
        let site = format!("/v1/orgs/{}/sites/{}", fixture.named("organizationId"), fixture.named("siteId"));
        let _ = self.admin.post_empty(&format!("{site}/publish")).await.expect(200);
        for visibility in ["public", "visitor-auth"] {
            let _ = self.admin.patch(&site, json!({"visibility": visibility})).await.expect(200);
            let space = self.space.clone();
            self.get("getSpaceById", &space).await;
            self.get("getCurrentRevision", &format!("{space}/content")).await;
        }
    }
}
