//! Change requests with conflicts.

use serde_json::{Value, json};

use super::{Rich, changed, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn merges(&self, fixture: &mut Fixture) {
        let requests = format!("{}/change-requests", self.space);
        let page = |title: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": "One."}});
        let written = self.write(&self.space, json!([page("Shared"), page("Doomed")])).await;
        let [page, doomed] = ["Shared", "Doomed"].map(|title| changed(&written, "page", title));
        let (file, note) = (fixture.named("fileId"), fixture.named("reusableContentId"));
        let edits = |title: &str| {
            let is_mine = title == "Mine";
            let (emoji, layout) = if is_mine { ("🐣", "editorial") } else { ("🐥", "landing") };
            let fate = match is_mine {
                true => json!({"operation": "delete_page", "page": doomed}),
                false => json!({"operation": "update_page", "page": doomed, "title": "Saved"}),
            };
            let cover = json!({"kind": "url", "url": format!("https://example.com/{title}.png")});
            json!({"changes": [
                {"operation": "update_page", "page": page, "title": title, "slug": title.to_lowercase(), "description": title,
                    "emoji": emoji, "document": {"markdown": title}, "layout": layout, "cover": {"ref": cover, "yPos": 0}},
                fate,
                {"operation": "update_file", "file": file, "name": format!("{title}.png")},
                {"operation": "update_reusable_content", "reusableContent": note, "title": title},
            ]})
        };
        let mut paths = Vec::new();
        for title in ["Mine", "Yours"] {
            let made = self.admin.post_empty(&requests).await;
            done(&made);
            paths.push(format!("{requests}/{}", made.text("/id")));
            let _ = self
                .admin
                .post(&format!("{}/content", paths.last().unwrap()), edits(title))
                .await
                .expect(200);
        }
        for path in &paths {
            let merged = self.admin.post_empty(&format!("{path}/merge")).await;
            done(&merged);
            self.get(path).await;
            done(&self.admin.patch(path, json!({"subject": "Names"})).await);
        }
        self.choose(&paths[1]).await;
        for body in [json!({}), json!({"strategy": "ours"})] {
            let updated = self.admin.post(&format!("{}/update", paths[1]), body).await;
            done(&updated);
        }
        self.get(&paths[1]).await;
        let revision = self.get(&format!("{}/content", self.space)).await.text("/id");
        self.get(&format!("{}/revisions/{revision}/changes", self.space)).await;
        let (before, page) = (fixture.named("revisionId"), fixture.named("pageId"));
        self.get(&format!("{}/revisions/{before}/compare/{revision}?limit=2", self.space)).await;
        let compared = format!("{}/revisions/{before}/compare/{revision}/{page}", self.space);
        self.get(&compared).await;
        self.get(&format!("{compared}?format=html")).await;
        self.get(&format!("{requests}?changedPage={page}")).await;
        let behind = format!("{requests}/{}", fixture.named("changeRequestId"));
        done(&self.admin.patch(&behind, json!({"subject": "Words", "status": "open"})).await);
        let given_up = self.change_request().await;
        done(&self.admin.patch(&given_up, json!({"status": "archived"})).await);
        fixture.set("revisionId", &revision);
        let proposals = format!("/v1/orgs/{}/change-requests", fixture.named("organizationId"));
        let (admin, reviewer) = (self.admin.user(), fixture.named("userId in a change request"));
        for list in [requests, format!("{proposals}?space={}", fixture.space)] {
            let with = if list.contains('?') { '&' } else { '?' };
            for filter in [
                format!("contributor={admin}"),
                format!("creator={admin}"),
                format!("requestedReviewer={reviewer}"),
            ] {
                self.get(&format!("{list}{with}{filter}")).await;
            }
        }
    }

    /// Writes changes whose base is not the current revision.
    pub async fn merge_writes(&self, resource: &str) {
        let edit = |page: &Value, markdown: &str| json!({"operation": "update_page", "page": page, "document": {"markdown": markdown}});
        let insert = |title: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": "One.\n\nTwo."}});
        let note = |markdown: &str| json!({"operation": "insert_reusable_content", "title": "Shared note", "document": {"markdown": markdown}});
        let made =
            self.write(resource, json!([insert("Edited"), insert("Removed"), note("One.\n\nTwo.")])).await;
        let base = self.head(resource).await;
        let [page, removed] = ["Edited", "Removed"].map(|title| json!(changed(&made, "page", title)));
        let note = changed(&made, "reusableContent", "Shared note");
        let edit_note = |markdown: &str| json!({"operation": "update_reusable_content", "reusableContent": note, "document": {"markdown": markdown}});
        let remove = json!({"operation": "delete_page", "page": removed});
        self.write(resource, json!([edit(&page, "1.\n\nTwo."), edit_note("1.\n\nTwo."), remove])).await;
        let changes =
            json!([edit(&page, "First.\n\nTwo.\n\n3."), edit(&removed, "Kept."), edit_note("One.\n\n2.")]);
        self.merge_write(resource, &base, changes).await;
    }

    pub async fn merge_write(&self, resource: &str, base: &str, changes: Value) {
        let body = json!({"base": base, "onStale": "merge", "amend": true, "changes": changes});
        done(&self.admin.post(&format!("{resource}/content"), body).await);
    }

    /// Returns the current revision of a space or change request.
    pub async fn head(&self, resource: &str) -> String {
        self.get(&format!("{resource}/content?metadata=false")).await.text("/id")
    }

    /// Resolves conflicts of blocks with each version. The other conflicts stay open.
    async fn choose(&self, path: &str) {
        let refused = self.admin.post(&format!("{path}/update"), json!({})).await;
        let conflicts = refused.at("/conflicts").as_array().unwrap();
        let block = conflicts.iter().find_map(|conflict| conflict.pointer("/blocks/0/id")).unwrap();
        let words = json!({"object": "text", "leaves": [{"object": "leaf", "text": "Both.", "marks": []}]});
        let paragraph = json!({"object": "block", "type": "paragraph", "data": {}, "nodes": [words]});
        let document = json!({"object": "document", "data": {"schemaVersion": 1}, "nodes": [paragraph]});
        for resolution in [
            json!({"conflict": block, "take": "ours"}),
            json!({"conflict": block, "take": "theirs"}),
            json!({"conflict": block, "take": "both"}),
            json!({"conflict": block, "take": "document", "document": document}),
        ] {
            let body = json!({"revisions": refused.at("/revisions"), "resolutions": [resolution]});
            for action in ["update", "merge"] {
                done(&self.admin.post(&format!("{path}/{action}"), body.clone()).await);
            }
        }
    }
}
