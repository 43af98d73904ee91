//! Pages that are computed.

use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn computed(&self, fixture: &Fixture) {
        let spec = json!({"ref": {"kind": "openapi", "spec": fixture.named("specSlug")}});
        let source =
            json!({"type": "builtin:openapi", "dependencies": {"spec": spec}, "props": {"models": true}});
        let place = |title: &str, key: &str, name: &str| json!({"operation": "insert_computed", "title": title, "source": source, key: name});
        self.write(json!([place("Emoji", "emoji", "🧮"), place("Icon", "icon", "bolt")])).await;
        self.app.clock.advance(std::time::Duration::from_secs(60));
        let pages = self.get(&format!("{}/content/pages?computed=false", self.space)).await;
        let of_kind = pages.at("/pages").as_array().unwrap().iter().filter(|page| page["type"] == "computed");
        let renamed =
            of_kind.map(|page| json!({"operation": "update_page", "page": page["id"], "title": "API"}));
        self.write(renamed.collect()).await;
        self.get(&format!("{}/content/pages?computed=false", self.space)).await;
        self.get(&format!("{}/content/pages", self.space)).await;
        let body = json!({"source": source, "seed": "seed"});
        let made = self.admin.post(&format!("{}/content/computed/revision", self.space), body).await;
        done(&made);
        let mut source = source;
        source["props"] = json!({"doc": "info"});
        let made = self
            .admin
            .post(
                &format!("{}/content/computed/document", self.space),
                json!({"source": source, "seed": "seed"}),
            )
            .await;
        done(&made);
    }
}
