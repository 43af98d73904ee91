//! Published sites for visitors with a share link, with a visitor token, and with unsigned claims.

use quire_test_support::Answer;
use serde_json::{Value, json};

use super::sites::Stage;
use super::{Platform, done};

/// Unsigned claims of a visitor, as a query.
const CLAIMS: &str = "claims=%7B%22beta%22%3Atrue%7D";

impl Platform<'_> {
    pub(super) async fn visitors(&self, stage: &Stage) {
        let site = stage.site.clone();
        let links = self.get(&format!("{site}/share-links")).await;
        let share_key = format!("shareKey={}&{CLAIMS}", links.text("/items/0/key"));
        self.patch(&site, json!({"visibility": "share-link"})).await;
        self.visit(&site, &share_key).await;
        let proxied = format!("https://acme.example/docs/{}", links.text("/items/0/key"));
        self.find_content(&proxied, &Value::Null).await;
        self.get(&format!("/v1/urls/published?url={proxied}")).await;
        let token = self.post_empty(&self.of("ping")).await.text("/serviceVisitorClaims");
        self.patch(&site, json!({"visibility": "visitor-auth"})).await;
        self.visit(&site, &format!("jwtToken={token}&{CLAIMS}")).await;
        let asked = self.find_content("https://acme.example/docs/manuals", &Value::Null).await;
        assert_eq!(asked.text("/target"), "external");
        let found = self.find_content("https://acme.example/docs", &json!(token)).await;
        let query = "url=https://acme.example/docs&redirectOnError=true";
        self.get(&format!("/v1/urls/published?{query}")).await;
        self.get(&format!("/v1/urls/published?{query}&visitorAuthToken={token}")).await;
        self.search_site(&site, &found).await;
        let page = "https://acme.example/docs/manuals/basics-first/coast";
        assert_eq!(self.find_content(page, &json!(token)).await.text("/pathname"), "coast");
        self.get(&format!("/v1/urls/published?url={page}&visitorAuthToken={token}")).await;
        self.patch(&site, json!({"visibility": "public", "proxy": null, "hostname": null})).await;
        let (organization, id) = (self.app.organization, site.rsplit('/').next().unwrap());
        let by_id = format!("http://127.0.0.1:8080/sites/{organization}/{id}");
        let moved = self.find_content(&by_id, &Value::Null).await;
        assert_eq!(moved.text("/target"), "content");
        let addresses = json!({"hostname": "docs.acme.example", "proxy": {"origin": "acme.example/docs"}});
        self.patch(&site, addresses).await;
        self.get(&format!("{site}/published")).await;
        let event = json!({
            "type": "page_view", "session": {"sessionId": "1"}, "location": {"url": "https://docs.acme.example/"},
            "timestamp": "2026-01-02T03:04:05.678Z",
        });
        let events = json!({"events": [event]});
        done(self.app.anonymous().post(&format!("{site}/insights/events"), events).await);
    }

    /// Looks up content by its URL, for a visitor with or without a token.
    async fn find_content(&self, url: &str, token: &Value) -> Answer {
        let mut visitor = json!({"type": "agent", "unsignedClaims": {"beta": true}});
        if token.is_string() {
            visitor["jwtToken"] = token.clone();
        }
        let body = json!({"url": url, "redirectOnError": false, "visitor": visitor});
        done(self.app.anonymous().post("/v1/urls/published", body).await)
    }

    /// Searches a site in each scope, as the visitor who found its content.
    async fn search_site(&self, site: &str, found: &Answer) {
        let content = format!("/v1/spaces/{}/content", found.text("/space"));
        let parent = json!({"operation": "insert_page", "title": "Coast", "document": {"markdown": "Sea."}});
        self.post(&content, json!({"changes": [parent]})).await;
        let parent = self.get(&format!("{content}/pages")).await.text("/pages/0/id");
        let text = "A foghorn.\n\n# At night\n\nThe foghorn sounds.";
        let child = json!({
            "operation": "insert_page", "title": "Foghorn", "description": "Sounds", "into": parent,
            "document": {"markdown": text},
        });
        self.post(&content, json!({"changes": [child]})).await;
        let visitor = self.app.anonymous().with_token(&found.text("/apiToken"));
        let here = found.text("/siteSpace");
        for part in [
            json!({"scope": {"mode": "default", "currentSiteSpace": here, "restrictTo": "currentSiteSpace"}}),
            json!({"scope": {"mode": "specific", "siteSpaceIds": [here]}}),
            json!({"mode": "current", "siteSpaceId": here}),
            json!({"mode": "specific", "siteSpaceIds": [here]}),
        ] {
            let mut body = part;
            body["query"] = json!("foghorn");
            let hits = done(visitor.post(&format!("{site}/search"), body).await);
            assert_eq!(hits.at("/count"), &json!(1));
        }
    }

    /// Sends requests without an API token.
    async fn visit(&self, site: &str, query: &str) {
        let visitor = self.app.anonymous();
        for part in ["published", "structure", "sections", "site-spaces"] {
            let _ = visitor.get(&format!("{site}/{part}?{query}")).await.expect(200);
        }
    }
}
