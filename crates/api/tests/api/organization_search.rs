//! Search in all spaces of an organization.

use quire_domain::Role;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

async fn search(app: &TestApp, caller: &Caller, query: &str) -> Answer {
    caller.get(&format!("/v1/orgs/{}/search?query={query}", app.organization)).await.expect(200)
}

fn column(answer: &Answer, key: &str) -> Vec<String> {
    let items = answer.at("/items").as_array().unwrap();
    items.iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

/// Creates a space with this title and these pages.
async fn space(app: &TestApp, admin: &Caller, title: &str, pages: &[(&str, &str)]) -> String {
    let path = format!("/v1/orgs/{}/spaces", app.organization);
    let space = admin.post(&path, json!({"title": title})).await.expect(201).text("/id");
    app.edit(admin, space.parse().unwrap(), ContentSelector::Space, |draft| {
        for (title, markdown) in pages {
            draft.page(None, title, markdown);
        }
    });
    space
}

#[actix_web::test]
async fn hits_are_grouped_by_space_the_best_first() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let weak = space(&app, &admin, "Weak", &[("Other", "Somewhere there is a beacon.")]).await;
    let strong = space(&app, &admin, "Strong", &[("Beacon", "A beacon."), ("More", "On the beacon.")]).await;
    let _ = space(&app, &admin, "None", &[("Nothing", "Nothing.")]).await;
    let found = search(&app, &admin, "beacon").await;
    assert_eq!(column(&found, "id"), [strong.clone(), weak]);
    assert_eq!(column(&found, "title"), ["Strong", "Weak"]);
    assert_eq!(found.at("/count"), 2);
    assert_eq!(found.at("/items/0/pages/0/title"), "Beacon");
    assert_eq!(found.at("/items/0/pages/1/title"), "More");
    assert_eq!(column(&found, "type"), ["space", "space"]);
    let score = |key: &str| found.at(key).as_f64().unwrap();
    assert_eq!(
        score("/items/0/score"),
        score("/items/0/pages/0/score"),
        "a space has the score of its best page"
    );
    assert!(score("/items/0/pages/0/score") > score("/items/0/pages/1/score"));
    assert!(score("/items/0/score") > score("/items/1/score"));
    let rank = |key: &str| found.at(key).as_u64().unwrap();
    assert_eq!(rank("/items/0/pages/0/rank"), 1);
    let mut others = [rank("/items/0/pages/1/rank"), rank("/items/1/pages/0/rank")];
    others.sort_unstable();
    assert_eq!(others, [2, 2], "equal pages of all spaces share a position");
    let mut page = found.at("/items/0/pages/1").clone();
    let in_space = admin.get(&format!("/v1/spaces/{strong}/search?query=beacon")).await.expect(200);
    page["rank"] = json!(2);
    assert_eq!(&page, in_space.at("/items/1"), "a hit is what the search of its space finds");
}

#[actix_web::test]
async fn only_what_the_caller_may_read_is_found() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let hidden = space(&app, &admin, "Hidden", &[("Beacon", "Secret.")]).await;
    let _ = admin.patch(&format!("/v1/spaces/{hidden}"), json!({"defaultLevel": null})).await.expect(200);
    let open = space(&app, &admin, "Open", &[("Beacon", "Open.")]).await;
    let reader = app.as_role(Role::Read);
    let found = search(&app, &reader, "beacon").await;
    assert_eq!((column(&found, "id"), found.at("/count")), (vec![open], &json!(1)));
    let guest = app.member_of(app.organization, None);
    assert_eq!(search(&app, &guest, "beacon").await.at("/items"), &json!([]));
    let path = format!("/v1/orgs/{}/search?query=beacon", app.organization);
    let _ = app.stranger().get(&path).await.expect(404);
    let _ = app.anonymous().get(&path).await.expect(401);
}

#[actix_web::test]
async fn typing_errors_are_forgiven_when_nothing_matches() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let _ = space(&app, &admin, "Guide", &[("Installation", "Text.")]).await;
    assert_eq!(column(&search(&app, &admin, "instalation").await, "title"), ["Guide"]);
    assert_eq!(search(&app, &admin, "!!").await.at("/count"), 0);
}

#[actix_web::test]
async fn a_walk_shows_each_space_once_at_the_cost_of_one_whatever_their_number() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let mut spaces = Vec::new();
    for number in 0..5 {
        let pages: Vec<(String, String)> =
            (0..12).map(|page| (format!("Page {page}"), format!("beacon {number}"))).collect();
        let pages: Vec<(&str, &str)> =
            pages.iter().map(|(title, text)| (title.as_str(), text.as_str())).collect();
        spaces.push(space(&app, &admin, &format!("Space {number}"), &pages).await);
    }
    let path = |rest: &str| format!("/v1/orgs/{}/search?query=beacon{rest}", app.organization);
    let (mut walked, mut page) = (Vec::new(), String::new());
    loop {
        let answer = admin.get(&path(&format!("&limit=1{page}"))).await.expect(200);
        assert_eq!((answer.at("/count"), answer.at("/items").as_array().unwrap().len()), (&json!(5), 1));
        assert_eq!(answer.at("/items/0/pages").as_array().unwrap().len(), 10, "the best ten");
        walked.push(answer.text("/items/0/id"));
        let Some(next) = answer.json.pointer("/next/page").and_then(Value::as_str) else { break };
        page = format!("&page={next}");
    }
    walked.sort();
    spaces.sort();
    assert_eq!(walked, spaces);

    app.wait_for_search_index(60).await;
    let mut costs = Vec::new();
    for limit in ["&limit=1", "&limit=5"] {
        let before = app.statements();
        let _ = admin.get(&path(limit)).await.expect(200);
        costs.push(app.statements() - before);
    }
    assert_eq!(costs[0], costs[1]);
}

#[actix_web::test]
async fn the_query_is_needed_and_bounded() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let long = "x".repeat(513);
    for query in ["", "?query=", &format!("?query={long}"), "?query=%00"] {
        let refused = admin.get(&format!("/v1/orgs/{}/search{query}", app.organization)).await.expect(400);
        assert_eq!(refused.fields(), ["query"], "{query}");
    }
}

#[actix_web::test]
async fn titles_are_found_by_their_words_and_the_beginning_of_the_last() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let guide = space(
        &app,
        &admin,
        "Guide",
        &[("Install", "Nothing."), ("Install on Debian", "Nothing."), ("Other", "How to install on Debian.")],
    )
    .await;
    let hidden = space(&app, &admin, "Hidden", &[("Installations of others", "Secret.")]).await;
    let _ = admin.patch(&format!("/v1/spaces/{hidden}"), json!({"defaultLevel": null})).await.expect(200);
    let titles = async |caller: &Caller, query: &str| {
        let path = format!("/v1/orgs/{}/titles?query={query}", app.organization);
        column(&caller.get(&path).await.expect(200), "title")
    };
    let reader = app.as_role(Role::Read);
    assert_eq!(titles(&reader, "install").await, ["Install", "Install on Debian"]);
    assert_eq!(titles(&reader, "debi").await, ["Install on Debian"]);
    assert_eq!(titles(&reader, "debian%20ins").await, ["Install on Debian"], "each word may come first");
    assert_eq!(titles(&reader, "instll").await, ["Install", "Install on Debian"], "one error");
    assert!(titles(&reader, "how").await.is_empty(), "the text of a page is not searched");
    assert_eq!(titles(&admin, "installations").await, ["Installations of others"]);

    let path = format!("/v1/orgs/{}/titles", app.organization);
    let found = reader.get(&format!("{path}?query=debian")).await.expect(200);
    assert_eq!(found.at("/items/0/space"), &json!({"id": guide, "title": "Guide"}));
    assert_eq!(found.text("/items/0/path"), "install-on-debian");
    assert!(found.text("/items/0/urls/app").ends_with(&format!("/s/{guide}/install-on-debian")));
    assert_eq!(found.at("/items/0/ancestors"), &json!([]));
    // A new page is found, whether or not it is in the index.
    app.edit(&admin, guide.parse().unwrap(), ContentSelector::Space, |draft| {
        for number in 0..30 {
            draft.page(None, &format!("Numbered {number}"), "Nothing.");
        }
    });
    assert_eq!(titles(&reader, "numbered").await.len(), 20);
    assert_eq!(titles(&reader, "numbered%2029").await, ["Numbered 29"]);
    let _ = reader.get(&path).await.expect(400);
    let _ = app.stranger().get(&format!("{path}?query=debian")).await.expect(404);
    let _ = app.anonymous().get(&format!("{path}?query=debian")).await.expect(401);
}
