//! Sites, their settings and share links.

use serde_json::json;

use super::Platform;
use super::customization::{picture, settings};

/// A site of the organization with a space on it.
pub struct Stage {
    /// Its path.
    pub site: String,
    /// The space that stood on it first.
    pub space: String,
}

impl Platform<'_> {
    pub(super) async fn sites(&self) {
        let sites = self.of("sites");
        let space = self.space("Guide").await;
        let (title, kind) = ("Docs", "sponsored");
        let body = json!({"type": kind, "title": title, "visibility": "unlisted", "spaces": [space]});
        let id = self.post(&sites, body.clone()).await.text("/id");
        let other = self.post(&sites, body).await.text("/id");
        let sample = json!({"title": "Samples", "spaces": "sample"});
        let sample = self.post(&sites, sample).await.text("/id");
        self.post_empty(&format!("{sites}/{other}/publish")).await;
        let stage = Stage { site: format!("{sites}/{id}"), space: space.clone() };
        self.site_settings(&stage).await;
        self.on_site(&stage).await;
        self.in_sections(&stage).await;
        self.visitors(&stage).await;
        self.post_empty(&format!("{}/unpublish", stage.site)).await;
        self.post_empty(&format!("{}/publish", stage.site)).await;
        self.get(&stage.site).await;
        let query = format!("space={space}&title=doc&published=true&type=sponsored");
        self.list(&sites, &query).await;
        self.delete(&format!("{sites}/{sample}")).await;
    }

    async fn site_settings(&self, stage: &Stage) {
        let Stage { site, .. } = stage;
        self.post_empty(&format!("{site}/publish")).await;
        let body = json!({
            "title": "Our docs", "visibility": "public", "basename": "our-docs", "hostname": "docs.acme.example",
            "proxy": {"origin": "acme.example/docs"}, "adaptiveContent": {"enabled": true},
        });
        self.patch(site, body).await;
        let schema = json!({"type": "object", "additionalProperties": false, "properties": {
            "plan": {"type": "string", "description": "What they pay for", "enum": ["free", "pro"]},
            "unsigned": {
                "type": "object", "description": "Unsigned claims of the site visitor.", "additionalProperties": false,
                "properties": {"beta": {"type": "boolean", "description": "Takes part"}},
            },
        }});
        let adaptive = format!("{site}/adaptive-schema");
        self.put(&adaptive, json!({ "jsonSchema": schema })).await;
        self.get(&adaptive).await;
        let customization = format!("{site}/customization");
        self.put(&customization, settings(&json!({"emoji": "🚀"}), false)).await;
        self.put(&customization, settings(&json!({"icon": picture("favicon")}), true)).await;
        self.get(&customization).await;
        let links = format!("{site}/share-links");
        let mut paths = Vec::new();
        for name in ["Press", "Friends"] {
            let made = self.post(&links, json!({ "name": name })).await;
            paths.push(format!("{links}/{}", made.text("/id")));
        }
        for (name, active) in [("Bloggers", false), ("Journalists", true)] {
            self.patch(&paths[0], json!({"name": name, "active": active})).await;
        }
        self.get(&paths[0]).await;
        self.list(&links, "").await;
        self.delete(&paths[1]).await;
    }
}
