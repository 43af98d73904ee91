//! Commits and authors of imported revisions.

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_test_support::{Answer, Caller, GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n";

/// Time of the commits of these tests, and as the API shows it.
const SECONDS: u32 = 1_795_824_000;
const CREATED_AT: &str = "2026-11-28T00:00:00.000Z";

fn filled(server: &GitServer, name: &str) -> GitRepository {
    let repository = server.create(name, true);
    repository.commit(&[("README.md", Some(b"# Home\n\nText.\n")), ("SUMMARY.md", Some(SUMMARY))]);
    repository
}

/// Commits a text of the page, and returns the id of the commit. `author` is a name with an address.
fn commit(repository: &GitRepository, author: &str, subject: &str) -> String {
    let former = repository.head().unwrap();
    let text = format!("# Home\n\n{subject}.\n");
    repository.commit(&[("README.md", Some(text.as_bytes()))]);
    let tree = repository.git(["rev-parse", "main^{tree}"]);
    let commit = format!(
        "tree {tree}\nparent {former}\nauthor {author} {SECONDS} +0000\n\
         committer Host <noreply@host.example.org> {SECONDS} +0000\n\n{subject}\n\nMore text.\n"
    );
    let id = repository.write_object("commit", commit.as_bytes());
    let _ = repository.git(["update-ref", "refs/heads/main", &id]);
    id
}

impl Connected {
    /// Returns the revisions in the history, newest first.
    async fn revisions(&self) -> Vec<Value> {
        let listed = self.admin.get(&format!("/v1/spaces/{}/revisions", self.space)).await.expect(200);
        listed.at("/items").as_array().unwrap().clone()
    }

    /// Returns the newest revision in the history.
    async fn newest(&self) -> Value {
        self.revisions().await.remove(0)
    }

    /// Returns a revision as the resource of its content.
    async fn revision(&self, id: &Value, query: &str) -> Answer {
        let path = format!("/v1/spaces/{}/revisions/{}{query}", self.space, id.as_str().unwrap());
        self.admin.get(&path).await.expect(200)
    }
}

/// Returns the name and the address of a user as in commits, with the address in capital letters.
async fn signature(user: &Caller) -> String {
    let user = user.get("/v1/user").await.expect(200);
    format!("{} <{}>", user.text("/displayName"), user.text("/email").to_uppercase())
}

#[actix_web::test]
async fn a_revision_lists_the_commits_of_its_import() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "listed")).await;
    let repository = &connected.repository;
    let head = repository.head().unwrap();
    let first = connected.newest().await;
    let revision = connected.revision(&first["id"], "").await;
    assert_eq!(revision.at("/git/oid"), &json!(head));
    assert_eq!(revision.at("/git/commits").as_array().unwrap().len(), 1, "the first import has one");

    let one = commit(repository, "Eve <eve@elsewhere.example>", "One");
    let two = commit(repository, "Ben <ben@elsewhere.example>", "Two");
    connected.sync().await;
    connected.no_failures().await;
    let listed = connected.newest().await;
    let expected = json!({
        "oid": two, "message": "Two", "createdByService": false, "ref": "refs/heads/main", "author": "Ben",
    });
    assert_eq!(listed["git"], expected);
    let admin = connected.admin.user().to_string();
    assert_eq!(listed["author"]["id"], json!(admin), "the user of the connection");
    let revision = connected.revision(&listed["id"], "").await;
    let commits = json!([
        {"oid": two, "subject": "Two", "author": "Ben", "createdAt": CREATED_AT},
        {"oid": one, "subject": "One", "author": "Eve", "createdAt": CREATED_AT},
    ]);
    assert_eq!(revision.at("/git/commits"), &commits);
    assert!(!revision.json.to_string().contains("elsewhere.example"), "{}", revision.json);
    let without = connected.revision(&listed["id"], "?metadata=false").await;
    assert_eq!(without.json.get("git"), None);
    // A save without a change returns the head with its commits.
    let tree = connected.app.content(&connected.space, &connected.admin);
    let home = tree.pages_in_order().next().unwrap().id;
    let save = json!({"changes": [{"operation": "update_page", "page": home, "title": "Home"}]});
    let request = TestRequest::post().uri(&format!("/v1/spaces/{}/content", connected.space));
    let request = request.insert_header(("prefer", "return=representation")).set_json(save);
    let saved = connected.admin.send(request).await.expect(200);
    assert_eq!((saved.at("/id"), saved.at("/git/commits")), (&listed["id"], &commits));

    // Edits have no commits.
    connected.edit("Edited.").await;
    let edited = connected.newest().await;
    assert_eq!(edited.get("git"), None);
    assert_eq!(connected.revision(&edited["id"], "").await.json.get("git"), None);
}

#[actix_web::test]
async fn a_member_with_the_address_of_a_commit_is_the_author_of_its_revision() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "members")).await;
    let (app, repository, space) = (&connected.app, &connected.repository, &connected.space);
    let reader = app.on_space(space, Some(Role::Read));
    let (name, id) = (signature(&reader).await, reader.user().to_string());
    let imported = async |author: &str, subject: &str| {
        commit(repository, author, subject);
        connected.sync().await;
        connected.no_failures().await;
        connected.newest().await
    };
    let revision = imported(&name, "By a reader").await;
    assert_eq!((&revision["author"]["id"], revision["git"].get("author")), (&json!(id), None));
    let listed = format!("/v1/spaces/{space}/revisions?author={id}");
    assert_eq!(connected.admin.get(&listed).await.expect(200).at("/items").as_array().unwrap().len(), 1);
    // The import has the rights of the connection, and the author of the commit gets none.
    let change =
        json!({"changes": [{"operation": "insert_page", "title": "New", "document": {"markdown": "New."}}]});
    reader.post(&format!("/v1/spaces/{space}/content"), change).await.expect(403);
    // An imported revision makes no commit.
    let head = repository.head();
    connected.sync().await;
    assert_eq!(repository.head(), head);

    // Users without a role on the space, disabled members, and addresses that are not verified are no authors.
    let admin = connected.admin.user().to_string();
    let by_git = |revision: &Value| (revision["author"]["id"].clone(), revision["git"]["author"].is_string());
    let disabled = app.on_space(space, Some(Role::Edit));
    let outside = [app.on_space(space, None), app.stranger(), disabled];
    let mut signatures = Vec::new();
    for user in &outside {
        signatures.push(signature(user).await);
    }
    let changes = format!(
        "UPDATE users SET login_email = email, email = NULL WHERE id = '{id}'; \
         UPDATE organization_members SET disabled = true WHERE user_id = '{}'",
        outside[2].user()
    );
    app.store.execute(&changes);
    for (number, signature) in signatures.iter().enumerate() {
        let revision = imported(signature, &format!("By user {number}")).await;
        assert_eq!(by_git(&revision), (json!(admin), true), "{revision}");
    }
    let revision = imported(&name, "By an unverified address").await;
    assert_eq!(by_git(&revision), (json!(admin), true), "{revision}");

    // A revision remains after its author.
    app.store.execute(&format!("DELETE FROM users WHERE id = '{id}'"));
    let revisions = connected.revisions().await;
    let first = revisions.iter().find(|revision| revision["git"]["message"] == "By a reader").unwrap();
    let author = (&first["author"]["displayName"], first["git"].get("author"));
    assert_eq!(author, (&json!("Removed user"), None));
}

#[actix_web::test]
async fn edits_that_an_import_sets_aside_keep_their_author() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "aside")).await;
    let (app, space) = (&connected.app, &connected.space);
    let editor = app.on_space(space, Some(Role::Edit));
    let author = app.on_space(space, Some(Role::Edit));
    let home = app.content(space, &connected.admin).pages_in_order().next().unwrap().id.to_string();
    let document = json!({"markdown": "Here."});
    let change = json!({"operation": "update_page", "page": home, "document": document});
    editor.post(&format!("/v1/spaces/{space}/content"), json!({"changes": [change]})).await.expect(200);
    commit(&connected.repository, &signature(&author).await, "There");
    connected.sync().await;
    connected.no_failures().await;
    // The import, the revision without the edit, the edit, and the first import.
    let revisions = connected.revisions().await;
    let [author, admin, editor] =
        [author.user().to_string(), connected.admin.user().to_string(), editor.user().to_string()];
    let authors: Vec<&str> =
        revisions.iter().filter_map(|revision| revision["author"]["id"].as_str()).collect();
    assert_eq!(authors[..4], [author.as_str(), &admin, &editor, &admin]);
    let has_commit: Vec<bool> = revisions.iter().map(|revision| revision.get("git").is_some()).collect();
    assert_eq!(has_commit[..4], [true, false, false, true]);
}
