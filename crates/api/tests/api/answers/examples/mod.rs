//! Resources that a fixture lacks, one area per file.

mod computed;
mod content;
mod discussion;
mod files;
mod imports;
mod links;
mod merges;
mod pages;
mod positions;
mod published;
mod reviews;

use diesel::connection::SimpleConnection as _;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

pub use self::content::png;
pub use self::reviews::merge_rules;
use crate::import_sources::support::Server;
use crate::routes::Fixture;

/// Creates resources that use more fields and request keys, as the creator of the fixture, and makes the fixture name
/// the ones with the most fields. The server has an image and a page to fetch.
pub async fn enrich(app: &TestApp, fixture: &mut Fixture, admin: &Caller, server: &Server) {
    let photo =
        format!("UPDATE users SET photo_url = 'https://example.com/ada.png' WHERE id = '{}'", admin.user());
    app.connection().batch_execute(&photo).unwrap();
    let rich = Rich { app, admin, server, space: format!("/v1/spaces/{}", fixture.space) };
    rich.resources(fixture).await;
    let space = rich.space.clone();
    let (page, reusable) = rich.content(fixture, &space).await;
    let request = rich.change_request().await;
    rich.content(fixture, &request).await;
    rich.bytes(fixture).await;
    rich.git(fixture, &page, &reusable).await;
    rich.fields(fixture).await;
    for resource in [&space, &request] {
        rich.computed(fixture, resource).await;
    }
    rich.files(fixture).await;
    rich.links(fixture).await;
    rich.discussion(fixture).await;
    rich.merges(fixture).await;
    rich.reviews(fixture).await;
    rich.many(fixture).await;
    rich.imports(fixture).await;
    rich.pages(fixture).await;
    rich.published(fixture).await;
    fixture.set("pageId", &page);
    fixture.set("pagePath", "group/rich-2");
    fixture.set("reusableContentId", &reusable);
}

struct Rich<'a> {
    app: &'a TestApp,
    admin: &'a Caller,
    server: &'a Server,
    /// Path of the space.
    space: String,
}

/// Panics unless the response is a success.
#[track_caller]
fn done(answer: &Answer) {
    assert!(answer.status.is_success(), "{}: {}", answer.status, answer.json);
}

impl Rich<'_> {
    async fn get(&self, path: &str) -> Answer {
        self.admin.get(path).await.expect(200)
    }

    /// Returns the path of a new change request.
    async fn change_request(&self) -> String {
        let requests = format!("{}/change-requests", self.space);
        format!("{requests}/{}", self.admin.post_empty(&requests).await.expect(201).text("/id"))
    }

    /// Writes into the content of a space or change request. Returns the changes of the new revision.
    async fn write(&self, resource: &str, changes: Value) -> Answer {
        let written = self.admin.post(&format!("{resource}/content"), json!({ "changes": changes })).await;
        done(&written);
        let revision = self.get(&format!("{resource}/content?metadata=false")).await.text("/id");
        let changes = format!("{}/revisions/{revision}/changes", self.space);
        self.get(&format!("{changes}?limit=1")).await;
        self.get(&format!("{changes}?limit=1000")).await
    }

    fn pass_a_minute(&self) {
        self.app.clock.advance(std::time::Duration::from_secs(60));
    }
}

/// Returns the id of the changed item with this title or name.
#[track_caller]
fn changed(written: &Answer, kind: &str, title: &str) -> String {
    let changes = written.at("/changes").as_array().unwrap().iter();
    let mut found = changes
        .filter_map(|change| change.get(kind))
        .filter(|made| made["title"] == title || made["name"] == title);
    let found = found.next().unwrap_or_else(|| panic!("{title} in {}", written.json));
    found["id"].as_str().unwrap().to_owned()
}
