//! Comments and replies.

use diesel::connection::SimpleConnection as _;
use serde_json::json;

use super::{Rich, changed, done};
use crate::routes::Fixture;

impl Rich<'_> {
    /// Adds comments to a page of the space and of the fixture's change request.
    pub async fn discussion(&self, fixture: &mut Fixture) {
        let space = self.space.clone();
        let request = format!("{space}/change-requests/{}", fixture.named("changeRequestId"));
        let (comment, reply) = self.discuss(fixture, &space).await;
        fixture.set("commentId", &comment);
        fixture.set("commentReplyId", &reply);
        let (comment, reply) = self.discuss(fixture, &request).await;
        fixture.set("commentId in a change request", &comment);
        fixture.set("commentReplyId in a change request", &reply);
        self.get(&format!("{space}/search?query=first")).await;
        self.members(fixture).await;
    }

    /// Posts comments with replies, edits them and reacts to them. Returns the ids of a comment and its reply.
    async fn discuss(&self, fixture: &Fixture, resource: &str) -> (String, String) {
        let home = fixture.named("pageId");
        let page = json!({"operation": "insert_page", "title": "Discussed", "into": home, "document": {"markdown": "Run it."}});
        let page = changed(&self.write(resource, json!([page])).await, "page", "Discussed");
        let read = self.get(&format!("{resource}/content/page/{page}?format=document")).await;
        let document = json!({"body": {"document": read.at("/document")}});
        let mut ids = (String::new(), String::new());
        for (key, value) in [("emoji", "🚀"), ("icon", "bolt")] {
            let text = format!("# Set up\n\nRun {key}.");
            let edited =
                json!({"operation": "update_page", "page": page, "document": {"markdown": text}, key: value});
            self.write(resource, json!([edited])).await;
            let comments = format!("{resource}/comments");
            let quote = json!({"text": key, "offset": 4});
            let body = json!({"body": {"markdown": "Why?"}, "page": page, "node": "0", "quote": quote});
            let comment = self.admin.post(&comments, body).await.expect(201).text("/id");
            let replies = format!("{comments}/{comment}/replies");
            let reply =
                self.admin.post(&replies, json!({"body": {"markdown": "So."}})).await.expect(201).text("/id");
            self.pass_a_minute();
            for path in [format!("{comments}/{comment}"), format!("{replies}/{reply}")] {
                let edited = json!({"body": {"markdown": "Why not?"}, "addedReactions": ["🚀", "👍"], "resolved": true});
                done(&self.admin.put(&path, edited).await);
                done(&self.admin.put(&path, document.clone()).await);
                done(&self.admin.put(&path, json!({"removedReactions": ["👍"]})).await);
                self.get(&path).await;
            }
            for path in [&comments, &replies] {
                done(&self.admin.post(path, document.clone()).await);
            }
            ids = (comment, reply);
        }
        self.get(&format!("{resource}/comments?authors={}&targetPage={page}", self.admin.user())).await;
        ids
    }

    /// Changes commenters: one who was active, one with single sign-on, one who is disabled.
    async fn members(&self, fixture: &Fixture) {
        let organization = format!("/v1/orgs/{}", fixture.named("organizationId"));
        done(&self.admin.post_empty(&format!("{organization}/ping")).await);
        let commenters = self.get(&format!("{}/commenters", self.space)).await;
        let ids =
            commenters.at("/items").as_array().unwrap().iter().map(|member| member["id"].as_str().unwrap());
        let others: Vec<&str> = ids.filter(|id| *id != self.admin.user().to_string()).collect();
        done(&self.admin.post_empty(&format!("{organization}/members/{}/sso", others[0])).await);
        // No operation disables a member; an identity provider can.
        let disabled =
            format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", others[1]);
        self.app.connection().batch_execute(&disabled).unwrap();
    }
}
