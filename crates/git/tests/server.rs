//! Fetches from and pushes to a real `git http-backend`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

// `quire-test-support` depends on the whole server, so this file is included instead.
#[path = "../../test-support/src/git_server.rs"]
#[allow(dead_code, clippy::expect_used, reason = "shared with the tests of other crates")]
mod git_server;

use std::time::Duration;

use git_server::{GitRepository, GitServer};
use quire_git::{
    Address, Changes, Description, GitError, Limits, NewCommit, Remote, RemoteRef, Signature, Snapshot,
};
use quire_importer::fetch::{FetchConfig, FetchError, Fetcher};

fn fetcher(server: &GitServer) -> Fetcher {
    let allow = vec![server.address().to_string().parse().unwrap()];
    Fetcher::new(FetchConfig { allow, ..FetchConfig::default() })
}

fn run_within<T: Send + 'static>(
    server: &GitServer,
    url: &str,
    limits: Limits,
    work: impl FnOnce(&Remote) -> Result<T, GitError> + Send + 'static,
) -> Result<T, GitError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let address = Address::parse(url)?;
    runtime.block_on(Remote::run(&fetcher(server), address, limits, work))
}

fn run<T: Send + 'static>(
    server: &GitServer,
    url: &str,
    work: impl FnOnce(&Remote) -> Result<T, GitError> + Send + 'static,
) -> Result<T, GitError> {
    run_within(server, url, Limits::default(), work)
}

fn fetched(remote: &Remote, name: Option<&str>) -> Result<(RemoteRef, Snapshot), GitError> {
    let found = remote.find_ref(name)?;
    let snapshot = remote.fetch(found.commit.unwrap())?;
    Ok((found, snapshot))
}

fn description() -> Description {
    let ada = Signature { name: "Ada <Example>".to_owned(), email: "ada@example.org".to_owned() };
    let committer = Signature { name: "Quire".to_owned(), email: "quire@example.org".to_owned() };
    Description { author: ada, committer, seconds: 1_795_824_000, message: "Change a page\n".to_owned() }
}

fn changes<const N: usize>(files: [(&str, Option<&str>); N]) -> Changes {
    let own =
        |(path, text): (&str, Option<&str>)| (path.to_owned(), text.map(|text| text.as_bytes().to_vec()));
    files.into_iter().map(own).collect()
}

fn filled(server: &GitServer, name: &str, has_filters: bool) -> GitRepository {
    let repository = server.create(name, has_filters);
    repository.commit(&[
        ("README.md", Some(b"# Docs\n")),
        ("guide/setup.md", Some(b"# Set up\n")),
        ("guide/deep/er/page.md", Some(b"# Deeper\n")),
        ("images/a.png", Some(b"\x89PNG")),
    ]);
    repository
}

#[test]
fn a_commit_is_read_without_its_blobs_and_then_with_those_that_are_asked_for() {
    let Some(server) = GitServer::start() else { return };
    for (name, has_filters) in [("with", true), ("without", false)] {
        let repository = filled(&server, name, has_filters);
        let head = repository.head().unwrap();
        let files = repository.files();
        let (found, listed, text, subject) = run(&server, &repository.url_with_credentials, move |remote| {
            let (found, mut snapshot) = fetched(remote, None)?;
            let id = snapshot.files["guide/setup.md"];
            // A server without filters sends all blobs at once.
            assert_eq!(matches!(snapshot.blob(&id), Err(GitError::Missing { .. })), has_filters);
            remote.fetch_blobs(&mut snapshot, &[id, id])?;
            let text = snapshot.blob(&id)?;
            Ok((found, snapshot.files.clone(), text, snapshot.listed.subject.clone()))
        })
        .unwrap();
        assert_eq!((found.name.as_str(), found.commit.unwrap().to_string()), ("refs/heads/main", head));
        assert_eq!((text.as_slice(), subject.as_str()), (&b"# Set up\n"[..], "Edit files"));
        let listed: std::collections::HashMap<_, _> =
            listed.into_iter().map(|(path, id)| (path, id.to_string())).collect();
        assert_eq!(listed, files);
        assert!(server.take_requests().iter().all(|line| line.ends_with("with credentials")));
    }
}

#[test]
fn a_commit_that_a_branch_lost_is_no_ancestor() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "history", true);
    let commit = |text: &str| repository.commit(&[("README.md", Some(text.as_bytes()))]);
    let first = repository.head().unwrap();
    let (second, third) = (commit("2"), commit("3"));
    let is_ancestor_within = |former: &str, limits: Limits| {
        let former = former.parse().unwrap();
        run_within(&server, &repository.url_with_credentials, limits, move |remote| {
            let (_, mut snapshot) = fetched(remote, None)?;
            let answer = remote.history(former, &snapshot)?.has_former;
            // The run goes on.
            let id = snapshot.files["README.md"];
            remote.fetch_blobs(&mut snapshot, &[id])?;
            Ok(answer)
        })
        .unwrap()
    };
    let is_ancestor = |former: &str| is_ancestor_within(former, Limits::default());
    let _ = server.take_requests();
    assert_eq!(is_ancestor(&second), Some(true));
    let requests = server.take_requests().len();
    assert_eq!(is_ancestor(&first), Some(true));
    assert_eq!(server.take_requests().len(), requests + 1, "the parent needs no request");

    // Beyond a limit, and without filters, there is no answer.
    let limits = [
        Limits { history_bytes: 64, ..Limits::default() },
        Limits { history_commits: 1, ..Limits::default() },
    ];
    assert_eq!(limits.map(|limits| is_ancestor_within(&first, limits)), [None, None]);
    repository.git(["config", "uploadpack.allowFilter", "false"]);
    assert_eq!((is_ancestor(&first), is_ancestor(&second)), (None, Some(true)));
    repository.git(["config", "uploadpack.allowFilter", "true"]);

    // The branch moved back, then to other commits.
    repository.git(["update-ref", "refs/heads/main", &first]);
    assert_eq!(is_ancestor(&third), Some(false));
    commit("4");
    commit("5");
    assert_eq!((is_ancestor(&third), is_ancestor(&first)), (Some(false), Some(true)));
    // A merge brings the commits back.
    let tree = repository.git(["rev-parse", "HEAD^{tree}"]);
    let head = repository.head().unwrap();
    let merge = repository.git(["commit-tree", &tree, "-m", "Merge", "-p", &head, "-p", &third]);
    repository.git(["update-ref", "refs/heads/main", &merge]);
    assert_eq!((is_ancestor(&third), is_ancestor(&second)), (Some(true), Some(true)));

    // The server forgot the commit, and the new history has no commit of the former one.
    repository.git(["update-ref", "-d", "refs/heads/main"]);
    commit("6");
    commit("7");
    repository.git(["gc", "--quiet", "--prune=now"]);
    assert_eq!(is_ancestor(&third), Some(false));
}

/// Returns a commit as Git stores it. Its author is not its committer.
fn commit_bytes(tree: &str, parents: &[&str], author: &str, (seconds, message): (i64, &str)) -> Vec<u8> {
    let parents: String = parents.iter().map(|parent| format!("parent {parent}\n")).collect();
    let text = format!(
        "tree {tree}\n{parents}author {author} 0 +0000\ncommitter Host <host@example.org> {seconds} +0000\n\n{message}"
    );
    text.into_bytes()
}

#[test]
fn a_history_lists_the_commits_since_a_former_one() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "listed", true);
    let former = repository.head().unwrap();
    let tree = repository.git(["rev-parse", "main^{tree}"]);
    let write = |parents: &[&str], author: &str, seconds, message: &str| {
        let bytes = commit_bytes(&tree, parents, author, (seconds, message));
        repository.write_object("commit", &bytes)
    };
    let listed = |head: &str| {
        repository.git(["update-ref", "refs/heads/main", head]);
        let former = former.parse().unwrap();
        run(&server, &repository.url_with_credentials, move |remote| {
            let (_, snapshot) = fetched(remote, None)?;
            Ok(remote.history(former, &snapshot)?.commits)
        })
        .unwrap()
    };
    let subjects =
        |head: &str| listed(head).into_iter().map(|commit| commit.subject).collect::<Vec<String>>();

    // Both sides of a merge, by time. The order of a parent and its child does not depend on their times.
    let one = write(&[&former], "Ada <ada@example.org>", 3_000, "One\n\nText.\n");
    let two = write(&[&former], "Ben <ben@example.org>", 1_000, "Two");
    let three = write(&[&two], "Ben <ben@example.org>", 4_000, "Three");
    let merge = write(&[&one, &three], "Ada <ada@example.org>", 2_000, "Merge");
    assert_eq!(subjects(&merge), ["Merge", "Three", "One", "Two"]);
    // A merge of the former commit brings the commits of its other side.
    let other = write(&[&former, &three], "Ada <ada@example.org>", 5_000, "Merge again");
    assert_eq!(subjects(&other), ["Merge again", "Three", "Two"]);
    let commits = listed(&one);
    let [only] = commits.as_slice() else { panic!("{commits:?}") };
    let person = |name: &str, email: &str| (name.to_owned(), email.to_owned());
    assert_eq!((only.author.clone(), only.seconds), (person("Ada", "ada@example.org"), 3_000));
    assert_eq!(only.committer, person("Host", "host@example.org"));

    // People and messages that are no text.
    let strange = write(&[&former], "<>", i64::MAX, &format!("{}\u{7}\n", "long ".repeat(100)));
    let commits = listed(&strange);
    let [only] = commits.as_slice() else { panic!("{commits:?}") };
    assert_eq!((only.author.clone(), only.subject.chars().count()), (person("", ""), 201));

    // The newest 100 commits.
    let mut head = one;
    for number in 0..101 {
        head = write(&[&head], "Ada <ada@example.org>", 10_000 + number, &number.to_string());
    }
    let expected: Vec<String> = (1..101).rev().map(|number| number.to_string()).collect();
    assert_eq!(subjects(&head), expected);

    // Of a branch that lost the former commit, the last one.
    let lost = write(&[], "Ada <ada@example.org>", 0, "Root");
    let lost = write(&[&lost], "Ada <ada@example.org>", 0, "Lost");
    assert_eq!(subjects(&lost), ["Lost"]);
}

#[test]
fn a_push_changes_only_its_paths_and_needs_the_branch_where_it_was() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "docs", true);
    let before = repository.files();
    repository.git(["update-ref", "refs/heads/other", "refs/heads/main"]);
    let push = |files: Changes| {
        run(&server, &repository.url_with_credentials, move |remote| {
            let (branch, snapshot) = fetched(remote, Some("refs/heads/main"))?;
            let commit = NewCommit::new(Some(&snapshot), &files, &description())?;
            if let Some(commit) = &commit {
                remote.push(&branch, commit)?;
                // The branch has moved.
                assert!(matches!(remote.push(&branch, commit), Err(GitError::Outdated)));
            }
            Ok(commit.map(|commit| commit.id.to_string()))
        })
    };
    let edited = changes([
        ("guide/setup.md", Some("# Set up\n\nNow.\n")),
        ("guide/new/page.md", Some("# New\n")),
        ("guide/deep/er/page.md", None),
        ("absent/folder/x.md", None),
    ]);
    let commit = push(edited).unwrap();
    assert_eq!(commit, repository.head());
    let after = repository.files();
    assert_eq!(repository.text("guide/setup.md"), "# Set up\n\nNow.\n");
    assert_eq!(repository.text("guide/new/page.md"), "# New\n");
    for untouched in ["README.md", "images/a.png"] {
        assert_eq!(before[untouched], after[untouched]);
    }
    assert_eq!(after.len(), 4);
    let log = repository.git(["log", "-1", "--format=%an <%ae>, %cn, %at, %s", "main"]);
    assert_eq!(log, "Ada Example <ada@example.org>, Quire, 1795824000, Change a page");
    repository.git(["fsck", "--strict"]);
    // The same changes again make no commit.
    assert_eq!(push(changes([("guide/new/page.md", Some("# New\n"))])).unwrap(), None);
    // A file cannot replace a folder or the reverse, and invalid paths are rejected.
    for path in ["guide", "README.md/a.md", "../a.md", "a/.git/config", "a//b"] {
        let refused = push(changes([(path, Some("x"))]));
        assert!(matches!(refused, Err(GitError::Occupied { .. })), "{path}: {refused:?}");
    }
}

#[test]
fn commits_that_follow_each_other_are_pushed_at_once() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "several", true);
    let head = repository.head().unwrap();
    let before = repository.files();
    let steps = [
        changes([("guide/setup.md", Some("# Set up\n\nNow.\n")), ("new/page.md", Some("# New\n"))]),
        changes([("guide/setup.md", None), ("new/page.md", Some("# Newer\n"))]),
        changes([("guide/setup.md", Some("# Set up\n\nNow.\n"))]),
    ];
    let _ = server.take_requests();
    run(&server, &repository.url_with_credentials, move |remote| {
        let (branch, mut snapshot) = fetched(remote, None)?;
        let (mut new, tree): (Option<NewCommit>, _) = (None, snapshot.tree());
        for changes in &steps {
            let commit = NewCommit::new(Some(&snapshot), changes, &description())?.unwrap();
            snapshot.advance(&commit);
            assert_eq!(snapshot.commit, commit.id);
            new = Some(match new {
                Some(parent) => commit.after(parent),
                None => commit,
            });
        }
        assert_eq!(snapshot.blob(&snapshot.files["new/page.md"])?, b"# Newer\n");
        assert_ne!(snapshot.tree(), tree);
        remote.push(&branch, &new.unwrap())
    })
    .unwrap();
    repository.git(["fsck", "--strict"]);
    let pushes = server.take_requests().into_iter().filter(|line| line.contains("POST"));
    assert_eq!(pushes.filter(|line| line.contains("git-receive-pack")).count(), 1);
    let texts = |path: &str| {
        ["main~2", "main~1", "main"].map(|commit| {
            let found = repository.git(["ls-tree", "-r", "--name-only", commit, "--", path]);
            (!found.is_empty()).then(|| repository.git(["cat-file", "blob", &format!("{commit}:{path}")]))
        })
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts("guide/setup.md"), [some("# Set up\n\nNow."), None, some("# Set up\n\nNow.")]);
    assert_eq!(texts("new/page.md"), [some("# New"), some("# Newer"), some("# Newer")]);
    assert_eq!(repository.git(["rev-parse", "main~3"]), head);
    assert_eq!(before["README.md"], repository.files()["README.md"]);
}

#[test]
fn the_first_commit_is_pushed_to_an_empty_repository() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("empty", true);
    let pushed = run(&server, &repository.url_with_credentials, |remote| {
        let branch = remote.find_ref(None)?;
        assert_eq!((branch.name.as_str(), branch.commit), ("refs/heads/main", None));
        assert!(remote.find_ref(Some("refs/heads/docs"))?.commit.is_none());
        assert!(NewCommit::new(None, &Changes::new(), &description())?.is_none());
        let commit = NewCommit::new(None, &changes([("a/b.md", Some("# B\n"))]), &description())?.unwrap();
        remote.push(&branch, &commit)?;
        Ok(commit.id.to_string())
    });
    assert_eq!(Some(pushed.unwrap()), repository.head());
    assert_eq!(repository.text("a/b.md"), "# B\n");
}

#[test]
fn a_refusal_of_the_server_is_told_with_its_reason() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "protected", true);
    repository.hook("pre-receive", "#!/bin/sh\nexit 1\n");
    let refused = run(&server, &repository.url_with_credentials, |remote| {
        let (branch, snapshot) = fetched(remote, None)?;
        let commit =
            NewCommit::new(Some(&snapshot), &changes([("a.md", Some("x"))]), &description())?.unwrap();
        remote.push(&branch, &commit)
    });
    assert!(matches!(&refused, Err(GitError::Rejected { reason }) if reason.contains("hook")), "{refused:?}");
}

#[test]
fn what_cannot_be_reached_is_named() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "docs", true);
    let find = |url: &str, name: Option<&'static str>| {
        run(&server, url, move |remote| remote.find_ref(name)).map(drop).unwrap_err()
    };
    let wrong = repository.url_with_credentials.replace("s3cret", "wr0ng");
    assert!(matches!(find(&wrong, None), GitError::Unauthenticated));
    assert!(matches!(find(&repository.url, None), GitError::Unauthenticated));
    let absent = repository.url_with_credentials.replace("docs.git", "absent.git");
    assert!(matches!(find(&absent, None), GitError::NotFound));
    let missing = find(&repository.url_with_credentials, Some("refs/heads/absent"));
    assert!(matches!(missing, GitError::NoSuchRef { name } if name == "refs/heads/absent"));
    let https = repository.url_with_credentials.replace("http:", "https:");
    let error = find(&https, None);
    assert!(matches!(error, GitError::Fetch(FetchError::Unreachable(_))), "{error:?}");
    assert!(!format!("{error:?}").contains("s3cret"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let address = Address::parse(&repository.url).unwrap();
    let guarded = Fetcher::new(FetchConfig::default());
    let plain = Remote::run(&guarded, address, Limits::default(), |remote| remote.find_ref(None));
    assert!(matches!(runtime.block_on(plain), Err(GitError::InvalidUrl { .. })));
    let address = Address::parse(&https).unwrap();
    let by_name = Address::parse("https://localhost:1/docs.git").unwrap();
    for address in [address, by_name] {
        let inner = Remote::run(&guarded, address, Limits::default(), |remote| remote.find_ref(None));
        assert!(matches!(runtime.block_on(inner), Err(GitError::Fetch(FetchError::Refused { .. }))));
    }
}

#[test]
fn a_renamed_repository_is_found_where_the_server_redirects_to() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "docs", true);
    let moved = repository.url_with_credentials.replace("/docs.git", "/moved/docs.git");
    let files = run(&server, &moved, |remote| Ok(fetched(remote, None)?.1.files.len())).unwrap();
    assert_eq!(files, 4);
    let elsewhere = repository.url_with_credentials.replace("/docs.git", "/moved//127.0.0.1:1/docs.git");
    let private = repository.url_with_credentials.replace("/docs.git", "/moved//10.0.0.1/docs.git");
    for elsewhere in [elsewhere, private] {
        let refused = run(&server, &elsewhere, |remote| remote.find_ref(None));
        assert!(matches!(refused, Err(GitError::RedirectRefused)), "{refused:?}");
    }
}

/// Returns the bytes of a tree object.
fn tree(entries: &[(&str, &[u8], &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend_from_slice(format!("{mode} ").as_bytes());
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend((0..40).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()));
    }
    bytes
}

#[test]
fn entries_that_cannot_be_used_are_skipped_and_named() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("names", true);
    let blob = repository.write_object("blob", b"x");
    let inner = repository.write_object("tree", &tree(&[("100644", b"config", &blob)]));
    let commit = "1".repeat(40);
    let root = tree(&[
        ("100644", b"..", &blob),
        ("100644", b"../../outside.md", &blob),
        ("40000", b".GIT", &inner),
        ("100644", b"/etc/passwd", &blob),
        ("100644", b"a\\b", &blob),
        ("120000", b"link.md", &blob),
        ("160000", b"module", &commit),
        ("100644", b"ok.md", &blob),
        ("100755", b"run.md", &blob),
        ("100644", b"\xff.md", &blob),
    ]);
    repository.commit_tree(&repository.write_object("tree", &root));
    let (files, skipped) = run(&server, &repository.url_with_credentials, |remote| {
        let (_, snapshot) = fetched(remote, None)?;
        Ok((snapshot.files.into_keys().collect::<Vec<_>>(), snapshot.skipped))
    })
    .unwrap();
    assert_eq!(files, ["ok.md", "run.md"]);
    let skipped: Vec<_> = skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason)).collect();
    assert_eq!(
        skipped,
        [
            ("..", "its name cannot be used"),
            ("../../outside.md", "its name cannot be used"),
            (".GIT", "its name cannot be used"),
            ("/etc/passwd", "its name cannot be used"),
            ("a\\b", "its name cannot be used"),
            ("link.md", "it is a symbolic link"),
            ("module", "it is a submodule"),
            ("\u{fffd}.md", "its name cannot be used"),
        ]
    );
}

#[test]
fn paths_beyond_the_limit_are_skipped() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("paths", true);
    let blob = repository.write_object("blob", b"x");
    let name = "n".repeat(255);
    let mut inner = repository.write_object("tree", &tree(&[("100644", b"a.md", &blob)]));
    for _ in 0..5 {
        let entries = [("40000", name.as_bytes(), inner.as_str()), ("100644", b"ok.md", blob.as_str())];
        inner = repository.write_object("tree", &tree(&entries));
    }
    repository.commit_tree(&inner);
    let (files, skipped) = run(&server, &repository.url_with_credentials, |remote| {
        let (_, snapshot) = fetched(remote, None)?;
        Ok((snapshot.files.len(), snapshot.skipped))
    })
    .unwrap();
    let reasons: Vec<_> = skipped.iter().map(|skipped| skipped.reason).collect();
    assert_eq!((files, reasons), (4, vec!["its path is too long"; 2]));
}

#[test]
fn trees_beyond_the_limits_are_refused() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("bombs", true);
    let blob = repository.write_object("blob", &vec![b'x'; 10_000]);
    let tens = |kind: &str, id: &str| {
        let names: Vec<String> = (0..10).map(|number| format!("n{number}")).collect();
        let entries: Vec<_> = names.iter().map(|name| (kind, name.as_bytes(), id)).collect();
        repository.write_object("tree", &tree(&entries))
    };
    let refused = |root: &str, limits: Limits| {
        repository.commit_tree(root);
        let fetch = |remote: &Remote| fetched(remote, None).map(drop);
        run_within(&server, &repository.url_with_credentials, limits, fetch).unwrap_err().to_string()
    };
    // 10^12 files in 12 objects.
    let files = (0..11).fold(tens("100644", &blob), |inner, _| tens("40000", &inner));
    assert_eq!(refused(&files, Limits::default()), "the files of the repository exceed the limit of 20000");
    let empty = repository.write_object("tree", b"");
    let folders = (0..11).fold(empty.clone(), |inner, _| tens("40000", &inner));
    assert_eq!(
        refused(&folders, Limits::default()),
        "the folders of the repository exceed the limit of 20000"
    );
    let deep =
        (0..200).fold(empty, |inner, _| repository.write_object("tree", &tree(&[("40000", b"d", &inner)])));
    repository.commit_tree(&deep);
    let run = |remote: &Remote| fetched(remote, None).map(|(_, snapshot)| snapshot.skipped);
    let skipped = run_within(&server, &repository.url_with_credentials, Limits::default(), run).unwrap();
    let [folder] = skipped.as_slice() else { panic!("{skipped:?}") };
    assert_eq!(
        (folder.path.as_str(), folder.reason),
        ("d/".repeat(65).as_str(), "it is in too many folders")
    );
    let large = repository.write_object("tree", &tree(&[("100644", b"large.md", &blob)]));
    repository.commit_tree(&large);
    let read = |object_bytes| {
        let limits = Limits { object_bytes, ..Limits::default() };
        run_within(&server, &repository.url_with_credentials, limits, |remote| {
            let (_, mut snapshot) = fetched(remote, None)?;
            let id = snapshot.files["large.md"];
            remote.fetch_blobs(&mut snapshot, &[id])?;
            snapshot.blob(&id).map(|blob| blob.len())
        })
    };
    assert!(matches!(read(5_000), Err(GitError::Protocol { .. })), "{:?}", read(5_000));
    assert_eq!(read(10_000).unwrap(), 10_000);
    let limits = Limits { bytes: 100, ..Limits::default() };
    let read = run_within(&server, &repository.url_with_credentials, limits, |remote| remote.find_ref(None));
    assert!(matches!(read, Err(GitError::TooLarge { what: "the bytes", .. })), "{read:?}");
    let limits = Limits { time: Duration::ZERO, ..Limits::default() };
    let read = run_within(&server, &repository.url_with_credentials, limits, |remote| remote.find_ref(None));
    assert!(matches!(read, Err(GitError::TimedOut { .. })), "{read:?}");
}
