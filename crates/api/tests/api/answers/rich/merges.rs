//! Change requests that come into conflict.

use serde_json::json;

use super::{Rich, changed, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn merges(&self, fixture: &mut Fixture) {
        let requests = format!("{}/change-requests", self.space);
        let page = json!({"operation": "insert_page", "title": "Shared", "document": {"markdown": "One."}});
        let written = self.write(&self.space, json!([page])).await;
        let page = changed(&written, "page", "Shared");
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
            done(&made);
            paths.push(format!("{requests}/{}", made.text("/id")));
            let _ = self
                .admin
                .post(&format!("{}/content", paths.last().unwrap()), rename(title))
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
