//! Invites by link and by e-mail.

use quire_domain::Role;
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
            "ada@acme.example",
        ]);
        let body = json!({"emails": emails, "role": "read", "sso": true});
        self.post(&self.of("invites"), body).await;
        self.emails().await;
        self.own_invites().await;
    }

    /// Creates e-mail invites: one is accepted, one creates an account, one is revoked.
    async fn emails(&self) {
        let invites = self.of("invites");
        let emails = ["jo@elsewhere.example", "kim@elsewhere.example", "lee@elsewhere.example"];
        let invited = self.post(&invites, json!({ "emails": emails })).await;
        self.list(&invites, "").await;
        let of = |index: usize, part: &str| invited.text(&format!("/invites/{index}/{part}"));
        let accept = format!("/v1/invites/{}/accept", of(0, "id"));
        let secret = json!({"secret": of(0, "secret")});
        let _ = self.app.stranger().post(&accept, secret).await.expect(200);
        let register = format!("/v1/invites/{}/register", of(1, "id"));
        let person = json!({"secret": of(1, "secret"), "displayName": "Kim"});
        let _ = self.app.anonymous().post(&register, person).await.expect(201);
        self.delete(&format!("{invites}/{}", of(2, "id"))).await;
    }

    /// Creates e-mail invites of two other organizations to the caller.
    async fn own_invites(&self) {
        for name in ["Nia", "Ned"] {
            let other = self.app.create_organization(name);
            let inviter = self.member_of(other, name, Some(Role::Admin));
            let body = json!({"emails": ["ada@acme.example"], "role": "edit"});
            let _ = inviter.post(&format!("/v1/orgs/{other}/invites"), body).await.expect(200);
        }
        self.list("/v1/user/invites", "").await;
    }
}
