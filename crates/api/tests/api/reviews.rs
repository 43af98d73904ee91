//! Reviews, requested reviewers, contributors, and the change requests of an organization.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::ids::{ChangeRequestId, SpaceId};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

use crate::change_requests::as_listed;

struct Proposal {
    app: TestApp,
    space: SpaceId,
    id: ChangeRequestId,
    author: Caller,
    path: String,
}

impl Proposal {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, _) = app.space().await;
        let author = app.on_space(&space, Some(Role::Edit));
        let space: SpaceId = space.parse().unwrap();
        let id = app.create_change_request(&author, space);
        let path = format!("/v1/spaces/{space}/change-requests/{id}");
        Self { app, space, id, author, path }
    }

    fn member(&self, role: Role) -> Caller {
        self.app.on_space(&self.space.to_string(), Some(role))
    }

    fn write(&self, by: &Caller) {
        let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(self.id));
        self.app.edit(by, self.space, content, |content| content.page(None, "Page", "Text."));
    }

    async fn set_status(&self, status: &str) {
        let _ = self.author.patch(&self.path, json!({"status": status})).await.expect(200);
    }
}

async fn walk(caller: &Caller, path: &str) -> Vec<Value> {
    let joint = if path.contains('?') { '&' } else { '?' };
    let first = format!("{path}{joint}limit=1");
    let (mut items, mut next) = (Vec::new(), first.clone());
    loop {
        let answer = caller.get(&next).await.expect(200);
        items.extend(answer.at("/items").as_array().unwrap().clone());
        match answer.json.pointer("/next/page") {
            Some(page) => next = format!("{first}&page={}", page.as_str().unwrap()),
            None => {
                assert_eq!(answer.at("/count"), items.len(), "{path}");
                return items;
            }
        }
    }
}

#[actix_web::test]
async fn a_review_says_who_thinks_what_of_which_revision() {
    let proposal = Proposal::new().await;
    let reviewer = proposal.member(Role::Review);
    let reviews = format!("{}/reviews", proposal.path);
    let body = json!({"status": "changes-requested", "comment": {"markdown": "Mind the *gap*."}});
    let made = reviewer.post(&reviews, body).await.expect(201);
    let id = made.text("/id");
    let here = format!("http://127.0.0.1:8080{reviews}/{id}");
    assert_eq!(made.header("location"), here);
    let request = reviewer.get(&proposal.path).await.expect(200);
    assert_eq!(request.at("/comments"), 1);
    let comment = made.at("/comment").clone();
    let mut expected = json!({
        "object": "change-request-review", "id": id, "revision": request.at("/revision"), "status": "changes-requested",
        "reviewer": made.at("/reviewer"), "outdated": false, "comment": comment,
        "createdAt": made.at("/createdAt"), "updatedAt": made.at("/createdAt"), "urls": {"location": here}
    });
    assert_eq!(made.json, expected);
    assert_eq!(made.at("/reviewer/id"), &json!(reviewer.user()));
    assert_eq!(comment["body"], json!({"markdown": "Mind the *gap*."}));
    assert_eq!(comment["target"]["review"], json!(id));
    assert_eq!(comment["target"]["changeRequest"], json!(proposal.id));
    let posted = reviewer.get(&format!("{}/comments", proposal.path)).await.expect(200);
    assert_eq!(posted.at("/items/0/target"), &comment["target"]);
    assert_eq!(
        reviewer
            .get(&format!("{reviews}/{id}?format=document"))
            .await
            .expect(200)
            .at("/comment/body/document/object"),
        "document"
    );

    // The author edits the content, so the review is of an earlier revision.
    proposal.write(&proposal.author);
    let outdated = reviewer.get(&format!("{reviews}/{id}")).await.expect(200);
    expected["outdated"] = json!(true);
    expected["comment"] = outdated.at("/comment").clone();
    assert_eq!(outdated.json, expected);
    let second = reviewer.post(&reviews, json!({"status": "approved"})).await.expect(201);
    assert_eq!((second.at("/outdated"), second.json.pointer("/comment")), (&json!(false), None));
    let all = walk(&proposal.author, &reviews).await;
    assert_eq!(all.iter().map(|review| &review["id"]).collect::<Vec<_>>(), [second.at("/id"), &json!(id)]);
    for (filter, kept) in [("true", &json!(id)), ("false", second.at("/id"))] {
        let some = walk(&proposal.author, &format!("{reviews}?outdated={filter}")).await;
        assert_eq!(some.iter().map(|review| &review["id"]).collect::<Vec<_>>(), [kept], "{filter}");
    }
    // A review is kept without its comment, and editing the comment updates the review.
    let comment_path = format!("{}/comments/{}", proposal.path, comment["id"].as_str().unwrap());
    proposal.app.clock.advance(std::time::Duration::from_secs(60));
    let edited = reviewer.put(&comment_path, json!({"body": {"markdown": "Never mind."}})).await.expect(200);
    assert_eq!(
        reviewer.get(&format!("{reviews}/{id}")).await.expect(200).at("/updatedAt"),
        edited.at("/editedAt")
    );
    let _ = reviewer.delete(&comment_path).await.expect(204);
    assert_eq!(reviewer.get(&format!("{reviews}/{id}")).await.expect(200).json.pointer("/comment"), None);
    let unknown = format!("{reviews}/00000000-0000-7000-8000-000000000001");
    let _ = reviewer.get(&unknown).await.expect(404);
    // A review is found only below its own change request.
    let other = proposal.app.create_change_request(&proposal.author, proposal.space);
    let elsewhere = format!("/v1/spaces/{}/change-requests/{other}/reviews/{id}", proposal.space);
    let _ = reviewer.get(&elsewhere).await.expect(404);
}

#[actix_web::test]
async fn only_others_review_what_can_still_change() {
    let proposal = Proposal::new().await;
    let reviewer = proposal.member(Role::Review);
    let reviews = format!("{}/reviews", proposal.path);
    let approve = json!({"status": "approved", "comment": {"markdown": "Good."}});
    let admin = proposal.app.as_role(Role::Admin);
    let own = proposal.app.create_change_request(&admin, proposal.space);
    let own = format!("/v1/spaces/{}/change-requests/{own}", proposal.space);
    let refused = admin.post(&format!("{own}/reviews"), approve.clone()).await.expect(409);
    assert_eq!(refused.reason(), "own-change-request");
    assert_eq!(admin.get(&own).await.expect(200).at("/comments"), 0, "nothing was half done");
    for (status, reason) in [("archived", "change-request-archived"), ("merged", "change-request-merged")] {
        if status == "merged" {
            proposal.set_status("open").await;
            proposal.app.merge(&reviewer, proposal.space, proposal.id);
        } else {
            proposal.set_status(status).await;
        }
        assert_eq!(reviewer.post(&reviews, approve.clone()).await.expect(409).reason(), reason);
        let ask = json!({"users": [reviewer.user()]});
        let reviewers = format!("{}/requested-reviewers", proposal.path);
        assert_eq!(proposal.author.post(&reviewers, ask).await.expect(409).reason(), reason);
    }
    for (body, field) in [
        (json!({}), "status"),
        (json!({"status": "fine"}), "status"),
        (json!({"status": "approved", "comment": {"markdown": ""}}), "comment"),
        (
            json!({"status": "approved", "comment": {"document": {"object": "document", "data": {}, "nodes": [{"object": "block"}]}}}),
            "comment.document.nodes[0].type",
        ),
    ] {
        assert_eq!(reviewer.post(&reviews, body.clone()).await.expect(400).fields(), [field], "{body}");
    }
}

#[actix_web::test]
async fn users_and_teams_are_asked_and_named_in_their_reviews() {
    let proposal = Proposal::new().await;
    let Proposal { app, author, path, .. } = &proposal;
    let (first, second) = (proposal.member(Role::Review), proposal.member(Role::Review));
    let team = uuid::Uuid::from_u128(7);
    let organization = app.organization;
    let people = format!(
        "INSERT INTO teams (organization_id, id, title, created_at) VALUES ('{organization}', '{team}', 'Editors', now()); \
         INSERT INTO team_members (organization_id, team_id, user_id, role) VALUES ('{organization}', '{team}', '{}', 'member')",
        second.user()
    );
    app.connection().batch_execute(&people).unwrap();
    let reviewers = format!("{path}/requested-reviewers");
    let asked = author
        .post(&reviewers, json!({"users": [first.user()], "teams": [team], "subject": "Please look"}))
        .await
        .expect(200);
    assert_eq!(asked.at("/users").as_array().unwrap().len(), 2);
    assert_eq!(author.get(path).await.expect(200).at("/subject"), "Please look");
    let items = walk(author, &reviewers).await;
    let of = |kind: &str| items.iter().find(|item| item["kind"] == kind).unwrap();
    let revision = author.get(path).await.expect(200).at("/revision").clone();
    for item in &items {
        assert_eq!(item["object"], "change-request-requested-reviewer");
        assert_eq!((&item["revision"], &item["requestedBy"]["id"]), (&revision, &json!(author.user())));
        assert!(item["createdAt"].is_string());
    }
    assert_eq!(of("user")["user"]["id"], json!(first.user()));
    assert_eq!(of("team")["team"], json!({"object": "team", "id": team}));
    // Requesting a review again changes nothing, even by another user.
    let again =
        proposal.member(Role::Edit).post(&reviewers, json!({"users": [first.user()]})).await.expect(200);
    assert_eq!(again.at("/users/0/requestedBy/id"), &json!(author.user()));
    for reviewer in [&first, &second] {
        let review =
            reviewer.post(&format!("{path}/reviews"), json!({"status": "approved"})).await.expect(201);
        assert_eq!(review.at("/requestedBy/id"), &json!(author.user()));
    }
    for id in [first.user().to_string(), team.to_string()] {
        let _ = author.delete(&format!("{reviewers}/{id}")).await.expect(204);
        let _ = author.delete(&format!("{reviewers}/{id}")).await.expect(404);
    }
    assert_eq!(author.get(&reviewers).await.expect(200).at("/count"), 0);
    let guest = app.member_of(organization, None);
    for (body, fields) in [
        (json!({}), vec!["users"]),
        (json!({"users": [first.user(), guest.user(), author.user()]}), vec!["users[1]", "users[2]"]),
        (json!({"teams": [uuid::Uuid::from_u128(8)]}), vec!["teams[0]"]),
        (json!({"users": ["x"]}), vec!["users[0]"]),
        (json!({"users": [first.user()], "subject": "x".repeat(101)}), vec!["subject"]),
    ] {
        assert_eq!(author.post(&reviewers, body.clone()).await.expect(400).fields(), fields, "{body}");
    }
    assert_eq!(author.get(&reviewers).await.expect(200).at("/count"), 0, "nothing was half done");
}

#[actix_web::test]
async fn contributors_are_those_who_wrote_and_the_author() {
    let proposal = Proposal::new().await;
    let path = format!("{}/contributors", proposal.path);
    let helper = proposal.member(Role::Edit);
    proposal.write(&helper);
    proposal.write(&helper);
    let items = walk(&proposal.author, &path).await;
    let counts: Vec<_> =
        items.iter().map(|item| (item["user"]["id"].clone(), item["count"].clone())).collect();
    assert_eq!(counts, [(json!(helper.user()), json!(2)), (json!(proposal.author.user()), json!(0))]);
    assert!(items.iter().all(|item| item["updatedAt"].is_string()));
}

#[actix_web::test]
async fn an_organization_lists_the_change_requests_of_spaces_that_the_caller_sees() {
    let proposal = Proposal::new().await;
    let Proposal { app, author, .. } = &proposal;
    let (hidden, admin) = app.space().await;
    app.connection()
        .batch_execute(&format!("UPDATE spaces SET default_level = NULL WHERE id = '{hidden}'"))
        .unwrap();
    let other = app.create_change_request(&admin, hidden.parse().unwrap());
    let path = format!("/v1/orgs/{}/change-requests", app.organization);
    let ids = |items: Vec<Value>| items.into_iter().map(|item| item["id"].clone()).collect::<Vec<_>>();
    assert!(walk(&admin, &path).await.is_empty(), "open ones are listed by default");
    let drafts = format!("{path}?status=draft");
    assert_eq!(ids(walk(&admin, &drafts).await), [json!(other), json!(proposal.id)]);
    assert_eq!(ids(walk(author, &drafts).await), [json!(proposal.id)]);
    let by = format!("{drafts}&contributor={}", author.user());
    assert_eq!(ids(walk(&admin, &by).await), [json!(proposal.id)]);
    let one = admin.get(&by).await.expect(200);
    let alone = admin.get(&proposal.path).await.expect(200).json;
    assert_eq!(one.at("/items/0"), &as_listed(alone));
    assert!(walk(&app.member_of(app.organization, None), &drafts).await.is_empty(), "a guest sees no space");
}

/// Two spaces, each with a change request of Ada and one of Bob, in this order. Tests refer to them by their index in
/// `all`.
struct Proposals {
    app: TestApp,
    admin: Caller,
    spaces: [SpaceId; 2],
    all: Vec<ChangeRequestId>,
    ada: Caller,
    bob: Caller,
}

impl Proposals {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let (ada, bob) = (app.as_role(Role::Edit), app.as_role(Role::Edit));
        let spaces = [app.create_space(&admin, "First"), app.create_space(&admin, "Second")];
        let mut all = Vec::new();
        for space in spaces {
            let level =
                format!("UPDATE spaces SET default_level = {} WHERE id = '{space}'", Role::Edit.rank());
            app.connection().batch_execute(&level).unwrap();
            for author in [&ada, &bob] {
                app.clock.advance(std::time::Duration::from_secs(60));
                all.push(app.create_change_request(author, space));
            }
        }
        Self { app, admin, spaces, all, ada, bob }
    }

    fn path(&self, number: usize) -> String {
        format!("/v1/spaces/{}/change-requests/{}", self.spaces[number / 2], self.all[number])
    }

    /// Returns the indexes of the change requests in a list, read one by one.
    async fn listed(&self, query: &str) -> Vec<usize> {
        let path = format!("/v1/orgs/{}/change-requests?status=draft{query}", self.app.organization);
        let resources = walk(&self.admin, &path).await.into_iter().map(|item| {
            assert_eq!(item["status"], "draft");
            let resource = self.all.iter().position(|id| item["id"] == json!(id)).unwrap();
            assert_eq!(item["space"], json!(self.spaces[resource / 2]));
            resource
        });
        let resources: Vec<usize> = resources.collect();
        // The list of a space has the same filters and orders.
        let path = format!("/v1/spaces/{}/change-requests?status=draft{query}", self.spaces[1]);
        let of_space = walk(&self.admin, &path).await;
        let of_space: Vec<_> = of_space.iter().map(|item| item["id"].clone()).collect();
        if !query.contains("space=") {
            let expected: Vec<_> = resources
                .iter()
                .filter(|resource| **resource >= 2)
                .map(|resource| json!(self.all[*resource]))
                .collect();
            assert_eq!(of_space, expected, "{query}");
        }
        resources
    }
}

#[actix_web::test]
async fn lists_of_change_requests_are_filtered_by_space_and_people() {
    let proposals = Proposals::new().await;
    let Proposals { app, spaces, ada, bob, .. } = &proposals;
    assert_eq!(proposals.listed("").await, [3, 2, 1, 0]);
    for (space, listed) in spaces.iter().zip([[1, 0], [3, 2]]) {
        assert_eq!(proposals.listed(&format!("&space={space}")).await, listed);
    }
    assert!(proposals.listed("&space=00000000-0000-7000-8000-000000000009").await.is_empty());
    assert_eq!(proposals.listed(&format!("&creator={}", ada.user())).await, [2, 0]);
    assert_eq!(proposals.listed(&format!("&creator={}&space={}", bob.user(), spaces[1])).await, [3]);
    // An editor of a change request is a contributor, too.
    let key = ContentSelector::ChangeRequest(ChangeRequestKey::Id(proposals.all[0]));
    app.edit(bob, spaces[0], key, |content| content.page(None, "Page", "Text."));
    assert_eq!(proposals.listed(&format!("&contributor={}", bob.user())).await, [3, 1, 0]);
    assert_eq!(proposals.listed(&format!("&contributor={0}&creator={0}", bob.user())).await, [3, 1]);

    // Reviews requested of the user, and of a team of the user.
    let (eve, team) = (app.as_role(Role::Review), format!("/v1/orgs/{}/teams", app.organization));
    let _ = proposals
        .admin
        .patch(&format!("/v1/spaces/{}", spaces[1]), json!({"defaultLevel": "review"}))
        .await
        .expect(200);
    app.grant(&eve, &spaces[0].to_string(), Role::Review);
    let team = proposals
        .admin
        .put(&team, json!({"title": "Editors", "members": [eve.user()]}))
        .await
        .expect(201)
        .text("/id");
    let _ = ada
        .post(&format!("{}/requested-reviewers", proposals.path(0)), json!({"users": [eve.user()]}))
        .await
        .expect(200);
    let _ = bob
        .post(&format!("{}/requested-reviewers", proposals.path(3)), json!({"teams": [team]}))
        .await
        .expect(200);
    let asked = format!("&requestedReviewer={}", eve.user());
    assert_eq!(proposals.listed(&asked).await, [3, 0]);
    assert_eq!(proposals.listed(&format!("&requestedReviewer={}", ada.user())).await, [0; 0]);
    let _ = proposals
        .admin
        .delete(&format!("/v1/orgs/{}/teams/{team}/members/{}", app.organization, eve.user()))
        .await
        .expect(204);
    assert_eq!(proposals.listed(&asked).await, [0]);

    for (query, field) in [("orderBy=number", "orderBy"), ("order=up", "order")] {
        let path = format!("/v1/orgs/{}/change-requests?{query}", app.organization);
        assert_eq!(proposals.admin.get(&path).await.expect(400).fields(), [field], "{query}");
    }
}

#[actix_web::test]
async fn lists_of_change_requests_are_ordered_by_when_they_were_made_or_changed() {
    let proposals = Proposals::new().await;
    for (number, subject) in [(1, "a"), (2, "b"), (0, "c")] {
        proposals.app.clock.advance(std::time::Duration::from_secs(60));
        let _ = proposals.admin.patch(&proposals.path(number), json!({"subject": subject})).await.expect(200);
    }
    for (query, order) in [
        ("&order=asc", [0, 1, 2, 3]),
        ("&orderBy=createdAt", [3, 2, 1, 0]),
        ("&orderBy=updatedAt", [0, 2, 1, 3]),
        ("&orderBy=updatedAt&order=asc", [3, 1, 2, 0]),
    ] {
        assert_eq!(proposals.listed(query).await, order, "{query}");
    }
    // Change requests with equal times are all listed.
    let now = "UPDATE change_requests SET updated_at = '2026-01-01T00:00:00Z'";
    proposals.app.connection().batch_execute(now).unwrap();
    assert_eq!(proposals.listed("&orderBy=updatedAt").await, [3, 2, 1, 0]);
    // A cursor is valid only for its order.
    let path = format!("/v1/orgs/{}/change-requests?status=draft&limit=1", proposals.app.organization);
    let cursor = proposals.admin.get(&path).await.expect(200).text("/next/page");
    let refused = proposals.admin.get(&format!("{path}&orderBy=updatedAt&page={cursor}")).await.expect(400);
    assert_eq!(refused.reason(), "invalid-cursor");
}

#[actix_web::test]
async fn lists_cost_the_same_for_one_and_for_many() {
    let proposal = Proposal::new().await;
    let Proposal { app, author, path, .. } = &proposal;
    let reviewer = proposal.member(Role::Review);
    let lists = [
        format!("{path}/reviews"),
        format!("{path}/requested-reviewers"),
        format!("{path}/contributors"),
        format!("/v1/orgs/{}/change-requests?status=draft", app.organization),
    ];
    let mut costs = Vec::new();
    for more in [1, 20] {
        for _ in 0..more {
            let review = json!({"status": "approved", "comment": {"markdown": "Good."}});
            let _ = reviewer.post(&lists[0], review).await.expect(201);
            let asked = json!({"users": [proposal.member(Role::Review).user()]});
            let _ = author.post(&lists[1], asked).await.expect(200);
            proposal.write(&proposal.member(Role::Edit));
            let _ = app.create_change_request(author, proposal.space);
        }
        let mut cost = Vec::new();
        for list in &lists {
            let before = app.statements();
            let _ = author.get(list).await.expect(200);
            cost.push(app.statements() - before);
        }
        costs.push(cost);
    }
    assert_eq!(costs[0], costs[1]);
}
