//! Number and size of the fetches of a site and its spaces, which read the same commit.

use quire_test_support::GitServer;
use serde_json::json;

use super::site::{ConnectedSite, file};

/// Folders of the spaces.
const FOLDERS: [&str; 4] = ["one", "two", "three", "four"];

/// Size of a file that no space uses. It cannot be compressed.
const LARGE: usize = 1 << 20;

fn incompressible() -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..LARGE / 8).flat_map(|_| next().to_le_bytes()).collect()
}

/// Requests since the last call.
#[derive(Debug, PartialEq, Eq)]
struct Taken {
    /// Handshakes of fetches, and requests for refs and objects.
    fetching: [usize; 2],
    /// Handshakes of pushes, and pushes.
    pushing: [usize; 2],
}

/// Returns the requests and the number of bytes since the last call.
fn taken(server: &GitServer) -> (Taken, u64) {
    let requests = server.take_requests();
    let count = |method, service| {
        let asked = |line: &&String| line.starts_with(method) && line.contains(service);
        requests.iter().filter(asked).count()
    };
    let of = |service| [count("GET", service), count("POST", service)];
    let taken = Taken { fetching: of("git-upload-pack"), pushing: of("git-receive-pack") };
    assert_eq!(requests.len(), taken.fetching.iter().chain(&taken.pushing).sum::<usize>(), "{requests:?}");
    (taken, server.take_bytes())
}

/// Returns the requests of a run that pushes nothing. Each connection begins with one handshake.
fn fetches(handshakes: usize, requests: usize) -> Taken {
    Taken { fetching: [handshakes, requests], pushing: [0, 0] }
}

#[actix_web::test]
async fn the_spaces_of_a_site_share_the_trees_of_a_commit() {
    let Some(server) = GitServer::start() else { return };
    for has_filters in [true, false] {
        let repository = server.create(&format!("shared-{has_filters}"), has_filters);
        let large = incompressible();
        let spaces = FOLDERS.map(|folder| {
            format!(
                "    - {{type: space, title: {folder}, path: {folder}, content: {{directory: {folder}}}}}\n"
            )
        });
        let spaces = file(&spaces.concat());
        let pages = FOLDERS.map(|folder| format!("{folder}/README.md"));
        let mut changes: Vec<(&str, Option<&[u8]>)> =
            pages.iter().map(|path| (path.as_str(), Some(b"# Home\n\nText.\n".as_slice()))).collect();
        changes.extend([("docs.yaml", Some(spaces.as_slice())), ("large.bin", Some(large.as_slice()))]);
        repository.commit(&changes);
        let (site, _) = ConnectedSite::new(&server, repository, 0).await;
        site.admin.patch(&site.path, site.setup("git")).await.expect(200);
        let _ = taken(&server);
        site.app.run_jobs().await;
        assert_eq!(site.children().await.len(), FOLDERS.len(), "{:?}", site.log().await);
        let (requests, bytes) = taken(&server);
        // Refs, trees and the site file, then refs and blobs of each space. Without filters, the first fetch gets all
        // objects.
        let expected = if has_filters { 3 + 2 * FOLDERS.len() } else { 2 + FOLDERS.len() };
        assert_eq!(requests, fetches(1 + FOLDERS.len(), expected), "with filters: {has_filters}");
        assert!(usize::try_from(bytes).unwrap() < LARGE * 3 / 2, "{bytes}, with filters: {has_filters}");

        // The next commit is as cheap.
        let pages: Vec<(&str, Option<&[u8]>)> = changes
            .iter()
            .filter(|(path, _)| path.ends_with(".md"))
            .map(|(path, _)| (*path, Some(b"# Home\n\nOther.\n".as_slice())))
            .collect();
        site.repository.commit(&pages);
        site.sync().await;
        for (_, space) in site.children().await {
            assert!(site.text(&space).await.contains("Other."), "{:?}", site.log().await);
        }
        let (requests, bytes) = taken(&server);
        // The site file did not change, so it is not fetched.
        let expected = if has_filters { 2 + 2 * FOLDERS.len() } else { 2 + FOLDERS.len() };
        assert_eq!(requests, fetches(1 + FOLDERS.len(), expected), "with filters: {has_filters}");
        assert!(usize::try_from(bytes).unwrap() < LARGE * 3 / 2, "{bytes}, with filters: {has_filters}");

        // The spaces share the list of several commits. Without filters, each lists the last one only.
        for text in ["Third", "Fourth"] {
            let text = format!("# Home\n\n{text}.\n");
            let changes: Vec<(&str, Option<&[u8]>)> =
                pages.iter().map(|(path, _)| (*path, Some(text.as_bytes()))).collect();
            site.repository.commit(&changes);
        }
        site.sync().await;
        let listed = if has_filters { 2 } else { 1 };
        for (_, space) in site.children().await {
            let revision = site.admin.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
            assert_eq!(revision.at("/git/commits").as_array().unwrap().len(), listed);
        }
        let expected = if has_filters { 2 + 1 + 2 * FOLDERS.len() } else { 2 + FOLDERS.len() };
        assert_eq!(taken(&server).0, fetches(1 + FOLDERS.len(), expected), "with filters: {has_filters}");

        // Without any change, the site and each space ask for the ref.
        site.sync().await;
        assert_eq!(taken(&server).0, fetches(1 + FOLDERS.len(), 1 + FOLDERS.len()));
    }
}

#[actix_web::test]
async fn the_exports_of_several_spaces_share_the_trees_of_a_commit() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("shared-exports", true);
    let folders = &FOLDERS[..2];
    let spaces = folders.iter().map(|folder| {
        format!("    - {{type: space, title: {folder}, path: {folder}, content: {{directory: {folder}}}}}\n")
    });
    let spaces = file(&spaces.collect::<String>());
    let home = Some(b"# Home\n\nText.\n".as_slice());
    repository.commit(&[("one/README.md", home), ("two/README.md", home), ("docs.yaml", Some(&spaces))]);
    let (site, _) = ConnectedSite::new(&server, repository, 0).await;
    site.admin.patch(&site.path, site.setup("git")).await.expect(200);
    site.app.run_jobs().await;
    for (_, space) in site.children().await {
        let tree = site.app.content(&space, &site.admin);
        let home = tree.pages_in_order().next().unwrap().id.to_string();
        let change = json!({"operation": "update_page", "page": home, "document": {"markdown": "Edited."}});
        let path = format!("/v1/spaces/{space}/content");
        site.admin.post(&path, json!({ "changes": [change] })).await.expect(200);
    }
    let _ = taken(&server);
    site.sync().await;
    for folder in folders {
        assert!(site.repository.text(&format!("{folder}/README.md")).contains("Edited."));
    }
    // The site asks for the ref. Each space has an import, which asks for the ref, and an export: it asks for the ref
    // again, then for the file to change. The import of the second space also fetches the commit of the first export.
    let expected = Taken { fetching: [1 + 3 * 2, 1 + 3 * 2 + 1], pushing: [2, 2] };
    assert_eq!(taken(&server).0, expected);
}
