//! Inconsistencies of each kind are found and named.

use std::fs;

use quire_maintenance::{CheckOptions, Report, check};
use quire_revision::BlobHash;

use crate::deployment::{Deployment, blocking};

fn report(deployment: &Deployment) -> Report {
    let (url, files) = (deployment.app.store.url(), deployment.app.system.files());
    blocking(|| check(url, files, CheckOptions { read_files: true })).unwrap()
}

/// Statements that damage the database, each with the name of the rule that finds the damage and a part of its line.
const DAMAGES: [(&str, &str, &str); 17] = [
    ("UPDATE spaces SET comments_open = comments_open + 2", "open comments of spaces", "open comments, not"),
    (
        "UPDATE change_requests SET comments_open = 7",
        "open comments of change requests",
        "has 0 open comments, not 7",
    ),
    ("UPDATE spaces SET comments_resolved = 3", "open comments of spaces", "and 0 resolved ones, not 3"),
    ("UPDATE comments SET replies = 5", "replies of comments", "has 1 replies, not 5"),
    ("UPDATE spaces SET change_requests_open = 9", "change requests of spaces", "not"),
    (
        "UPDATE change_requests SET number = number + 100",
        "numbers of change requests",
        "are numbered from 101 to 102",
    ),
    ("UPDATE change_request_contributors SET revisions = 40", "revisions of contributors", "not 40"),
    (
        "DELETE FROM change_request_contributors",
        "contributors of change requests",
        "is missing among the contributors",
    ),
    (
        "UPDATE collections SET position = 'a0'; UPDATE spaces SET position = 'a0', collection_id = NULL",
        "positions of spaces and collections",
        "have the position a0 in its root",
    ),
    (
        "UPDATE collections SET path = ARRAY[id] WHERE parent_id IS NOT NULL",
        "paths of collections",
        "has the path",
    ),
    ("UPDATE revisions SET merged_from = NULL WHERE type = 'merge'", "merges", "was merged by revision none"),
    (
        "INSERT INTO revisions (space_id, id, type, parents, root, created_at) \
         SELECT space_id, gen_random_uuid(), 'edits', parents, root, created_at FROM revisions \
         WHERE change_request_id IS NULL AND cardinality(parents) > 0",
        "lost updates",
        "2 revisions of space",
    ),
    (
        "UPDATE revisions SET parents = ARRAY[gen_random_uuid()] WHERE cardinality(parents) = 1",
        "parents of revisions",
        "which is missing",
    ),
    (
        "UPDATE spaces s SET head_revision = (SELECT v.parents[1] FROM revisions v \
           WHERE v.space_id = s.id AND v.id = s.head_revision) WHERE title = 'Guide'",
        "heads",
        "which another revision follows",
    ),
    (
        "INSERT INTO content_grants (organization_id, id, space_id, user_id, role, created_at) \
         SELECT organization_id, gen_random_uuid(), id, gen_random_uuid(), 1, now() FROM spaces LIMIT 1",
        "grants",
        "who is not a member",
    ),
    (
        "UPDATE spaces SET collection_id = gen_random_uuid() WHERE title = 'Guide'",
        "collections of spaces",
        "which organization",
    ),
    ("DELETE FROM users", "references", "refers to a row of users that is missing"),
];

/// Drops all foreign keys, so that PostgreSQL accepts a damage.
const WITHOUT_KEYS: &str = "CREATE TEMPORARY TABLE keys AS \
    SELECT conrelid::regclass::text AS \"table\", conname AS name, \
           replace(pg_get_constraintdef(oid), ' NOT VALID', '') AS definition \
      FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::text::regnamespace; \
    DO $$ DECLARE k record; BEGIN FOR k IN SELECT * FROM keys LOOP \
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.\"table\", k.name); END LOOP; END $$";

/// Adds the foreign keys again, without checking existing rows.
const WITH_KEYS: &str = "DO $$ DECLARE k record; BEGIN FOR k IN SELECT * FROM keys LOOP \
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', k.\"table\", k.name, k.definition); \
    END LOOP; END $$";

#[actix_web::test]
async fn each_damage_of_the_database_is_named() {
    let deployment = Deployment::new().await;
    let sound = report(&deployment);
    assert_eq!(sound.wrong(), 0, "{sound:?}");
    assert!(
        sound.content.documents > 50 && sound.content.nodes > 3 && sound.content.revisions > 5,
        "{sound:?}"
    );
    let app = &deployment.app;
    let tables = [
        "spaces",
        "change_requests",
        "comments",
        "change_request_contributors",
        "collections",
        "revisions",
        "content_grants",
        "users",
        "documents",
        "tree_nodes",
    ];
    for table in tables {
        app.store.execute(&format!("CREATE TABLE saved_{table} AS TABLE {table}"));
    }
    let restore: String = tables
        .iter()
        .map(|table| format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM saved_{table};"))
        .collect();
    let quiet = |statements: &str| app.store.execute(&format!("{WITHOUT_KEYS}; {statements}; {WITH_KEYS}"));
    let content = [
        ("UPDATE documents SET body = body || ' '", "content", "does not have the hash of its id"),
        ("DELETE FROM documents", "content", "is missing"),
        ("UPDATE tree_nodes SET body = body || ' '", "content", "of a tree of space"),
        ("DELETE FROM tree_nodes", "content", "is missing"),
    ];
    for (damage, about, says) in DAMAGES.into_iter().chain(content) {
        quiet(damage);
        let found = report(&deployment);
        let finding = found.findings.get(about).unwrap_or_else(|| panic!("{damage}: {found:?}"));
        assert!(finding.examples.iter().any(|line| line.contains(says)), "{damage}: {finding:?}");
        quiet(&restore);
    }
    for table in tables {
        app.store.execute(&format!("DROP TABLE saved_{table}"));
    }
    let again = report(&deployment);
    assert_eq!(again.wrong(), 0, "{again:?}");
}

#[actix_web::test]
async fn files_that_are_missing_cut_or_changed_are_named() {
    let deployment = Deployment::new().await;
    let file = |at: usize| {
        let hash = BlobHash::of(&deployment.files[at]).to_string();
        let space = deployment.space.to_string();
        (
            deployment.app.store.folder.path().join(&space).join(&hash[..2]).join(&hash),
            format!("files/{space}/{hash}"),
        )
    };
    let damage = |at: usize, bytes: Option<&[u8]>, says: &str| {
        let (path, name) = file(at);
        let before = fs::read(&path).unwrap();
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let found = report(&deployment);
        assert_eq!(found.wrong(), 1, "{found:?}");
        let line = &found.findings["files"].examples[0];
        assert!(line.starts_with(&name) && line.contains(says), "{line}");
        fs::write(&path, before).unwrap();
    };
    damage(0, None, "is missing");
    damage(0, Some(b"a pic"), "has 5 bytes, not 9");
    damage(0, Some(b"another p"), "has the hash");
    damage(2, None, "is missing");
    deployment.app.store.execute("DELETE FROM blobs");
    let found = report(&deployment);
    assert!(found.findings["content"].examples[0].contains("is used by the content of space"), "{found:?}");
}
