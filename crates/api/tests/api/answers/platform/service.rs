//! The service, the audit log, and search in all spaces of an organization.

use actix_web::test::TestRequest;
use quire_storage::operations::audit::Command;
use serde_json::json;

use super::Platform;

impl Platform<'_> {
    pub(super) async fn service(&self) {
        let anonymous = self.app.anonymous();
        for path in ["/healthz", "/readyz", "/metrics", "/v1", "/v1/openapi.json"] {
            let _ = anonymous.get(path).await.expect(200);
        }
    }

    pub(super) async fn search(&self) {
        for title in ["Coast", "Harbour"] {
            let space = self.space(title).await;
            let text = "A lighthouse.\n\n# At night\n\nThe lighthouse burns.";
            let page =
                json!({"operation": "insert_page", "title": "Lighthouse", "document": {"markdown": text}});
            let content = format!("/v1/spaces/{space}/content");
            self.post(&content, json!({"changes": [page]})).await;
        }
        let search = self.of("search");
        self.list(&search, "query=lighthouse").await;
        self.get(&format!("{}?query=light", self.of("titles"))).await;
    }

    /// Changes a space twice, at different times, for the audit log.
    pub(super) async fn audit_log(&self) {
        let space = self.space("Audited").await;
        let path = format!("/v1/spaces/{space}");
        let begin = self.app.state.storage.clock().now();
        for title in ["First", "Second"] {
            let request = TestRequest::patch()
                .uri(&path)
                .insert_header(("X-Request-Id", format!("change-{title}")))
                .peer_addr("192.0.2.7:4000".parse().unwrap())
                .set_json(json!({ "title": title }));
            let _ = self.admin.send(request).await.expect(200);
            self.app.clock.advance(std::time::Duration::from_secs(60));
        }
        let (actor, end) = (self.admin.user(), self.app.state.storage.clock().now());
        let query = format!(
            "actor={actor}&space={space}&operation=updateSpaceById&target={space}&outcome=done&from={begin}&to={end}"
        );
        self.list(&self.of("audit-log"), &query).await;
        let organization = self.app.organization;
        let command = Command { operation: "admin.member", target: Some(("member", &actor.to_string())) };
        let system = &self.app.system;
        let written = system.transact(|tx| tx.audit_command(&[organization], command));
        let () =
            written.unwrap_or_else(|error: quire_storage::Error| panic!("it can't be written: {error:?}"));
        let _ = self.admin.get(&format!("{}?operation=admin.member", self.of("audit-log"))).await.expect(200);
    }
}
