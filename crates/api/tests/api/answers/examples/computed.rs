//! Computed pages.

use serde_json::json;

use super::{Rich, changed, done};
use crate::routes::Fixture;

impl Rich<'_> {
    /// Adds computed pages to the content of a space or change request.
    pub async fn computed(&self, fixture: &Fixture, resource: &str) {
        let spec = json!({"ref": {"kind": "openapi", "spec": fixture.named("specSlug")}});
        let source =
            json!({"type": "builtin:openapi", "dependencies": {"spec": spec}, "props": {"models": true}});
        let mut single = source.clone();
        single["props"] = json!({"models": true, "downloadLink": true, "grouping": "by-operation"});
        let home = fixture.named("pageId");
        let emoji = json!({"operation": "insert_computed", "title": "Emoji", "source": source, "emoji": "🧮",
            "into": home, "at": 0, "seed": "seed"});
        let icon = json!({"operation": "insert_computed", "title": "Icon", "source": single, "icon": "bolt", "into": home});
        let written = self.write(resource, json!([emoji, icon])).await;
        self.pass_a_minute();
        self.get(&format!("{resource}/content/pages?computed=false")).await;
        let renamed = [("Emoji", &source), ("Icon", &single)].map(|(title, source)| {
            let page = changed(&written, "page", title);
            json!({"operation": "update_page", "page": page, "title": "API", "source": source})
        });
        self.write(resource, json!(renamed)).await;
        for source in [&source, &single] {
            let body = json!({"source": source, "seed": "seed"});
            done(&self.admin.post(&format!("{}/content/computed/revision", self.space), body).await);
        }
        for props in [
            json!({"doc": "info", "page": "info"}),
            json!({"doc": "operations", "page": "tag-pets"}),
            json!({"doc": "operation", "page": "/pets", "method": "get", "deprecated": false}),
        ] {
            let mut source = source.clone();
            source["props"] = props;
            let body = json!({"source": source, "seed": "seed"});
            let document = format!("{}/content/computed/document?schema=current", self.space);
            done(&self.admin.post(&document, body).await);
        }
    }
}
