//! Streams of events, and presence.

use actix_web::test::TestRequest;
use serde_json::json;

use super::{Platform, done};

impl Platform<'_> {
    /// Opens streams of a space, of an import into it, and of its change request.
    pub async fn events(&self) {
        let space = self.space("Events").await;
        let requests = format!("/v1/spaces/{space}/change-requests");
        let request = done(self.admin.post_empty(&requests).await).text("/id");
        done(self.admin.get(&format!("/v1/events?space={space}")).await);
        done(self.admin.get("/v1/events?inbox=true").await);
        done(self.admin.get(&format!("/v1/events?space={space}&changeRequest={request}")).await);
        let import = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/import"));
        let import = import.insert_header(("Prefer", "respond-async"));
        let source = json!({"source": "markdown", "url": "http://127.0.0.1:9/guide.md"});
        let import = self.admin.send(import.set_json(source)).await.expect(202).text("/id");
        done(self.admin.get(&format!("/v1/events?space={space}&import={import}")).await);
        let page = self.admin.user();
        let place =
            json!({"space": space, "changeRequest": request, "page": page, "block": "0", "typing": true});
        done(self.admin.put("/v1/presence", place).await);
    }
}
