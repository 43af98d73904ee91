//! Space with a change request, and comments on both.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, ContentEditor, TestApp};
use serde_json::{Value, json};

pub struct Fixture {
    pub app: TestApp,
    pub space: String,
    pub admin: Caller,
    /// Id of the change request.
    pub change_request: String,
    /// Paths of the comments of the space and of the change request.
    pub resources: [String; 2],
}

impl Fixture {
    pub async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        let made = admin.post(&format!("/v1/spaces/{space}/change-requests"), json!({})).await.expect(201);
        let change_request = made.text("/id");
        let resources = [
            format!("/v1/spaces/{space}/comments"),
            format!("/v1/spaces/{space}/change-requests/{change_request}/comments"),
        ];
        Self { app, space, admin, change_request, resources }
    }

    pub fn of_space(&self) -> &str {
        &self.resources[0]
    }

    pub fn of_change_request(&self) -> &str {
        &self.resources[1]
    }

    /// Returns a member with this role on the space.
    pub fn role(&self, role: Role) -> Caller {
        self.app.on_space(&self.space, Some(role))
    }

    /// Returns the numbers of open comments that the space and the change request show.
    pub async fn open(&self) -> (u64, u64) {
        let space = self.admin.get(&format!("/v1/spaces/{}", self.space)).await.expect(200);
        let path = format!("/v1/spaces/{}/change-requests/{}", self.space, self.change_request);
        let change_request = self.admin.get(&path).await.expect(200);
        (space.at("/comments").as_u64().unwrap(), change_request.at("/comments").as_u64().unwrap())
    }

    /// Executes a statement, for changes without an endpoint.
    pub fn execute(&self, statement: &str) {
        self.app.connection().batch_execute(statement).unwrap();
    }

    /// Edits the main content.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut ContentEditor) -> T) -> T {
        self.app.edit(&self.admin, self.space.parse().unwrap(), ContentSelector::Space, edit).1
    }

    /// Edits the content of the change request.
    pub fn edit_change_request<T>(&self, edit: impl FnOnce(&mut ContentEditor) -> T) -> T {
        let key = ChangeRequestKey::Id(self.change_request.parse().unwrap());
        let selector = ContentSelector::ChangeRequest(key);
        self.app.edit(&self.admin, self.space.parse().unwrap(), selector, edit).1
    }
}

/// Returns a body with this Markdown.
pub fn markdown(text: &str) -> Value {
    json!({"body": {"markdown": text}})
}
