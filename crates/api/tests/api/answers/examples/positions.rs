//! Spaces and collections.

use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    /// Creates nested collections, and in them spaces that are deleted, restored, moved and transferred.
    pub async fn resources(&self, fixture: &mut Fixture) {
        let organization = format!("/v1/orgs/{}", fixture.named("organizationId"));
        let outer = fixture.named("collectionId");
        let [inner, sibling] =
            [self.collection(&organization, &outer).await, self.collection(&organization, &outer).await];
        let icon = json!({"icon": "https://example.com/icon.png", "language": "de"});
        done(&self.admin.patch(&self.space, icon).await);
        done(&self.admin.post_empty(&format!("{}/duplicate", self.space)).await);
        let gone = self.made(&organization, &inner).await;
        self.pass_a_minute();
        let _ = self.admin.delete(&gone).await.expect(204);
        self.get(&gone).await;
        let lived = self.lived_in(&organization, &inner).await;
        self.pass_a_minute();
        let settings = json!({"title": "Home", "emoji": "🏠", "defaultLevel": "comment", "editMode": "locked", "language": "fr"});
        done(&self.admin.patch(&lived, settings).await);
        done(&self.admin.post_empty(&format!("{lived}/duplicate")).await);
        self.pass_a_minute();
        let neighbor = self.made(&organization, &outer).await;
        let space = |path: &str| json!({"type": "space", "space": path.rsplit('/').next()});
        let collection = |id: &str| json!({"type": "collection", "collection": id});
        let between = json!({"after": collection(&sibling), "before": space(&neighbor)});
        done(&self.admin.post(&format!("{lived}/move"), json!({"parent": outer, "position": between})).await);
        let moved =
            json!({"parent": outer, "position": {"after": space(&lived), "before": space(&neighbor)}});
        done(&self.admin.post(&format!("/v1/collections/{sibling}/move"), moved).await);
        let last = json!({"parent": outer, "position": {"before": collection(&sibling)}});
        done(&self.admin.post(&format!("/v1/collections/{inner}/move"), last).await);
        done(&self.admin.post(&format!("{lived}/move"), json!({"parent": inner})).await);
        let before = json!({"position": {"before": space(&lived)}});
        done(&self.admin.post(&format!("{}/move", self.made(&organization, &inner).await), before).await);
        self.pass_a_minute();
        let _ = self.admin.delete(&lived).await.expect(204);
        self.get(&format!("{organization}/spaces?deleted=true")).await;
        self.pass_a_minute();
        done(&self.admin.post_empty(&format!("{lived}/restore")).await);
        self.pass_a_minute();
        self.give_away(&organization, &outer).await;
        fixture.set("collectionId", &inner);
    }

    async fn collection(&self, organization: &str, parent: &str) -> String {
        let collections = format!("{organization}/collections");
        let made = self.admin.post(&collections, json!({"title": "Guides", "parent": parent})).await;
        let id = made.expect(201).text("/id");
        let described = json!({"title": "Manuals", "description": "What is inside", "defaultLevel": "edit"});
        done(&self.admin.patch(&format!("/v1/collections/{id}"), described).await);
        id
    }

    /// Returns the path of a new space.
    async fn made(&self, organization: &str, parent: &str) -> String {
        let body = json!({
            "title": "New", "emoji": "🏡", "private": true, "parent": parent, "editMode": "live", "language": "en",
        });
        let made = self.admin.post(&format!("{organization}/spaces"), body).await.expect(201);
        format!("/v1/spaces/{}", made.text("/id"))
    }

    /// Returns a space with change requests and a comment, on a site whose visitors are authenticated.
    async fn lived_in(&self, organization: &str, parent: &str) -> String {
        let space = self.made(organization, parent).await;
        self.live_in(&space).await;
        let id = space.rsplit('/').next();
        let site = self
            .admin
            .post(&format!("{organization}/sites"), json!({"title": "Lived", "spaces": [id]}))
            .await;
        let site = format!("{organization}/sites/{}", site.expect(201).text("/id"));
        done(&self.admin.post_empty(&format!("{site}/publish")).await);
        done(&self.admin.patch(&site, json!({"visibility": "visitor-auth"})).await);
        space
    }

    async fn live_in(&self, space: &str) {
        let requests = format!("{space}/change-requests");
        let _ = self.admin.post_empty(&requests).await.expect(201);
        let open = self.admin.post(&requests, json!({"subject": "Open"})).await.expect(201).text("/id");
        done(&self.admin.patch(&format!("{requests}/{open}"), json!({"status": "open"})).await);
        let comment = json!({"body": {"markdown": "Hello."}});
        let _ = self.admin.post(&format!("{space}/comments"), comment).await.expect(201);
    }

    /// Transfers a space and a collection to another organization.
    async fn give_away(&self, organization: &str, parent: &str) {
        let other = self.admin.post("/v1/orgs", json!({"title": "Other"})).await.expect(201).text("/id");
        let space = self.made(organization, parent).await;
        self.live_in(&space).await;
        done(&self.admin.patch(&space, json!({"language": "es"})).await);
        let collection = self.collection(organization, parent).await;
        for resource in [space, format!("/v1/collections/{collection}")] {
            let given =
                self.admin.post(&format!("{resource}/transfer"), json!({"organization": other})).await;
            done(&given);
        }
    }
}
