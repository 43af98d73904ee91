//! Number and size of the fetches of a site and its spaces, which read the same commit.

use quire_test_support::GitServer;

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

/// Returns the number of requests for refs and objects, and the number of bytes, since the last call.
fn taken(server: &GitServer) -> (usize, u64) {
    let requests = server.take_requests();
    let asked = requests.iter().filter(|line| line.contains("POST") && line.contains("git-upload-pack"));
    (asked.count(), server.take_bytes())
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
        assert_eq!(requests, expected, "with filters: {has_filters}");
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
        assert_eq!(requests, if has_filters { 2 + 2 * FOLDERS.len() } else { 2 + FOLDERS.len() });
        assert!(usize::try_from(bytes).unwrap() < LARGE * 3 / 2, "{bytes}, with filters: {has_filters}");
    }
}
