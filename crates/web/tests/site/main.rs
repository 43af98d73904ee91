//! Published sites as browsers request them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod apis;
mod app_urls;
mod appearance;
mod assistants;
mod editor;
mod forms;
mod pages;
mod previews;
mod sign_in;
mod variants;
mod visitors;
mod workspace;
mod workspace_changes;
mod workspace_tasks;

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// Site with two sections of one space each: `Guide` (default) and `Reference`.
struct Stage {
    app: TestApp,
    admin: Caller,
    /// API path of the site.
    site: String,
    /// Path of the site for visitors.
    root: String,
    guide: String,
}

const BASE: &str = "http://127.0.0.1:8080";

impl Stage {
    async fn set() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let sites = format!("/v1/orgs/{}/sites", app.organization);
        let made = admin.post(&sites, json!({"title": "Ferry"})).await.expect(201);
        let site = format!("{sites}/{}", made.text("/id"));
        let mut spaces = Vec::new();
        for title in ["Guide", "Reference"] {
            let path = format!("/v1/orgs/{}/spaces", app.organization);
            let space = admin.post(&path, json!({ "title": title })).await.expect(201).text("/id");
            let body = json!({"spaceId": space, "title": title});
            admin.post(&format!("{site}/sections"), body).await.expect(201);
            spaces.push(space);
        }
        let published = admin.post_empty(&format!("{site}/publish")).await.expect(200);
        let root = published.text("/urls/published").strip_prefix(BASE).unwrap().to_owned();
        let [guide, reference]: [String; 2] = spaces.try_into().unwrap();
        let stage = Self { app, admin, site, root, guide };
        stage
            .write(
                &stage.guide,
                json!([
                    page("Start", "Welcome to the *harbor*.\n\n## First steps\n\nText."),
                    page("Install", "## On Linux\n\nRun it."),
                    {"operation": "insert_page", "title": "Secret", "hidden": true, "document": {"markdown": "Hidden words."}},
                    {"operation": "insert_page", "title": "Unfound", "noIndex": true, "document": {"markdown": "Unfindable words."}},
                    {"operation": "insert_page", "title": "Unlisted", "noRobotsIndex": true, "document": {"markdown": "Robotless words."}},
                ]),
            )
            .await;
        stage.write(&reference, json!([page("Commands", "All of them.")])).await;
        stage
    }

    async fn write(&self, space: &str, changes: Value) {
        let path = format!("/v1/spaces/{space}/content");
        self.admin.post(&path, json!({ "changes": changes })).await.expect(200);
    }

    /// Requests a path below the site without a token.
    async fn get(&self, path: &str) -> Answer {
        self.app.anonymous().get(&format!("{}{path}", self.root)).await
    }

    async fn get_with(&self, path: &str, name: header::HeaderName, value: &str) -> Answer {
        let request = TestRequest::with_uri(&format!("{}{path}", self.root)).insert_header((name, value));
        self.app.anonymous().send(request).await
    }

    async fn update(&self, changes: Value) {
        self.admin.patch(&self.site, changes).await.expect(200);
    }
}

fn page(title: &str, markdown: &str) -> Value {
    json!({"operation": "insert_page", "title": title, "document": {"markdown": markdown}})
}

fn body(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}
