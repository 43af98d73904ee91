//! Sites, their settings and share links.

use serde_json::json;

use super::customization::{overrides, picture, settings};
use super::webhooks::receiver;
use super::{Platform, done};

/// Site of the organization with a space.
pub struct Stage {
    /// Path of the site.
    pub site: String,
    /// Id of the first space of the site.
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
        self.redirects(&stage).await;
        self.visitors(&stage).await;
        self.post_empty(&format!("{}/unpublish", stage.site)).await;
        self.post_empty(&format!("{}/publish", stage.site)).await;
        self.get(&stage.site).await;
        let query = format!("space={space}&title=doc&published=true&type=sponsored");
        self.list(&sites, &query).await;
        self.delete(&format!("{sites}/{sample}")).await;
    }

    async fn previews(&self, Stage { site, space }: &Stage) {
        let spaces = self.get(&format!("{site}/site-spaces")).await;
        let preview = format!("{site}/publishing/preview?siteSpace={}", spaces.text("/items/0/id"));
        let request = format!("/v1/spaces/{space}/change-requests");
        let request = self.post(&request, json!({"subject": "Words"})).await.text("/id");
        let revision = self.get(&format!("/v1/spaces/{space}")).await.text("/revision");
        for shown in [format!("changeRequest={request}"), format!("revision={revision}")] {
            let url = self.get(&format!("{preview}&{shown}")).await.text("/url");
            done(self.app.anonymous().post("/v1/urls/published", json!({ "url": url })).await);
            self.get(&format!("/v1/urls/published?url={url}")).await;
        }
        self.get(&format!("{site}/publishing/preview?customization=%7B%22title%22%3A%22Manual%22%7D")).await;
        self.content_by_url(space, &request).await;
    }

    /// Looks up a page of a change request, and a collection.
    async fn content_by_url(&self, space: &str, request: &str) {
        let request = format!("/v1/spaces/{space}/change-requests/{request}");
        let page =
            json!({"operation": "insert_page", "title": "Words", "document": {"markdown": "New ones."}});
        self.post(&format!("{request}/content"), json!({"changes": [page]})).await;
        let url = self.get(&request).await.text("/urls/app");
        self.get(&format!("/v1/urls/content?url={url}/words")).await;
        let url = self.post(&self.of("collections"), json!({"title": "Words"})).await.text("/urls/app");
        self.get(&format!("/v1/urls/content?url={url}")).await;
    }

    async fn redirects(&self, Stage { site, space }: &Stage) {
        let spaces = self.get(&format!("{site}/site-spaces")).await;
        let site_space = spaces.text("/items/0/id");
        let written = json!({"changes": [{"operation": "insert_page", "title": "Setup", "document": {"markdown": "Run it."}}]});
        self.post(&format!("/v1/spaces/{space}/content"), written).await;
        let page = self.get(&format!("/v1/spaces/{space}/content/path/setup")).await.text("/id");
        let section = self.get(&format!("{site}/sections")).await.text("/items/0/id");
        let redirects = format!("{site}/redirects");
        let mut paths = Vec::new();
        for (source, destination) in [
            ("/start", json!({"kind": "site-space", "siteSpaceId": site_space})),
            ("/install", json!({"kind": "path", "spaceId": space, "path": "setup"})),
            ("/blog/*", json!({"kind": "external", "url": "https://blog.example.com"})),
            ("/section", json!({"kind": "site-section", "siteSectionId": section})),
            ("/guide", json!({"kind": "site-page", "siteSpaceId": site_space, "pageId": page})),
        ] {
            let body = json!({"source": source, "destination": destination, "draft": source == "/start",
                "captureWildcard": true, "permanent": true});
            let made = self.post(&redirects, body).await;
            paths.push(format!("{redirects}/{}", made.text("/id")));
        }
        let changes = json!({"source": "/begin", "destination": {"kind": "external", "url": "https://example.com/"},
            "draft": true, "captureWildcard": false, "permanent": false});
        self.patch(&paths[0], changes).await;
        for (kind, key, id) in
            [("site-space", "siteSpaceId", &site_space), ("external", "url", &"https://a.example".to_owned())]
        {
            self.patch(&paths[4], json!({"destination": {"kind": kind, key: id}})).await;
        }
        let on_page = json!({"kind": "site-page", "siteSpaceId": site_space, "pageId": page});
        self.patch(&paths[4], json!({"destination": on_page})).await;
        self.patch(&paths[4], json!({"destination": {"kind": "site-section", "siteSectionId": section}}))
            .await;
        self.patch(&paths[4], json!({"destination": {"kind": "path", "spaceId": space, "path": "setup"}}))
            .await;
        self.get(&paths[0]).await;
        for path in &paths[1..] {
            self.get(path).await;
        }
        let several = json!({"redirects": [
            {"source": "/bulk", "intent": "draft", "destination": {"kind": "external", "url": "https://bulk.example.com/"},
                "captureWildcard": true, "permanent": true},
            {"source": "/bulk", "intent": "publish"},
            {"source": "/gone", "destination": null},
            {"source": "/bulk/section", "destination": {"kind": "site-section", "siteSectionId": section}},
            {"source": "/bulk/space", "destination": {"kind": "site-space", "siteSpaceId": site_space}},
            {"source": "/bulk/page", "destination": {"kind": "site-page", "siteSpaceId": site_space, "pageId": page}},
            {"source": "/bulk/path", "destination": {"kind": "path", "spaceId": space, "path": "setup"}},
        ]});
        self.put(&redirects, several).await;
        self.get(&format!("{redirects}?draft=true&search=beg&orderBy=source")).await;
        self.list(&redirects, "").await;
        for source in ["/install", "/blog/2026/first"] {
            self.get(&format!("{site}/redirect?source={source}&shareKey=key")).await;
        }
        self.delete(&paths[4]).await;
        self.get(&format!("/v1/spaces/{space}/embed?url=https://video.example.com/watch/1")).await;
        self.get(&format!("/v1/spaces/{space}/embed?url=https://vimeo.com/1")).await;
        self.get("/v1/urls/embed?url=https://vimeo.com/1").await;
        let own = self.get(site).await.text("/urls/published");
        self.get(&format!("/v1/urls/embed?url={own}")).await;
        self.get(&format!("/v1/spaces/{space}/embed?url={own}")).await;
        let renderer = format!("{site}/renderer");
        let url = receiver("503 Overloaded");
        let url = url.trim_end_matches("/hook");
        self.put(&renderer, json!({"url": url, "secret": "s3cret"})).await;
        self.app.purge_renderers().await;
        self.get(&renderer).await;
        self.put(&renderer, json!({ "url": url })).await;
        self.delete(&renderer).await;
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
        let auth = format!("{site}/publishing/auth");
        let urls = json!({"backend": "custom", "fallbackURL": "https://acme.example/login",
            "logoutURL": "https://acme.example/logout"});
        self.patch(&auth, urls).await;
        self.get(&auth).await;
        self.post_empty(&format!("{auth}/regenerate")).await;
        self.previews(stage).await;
        let adaptive = format!("{site}/adaptive-schema");
        self.put(&adaptive, json!({ "jsonSchema": schema })).await;
        self.get(&adaptive).await;
        let customization = format!("{site}/customization");
        self.put(&customization, settings(&json!({"emoji": "🚀"}), false)).await;
        self.put(&customization, settings(&json!({"icon": picture("favicon")}), true)).await;
        self.get(&customization).await;
        let spaces = self.get(&format!("{site}/site-spaces")).await;
        let own = format!("{site}/site-spaces/{}/customization", spaces.text("/items/0/id"));
        self.patch(&own, overrides(&json!({"emoji": "🛰️"}))).await;
        self.delete(&own).await;
        self.patch(&own, overrides(&json!({"icon": picture("own")}))).await;
        self.get(&own).await;
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
