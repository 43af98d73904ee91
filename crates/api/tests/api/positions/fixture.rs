//! Organization with spaces and collections.

use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use futures_util::TryStreamExt as _;
use quire_domain::Role;
use quire_domain::clock::{Clock as _, Timestamp};
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

pub struct Fixture {
    pub app: TestApp,
    pub admin: Caller,
    pub spaces: String,
    pub collections: String,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Counts inconsistencies in the trees of all organizations: siblings with equal positions, and paths that do not match
/// the parents.
const FAULTS: &str = "WITH RECURSIVE \
    things AS (SELECT organization_id, collection_id AS parent, position FROM spaces UNION ALL \
               SELECT organization_id, parent_id, position FROM collections), \
    walk AS (SELECT organization_id, id, ARRAY[id] AS path FROM collections WHERE parent_id IS NULL UNION ALL \
             SELECT c.organization_id, c.id, w.path || c.id FROM collections c JOIN walk w ON w.organization_id = c.organization_id AND w.id = c.parent_id) \
    SELECT (SELECT count(*) FROM (SELECT 1 FROM things GROUP BY organization_id, parent, position HAVING count(*) > 1) d) \
         + (SELECT count(*) FROM collections c WHERE NOT EXISTS (SELECT FROM walk w WHERE w.id = c.id AND w.path = c.path)) AS number";

impl Fixture {
    pub async fn new() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let of = |things: &str| format!("/v1/orgs/{}/{things}", app.organization);
        Self { spaces: of("spaces"), collections: of("collections"), admin, app }
    }

    pub async fn space(&self, title: &str, parent: Option<&str>) -> String {
        made(&self.admin, &self.spaces, title, parent).await
    }

    pub async fn collection(&self, title: &str, parent: Option<&str>) -> String {
        made(&self.admin, &self.collections, title, parent).await
    }

    pub async fn move_space(&self, id: &str, body: Value) -> Answer {
        self.admin.post(&format!("/v1/spaces/{id}/move"), body).await
    }

    pub async fn move_collection(&self, id: &str, body: Value) -> Answer {
        self.admin.post(&format!("/v1/collections/{id}/move"), body).await
    }

    /// Returns the titles of the spaces and collections in a parent, in order.
    pub fn order(&self, parent: Option<&str>) -> Vec<String> {
        let parent = parent.map_or("IS NULL".to_owned(), |id| format!("= '{id}'"));
        let lines: Vec<Line> = sql_query(format!(
            "SELECT title AS line FROM (SELECT title, position FROM spaces WHERE collection_id {parent} AND deleted_at IS NULL \
             UNION ALL SELECT title, position FROM collections WHERE parent_id {parent}) t ORDER BY position"
        ))
        .load(&mut self.app.connection())
        .unwrap();
        lines.into_iter().map(|line| line.line).collect()
    }

    /// Returns the number of rows that this statement counts.
    pub fn count(&self, from: &str) -> i64 {
        let counted: Number = sql_query(format!("SELECT count(*) AS number FROM {from}"))
            .get_result(&mut self.app.connection())
            .unwrap();
        counted.number
    }

    /// Returns the stored file bytes, by space.
    pub async fn stored_files(&self) -> Vec<String> {
        let ever = Timestamp::from_millis(self.app.clock.now().millis() + 1_000_000_000_000).unwrap();
        let files = self.app.state.storage.files().older_than(ever);
        files.map_ok(|file| format!("{} {}", file.space, file.hash)).try_collect().await.unwrap()
    }

    /// Panics if two siblings have the same position, or a path does not match the parents.
    #[track_caller]
    pub fn assert_sound(&self) {
        let faults: Number = sql_query(FAULTS).get_result(&mut self.app.connection()).unwrap();
        assert_eq!(faults.number, 0);
    }
}

async fn made(caller: &Caller, path: &str, title: &str, parent: Option<&str>) -> String {
    let mut body = json!({ "title": title });
    if let Some(parent) = parent {
        body["parent"] = json!(parent);
    }
    caller.post(path, body).await.expect(201).text("/id")
}

/// Returns a pointer to a space or collection, as in `position`.
pub fn pointer(kind: &str, id: &str) -> Value {
    json!({"type": kind, kind: id})
}

/// Returns the titles of a list, read one item at a time.
pub async fn walk(caller: &Caller, path: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let join = if path.contains('?') { '&' } else { '?' };
    let mut next = format!("{path}{join}limit=1");
    loop {
        let page = caller.get(&next).await.expect(200);
        titles.extend(
            page.at("/items")
                .as_array()
                .unwrap()
                .iter()
                .map(|item| item["title"].as_str().unwrap().to_owned()),
        );
        match page.json.pointer("/next/page") {
            Some(cursor) => next = format!("{path}{join}limit=1&page={}", cursor.as_str().unwrap()),
            None => {
                assert_eq!(page.at("/count"), &json!(titles.len()));
                return titles;
            }
        }
    }
}
