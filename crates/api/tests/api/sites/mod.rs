//! Sites, their content, and their visitors.

mod addresses;
mod concurrency;
mod drafts;
mod hostnames;
mod languages;
mod life;
mod members;
mod order;
mod previews;
mod publishing;
mod redirects;
mod sections;
mod settings;
mod tokens;
mod visibility;
mod visitors;

use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// Application, a user who may manage its sites, and the path of one of them.
struct Stage {
    app: TestApp,
    manager: Caller,
    sites: String,
    site: String,
}

impl Stage {
    /// Creates a site without spaces.
    async fn set() -> Self {
        Self::set_in(TestApp::start().await).await
    }

    async fn set_in(app: TestApp) -> Self {
        let manager = app.as_role(Role::Create);
        let sites = format!("/v1/orgs/{}/sites", app.organization);
        let made = manager.post(&sites, json!({"title": "Docs"})).await.expect(201);
        let site = format!("{sites}/{}", made.text("/id"));
        Self { app, manager, sites, site }
    }

    /// Creates a space with this title that users who manage sites may add to them.
    async fn space(&self, title: &str) -> String {
        let path = format!("/v1/orgs/{}/spaces", self.app.organization);
        let space = self.manager.post(&path, json!({ "title": title })).await.expect(201).text("/id");
        let admin = self.app.as_role(Role::Admin);
        admin.patch(&format!("/v1/spaces/{space}"), json!({"defaultLevel": "create"})).await.expect(200);
        space
    }

    /// Adds a new space to the site itself or to its default section. Returns the id of the site space.
    async fn resource(&self, title: &str) -> String {
        let space = self.space(title).await;
        let path = format!("{}/site-spaces", self.site);
        self.manager.post(&path, json!({ "spaceId": space })).await.expect(201).text("/id")
    }

    /// Adds a section with a new space.
    async fn section(&self, title: &str) -> Answer {
        let space = self.space(title).await;
        let body = json!({"spaceId": space, "title": title});
        self.manager.post(&format!("{}/sections", self.site), body).await.expect(201)
    }

    async fn publish(&self) -> Answer {
        self.manager.post_empty(&format!("{}/publish", self.site)).await.expect(200)
    }
}

/// Returns the value at this JSON pointer in each item of a list.
fn each(answer: &Answer, pointer: &str) -> Vec<String> {
    let items = answer.at("/items").as_array().unwrap();
    items
        .iter()
        .map(|item| item.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned())
        .collect()
}

/// Returns the values at a JSON pointer in all items of a list, read item by item.
async fn walk(caller: &Caller, path: &str, pointer: &str) -> Vec<String> {
    let (mut found, mut page) = (Vec::new(), String::new());
    loop {
        let list = caller.get(&format!("{path}?limit=1{page}")).await.expect(200);
        found.extend(each(&list, pointer));
        match list.json.pointer("/next/page").and_then(Value::as_str) {
            Some(next) => page = format!("&page={next}"),
            None => return found,
        }
    }
}
