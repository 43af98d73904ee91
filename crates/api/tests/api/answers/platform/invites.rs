//! Invites by link and by e-mail.

use serde_json::json;

use super::Platform;

impl Platform<'_> {
    pub(super) async fn invites(&self) {
        let collection = self.post(&self.of("collections"), json!({"title": "Guides"})).await.text("/id");
        let about = json!({"description": "All of them"});
        self.patch(&format!("/v1/collections/{collection}"), about).await;
        let space = self.space("Inviting").await;
        let invites = self.of("link-invites");
        for (body, change) in [
            (json!({"role": "comment"}), json!({"role": "read"})),
            (json!({"level": "edit", "space": space}), json!({"level": "review"})),
            (json!({"level": "edit", "collection": collection}), json!({"level": "admin"})),
        ] {
            let id = self.post(&invites, body).await.text("/id");
            let path = format!("{invites}/{id}");
            self.patch(&path, change).await;
            self.get(&path).await;
        }
        self.list(&invites, "").await;
        let gone = self.post(&invites, json!({"role": null})).await.text("/id");
        self.delete(&format!("{invites}/{gone}")).await;
        let domain = json!({"emailDomains": ["acme.example"]});
        let own = format!("/v1/orgs/{}", self.app.organization);
        self.patch(&own, domain).await;
        let emails = json!([
            {"email": "hal@acme.example", "role": "review"}, "ines@acme.example", "eve@elsewhere.example",
        ]);
        let body = json!({"emails": emails, "role": "read", "sso": true});
        self.post(&self.of("invites"), body).await;
    }
}
