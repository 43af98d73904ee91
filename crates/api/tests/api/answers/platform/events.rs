//! Streams of events, and presence.

use serde_json::json;

use super::{Platform, done};

impl Platform<'_> {
    /// Of a space and of a change request of it.
    pub async fn events(&self) {
        let space = self.space("Events").await;
        let requests = format!("/v1/spaces/{space}/change-requests");
        let request = done(self.admin.post_empty(&requests).await).text("/id");
        done(self.admin.get(&format!("/v1/events?space={space}")).await);
        done(self.admin.get("/v1/events?inbox=true").await);
        done(self.admin.get(&format!("/v1/events?space={space}&changeRequest={request}")).await);
        let page = self.admin.user();
        let place =
            json!({"space": space, "changeRequest": request, "page": page, "block": "0", "typing": true});
        done(self.admin.put("/v1/presence", place).await);
    }
}
