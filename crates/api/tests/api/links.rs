//! Links and backlinks.

use quire_domain::Role;
use quire_domain::ids::{PageId, SpaceId};
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// Returns every item of a list, read with `limit=1`. Each page must have the same `count`.
async fn walk(caller: &Caller, path: &str) -> Vec<Value> {
    let joint = if path.contains('?') { '&' } else { '?' };
    let first = format!("{path}{joint}limit=1");
    let mut items = Vec::new();
    let mut next = first.clone();
    loop {
        let answer = caller.get(&next).await.expect(200);
        let page = answer.at("/items").as_array().unwrap().clone();
        assert!(page.len() <= 1);
        items.extend(page);
        match answer.json.pointer("/next/page") {
            Some(page) => next = format!("{first}&page={}", page.as_str().unwrap()),
            None => {
                assert_eq!(answer.at("/count"), items.len(), "{path}");
                return items;
            }
        }
    }
}

fn statuses(answer: &Answer) -> Vec<String> {
    let items = answer.at("/items").as_array().unwrap().iter();
    items.map(|item| item["status"].as_str().unwrap().to_owned()).collect()
}

async fn statements_of(app: &TestApp, caller: &Caller, path: &str) -> u64 {
    let before = app.statements();
    let _ = caller.get(path).await.expect(200);
    app.statements() - before
}

struct Guide {
    app: TestApp,
    space: SpaceId,
    admin: Caller,
    home: PageId,
    setup: PageId,
    root: String,
}

/// Creates a space whose home page has a link of each kind.
async fn guide() -> Guide {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space: SpaceId = space.parse().unwrap();
    let other = app.create_space(&admin, "Other");
    let user = admin.user();
    let (_, (home, setup)) = app.edit(&admin, space, ContentSelector::Space, |content| {
        let setup = content.page(None, "Setup", "# Install\n\nRun it.");
        let logo = content.file("logo.png", "image/png", b"png");
        let note = content.reusable_content("Note", "See [setup](/pages/00000000-0000-7000-8000-000000000000).");
        let home = content.page(
            None,
            "Home",
            &format!(
                "[setup](/pages/{setup}) and [again](/pages/{setup})\n\n\
                 [install](/pages/{setup}#install)\n\n[nowhere](/pages/{setup}#nowhere)\n\n\
                 <figure><img src=\"/files/{logo}\" alt=\"\"></figure>\n\n\
                 {{% include \"/reusable-contents/{note}\" %}}\n\n\
                 [away](https://example.com)\n\n[app](http://127.0.0.1:8080/s/x)\n\n[near](http://127.0.0.1:80800/)\n\n\
                 [setup, later](/pages/{setup})"
            ),
        );
        content.link(None, "Other", json!({"kind": "space", "space": other.to_string()}));
        content.link(None, "Gone", json!({"kind": "space", "space": "00000000-0000-7000-8000-000000000009"}));
        content.link(None, "Ada", json!({"kind": "user", "user": user.to_string()}));
        content.change_page(setup, |page| {
            page.cover = Some(Box::new(json!({"ref": {"kind": "file", "file": logo.to_string()}, "yPos": 0})));
        });
        (home, setup)
    });
    Guide { root: format!("/v1/spaces/{space}"), app, space, admin, home, setup }
}

#[actix_web::test]
async fn a_page_has_its_links_in_the_order_in_which_they_stand() {
    let guide = guide().await;
    let Guide { admin, root, home, setup, space, app } = &guide;
    let path = format!("{root}/content/page/{home}/links");
    let links = admin.get(&path).await.expect(200);
    assert_eq!(statuses(&links), ["ok", "ok", "broken", "ok", "ok", "ok", "in-app", "ok"]);
    assert_eq!(links.at("/stats"), &json!({"total": 8, "broken": {"total": 1}}));
    assert_eq!(links.at("/count"), 8);
    let first = links.at("/items/0");
    assert_eq!(first["relation"], "reference");
    let target = &first["targetReference"];
    assert_eq!((&target["kind"], &target["page"]["id"]), (&json!("page"), &json!(setup)));
    assert_eq!(target["organization"]["id"], json!(app.organization));
    assert_eq!(target["space"]["id"], json!(space));
    assert_eq!(target.get("internalLocation"), None);
    assert_eq!(target.get("versionContext"), None);
    // The link occurs twice in the first paragraph and once in the last one, so it has two locations.
    let locations = first["locationReferences"].as_array().unwrap();
    assert_eq!(locations.len(), 2);
    assert_eq!(locations[0]["page"]["id"], json!(home));
    assert_eq!(locations[0]["internalLocation"], json!({"type": "node", "node": "0"}));
    assert_eq!(locations[1]["internalLocation"], json!({"type": "node", "node": "8"}));
    assert_eq!(
        links.at("/items/1/targetReference/internalLocation"),
        &json!({"type": "anchor", "anchor": "install"})
    );
    let image = links.at("/items/3");
    assert_eq!(
        (&image["relation"], &image["targetReference"]["file"]["name"]),
        (&json!("dependsOn"), &json!("logo.png"))
    );
    let note = links.at("/items/4");
    assert_eq!(note["relation"], "dependsOn");
    assert_eq!(note["targetReference"]["reusableContent"]["title"], "Note");
    assert_eq!(links.at("/items/5/targetReference"), &json!({"kind": "url", "url": "https://example.com"}));
    assert_eq!(walk(admin, &path).await, *links.at("/items").as_array().unwrap());
    for (status, count) in [("ok", 6), ("broken", 1), ("in-app", 1)] {
        let filtered = format!("{path}?status={status}");
        let items = walk(admin, &filtered).await;
        assert_eq!(items.len(), count, "{status}");
        assert!(items.iter().all(|item| item["status"] == status));
    }
}

#[actix_web::test]
async fn a_space_has_all_links_of_its_pages_and_reusable_contents() {
    let guide = guide().await;
    let Guide { admin, root, .. } = &guide;
    let path = format!("{root}/links");
    let links = admin.get(&path).await.expect(200);
    // Links of the home page, three links of the table of contents, a cover, and one link in the reusable content.
    assert_eq!(links.at("/stats"), &json!({"total": 13, "broken": {"total": 3}}));
    assert_eq!(walk(admin, &path).await, *links.at("/items").as_array().unwrap());
    for (status, count) in [("ok", 9), ("broken", 3), ("in-app", 1)] {
        assert_eq!(walk(admin, &format!("{path}?status={status}")).await.len(), count, "{status}");
    }
    let all = links.at("/items").as_array().unwrap();
    let of_kind = |kind: &str| all.iter().filter(|item| item["targetReference"]["kind"] == kind).count();
    assert_eq!((of_kind("space"), of_kind("user"), of_kind("url")), (1, 1, 3));
    // Links in reusable content are found, too.
    let broken = walk(admin, &format!("{path}?status=broken")).await;
    assert!(
        broken
            .iter()
            .all(|item| item.get("targetReference").is_none() || item["targetReference"]["kind"] == "page")
    );
    assert_eq!(broken[2]["locationReferences"][0]["reusableContent"]["title"], "Note");
}

#[actix_web::test]
async fn what_links_lead_to_outside_of_the_space_is_asked_each_time() {
    let guide = guide().await;
    let Guide { admin, root, app, .. } = &guide;
    let reader = app.as_role(Role::Read);
    let spaces = |answer: &Answer| {
        let items = answer.at("/items").as_array().unwrap().clone();
        items.into_iter().filter(|item| item["targetReference"]["kind"] == "space").count()
    };
    let links = admin.get(&format!("{root}/links")).await.expect(200);
    assert_eq!(spaces(&links), 1);
    // A caller who may not see the other space does not learn about it, but the link is not broken.
    diesel::connection::SimpleConnection::batch_execute(
        &mut app.connection(),
        "UPDATE spaces SET default_level = NULL WHERE title = 'Other'",
    )
    .unwrap();
    let hidden = reader.get(&format!("{root}/links")).await.expect(200);
    assert_eq!((spaces(&hidden), hidden.at("/stats/broken/total")), (0, &json!(3)));
    diesel::connection::SimpleConnection::batch_execute(
        &mut app.connection(),
        "UPDATE spaces SET deleted_at = now() WHERE title = 'Other'",
    )
    .unwrap();
    let deleted = admin.get(&format!("{root}/links")).await.expect(200);
    assert_eq!((spaces(&deleted), deleted.at("/stats/broken/total")), (0, &json!(4)));
}

/// Creates a space with links to two collections, one of which is open only to its administrators; to a specification
/// by slug, by id and from a placeholder; and to a missing collection and specification.
async fn registry() -> (TestApp, Caller, String, [String; 3]) {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let (open, closed) = (app.collection(app.organization), app.collection(app.organization));
    batch(&app, &format!("UPDATE collections SET default_level = NULL WHERE id = '{closed}'"));
    let specifications = format!("/v1/orgs/{}/openapi", app.organization);
    let text =
        r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get": {}}}}"#;
    let made = json!({"slug": "pets", "source": {"text": text}});
    let specification = admin.post(&specifications, made).await.expect(201).text("/id");
    app.run_jobs().await;
    app.edit(&admin, space.parse().unwrap(), ContentSelector::Space, |content| {
        for collection in [open.as_str(), closed.as_str(), "00000000-0000-7000-8000-000000000009"] {
            content.link(None, "Shelf", json!({"kind": "collection", "collection": collection}));
        }
        for spec in ["pets", specification.as_str(), "birds"] {
            content.link(None, "API", json!({"kind": "openapi", "spec": spec}));
        }
    });
    let source = json!({
        "type": "builtin:openapi", "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}}, "props": {"models": true}
    });
    let changes = json!({"changes": [{"operation": "insert_computed", "title": "Pets", "source": source}]});
    let _ = admin.post(&format!("/v1/spaces/{space}/content"), changes).await.expect(200);
    (app, admin, format!("/v1/spaces/{space}/links"), [open, closed, specification])
}

fn batch(app: &TestApp, statements: &str) {
    diesel::connection::SimpleConnection::batch_execute(&mut app.connection(), statements).unwrap();
}

#[actix_web::test]
async fn collections_and_specifications_are_shown_to_those_who_see_them() {
    let (app, admin, path, [open, closed, specification]) = registry().await;
    let links = admin.get(&path).await.expect(200);
    assert_eq!(links.at("/stats"), &json!({"total": 7, "broken": {"total": 2}}));
    assert_eq!(walk(&admin, &path).await, *links.at("/items").as_array().unwrap());
    let targets = |answer: &Answer, pointer: &str| -> Vec<Value> {
        let items = answer.at("/items").as_array().unwrap().clone();
        items
            .iter()
            .filter_map(|item| item.pointer(&format!("/targetReference/{pointer}")).cloned())
            .collect()
    };
    assert_eq!(targets(&links, "kind"), ["openapi", "openapi", "openapi", "collection", "collection"]);
    // Newest first.
    assert_eq!(targets(&links, "collection/id"), [json!(closed), json!(open)]);
    assert_eq!(targets(&links, "collection/permissions/admin"), [true, true]);
    assert_eq!(
        targets(&links, "openAPISpec/id"),
        [json!(specification), json!(specification), json!(specification)]
    );
    let one = admin.get(&format!("/v1/orgs/{}/openapi/pets", app.organization)).await.expect(200);
    assert_eq!(&links.at("/items/0/targetReference")["openAPISpec"], &one.json);
    assert!(targets(&links, "organization/id").iter().all(|id| *id == json!(app.organization)));
    let placeholder = links.at("/items/0");
    assert_eq!(placeholder["relation"], "dependsOn");
    assert_eq!(placeholder["locationReferences"][0]["page"]["type"], "computed");
    let broken = admin.get(&format!("{path}?status=broken")).await.expect(200);
    assert_eq!((broken.at("/count"), targets(&broken, "kind")), (&json!(2), vec![]));

    // A member does not see the closed collection; a guest with a grant sees no collection and no specification. The
    // links are not broken.
    let reader = app.as_role(Role::Read);
    let guest = app.member_of(app.organization, None);
    app.grant(&guest, path.split('/').nth(3).unwrap(), Role::Read);
    for (caller, seen) in [(&reader, vec!["openapi", "openapi", "openapi", "collection"]), (&guest, vec![])] {
        let links = caller.get(&path).await.expect(200);
        assert_eq!(links.at("/stats"), &json!({"total": 7, "broken": {"total": 2}}));
        assert_eq!(targets(&links, "kind"), seen);
        assert_eq!(
            targets(&links, "collection/permissions/admin"),
            vec![false; usize::from(!seen.is_empty())]
        );
    }
    let _ = admin.delete(&format!("/v1/orgs/{}/openapi/pets", app.organization)).await.expect(204);
    let _ = admin.delete(&format!("/v1/collections/{open}")).await.expect(204);
    let links = admin.get(&path).await.expect(200);
    assert_eq!(links.at("/stats"), &json!({"total": 7, "broken": {"total": 6}}));
    assert_eq!(targets(&links, "kind"), ["collection"]);
}

#[actix_web::test]
async fn what_a_slug_names_comes_before_what_an_id_names() {
    let (app, admin, path, [_, _, specification]) = registry().await;
    // The slug of a specification may have the form of another one's id.
    let body = json!({"slug": specification, "source": {"text": "openapi: 3.1.0"}});
    let _ = admin.post(&format!("/v1/orgs/{}/openapi", app.organization), body).await.expect(201);
    let links = admin.get(&path).await.expect(200);
    let slugs: Vec<_> = links
        .at("/items")
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|item| item.pointer("/targetReference/openAPISpec/slug")?.as_str())
        .collect();
    assert_eq!(slugs, ["pets", specification.as_str(), "pets"]);
}

#[actix_web::test]
async fn all_kinds_of_targets_cost_one_statement_more_than_spaces_and_users() {
    let (app, admin, path, _) = registry().await;
    let space: SpaceId = path.split('/').nth(3).unwrap().parse().unwrap();
    let (other, user) = (app.create_space(&admin, "Other"), admin.user());
    let guide = app.create_space(&admin, "Guide");
    for space in [space, guide] {
        app.edit(&admin, space, ContentSelector::Space, |content| {
            content.link(None, "Other", json!({"kind": "space", "space": other.to_string()}));
            content.link(None, "Ada", json!({"kind": "user", "user": user.to_string()}));
        });
    }
    let few = format!("/v1/spaces/{guide}/links");
    for path in [&path, &few] {
        let _ = admin.get(path).await.expect(200);
    }
    assert_eq!(statements_of(&app, &admin, &path).await, statements_of(&app, &admin, &few).await + 1);
}

#[actix_web::test]
async fn an_edit_breaks_and_mends_links() {
    let guide = guide().await;
    let Guide { admin, root, app, space, setup, home } = &guide;
    let broken =
        || async { admin.get(&format!("{root}/links")).await.expect(200).at("/stats/broken/total").clone() };
    assert_eq!(broken().await, 3);
    app.edit(admin, *space, ContentSelector::Space, |content| content.write(*setup, "# Nowhere\n"));
    assert_eq!(broken().await, 3, "one anchor came, the other went");
    app.edit(admin, *space, ContentSelector::Space, |content| content.remove(*setup));
    // The page, both anchors, and the two links that were broken before.
    assert_eq!(broken().await, 5);
    let of_page = admin.get(&format!("{root}/content/page/{home}/links?status=broken")).await.expect(200);
    assert_eq!(of_page.at("/count"), 3);
    assert_eq!(of_page.json.pointer("/items/0/targetReference"), None);
    let _ = admin.get(&format!("{root}/content/page/{setup}/backlinks")).await.expect(404);
}

#[actix_web::test]
async fn backlinks_are_the_links_to_a_page_or_file() {
    let guide = guide().await;
    let Guide { admin, root, app, space, setup, home } = &guide;
    let path = format!("{root}/content/page/{setup}/backlinks");
    let locations = walk(admin, &path).await;
    assert_eq!(locations.len(), 4, "two paragraphs, and two anchors");
    assert!(locations.iter().all(|location| location["page"]["id"] == json!(home)));
    let nodes: Vec<_> =
        locations.iter().map(|location| location["internalLocation"]["node"].as_str().unwrap()).collect();
    assert_eq!(nodes, ["0", "8", "1", "2"]);
    let all = admin.get(&path).await.expect(200);
    assert_eq!((all.at("/count"), all.at("/items")), (&json!(4), &json!(locations)));

    let file = app.content(&space.to_string(), admin).files().next().unwrap().id;
    let shown = walk(admin, &format!("{root}/content/files/{file}/backlinks")).await;
    assert_eq!(shown.len(), 2, "an image and a cover");
    let cover = shown.iter().find(|location| location["page"]["id"] == json!(setup)).unwrap();
    assert_eq!(cover.get("internalLocation"), None);
    // A page may link to itself. Links in a document that no page uses any more do not count.
    app.edit(admin, *space, ContentSelector::Space, |content| {
        content.write(*setup, &format!("[top](/pages/{setup})"));
        content.write(*home, "");
    });
    let locations = walk(admin, &path).await;
    assert_eq!(locations.len(), 1);
    assert_eq!(locations[0]["page"]["id"], json!(setup));
    let unknown = "00000000-0000-7000-8000-000000000001";
    for path in ["content/page/{}/links", "content/page/{}/backlinks", "content/files/{}/backlinks"] {
        let _ = admin.get(&format!("{root}/{}", path.replace("{}", unknown))).await.expect(404);
    }
}

#[actix_web::test]
async fn a_change_request_answers_for_what_it_breaks() {
    let guide = guide().await;
    let Guide { admin, root, app, space, setup, home } = &guide;
    let id = app.create_change_request(admin, *space);
    let of_request = format!("{root}/change-requests/{id}");
    let stats = || async { admin.get(&format!("{of_request}/links")).await.expect(200).at("/stats").clone() };
    assert_eq!(stats().await, json!({"total": 13, "broken": {"total": 3, "changeRequest": 0}}));
    let key = quire_storage::content::change_requests::ChangeRequestKey::Id(id);
    app.edit(admin, *space, ContentSelector::ChangeRequest(key), |content| {
        content.remove(*setup);
        content.page(None, "New", "[?](/pages/00000000-0000-7000-8000-000000000000)");
    });
    // Links to the page and its second anchor are broken, and the link of the new page; the cover was deleted with its
    // page.
    assert_eq!(stats().await, json!({"total": 13, "broken": {"total": 6, "changeRequest": 3}}));
    for (context, count) in [("change-request", 3), ("space", 3)] {
        let broken = walk(admin, &format!("{of_request}/links?brokenContext={context}")).await;
        assert_eq!(broken.len(), count, "{context}");
        assert!(broken.iter().all(|item| item["status"] == "broken"));
    }
    assert!(walk(admin, &format!("{of_request}/links?brokenContext=space&status=ok")).await.is_empty());
    let of_page =
        admin.get(&format!("{of_request}/content/page/{home}/links?status=broken")).await.expect(200);
    assert_eq!(of_page.at("/stats"), &json!({"total": 8, "broken": {"total": 3, "changeRequest": 2}}));
    let context = of_page.at("/items/0/locationReferences/0/versionContext");
    assert_eq!((&context["type"], &context["changeRequest"]["id"]), (&json!("changeRequest"), &json!(id)));
    // The links of the space itself are unchanged.
    let main = admin.get(&format!("{root}/links")).await.expect(200);
    assert_eq!(main.at("/stats"), &json!({"total": 13, "broken": {"total": 3}}));
    let backlinks = admin.get(&format!("{of_request}/content/page/{home}/backlinks")).await.expect(200);
    assert_eq!(backlinks.at("/count"), 0);
    let file = app.content(&space.to_string(), admin).files().next().unwrap().id;
    let shown = walk(admin, &format!("{of_request}/content/files/{file}/backlinks")).await;
    assert_eq!(shown.len(), 1);
}

#[actix_web::test]
async fn wrong_queries_are_named() {
    let guide = guide().await;
    let Guide { admin, root, home, .. } = &guide;
    let page = format!("{root}/content/page/{home}");
    for (query, field) in [("status=dead", "status"), ("limit=0", "limit"), ("page=x", "page")] {
        for path in [format!("{root}/links"), format!("{page}/links")] {
            assert_eq!(admin.get(&format!("{path}?{query}")).await.expect(400).fields(), [field], "{path}");
        }
    }
    let cursor = admin.get(&format!("{page}/links?limit=1")).await.expect(200).text("/next/page");
    for path in [format!("{root}/links"), format!("{page}/links?status=ok"), format!("{page}/backlinks")] {
        let joint = if path.contains('?') { '&' } else { '?' };
        assert_eq!(
            admin.get(&format!("{path}{joint}page={cursor}")).await.expect(400).reason(),
            "invalid-cursor"
        );
    }
}

#[actix_web::test]
async fn statements_do_not_grow_with_the_links_of_a_page_or_the_pages_of_a_space() {
    let app = TestApp::start().await;
    let mut costs = Vec::new();
    for (pages, links) in [(1, 1), (1_000, 500)] {
        let (space, admin) = app.space().await;
        let space: SpaceId = space.parse().unwrap();
        let (_, (hub, busy)) = app.edit(&admin, space, ContentSelector::Space, |content| {
            let hub = content.page(None, "Hub", "# Top");
            for number in 0..pages {
                content.page(None, &format!("Page {number}"), &format!("[hub {number}](/pages/{hub}#top)"));
            }
            let markdown: Vec<String> =
                (0..links).map(|n| format!("[{n}](https://example.com/{n})")).collect();
            (hub, content.page(None, "Busy", &markdown.join("\n\n")))
        });
        let root = format!("/v1/spaces/{space}");
        let paths = [
            format!("{root}/links?limit=1000"),
            format!("{root}/links?status=broken"),
            format!("{root}/content/page/{busy}/links?limit=1000"),
            format!("{root}/content/page/{hub}/backlinks?limit=1000"),
        ];
        // The first request loads the data for the index of links.
        let cold = statements_of(&app, &admin, &format!("{root}/links")).await;
        let mut cost = vec![cold];
        for path in &paths {
            cost.push(statements_of(&app, &admin, path).await);
        }
        costs.push(cost);
        let busy_links = admin.get(&paths[2]).await.expect(200);
        assert_eq!(busy_links.at("/count"), links);
        assert_eq!(busy_links.at("/items").as_array().unwrap().len(), links);
        assert_eq!(admin.get(&paths[3]).await.expect(200).at("/count"), pages);
        let all = walk_by(&admin, &format!("{root}/links"), 400).await;
        assert_eq!(all, pages + links);
    }
    assert_eq!(costs[0], costs[1]);
}

/// Returns the number of items of a list, read in pages of this size.
async fn walk_by(caller: &Caller, path: &str, limit: usize) -> usize {
    let first = format!("{path}?limit={limit}");
    let (mut seen, mut next) = (0, first.clone());
    loop {
        let answer = caller.get(&next).await.expect(200);
        seen += answer.at("/items").as_array().unwrap().len();
        match answer.json.pointer("/next/page") {
            Some(page) => next = format!("{first}&page={}", page.as_str().unwrap()),
            None => return seen,
        }
    }
}

#[actix_web::test]
async fn a_link_with_many_occurrences_shows_the_first_ones() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space: SpaceId = space.parse().unwrap();
    let _ = app.edit(&admin, space, ContentSelector::Space, |content| {
        content.page(None, "Often", &"[a](https://b.example)\n\n".repeat(150));
        let rows = (0..30).map(|link| format!("[a](https://{link}.example)\n\n").repeat(100));
        content.page(None, "Many", &rows.collect::<String>());
    });
    let links = format!("/v1/spaces/{space}/links");
    let locations = |item: &Value| item["locationReferences"].as_array().unwrap().len();
    let mut page = admin.get(&links).await.expect(200);
    let mut pages = Vec::new();
    loop {
        // The statistics count links, independent of the number of locations shown.
        assert_eq!((page.at("/count"), page.at("/stats/total")), (&json!(31), &json!(31)));
        pages.push(page.at("/items").as_array().unwrap().iter().map(locations).collect::<Vec<_>>());
        let Some(next) = page.json.pointer("/next/page") else { break };
        page = admin.get(&format!("{links}?page={}", next.as_str().unwrap())).await.expect(200);
    }
    assert_eq!(pages, [vec![100; 20], vec![100; 11]]);
    assert_eq!(walk(&admin, &links).await.len(), 31);
}
