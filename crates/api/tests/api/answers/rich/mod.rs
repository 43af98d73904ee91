//! What a plain fixture lacks is asked for and made, an area a file.

mod computed;
mod content;
mod discussion;
mod imports;
mod links;
mod merges;
mod places;
mod published;
mod reviews;

use diesel::connection::SimpleConnection as _;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

use crate::routes::Fixture;

/// Makes more of what fields and keys are about, for this caller who filled the fixture.
pub async fn enrich(app: &TestApp, fixture: &Fixture, admin: &Caller) {
    let photo =
        format!("UPDATE users SET photo_url = 'https://example.com/ada.png' WHERE id = '{}'", admin.user());
    app.connection().batch_execute(&photo).unwrap();
    let rich = Rich { app, admin, space: format!("/v1/spaces/{}", fixture.space) };
    rich.places(fixture).await;
    rich.content(fixture).await;
    rich.computed(fixture).await;
    rich.links(fixture).await;
    rich.discussion(fixture).await;
    rich.merges(fixture).await;
    rich.reviews(fixture).await;
    rich.many(fixture).await;
    rich.import().await;
    rich.watched_imports(fixture).await;
    rich.published(fixture).await;
}

struct Rich<'a> {
    app: &'a TestApp,
    admin: &'a Caller,
    space: String,
}

/// Fails unless the answer is a success.
#[track_caller]
fn done(answer: &Answer) {
    assert!(answer.status.is_success(), "{}: {}", answer.status, answer.json);
}

impl Rich<'_> {
    async fn get(&self, path: &str) -> Answer {
        self.admin.get(path).await.expect(200)
    }

    /// Writes into the space's content; answers the revision, whose changes are asked for.
    async fn write(&self, changes: Value) -> Answer {
        let path = format!("{}/content", self.space);
        let written = self.admin.post(&path, json!({ "changes": changes })).await.expect(200);
        let changes = format!("{}/revisions/{}/changes", self.space, written.text("/id"));
        self.get(&format!("{changes}?limit=1")).await;
        self.get(&format!("{changes}?limit=1000")).await;
        written
    }
}
