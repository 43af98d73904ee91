//! Change requests that come into conflict.

use serde_json::json;

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
        for body in [json!({}), json!({"strategy": "ours"})] {
            let updated = self.admin.post(&format!("{}/update", paths[1]), body).await;
            done(&updated);
        }
        self.get(&paths[1]).await;
        let revision = self.get(&format!("{}/content", self.space)).await.text("/id");
        self.get(&format!("{}/revisions/{revision}/changes", self.space)).await;
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
}
