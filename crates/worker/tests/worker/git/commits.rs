//! Commits of revisions: their order, changes, messages and authors.

use quire_domain::Role;
use quire_test_support::{Caller, GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

fn filled(server: &GitServer) -> GitRepository {
    let repository = server.create("commits", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\n- one\n- two\n")),
        ("guide.md", Some(b"# Guide\n\n- All about it.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n")),
    ]);
    repository
}

/// Returns a user as in commits: the name and the e-mail address.
async fn signature(user: &Caller) -> String {
    let user = user.get("/v1/user").await.expect(200);
    format!("{} <{}>", user.text("/displayName"), user.text("/email"))
}

impl Connected {
    /// Returns the values of a format of `git log` for the commits since one, oldest first.
    fn commits_since(&self, commit: &str, format: &str) -> Vec<String> {
        let format = format!("--format={format}%x00");
        let listed = self.repository.git(["log", "--reverse", &format, &format!("{commit}..main")]);
        listed.split('\0').map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
    }

    /// Returns the changed files of each commit since one, oldest first.
    fn changed_since(&self, commit: &str) -> Vec<Vec<String>> {
        let commits = self.commits_since(commit, "%H");
        let changed = commits.iter().map(|commit| {
            let listed = self.repository.git(["diff-tree", "-r", "--no-commit-id", "--name-status", commit]);
            listed.lines().map(|line| line.replace('\t', " ")).collect()
        });
        changed.collect()
    }

    /// Returns a file as of a commit.
    fn committed_text(&self, commit: &str, path: &str) -> String {
        self.repository.git(["cat-file", "blob", &format!("{commit}:{path}")])
    }

    /// Makes a change request of a user, with one change of each editor, and merges it.
    async fn merged(&self, author: &Caller, subject: &str, changes: &[(&Caller, Value)]) {
        let requests = format!("/v1/spaces/{}/change-requests", self.space);
        let id = author.post(&requests, json!({"subject": subject})).await.expect(201).text("/id");
        for (editor, change) in changes {
            let body = json!({"changes": [change]});
            editor.post(&format!("{requests}/{id}/content"), body).await.expect(200);
        }
        let _ = self.admin.post_empty(&format!("{requests}/{id}/merge")).await.expect(200);
    }

    /// Writes a change of a user to the main content.
    async fn write_as(&self, user: &Caller, change: Value) {
        let path = format!("/v1/spaces/{}/content", self.space);
        user.post(&path, json!({"changes": [change]})).await.expect(200);
    }

    fn page_id(&self, title: &str) -> String {
        let tree = self.app.content(&self.space, &self.admin);
        tree.pages().find(|page| page.title == title).unwrap().id.to_string()
    }

    async fn insert(&self, title: &str, text: &str) -> String {
        let document = json!({"markdown": text});
        self.write(&[json!({"operation": "insert_page", "title": title, "document": document})]).await;
        self.page_id(title)
    }
}

#[actix_web::test]
async fn each_revision_becomes_a_commit_with_its_message_and_author() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let (app, repository, admin) = (&connected.app, &connected.repository, &connected.admin);
    let base = repository.head().unwrap();
    let before = repository.files();

    connected.edit("* one\n* two and a half").await;
    let new = connected.insert("New", "First.").await;
    let [author, editor] = [Role::Edit, Role::Edit].map(|role| app.on_space(&connected.space, Some(role)));
    let changed =
        |text: &str| json!({"operation": "update_page", "page": new, "document": {"markdown": text}});
    let changes = [(&author, changed("Second.")), (&editor, changed("Third."))];
    connected.merged(&author, "Explain it", &changes).await;
    connected.edit("* one\n* three").await;
    let _ = server.take_requests();
    connected.sync().await;
    connected.no_failures().await;

    let pushes = server.take_requests().into_iter().filter(|line| line.contains("git-receive-pack"));
    assert_eq!(pushes.filter(|line| line.starts_with("POST")).count(), 1, "one push");
    let ids = connected.commits_since(&base, "%H");
    let [one, two, three, four] = [0, 1, 2, 3].map(|index| &ids[index][..7]);
    let summary = format!(
        "Edits were pushed as commit {four}. It is the last of 4 commits, after {one}, {two} and {three}."
    );
    assert_eq!(connected.log().await[0]["summary"], summary);
    let subjects = ["Edit Home", "Edit New", "Explain it", "Edit Home"];
    assert_eq!(connected.commits_since(&base, "%s"), subjects);
    let expected = [
        vec!["M README.md".to_owned()],
        vec!["M SUMMARY.md".to_owned(), "A new.md".to_owned()],
        vec!["M new.md".to_owned()],
        vec!["M README.md".to_owned()],
    ];
    assert_eq!(connected.changed_since(&base), expected);
    assert_eq!(connected.committed_text("main~3", "README.md"), "# Home\n\n- one\n- two and a half");
    assert_eq!(repository.text("README.md"), "# Home\n\n- one\n- three\n");
    assert_eq!(connected.committed_text("main~2", "new.md"), "# New\n\nFirst.");
    assert_eq!(repository.text("new.md"), "# New\n\nThird.\n");
    assert_eq!(repository.files()["guide.md"], before["guide.md"]);

    let admin = signature(admin).await;
    let author = signature(&author).await;
    let authors = [admin.clone(), admin.clone(), author, admin];
    assert_eq!(connected.commits_since(&base, "%an <%ae>"), authors);
    let trailers = connected.commits_since(&base, "-%(trailers:only,unfold)");
    let co_author = format!("-Co-authored-by: {}", signature(&editor).await);
    assert_eq!(trailers, ["-", "-", &co_author, "-"]);

    // The pages know their files, and both sides are equal.
    let tree = app.content(&connected.space, &connected.admin);
    for page in tree.pages() {
        let git = page.git.as_ref().unwrap();
        assert_eq!(repository.files()[&git.path], git.oid, "{}", page.title);
    }
    let head = repository.head();
    connected.sync().await;
    assert_eq!(repository.head(), head);
}

#[actix_web::test]
async fn commits_of_one_synchronization_know_the_files_of_earlier_ones() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let repository = &connected.repository;
    let base = repository.head().unwrap();
    let gone = connected.insert("Gone", "Text.").await;
    let kept = connected.insert("Kept", "Text.").await;
    connected.write(&[json!({"operation": "update_page", "page": kept, "slug": "renamed"})]).await;
    let guide = connected.page_id("Guide");
    let document = json!({"markdown": "* All about it, and more."});
    connected.write(&[json!({"operation": "update_page", "page": kept, "title": "Titled"})]).await;
    connected.write(&[json!({"operation": "delete_page", "page": gone})]).await;
    connected.write(&[json!({"operation": "update_page", "page": guide, "document": document})]).await;
    connected.sync().await;
    connected.no_failures().await;
    let changed: Vec<String> = connected.changed_since(&base).iter().map(|files| files.join(", ")).collect();
    let first = ["M SUMMARY.md, A gone.md", "M SUMMARY.md, A kept.md"];
    assert_eq!(changed.get(..2).unwrap_or_default(), first, "{changed:?}");
    assert_eq!(
        changed.get(2).map(String::as_str),
        Some("M SUMMARY.md, D kept.md, A renamed.md"),
        "{changed:?}"
    );
    let last = ["M SUMMARY.md, D gone.md", "M guide.md"];
    assert!(changed.ends_with(&last.map(str::to_owned)), "{changed:?}");
    assert_eq!(repository.text("guide.md"), "# Guide\n\n- All about it, and more.\n");
    let mut paths: Vec<String> = repository.files().into_keys().collect();
    paths.sort_unstable();
    assert_eq!(paths, ["README.md", "SUMMARY.md", "guide.md", "renamed.md"]);
    let head = repository.head();
    connected.sync().await;
    assert_eq!(repository.head(), head);
}

#[actix_web::test]
async fn edits_that_were_undone_make_no_commits() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let head = connected.repository.head();
    let before = connected.app.content(&connected.space, &connected.admin);
    connected.edit("* one\n* three").await;
    let added = connected.insert("New", "First.").await;
    connected.edit("* one\n* two").await;
    connected.write(&[json!({"operation": "delete_page", "page": added})]).await;
    let after = connected.app.content(&connected.space, &connected.admin);
    assert_eq!(before.root(), after.root());
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(connected.repository.head(), head);
}

#[actix_web::test]
async fn the_first_twenty_revisions_have_commits_of_their_own() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let base = connected.repository.head().unwrap();
    for number in 1..=23 {
        connected.edit(&format!("* one\n* two, {number}")).await;
    }
    connected.sync().await;
    connected.no_failures().await;
    let texts: Vec<String> = connected
        .commits_since(&base, "%H")
        .iter()
        .map(|commit| connected.committed_text(commit, "README.md"))
        .collect();
    let expected: Vec<String> =
        (1..=20).chain([23]).map(|number| format!("# Home\n\n- one\n- two, {number}")).collect();
    assert_eq!(texts, expected);
}

#[actix_web::test]
async fn edits_that_were_merged_with_a_commit_become_one_commit_of_their_authors() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let repository = &connected.repository;
    let editors = [(); 3].map(|()| connected.app.on_space(&connected.space, Some(Role::Edit)));
    let [first, second, third] = &editors;
    let home = json!({"markdown": "* one\n* three"});
    let edit = json!({"operation": "update_page", "page": connected.page_id("Home"), "document": home});
    connected.write_as(first, edit).await;
    let new = json!({"operation": "insert_page", "title": "New", "document": {"markdown": "First."}});
    connected.write_as(second, new).await;
    // This edit conflicts, so it is set aside.
    let guide = json!({"markdown": "Written here."});
    let edit = json!({"operation": "update_page", "page": connected.page_id("Guide"), "document": guide});
    connected.write_as(third, edit).await;
    let there = repository.commit(&[("guide.md", Some(b"# Guide\n\nWritten there.\n"))]);
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(connected.commits_since(&there, "%s"), ["Edit Home and New"]);
    assert_eq!(repository.text("README.md"), "# Home\n\n- one\n- three\n");
    assert_eq!(repository.text("guide.md"), "# Guide\n\nWritten there.\n");
    assert_eq!(repository.text("new.md"), "# New\n\nFirst.\n");
    let (first, second) = (signature(first).await, signature(second).await);
    assert_eq!(connected.commits_since(&there, "%an <%ae>"), [second]);
    let trailers = connected.commits_since(&there, "%(trailers:only,unfold)");
    assert_eq!(trailers, [format!("Co-authored-by: {first}")]);
}

#[actix_web::test]
async fn an_edit_keeps_its_author_when_several_commits_are_imported_before_its_export() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let repository = &connected.repository;
    let editor = connected.app.on_space(&connected.space, Some(Role::Edit));
    let _ = repository.git(["config", "http.receivepack", "false"]);
    let guide = json!({"markdown": "* All about it.\n\nWritten here."});
    let edit = json!({"operation": "update_page", "page": connected.page_id("Guide"), "document": guide});
    connected.write_as(&editor, edit).await;
    // The first commit changes another part of the same page, so a change request is made and merged.
    let guide = b"# Guide\n\nWritten there.\n\n- All about it.\n";
    let _ = repository.commit(&[("guide.md", Some(guide.as_slice()))]);
    connected.sync().await;
    let there = repository.commit(&[("README.md", Some(b"# Home\n\n- one\n"))]);
    connected.sync().await;
    let _ = repository.git(["config", "http.receivepack", "true"]);
    connected.sync().await;
    let text = "# Guide\n\nWritten there.\n\n- All about it.\n\nWritten here.\n";
    assert_eq!(repository.text("guide.md"), text);
    assert_eq!(connected.commits_since(&there, "%s"), ["Edit Guide"]);
    assert_eq!(connected.commits_since(&there, "%an <%ae>"), [signature(&editor).await]);
    assert_eq!(connected.commits_since(&there, "-%(trailers:only,unfold)"), ["-"]);
}

#[actix_web::test]
async fn commits_are_signed_off_by_their_authors() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let base = connected.repository.head().unwrap();
    let template = "docs: {change_request_subject}\n\nSee {url}";
    connected.change_connection(json!({"commitMessageTemplate": template, "signOff": true})).await;
    connected.edit("* one\n* three").await;
    let author = connected.app.on_space(&connected.space, Some(Role::Edit));
    let page = connected.page_id("Guide");
    let document = json!({"markdown": "Written here."});
    let change = json!({"operation": "update_page", "page": page, "document": document});
    connected.merged(&author, "Explain it", &[(&connected.admin, change)]).await;
    connected.sync().await;
    connected.no_failures().await;
    let (admin, author) = (signature(&connected.admin).await, signature(&author).await);
    let url = &connected.repository.url;
    let expected = [
        format!("docs: Edit Home\n\nSee {url}\n\nSigned-off-by: {admin}"),
        format!("docs: Explain it\n\nSee {url}\n\nCo-authored-by: {admin}\nSigned-off-by: {author}"),
    ];
    assert_eq!(connected.commits_since(&base, "%B"), expected);

    connected.change_connection(json!({"signOff": false, "commitMessageTemplate": null})).await;
    connected.edit("* one").await;
    connected.sync().await;
    assert_eq!(connected.repository.git(["log", "-1", "--format=%B", "main"]).trim(), "Edit Home");
}
