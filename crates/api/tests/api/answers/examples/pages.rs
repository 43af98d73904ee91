//! Pages of each kind, by their ids and paths, in the space, in a change request and in a revision.

use serde_json::{Value, json};

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    /// Reads pages by id and path. The fixture's change request is updated from the space first.
    pub async fn pages(&self, fixture: &Fixture) {
        let request = format!("{}/change-requests/{}", self.space, fixture.named("changeRequestId"));
        done(&self.admin.post(&format!("{request}/update"), json!({"strategy": "theirs"})).await);
        let revision = self.get(&format!("{}/content?metadata=false", self.space)).await.text("/id");
        let revision = format!("{}/revisions/{revision}", self.space);
        for resource in [format!("{}/content", self.space), format!("{request}/content"), revision] {
            let home = fixture.named("pageId");
            self.get(&format!("{resource}/pages?parent={home}&depth=1")).await;
            for computed in [false, true] {
                let with = format!("computed={computed}");
                let listed = self.get(&format!("{resource}/pages?{with}")).await;
                let mut pages = Vec::new();
                flatten(listed.at("/pages"), &mut pages);
                for (id, path) in pages {
                    self.get(&format!("{resource}/page/{id}?{with}&format=document")).await;
                    self.get(&format!("{resource}/page/{id}?{with}&format=markdown")).await;
                    if let Some(path) = path {
                        self.get(&format!("{resource}/path/{path}?{with}&format=document")).await;
                        self.get(&format!("{resource}/path/{path}?{with}&format=markdown")).await;
                    }
                }
            }
        }
    }
}

/// Returns the ids of all pages of a tree, with their paths if they have one.
fn flatten(pages: &Value, found: &mut Vec<(String, Option<String>)>) {
    for page in pages.as_array().into_iter().flatten() {
        let text = |key: &str| page[key].as_str().map(str::to_owned);
        found.push((text("id").unwrap(), text("path")));
        flatten(&page["pages"], found);
    }
}
