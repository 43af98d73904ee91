//! Content by its URL.

use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, ContentEditor, TestApp};
use serde_json::json;

use crate::change_requests::as_listed;

const BASE: &str = "http://127.0.0.1:8080";

async fn find(caller: &Caller, url: &str) -> Answer {
    caller.get(&format!("/v1/urls/content?url={url}")).await
}

#[actix_web::test]
async fn urls_of_the_app_lead_to_what_they_are_urls_of() {
    let app = TestApp::start().await;
    let (space, owner) = app.space().await;
    let id: SpaceId = space.to_string().parse().unwrap();
    let edit = |content: &mut ContentEditor| {
        let group = content.group("Guides");
        content.page(Some(group), "Größe & mehr", "Text.");
        content.link(None, "Link", json!({"kind": "url", "url": "https://example.com"}))
    };
    let (revision, _) = app.edit(&owner, id, ContentSelector::Space, edit);
    let pages = owner.get(&format!("/v1/spaces/{space}/content/pages")).await.expect(200);
    let page_url = pages.text("/pages/0/pages/0/urls/app");
    for (page, url) in [("/pages/0/pages/0", page_url), ("/pages/0", format!("{BASE}/s/{space}/guides"))] {
        let found = find(&owner, &url).await.expect(200);
        assert_eq!(found.text("/page/id"), pages.text(&format!("{page}/id")), "{url}");
        assert_eq!((found.text("/space/id"), found.json.get("changeRequest")), (space.to_string(), None));
    }
    find(&owner, &format!("{BASE}/s/{space}/link")).await.expect(404);
    let home = owner.get(&format!("/v1/spaces/{space}")).await.expect(200);
    let found = find(&owner, &home.text("/urls/app")).await.expect(200);
    assert_eq!((found.at("/space"), found.json.get("page")), (&home.json, None));

    let request = app.create_change_request(&owner, id);
    let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(request));
    app.edit(&owner, id, selector, |content: &mut ContentEditor| content.page(None, "Draft", "New."));
    let request = owner.get(&format!("/v1/spaces/{space}/change-requests/{request}")).await.expect(200);
    let url = request.text("/urls/app");
    let found = find(&owner, &format!("{url}/draft")).await.expect(200);
    assert_eq!(found.at("/changeRequest"), &as_listed(request.json));
    assert_eq!(found.text("/page/title"), "Draft");
    find(&owner, &format!("{BASE}/s/{space}/draft")).await.expect(404);
    find(&owner, &format!("{BASE}/s/{space}/~/history/{revision}/guides")).await.expect(200);
    find(&owner, &format!("{BASE}/s/{space}/~/history/{revision}/draft")).await.expect(404);
    find(&owner, &format!("{BASE}/s/{space}/~/changes/9")).await.expect(404);

    let collections = format!("/v1/orgs/{}/collections", app.organization);
    let collection = owner.post(&collections, json!({"title": "Shelf"})).await.expect(201);
    let found = find(&owner, &collection.text("/urls/app")).await.expect(200);
    assert_eq!(found.json, json!({"collection": collection.json}));

    app.anonymous().get(&format!("/v1/urls/content?url={BASE}/s/{space}")).await.expect(401);
    for url in [home.text("/urls/app"), url, "https://example.com".to_owned(), BASE.to_owned()] {
        find(&app.stranger(), &url).await.expect(404);
        find(&app.anonymous().with_token("qr_wrong"), &url).await.expect(401);
    }
    assert_eq!(find(&owner, "nonsense").await.expect(400).fields(), ["url"]);
}

#[actix_web::test]
async fn addresses_of_sites_lead_to_their_spaces() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let admin = app.as_role(Role::Admin);
    let id: SpaceId = space.to_string().parse().unwrap();
    app.edit(&admin, id, ContentSelector::Space, |content: &mut ContentEditor| {
        content.page(None, "Home", "Hi.")
    });
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let site = admin.post(&sites, json!({"title": "Docs", "spaces": [space]})).await.expect(201);
    let root = site.text("/urls/preview");
    find(&admin, &format!("{root}/home")).await.expect(200);
    admin.post_empty(&format!("{sites}/{}/publish", site.text("/id"))).await.expect(200);
    let found = find(&admin, &format!("{root}/home")).await.expect(200);
    assert_eq!((found.text("/space/id"), found.text("/page/title")), (space.to_string(), "Home".to_owned()));
    let found = find(&admin, &root).await.expect(200);
    assert_eq!(found.json.get("page"), None);
    let _ = app.create_change_request(&admin, id);
    let found = find(&admin, &format!("{root}/~/changes/1/home")).await.expect(200);
    assert_eq!(found.at("/changeRequest/number"), &json!(1));
    find(&admin, &format!("{root}/absent")).await.expect(404);
    // App URLs work only for users with a role, even for public sites.
    find(&app.stranger(), &format!("{root}/home")).await.expect(404);
}
