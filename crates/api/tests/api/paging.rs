//! Every list of the table, read item by item.

use actix_web::http::Method;
use quire_api::route::Route;
use quire_test_support::TestApp;
use serde_json::{Value, json};

use crate::routes::{crowd, fill};

pub fn is_list(route: &Route) -> bool {
    let asks_for = |name: &str| route.parameters().iter().any(|parameter| parameter.name == name);
    route.method == Method::GET && asks_for("page") && asks_for("limit")
}

#[actix_web::test]
async fn a_walk_of_one_item_at_a_time_meets_each_item_once_in_the_order_of_the_list() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let mut fixture = fill(&app, app.organization, space, &admin).await;
    crowd(&app, &mut fixture, &admin).await;
    let (mut wrong, mut thin) = (Vec::new(), Vec::new());
    for route in quire_api::routes().into_iter().filter(is_list) {
        let path = fixture.path(&route);
        let joint = if path.contains('?') { '&' } else { '?' };
        let whole = admin.get(&format!("{path}{joint}limit=1000")).await.expect(200);
        let items = whole.at("/items").as_array().unwrap();
        if items.len() < 2 {
            thin.push(route.operation);
        }
        if whole.at("/count") != items.len() || whole.json.get("next").is_some() {
            wrong.push(format!("{}: {} items, {}", route.operation, items.len(), whole.at("/count")));
        }
        let first = format!("{path}{joint}limit=1");
        let (mut walked, mut next): (Vec<Value>, _) = (Vec::new(), Some(first.clone()));
        while let Some(page) = next.take().filter(|_| walked.len() <= items.len()) {
            let page = admin.get(&page).await.expect(200);
            assert_eq!(page.at("/count"), &json!(items.len()), "{}", route.operation);
            let item = page.at("/items").as_array().unwrap();
            assert!(item.len() <= 1, "{}", route.operation);
            walked.extend(item.iter().cloned());
            next = page
                .json
                .pointer("/next/page")
                .map(|page| format!("{first}&page={}", page.as_str().unwrap()));
        }
        if walked != *items {
            wrong.push(format!("{}: walked {walked:#?} instead of {items:#?}", route.operation));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(thin.is_empty(), "`crowd` makes fewer than two items of {thin:?}");
}
