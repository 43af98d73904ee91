//! Access to reads of content, and errors of invalid requests.

use quire_domain::Role;
use quire_storage::content::store::ContentSelector;
use quire_test_support::TestApp;

const ABSENT: &str = "0190a5d2-7c1e-7000-8000-000000000001";

/// Returns the paths of everything that can be read in a space with content.
fn paths(app: &TestApp) -> Vec<String> {
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (revision, (file, page, reusable, document)) =
        app.edit(&writer, space, ContentSelector::Space, |edit| {
            let page = edit.page(None, "Start", "Hello.");
            let document = edit.tree.page(page).and_then(|page| page.document).unwrap();
            (edit.file("a.png", "image/png", b"a"), page, edit.reusable_content("Note", "Mind."), document)
        });
    let change_request = app.create_change_request(&writer, space);
    let resources = ["content".to_owned(), format!("change-requests/{change_request}/content")];
    let resources = resources.into_iter().chain([format!("revisions/{revision}")]);
    let reads = resources.flat_map(|resource| {
        [
            resource.clone(),
            format!("{resource}/pages"),
            format!("{resource}/files"),
            format!("{resource}/files/{file}"),
            format!("{resource}/page/{page}"),
            format!("{resource}/path/start"),
            format!("{resource}/reusable-contents/{reusable}"),
        ]
    });
    let others = [
        format!("revisions/{revision}/changes"),
        format!("change-requests/{change_request}/changes"),
        "change-requests/1/content".to_owned(),
        format!("documents/{document}"),
    ];
    reads.chain(others).map(|rest| format!("/v1/spaces/{space}/{rest}")).collect()
}

#[actix_web::test]
async fn readers_of_the_space_read_all_of_it_and_others_get_404() {
    let app = TestApp::start().await;
    let paths = paths(&app);
    assert_eq!(paths.len(), 25);
    let stranger = app.stranger();
    let absent = stranger.get(&format!("/v1/spaces/{ABSENT}/content")).await.expect(404);
    for path in &paths {
        for role in Role::ALL {
            let _ = app.as_role(role).get(path).await.expect(200);
        }
        assert_eq!(stranger.get(path).await.expect(404).bytes, absent.bytes, "{path}");
        let guest = app.member_of(app.organization, None);
        assert_eq!(guest.get(path).await.expect(404).bytes, absent.bytes, "{path}");
        let _ = app.anonymous().get(path).await.expect(401);
    }
}

#[actix_web::test]
async fn what_is_not_there_and_what_cannot_be_are_not_found_alike() {
    let app = TestApp::start().await;
    let paths = paths(&app);
    let reader = app.as_role(Role::Read);
    let absent = reader.get(&format!("/v1/spaces/{ABSENT}/content")).await.expect(404);
    for path in &paths {
        let (parent, last) = path.rsplit_once('/').unwrap();
        if ["content", "pages", "files", "changes"].contains(&last) {
            continue;
        }
        for other in [ABSENT, "nonsense", "%00", "..", "0"] {
            let answer = reader.get(&format!("{parent}/{other}")).await.expect(404);
            assert_eq!(answer.bytes, absent.bytes, "{parent}/{other}");
        }
    }
    let space = paths[0].strip_suffix("/content").unwrap();
    for key in [ABSENT, "2", "0", "01", "x", "99999999999999999999"] {
        let _ = reader.get(&format!("{space}/change-requests/{key}/content")).await.expect(404);
    }
}

#[actix_web::test]
async fn wrong_parameters_are_named() {
    let app = TestApp::start().await;
    let reader = app.as_role(Role::Read);
    for path in paths(&app) {
        let mut wrong = vec!["metadata=maybe", "computed=1"];
        if path.ends_with("/files") || path.ends_with("/changes") {
            wrong.extend(["limit=0", "limit=1001", "limit=many"]);
        }
        if path.contains("/page/") || path.contains("/path/") {
            wrong.push("format=html");
        }
        if path.contains("/documents/") {
            wrong = vec!["schema=2"];
        }
        for query in wrong {
            let refused = reader.get(&format!("{path}?{query}")).await.expect(400);
            let name = query.split('=').next().unwrap();
            assert_eq!(refused.fields(), [name], "{path}?{query}");
        }
        let _ = reader.get(&format!("{path}?newer=1")).await.expect(200);
    }
}
