//! `purge-spaces` in isolation: it removes the right spaces, once.

use std::time::Duration;

use quire_domain::Role;
use quire_test_support::TestApp;
use quire_worker::jobs::purge_spaces;
use serde_json::json;

const WEEK: Duration = Duration::from_secs(7 * 24 * 3_600);

#[actix_web::test]
async fn two_workers_at_once_remove_what_is_over_and_nothing_else() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let spaces: Vec<_> = (0..6).map(|n| app.create_space(&admin, &format!("S{n}"))).collect();
    let (over, rest) = spaces.split_at(4);
    for space in over {
        let _ = admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
    }
    app.clock.advance(WEEK);
    let recent = rest.first().unwrap();
    let _ = admin.delete(&format!("/v1/spaces/{recent}")).await.expect(204);
    // Exactly at the end of the seven days the spaces can still be restored.
    purge_spaces::run(&app.system).await.unwrap();
    for space in over {
        let _ = admin.get(&format!("/v1/spaces/{space}")).await.expect(200);
    }
    app.clock.advance(Duration::from_millis(1));
    let storage = &app.system;
    let (one, other) = futures_util::join!(purge_spaces::run(storage), purge_spaces::run(storage));
    assert_eq!(one.unwrap(), other.unwrap());
    purge_spaces::run(storage).await.unwrap();
    for space in over {
        let _ = admin.get(&format!("/v1/spaces/{space}")).await.expect(404);
    }
    let deleted = admin.get(&format!("/v1/spaces/{recent}")).await.expect(200);
    assert!(!deleted.text("/deletedAt").is_empty());
    let listed = admin.get(&format!("/v1/orgs/{}/spaces", app.organization)).await.expect(200);
    assert_eq!(listed.at("/count"), &json!(1));
}
