//! Synchronization of spaces with repositories of a real `git http-backend`.

mod both_sides;
mod commits;
mod empty;
mod figures;
mod former;
mod history;
mod large;
mod lost;
mod moved;
mod occupied;
mod previews;
mod properties;
mod protected;
mod renamed;
mod rewritten;
mod set_aside;
mod several;
mod site;
mod site_fetches;
mod site_order;
mod site_protected;
mod site_saved;
mod site_titles;
mod slugs;
mod soon;
mod time;
mod twice;
mod unlisted;

use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, GIT_CREDENTIALS, GitRepository, GitServer, TestApp};
use serde_json::{Value, json};

/// Space that is connected to a repository.
struct Connected {
    app: TestApp,
    space: String,
    admin: Caller,
    repository: GitRepository,
    /// Path of the connection in the API.
    path: String,
}

/// Starts the application. Its guard allows the server.
async fn app(server: &GitServer) -> TestApp {
    let allow = vec![server.address().to_string().parse().unwrap()];
    let fetch = FetchConfig { allow, ..FetchConfig::default() };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

impl Connected {
    /// Connects a new space to a repository and imports the content of the repository.
    async fn to(server: &GitServer, repository: GitRepository) -> Self {
        Self::connect(server, repository, "git", None).await
    }

    /// Like [`Connected::to`], for a repository of a provider or one of its folders.
    async fn connect(
        server: &GitServer,
        repository: GitRepository,
        provider: &str,
        folder: Option<&str>,
    ) -> Self {
        let app = app(server).await;
        let (space, admin) = app.space().await;
        let body = json!({"provider": provider, "target": {"type": "space", "spaceId": space}});
        let made = admin.post("/v1/git/installations", body).await.expect(201);
        let path = format!("/v1/git/installations/{}", made.text("/id"));
        let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
        let configuration = json!({"url": repository.url, "username": username, "accessToken": token});
        let body = json!({
            "providerConfiguration": configuration, "projectDirectory": folder, "priority": "git",
        });
        admin.patch(&path, body).await.expect(200);
        let connected = Self { app, space, admin, repository, path };
        connected.app.run_jobs().await;
        connected.no_failures().await;
        connected
    }

    /// Changes the connection, and synchronizes.
    async fn change_connection(&self, body: Value) {
        self.admin.patch(&self.path, body).await.expect(200);
        self.app.run_jobs().await;
    }

    /// Requests a synchronization.
    async fn ask(&self) {
        let _ = self.admin.post_empty(&format!("{}/sync", self.path)).await.expect(204);
    }

    /// Requests a synchronization and runs it.
    async fn sync(&self) {
        self.ask().await;
        self.app.run_jobs().await;
    }

    /// Returns the log, newest first.
    async fn log(&self) -> Vec<Value> {
        let listed = self.admin.get(&format!("{}/operations", self.path)).await.expect(200);
        listed.at("/items").as_array().unwrap().clone()
    }

    async fn no_failures(&self) {
        let log = self.log().await;
        assert!(log.iter().all(|entry| entry["state"] == "success"), "{log:?}");
    }

    /// Writes changes to the main content.
    async fn write(&self, changes: &[Value]) {
        let path = format!("/v1/spaces/{}/content", self.space);
        self.admin.post(&path, json!({ "changes": changes })).await.expect(200);
    }

    /// Replaces the text of the first page.
    async fn edit(&self, text: &str) {
        let tree = self.app.content(&self.space, &self.admin);
        let home = tree.pages_in_order().next().unwrap().id.to_string();
        let document = json!({"markdown": text});
        self.write(&[json!({"operation": "update_page", "page": home, "document": document})]).await;
    }

    /// Returns a page with its text in a format.
    async fn page(&self, id: &str, format: &str) -> Value {
        let path = format!("/v1/spaces/{}/content/page/{id}?format={format}", self.space);
        self.admin.get(&path).await.expect(200).json
    }
}
