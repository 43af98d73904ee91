//! Conflicting changes of both sides: both take the change of the side that the connection prefers, and an open change
//! request keeps the other one. Also changes that only look like conflicts.

use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

const SUMMARY: &str = "# Table of contents\n\n* [Home](README.md)\n";

/// Path of the reusable content.
const NOTE: &str = ".gitbook/includes/note.md";

/// Changes of both sides, and the files that contain their texts afterwards.
struct Case {
    name: &'static str,
    /// Files of the commit. `None` removes a file.
    there: &'static [(&'static str, Option<&'static str>)],
    /// Pages of the table of contents after the first.
    pages: &'static str,
    here: Here,
    /// File with the text of the repository. `None` if no file contains it.
    theirs: Option<&'static str>,
    /// File with the text of the content. `None` if a change request contains it.
    ours: Option<&'static str>,
    /// The same file names if the change of the content is preferred. `None` for the text of the repository if a change
    /// request contains it.
    kept: (Option<&'static str>, Option<&'static str>),
}

/// Change of the content.
#[derive(Clone, Copy)]
enum Here {
    /// Adds a page with a child page.
    Add,
    /// Edits page `A`.
    Edit,
    /// Removes page `A`.
    Delete,
    /// Edits the reusable content.
    EditNote,
}

const CASES: [Case; 12] = [
    Case {
        name: "both add a page with the same slug",
        there: &[("there/new.md", Some("# Of the other\n\nWritten there.\n"))],
        pages: "* [A](a.md)\n* [Of the other](there/new.md)\n",
        here: Here::Add,
        theirs: Some("there/new.md"),
        ours: None,
        kept: (None, Some("there/new.md")),
    },
    Case {
        name: "both add a page with the same path",
        there: &[("new.md", Some("# New\n\nWritten there.\n"))],
        pages: "* [A](a.md)\n* [New](new.md)\n",
        here: Here::Add,
        theirs: Some("new.md"),
        ours: None,
        kept: (None, Some("new.md")),
    },
    Case {
        name: "both add pages with other slugs",
        there: &[("other.md", Some("# Other\n\nWritten there.\n"))],
        pages: "* [A](a.md)\n* [Other](other.md)\n",
        here: Here::Add,
        theirs: Some("other.md"),
        ours: Some("new/README.md"),
        kept: (Some("other.md"), Some("new/README.md")),
    },
    Case {
        name: "removed there, edited here",
        there: &[("a.md", None)],
        pages: "",
        here: Here::Edit,
        theirs: None,
        ours: None,
        kept: (None, Some("a.md")),
    },
    Case {
        name: "moved and edited there, edited here",
        there: &[("a.md", None), ("b/other.md", Some("# B\n\nWritten there.\n"))],
        pages: "* [B](b/other.md)\n",
        here: Here::Edit,
        theirs: Some("b/other.md"),
        ours: None,
        kept: (Some("b/other.md"), Some("a.md")),
    },
    Case {
        name: "moved and edited there with the same name, edited here",
        there: &[("a.md", None), ("b/a.md", Some("# A\n\nWritten there.\n"))],
        pages: "* [A](b/a.md)\n",
        here: Here::Edit,
        theirs: Some("b/a.md"),
        ours: None,
        kept: (None, Some("b/a.md")),
    },
    Case {
        name: "moved there, edited here",
        there: &[("a.md", None), ("b/other.md", Some("# A\n\nThe first text.\n"))],
        pages: "* [A](b/other.md)\n",
        here: Here::Edit,
        theirs: None,
        ours: Some("b/other.md"),
        kept: (None, Some("b/other.md")),
    },
    Case {
        name: "moved and edited there, deleted here",
        there: &[("a.md", None), ("b/other.md", Some("# A\n\nWritten there.\n"))],
        pages: "* [A](b/other.md)\n",
        here: Here::Delete,
        theirs: Some("b/other.md"),
        ours: None,
        kept: (Some("b/other.md"), None),
    },
    Case {
        name: "edited there, deleted here",
        there: &[("a.md", Some("# A\n\nWritten there.\n"))],
        pages: "* [A](a.md)\n",
        here: Here::Delete,
        theirs: Some("a.md"),
        ours: None,
        kept: (None, None),
    },
    Case {
        name: "a reusable content removed there, edited here",
        there: &[(NOTE, None)],
        pages: "* [A](a.md)\n",
        here: Here::EditNote,
        theirs: None,
        ours: None,
        kept: (None, Some(NOTE)),
    },
    Case {
        name: "a reusable content moved and edited there, edited here",
        there: &[
            (NOTE, None),
            (".gitbook/includes/other.md", Some("---\ntitle: Other\n---\n\nWritten there.\n")),
        ],
        pages: "* [A](a.md)\n",
        here: Here::EditNote,
        theirs: Some(".gitbook/includes/other.md"),
        ours: None,
        kept: (Some(".gitbook/includes/other.md"), Some(NOTE)),
    },
    Case {
        name: "a reusable content moved there, edited here",
        there: &[
            (NOTE, None),
            (".gitbook/includes/other.md", Some("---\ntitle: Note\n---\n\nThe first note.\n")),
        ],
        pages: "* [A](a.md)\n",
        here: Here::EditNote,
        theirs: None,
        ours: Some(".gitbook/includes/other.md"),
        kept: (None, Some(".gitbook/includes/other.md")),
    },
];

impl Connected {
    /// Makes a change of the content. Returns the id of the reusable content.
    async fn change(&self, here: Here) -> String {
        let tree = self.app.content(&self.space, &self.admin);
        let a = tree.pages().find(|page| page.title == "A").unwrap().id;
        let note = tree.reusable_contents().next().unwrap().id;
        let document = json!({"markdown": "Written here."});
        let change = match here {
            Here::Add => json!({"operation": "insert_page", "title": "New", "document": document}),
            Here::Edit => json!({"operation": "update_page", "page": a, "document": document}),
            Here::Delete => json!({"operation": "delete_page", "page": a}),
            Here::EditNote => {
                json!({"operation": "update_reusable_content", "reusableContent": note, "document": document})
            }
        };
        self.write(&[change]).await;
        if matches!(here, Here::Add) {
            let tree = self.app.content(&self.space, &self.admin);
            let into = tree.pages().find(|page| page.title == "New").unwrap().id;
            let document = json!({"markdown": "Written below."});
            let below =
                json!({"operation": "insert_page", "title": "Below", "into": into, "document": document});
            self.write(&[below]).await;
        }
        note.to_string()
    }

    /// Returns the open change requests.
    async fn open_change_requests(&self) -> Vec<Value> {
        let path = format!("/v1/spaces/{}/change-requests?status=open", self.space);
        self.admin.get(&path).await.expect(200).at("/items").as_array().unwrap().clone()
    }

    /// Returns the texts of pages in the open change requests.
    pub(super) async fn pages_set_aside(&self) -> String {
        let mut texts = String::new();
        for found in self.open_change_requests().await {
            let id = found["id"].as_str().unwrap();
            let content = format!("/v1/spaces/{}/change-requests/{id}/content", self.space);
            let pages = self.admin.get(&format!("{content}/pages")).await.expect(200);
            let mut left: Vec<&Value> = pages.at("/pages").as_array().unwrap().iter().collect();
            while let Some(page) = left.pop() {
                left.extend(page["pages"].as_array().into_iter().flatten());
                let path = format!("{content}/page/{}?format=markdown", page["id"].as_str().unwrap());
                texts.push_str(&self.admin.get(&path).await.expect(200).text("/markdown"));
            }
        }
        texts
    }

    /// Returns the texts of pages, and of a reusable content, in the open change requests.
    async fn set_aside(&self, note: &str) -> String {
        let mut texts = self.pages_set_aside().await;
        for found in self.open_change_requests().await {
            let revision = found["revision"].as_str().unwrap();
            let path =
                format!("/v1/spaces/{}/revisions/{revision}/reusable-contents/{note}/document", self.space);
            let note = self.admin.get(&path).await.expect(200);
            texts.push_str(&note.json.to_string());
        }
        texts
    }
}

impl Connected {
    /// Merges the open change request after all its conflicts are resolved.
    async fn merge_set_aside(&self) {
        let base = format!("/v1/spaces/{}/change-requests", self.space);
        let listed = self.admin.get(&format!("{base}?status=open")).await.expect(200);
        let path = format!("{base}/{}/merge", listed.text("/items/0/id"));
        let refused = self.admin.post(&path, json!({})).await.expect(200);
        let conflicts = refused.at("/conflicts").as_array().unwrap();
        let resolutions: Vec<Value> =
            conflicts.iter().map(|conflict| json!({"conflict": conflict["id"], "take": "ours"})).collect();
        let body = json!({"revisions": refused.at("/revisions"), "resolutions": resolutions});
        let merged = self.admin.post(&path, body).await.expect(200);
        assert_eq!(merged.text("/result"), "merge");
    }
}

#[actix_web::test]
async fn changes_that_exclude_each_other_are_set_aside() {
    let Some(server) = GitServer::start() else { return };
    for (number, case) in CASES.iter().enumerate() {
        for prefers_content in [false, true] {
            let repository = server.create(&format!("case-{number}-{prefers_content}"), true);
            case.run(&server, repository, prefers_content).await;
        }
    }
}

impl Case {
    async fn run(&self, server: &GitServer, repository: GitRepository, prefers_content: bool) {
        let Self { name, there, pages, here, theirs, ours, kept } = self;
        let name = &format!("{name}, prefers content: {prefers_content}");
        let summary = format!("{SUMMARY}* [A](a.md)\n");
        repository.commit(&[
            ("README.md", Some(b"# Home\n\nThe text of it.\n")),
            ("a.md", Some(b"# A\n\nThe first text.\n")),
            (NOTE, Some(b"---\ntitle: Note\n---\n\nThe first note.\n")),
            ("SUMMARY.md", Some(summary.as_bytes())),
        ]);
        let connected = Connected::to(server, repository).await;
        if prefers_content {
            connected.change_connection(json!({"defaultMergeAuthorityPolicy": "gitbook"})).await;
        }
        let repository = &connected.repository;
        let summary = format!("{SUMMARY}{pages}");
        let changed = there.iter().map(|(path, text)| (*path, text.map(str::as_bytes)));
        let changed = changed.chain([("SUMMARY.md", Some(summary.as_bytes()))]);
        repository.commit(&changed.collect::<Vec<_>>());
        let commit = repository.head().unwrap();
        let note = connected.change(*here).await;
        connected.sync().await;
        connected.no_failures().await;

        let with = |text: &str| {
            let mut paths: Vec<String> = repository.files().into_keys().collect();
            paths.retain(|path| repository.text(path).contains(text));
            paths
        };
        let expected = |path: &Option<&str>| path.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        let (theirs, ours) = if prefers_content { kept } else { &(*theirs, *ours) };
        assert_eq!(with("Written there."), expected(theirs), "{name}");
        assert_eq!(with("Written here."), expected(ours), "{name}");
        let is_written =
            there.iter().any(|(_, text)| text.is_some_and(|text| text.contains("Written there.")));
        // The text that is nowhere in the repository.
        let left = match prefers_content {
            false => Some("Written here.").filter(|_| !matches!(here, Here::Delete) && ours.is_none()),
            true => Some("Written there.").filter(|_| is_written && theirs.is_none()),
        };
        let set_aside = connected.set_aside(&note).await;
        match left {
            Some(text) => assert!(set_aside.contains(text), "{name}: {set_aside}"),
            None => assert_eq!(set_aside, "", "{name}"),
        }
        if matches!(here, Here::Add) {
            assert_eq!(with("Written below.").len(), 1, "{name}");
        }
        // The commits of the repository stay in its history.
        assert!(repository.git(["rev-list", "main"]).contains(&commit), "{name}");
        // Another synchronization changes nothing.
        let commit = repository.head();
        connected.sync().await;
        connected.no_failures().await;
        assert_eq!(repository.head(), commit, "{name}: a commit without an edit");
        if let Some(text) = left {
            connected.merge_set_aside().await;
            connected.sync().await;
            connected.no_failures().await;
            assert_eq!(with(text).len(), 1, "{name}: after the merge");
        }
    }
}

#[actix_web::test]
async fn different_paragraphs_are_merged_also_if_the_content_is_preferred() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("paragraphs", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n\nTwo.\n")),
        ("a.md", Some(b"# A\n\nText.\n")),
        ("SUMMARY.md", Some(format!("{SUMMARY}* [A](a.md)\n").as_bytes())),
    ]);
    let connected = Connected::to(&server, repository).await;
    connected.change_connection(json!({"defaultMergeAuthorityPolicy": "gitbook"})).await;
    let repository = &connected.repository;
    connected.edit("One, here.\n\nTwo.").await;
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n\nTwo, there.\n")),
        ("a.md", Some(b"# A\n\nOf the commit.\n")),
    ]);
    let commit = repository.head().unwrap();
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(repository.text("README.md"), "# Home\n\nOne, here.\n\nTwo, there.\n");
    assert_eq!(repository.text("a.md"), "# A\n\nOf the commit.\n");
    assert!(connected.open_change_requests().await.is_empty());

    // The changes of the commit are revisions that name it, and edits are others.
    let listed = connected.admin.get(&format!("/v1/spaces/{}/revisions", connected.space)).await.expect(200);
    let revisions = listed.at("/items").as_array().unwrap().iter();
    let commits = revisions.map(|revision| revision["git"]["oid"].as_str().unwrap_or_default().to_owned());
    let commits: Vec<String> = commits.collect();
    assert_eq!(commits.iter().filter(|oid| **oid == commit).count(), 2, "{commits:?}");
}
