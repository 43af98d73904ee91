//! Large spaces, change requests and threads take as many statements as small ones.

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

/// Returns the number of statements of a request.
async fn cost(app: &TestApp, caller: &Caller, path: &str) -> u64 {
    let before = app.statements();
    let _ = caller.get(path).await.expect(200);
    app.statements() - before
}

/// Returns the numbers of statements to write one page of a space, directly and through a change request, and to
/// duplicate the space.
async fn written(app: &TestApp, admin: &Caller, root: &str, page: &str) -> Vec<u64> {
    let edit = |title: &str| json!({"changes": [{"operation": "update_page", "page": page, "title": title}]});
    let requests = format!("{root}/change-requests");
    let request = format!("{requests}/{}", admin.post_empty(&requests).await.expect(201).text("/id"));
    let mut costs = Vec::new();
    for (path, body) in [
        (format!("{root}/content"), edit("Page one")),
        (format!("{request}/content"), json!({"changes": [{"operation": "insert_group", "title": "Group"}]})),
        (format!("{request}/merge"), json!({})),
        (format!("{root}/duplicate"), json!({})),
    ] {
        let before = app.statements();
        let answer = admin.post(&path, body).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.json);
        costs.push(app.statements() - before);
    }
    costs
}

#[actix_web::test]
async fn a_space_of_ten_thousand_pages_is_read_with_the_statements_of_one() {
    let app = TestApp::start().await;
    let mut costs = Vec::new();
    for pages in [1_usize, 10_000] {
        let (space, admin) = app.space().await;
        let id: SpaceId = space.parse().unwrap();
        let (_, ids) = app.edit(&admin, id, ContentSelector::Space, |content| {
            content.pages(pages, |number, ids| match ids.first() {
                Some(first) => format!("# Page {number}\n\n[first](/pages/{first})"),
                None => "# First".to_owned(),
            })
        });
        let root = format!("/v1/spaces/{space}");
        let first = ids[0];
        let paths = [
            format!("{root}/links"),
            format!("{root}/links?status=broken"),
            format!("{root}/content/page/{first}"),
            format!("{root}/content/page/{first}/backlinks"),
            format!("{root}/content/path/page-0"),
            format!("{root}/content/files"),
            format!("{root}/content"),
            format!("{root}/content/pages"),
            format!("{root}/content/page/{first}/links"),
            format!("{root}/comments"),
            root.clone(),
        ];
        let mut of_space = Vec::new();
        for path in &paths {
            of_space.push(cost(&app, &admin, path).await);
        }
        // An edit updates the index of links. The text differs from the other space's text, because documents are
        // cached by content.
        let text = format!("[x](/pages/x) {pages}");
        app.edit(&admin, id, ContentSelector::Space, |content| content.write(first, &text));
        of_space.push(cost(&app, &admin, &paths[0]).await);
        of_space.extend(written(&app, &admin, &root, &first.to_string()).await);
        costs.push(of_space);
        let links = admin.get(&paths[0]).await.expect(200);
        assert_eq!(links.at("/stats/total"), pages, "each page has one");
        let backlinks = admin.get(&paths[3]).await.expect(200);
        assert_eq!(backlinks.at("/count"), pages - 1);
        assert_eq!(backlinks.at("/items").as_array().unwrap().len(), (pages - 1).min(50));
    }
    assert_eq!(costs[0], costs[1]);
}

#[actix_web::test]
async fn a_change_request_of_a_thousand_pages_is_compared_and_merged_with_the_statements_of_one() {
    let app = TestApp::start().await;
    let mut costs = Vec::new();
    for changed in [1_usize, 1_000] {
        let (space, admin) = app.space().await;
        let id: SpaceId = space.parse().unwrap();
        let (_, ids) = app.edit(&admin, id, ContentSelector::Space, |content| {
            content.pages(1_000, |number, _| format!("Page {number}."))
        });
        let request = app.create_change_request(&admin, id);
        let key = ContentSelector::ChangeRequest(ChangeRequestKey::Id(request));
        app.edit(&admin, id, key, |content| {
            for page in &ids[..changed] {
                content.write(*page, &format!("[gone](/pages/{id})"));
            }
        });
        // Another edit moves the space meanwhile, so that the merge has two sides.
        app.edit(&admin, id, ContentSelector::Space, |content| content.page(None, "Main", "Text."));
        let root = format!("/v1/spaces/{space}/change-requests/{request}");
        let mut of_request = Vec::new();
        for path in
            ["changes?limit=1000", "links?limit=1000", "links?brokenContext=change-request", "content/files"]
        {
            of_request.push(cost(&app, &admin, &format!("{root}/{path}")).await);
        }
        let changes = admin.get(&format!("{root}/changes?limit=1000")).await.expect(200);
        assert_eq!(changes.at("/changes").as_array().unwrap().len(), changed);
        let links = admin.get(&format!("{root}/links")).await.expect(200);
        assert_eq!(
            links.at("/stats"),
            &json!({"total": changed, "broken": {"total": changed, "changeRequest": changed}})
        );
        let before = app.statements();
        let merged = admin.post_empty(&format!("{root}/merge")).await.expect(200);
        assert_eq!(merged.at("/result"), "merge");
        of_request.push(app.statements() - before);
        costs.push(of_request);
        let main = admin.get(&format!("/v1/spaces/{space}/links?status=broken")).await.expect(200);
        assert_eq!(main.at("/count"), changed);
    }
    assert_eq!(costs[0], costs[1]);
}

#[actix_web::test]
async fn a_comment_with_ten_thousand_replies_is_read_page_by_page() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let comments = format!("/v1/spaces/{space}/comments");
    let mut costs = Vec::new();
    for replies in [1, 10_000] {
        let comment =
            admin.post(&comments, json!({"body": {"markdown": "Hello."}})).await.expect(201).text("/id");
        let rows = format!(
            "INSERT INTO comment_replies (space_id, id, comment_id, posted_by, posted_at, markdown, document) \
             SELECT '{space}', gen_random_uuid(), '{comment}', '{}', now(), 'Reply.', '{{\"object\": \"document\", \"data\": {{}}, \"nodes\": []}}' \
             FROM generate_series(1, {replies}); \
             UPDATE comments SET replies = {replies} WHERE id = '{comment}'",
            admin.user()
        );
        app.connection().batch_execute(&rows).unwrap();
        let path = format!("{comments}/{comment}/replies?limit=50");
        let mut of_comment = vec![cost(&app, &admin, &comments).await, cost(&app, &admin, &path).await];
        let page = admin.get(&path).await.expect(200);
        assert_eq!(page.at("/count"), replies);
        // Late pages of a list cost as much as the first one.
        let mut next = page;
        for _ in 0..5 {
            let Some(cursor) = next.json.pointer("/next/page").and_then(|page| page.as_str()) else { break };
            let path = format!("{path}&page={cursor}");
            let before = app.statements();
            next = admin.get(&path).await.expect(200);
            assert_eq!(app.statements() - before, of_comment[1]);
        }
        of_comment.push(cost(&app, &admin, &format!("{comments}/{comment}")).await);
        costs.push(of_comment);
    }
    assert_eq!(costs[0], costs[1]);
}

/// Size of an organization: numbers of members, teams of ten members, sites, and sections per site.
struct Size {
    members: usize,
    teams: usize,
    sites: usize,
    sections: usize,
}

/// Creates an organization of this size, with its administrator. Every tenth member is a guest, and every second one
/// was active. Each section has one space.
async fn organization(app: &TestApp, size: &Size) -> (String, Caller) {
    let id = app.create_organization("Sized");
    let admin = app.member_of(id, Some(Role::Admin));
    let organization = format!("/v1/orgs/{id}");
    let space = admin
        .post(&format!("{organization}/spaces"), json!({"title": "Guide"}))
        .await
        .expect(201)
        .text("/id");
    let Size { members, teams, sites, sections } = size;
    // Times are stored in milliseconds.
    let rows = format!(
        "CREATE TEMP TABLE people ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, {members}) n; \
         INSERT INTO users (id, email, display_name, created_at) \
         SELECT id, 'person-' || id || '@example.com', 'Person ' || n, now() FROM people; \
         INSERT INTO organization_members (organization_id, user_id, role, joined_at, last_seen_at) \
         SELECT '{id}', id, CASE WHEN n % 10 = 0 THEN NULL ELSE 1 END, timestamptz '2026-01-01' + n * interval '1 second', \
                CASE WHEN n % 2 = 0 THEN timestamptz '2026-02-01' + n * interval '1 second' END FROM people; \
         CREATE TEMP TABLE groups ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, {teams}) n; \
         INSERT INTO teams (organization_id, id, title, created_at) \
         SELECT '{id}', id, 'Team ' || n, timestamptz '2026-01-01' + n * interval '1 second' FROM groups; \
         INSERT INTO team_members (organization_id, team_id, user_id, role) \
         SELECT '{id}', g.id, p.id, 'member' FROM groups g JOIN people p ON p.n % {teams} = g.n % {teams} AND p.n <= 10 * {teams}; \
         CREATE TEMP TABLE resources ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, {sites}) n; \
         INSERT INTO sites (organization_id, id, type, title, visibility, published, created_at) \
         SELECT '{id}', id, 'basic', 'Site ' || n, 'public', true, timestamptz '2026-01-01' + n * interval '1 second' FROM resources; \
         INSERT INTO site_sections (organization_id, site_id, id, title, path, position) \
         SELECT '{id}', p.id, gen_random_uuid(), 'Section ' || s, 'section-' || s, 'a' || to_char(s, 'FM000') \
         FROM resources p, generate_series(1, {sections}) s; \
         INSERT INTO site_spaces (organization_id, site_id, id, section_id, space_id, path, position) \
         SELECT x.organization_id, x.site_id, gen_random_uuid(), x.id, '{space}', 'guide', 'a0' FROM site_sections x \
         WHERE x.organization_id = '{id}'"
    );
    app.connection().batch_execute(&format!("BEGIN; {rows}; COMMIT; ANALYZE")).unwrap();
    (organization, admin)
}

#[actix_web::test]
async fn a_large_organization_is_listed_with_the_statements_of_a_small_one() {
    let app = TestApp::start().await;
    let small = Size { members: 20, teams: 2, sites: 2, sections: 2 };
    let large = Size { members: 10_000, teams: 500, sites: 200, sections: 50 };
    let mut costs = Vec::new();
    for size in [&small, &large] {
        let (organization, admin) = organization(&app, size).await;
        let newest =
            admin.get(&format!("{organization}/sites?limit=1")).await.expect(200).text("/items/0/id");
        let site = format!("{organization}/sites/{newest}");
        let member = admin
            .get(&format!("{organization}/members?limit=1&order=asc"))
            .await
            .expect(200)
            .text("/items/0/id");
        // Expected numbers of items, for lists that are small enough.
        let lists = [
            ("members", Some(size.members + 1)),
            ("members?order=asc", Some(size.members + 1)),
            ("members?sort=lastSeenAt", Some(size.members / 2)),
            ("members?role=guest", Some(size.members / 10)),
            ("members?role=admin", Some(1)),
            ("members?search=person%2010", None),
            ("teams", Some(size.teams)),
            ("teams?title=TEAM%202", None),
            ("sites", Some(size.sites)),
            ("sites?published=true&title=site", Some(size.sites)),
        ];
        let mut of_organization = Vec::new();
        for (list, count) in lists {
            let path = format!("{organization}/{list}");
            of_organization.push(cost(&app, &admin, &path).await);
            let answer = admin.get(&path).await.expect(200);
            let (total, items) =
                (answer.at("/count").as_u64().unwrap(), answer.at("/items").as_array().unwrap().len());
            assert_eq!(u64::try_from(items).unwrap(), total.min(50), "{list}");
            assert!(count.is_none_or(|count| usize::try_from(total).unwrap() == count), "{list}: {total}");
        }
        for path in [
            format!("{organization}/members/{member}"),
            format!("{organization}/members/{member}/teams"),
            format!("{organization}/members/{member}/spaces"),
            site.clone(),
            format!("{site}/structure"),
            format!("{site}/published"),
            format!("{site}/sections"),
            format!("{site}/site-spaces"),
        ] {
            of_organization.push(cost(&app, &admin, &path).await);
        }
        let structure = admin.get(&format!("{site}/structure")).await.expect(200);
        let sections = structure.at("/structure").as_array().unwrap();
        assert_eq!(sections.len(), size.sections);
        assert!(sections.iter().all(|section| section["siteSpaces"].as_array().unwrap().len() == 1));
        costs.push(of_organization);
        for (list, expected) in [
            ("members", size.members + 1),
            ("members?sort=lastSeenAt&order=asc", size.members / 2),
            ("teams", size.teams),
            ("sites", size.sites),
        ] {
            assert_eq!(walked(&app, &admin, &format!("{organization}/{list}")).await, expected, "{list}");
        }
        assert_eq!(walked(&app, &admin, &format!("{site}/sections")).await, size.sections);
    }
    assert_eq!(costs[0], costs[1]);
}

/// Returns the number of distinct items of a list. Each page must take as many statements as the first one.
async fn walked(app: &TestApp, caller: &Caller, list: &str) -> usize {
    let (separator, mut seen, mut page) =
        (if list.contains('?') { '&' } else { '?' }, BTreeSet::new(), String::new());
    let mut costs = BTreeSet::new();
    loop {
        let before = app.statements();
        let answer = caller.get(&format!("{list}{separator}limit=500{page}")).await.expect(200);
        costs.insert(app.statements() - before);
        for item in answer.at("/items").as_array().unwrap() {
            assert!(seen.insert(item["id"].as_str().unwrap().to_owned()), "{list} shows {item} twice");
        }
        match answer.json.pointer("/next/page").and_then(|page| page.as_str()) {
            Some(next) => page = format!("&page={next}"),
            None => break,
        }
    }
    assert_eq!(costs.len(), 1, "{list}: {costs:?}");
    seen.len()
}
