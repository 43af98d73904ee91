//! OpenAPI specifications: one that was processed, and later could not be fetched.

use serde_json::{Value, json};

use super::{Platform, UNREACHABLE};

/// Returns the text of a specification.
fn text(version: &str) -> Value {
    let source = json!({"openapi": "3.1.0", "info": {"title": "Pets", "version": version}, "paths": {"/pets": {"get": {}}}});
    json!({"source": {"text": source.to_string()}})
}

impl Platform<'_> {
    pub(super) async fn specifications(&self) {
        let specs = self.of("openapi");
        let mut body = text("1");
        body["slug"] = json!("pets");
        self.post(&specs, body).await;
        let nowhere = json!({"slug": "birds", "source": {"url": UNREACHABLE}});
        self.post(&specs, nowhere).await;
        self.app.run_jobs().await;
        let path = format!("{specs}/pets");
        self.app.clock.advance(std::time::Duration::from_secs(60));
        self.put(&path, text("2")).await;
        self.app.run_jobs().await;
        self.app.clock.advance(std::time::Duration::from_secs(60));
        for _ in 0..2 {
            let nowhere = json!({"source": {"url": UNREACHABLE}});
            self.put(&path, nowhere).await;
            self.app.run_jobs().await;
        }
        self.put(&format!("{specs}/fish"), text("1")).await;
        let spec = self.get(&path).await;
        self.list(&specs, "").await;
        let versions = format!("{path}/versions");
        self.list(&versions, "").await;
        let version = format!("{versions}/{}", spec.text("/lastVersion"));
        self.get(&version).await;
        self.get(&format!("{version}/content")).await;
        self.get(&format!("{version}/content/raw")).await;
        self.delete(&format!("{specs}/birds")).await;
    }
}
