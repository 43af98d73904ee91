//! Concurrent requests.

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl as _};
use futures_util::future::join_all;
use quire_domain::Role;
use serde_json::json;

use super::fixture::{Fixture, markdown};

#[derive(QueryableByName)]
struct Wrong {
    #[diesel(sql_type = BigInt)]
    wrong: i64,
}

/// Counts counters that differ from a recount.
const WRONG: &str = "SELECT (SELECT count(*) FROM spaces s WHERE s.comments_open <> (SELECT count(*) FROM comments c \
        WHERE c.space_id = s.id AND c.change_request_id IS NULL AND c.status = 'open')) \
    + (SELECT count(*) FROM change_requests r WHERE r.comments_open <> (SELECT count(*) FROM comments c \
        WHERE c.space_id = r.space_id AND c.change_request_id = r.id AND c.status = 'open')) \
    + (SELECT count(*) FROM spaces s WHERE s.comments_resolved <> (SELECT count(*) FROM comments c \
        WHERE c.space_id = s.id AND c.change_request_id IS NULL AND c.status = 'resolved')) \
    + (SELECT count(*) FROM change_requests r WHERE r.comments_resolved <> (SELECT count(*) FROM comments c \
        WHERE c.space_id = r.space_id AND c.change_request_id = r.id AND c.status = 'resolved')) \
    + (SELECT count(*) FROM comments c WHERE c.replies <> (SELECT count(*) FROM comment_replies p \
        WHERE p.space_id = c.space_id AND p.comment_id = c.id)) AS wrong";

#[actix_web::test]
async fn counters_equal_a_recount_after_twenty_users_at_once() {
    let fixture = Fixture::new().await;
    let users: Vec<_> = (0..20).map(|_| fixture.role(Role::Comment)).collect();
    let shared = join_all(fixture.resources.iter().map(async |resource| {
        format!(
            "{resource}/{}",
            fixture.admin.post(resource, markdown("shared")).await.expect(201).text("/id")
        )
    }))
    .await;
    let work = users.iter().enumerate().map(async |(index, user)| {
        for (resource, shared) in fixture.resources.iter().zip(&shared) {
            let own =
                format!("{resource}/{}", user.post(resource, markdown("own")).await.expect(201).text("/id"));
            let _ = user.put(&own, json!({"resolved": index % 2 == 0})).await.expect(200);
            let reply = user.post(&format!("{shared}/replies"), markdown("!")).await.expect(201).text("/id");
            let reply = format!("{shared}/replies/{reply}");
            let changes = json!({"resolved": index % 2 == 0, "addedReactions": ["🚀"]});
            let _ = user.put(shared, changes.clone()).await.expect(200);
            let _ = user.put(&reply, changes).await.expect(200);
            if index % 3 == 0 {
                let _ = user.delete(&own).await.expect(204);
                let _ = user.delete(&reply).await.expect(204);
            }
        }
    });
    join_all(work).await;
    let wrong: Wrong = diesel::sql_query(WRONG).get_result(&mut fixture.app.connection()).unwrap();
    assert_eq!(wrong.wrong, 0);
    for shared in &shared {
        let shared = fixture.admin.get(shared).await.expect(200);
        assert_eq!((shared.at("/replies"), shared.at("/reactions/0/count")), (&json!(13), &json!(20)));
    }
    for resource in &fixture.resources {
        // The shared comment may be open or resolved. 13 of the others are left, and 6 of these are resolved.
        let all = fixture.admin.get(resource).await.expect(200);
        let open = fixture.admin.get(&format!("{resource}?status=open")).await.expect(200);
        assert_eq!(all.at("/count"), &json!(14));
        assert!([7, 8].contains(&open.at("/count").as_u64().unwrap()));
    }
}

#[actix_web::test]
async fn one_of_many_deletes_counts() {
    let fixture = Fixture::new().await;
    for resource in &fixture.resources {
        let comment = format!(
            "{resource}/{}",
            fixture.admin.post(resource, markdown("?")).await.expect(201).text("/id")
        );
        let replies = format!("{comment}/replies");
        let reply = fixture.admin.post(&replies, markdown("!")).await.expect(201).text("/id");
        let kept = fixture.admin.post(&replies, markdown("!")).await.expect(201).text("/id");
        for path in [format!("{replies}/{reply}"), comment.clone()] {
            let answers = join_all((0..8).map(|_| fixture.admin.delete(&path))).await;
            let done = answers.iter().filter(|answer| answer.status == 204).count();
            assert!(answers.iter().all(|answer| [204, 404].contains(&answer.status.as_u16())));
            assert_eq!(done, 1);
            if path != comment {
                let left = fixture.admin.get(&replies).await.expect(200);
                assert_eq!((left.at("/count"), left.text("/items/0/id")), (&json!(1), kept.clone()));
                assert_eq!(fixture.admin.get(&comment).await.expect(200).at("/replies"), &json!(1));
            }
        }
    }
    assert_eq!(fixture.open().await, (0, 0));
}
