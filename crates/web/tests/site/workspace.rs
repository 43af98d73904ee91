//! Workspace in the browser.

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_test_support::Caller;
use serde_json::json;

use super::{Stage, body, page};

/// Returns a page of the workspace as text.
pub(super) async fn open(caller: &Caller, path: &str) -> String {
    let answer = caller.get(path).await.expect(200);
    assert!(answer.header("content-type").starts_with("text/html"), "{path}");
    let policy = answer.header("content-security-policy");
    assert!(
        policy.contains("script-src 'self'; style-src 'self'") && policy.contains("frame-ancestors 'none'")
    );
    let text = body(&answer);
    assert!(!text.contains(" style=\"") && !text.contains("<script>"), "{path}: nothing is inline");
    text
}

impl Stage {
    pub(super) fn in_space(&self, path: &str) -> String {
        format!("/s/{}{path}", self.guide)
    }

    /// Creates a change request with a page of this title, and returns its number.
    async fn change(&self, subject: &str, title: &str) -> u64 {
        let space = format!("/v1/spaces/{}/change-requests", self.guide);
        let made = self.admin.post(&space, json!({ "subject": subject })).await.expect(201);
        let content = format!("{space}/{}/content", made.text("/id"));
        let changes = json!({"changes": [page(title, "Words of the change.")]});
        self.admin.post(&content, changes).await.expect(200);
        made.json["number"].as_u64().unwrap()
    }
}

#[actix_web::test]
async fn the_start_page_lists_what_a_member_works_on() {
    let stage = Stage::set().await;
    let organization = stage.app.organization;
    let member = stage.app.as_role(Role::Read);
    stage.change("Shorter installation", "Short").await;
    let own = open(&stage.admin, "/").await;
    assert!(own.contains("Your drafts") && own.contains("Shorter installation"), "{own}");
    let home = open(&member, "/").await;
    assert_eq!(home, open(&member, &format!("/o/{organization}")).await, "of the only organization");
    assert!(home.contains("Guide") && home.contains("Reference") && !home.contains("Your drafts"), "{home}");
    // For a guest, the list omits spaces without a grant.
    let guest = open(&stage.app.member_of(organization, None), "/").await;
    assert!(guest.contains("No spaces yet") && !guest.contains("Guide"), "{guest}");
    let stranger = open(&stage.app.stranger(), "/").await;
    assert!(stranger.contains("not a member of an organization yet"), "{stranger}");
    // A member of several organizations gets a choice.
    let other = stage.app.create_organization("Harbor <b>");
    stage.app.join(&member, other, Some(Role::Read));
    let chosen = open(&member, "/").await;
    assert!(
        chosen.contains("Harbor &lt;b&gt;") && chosen.contains(&format!("/o/{organization}")),
        "{chosen}"
    );
}

#[actix_web::test]
async fn a_page_is_read_as_visitors_see_it_with_its_tree_and_comments() {
    let stage = Stage::set().await;
    let reader = stage.app.as_role(Role::Read);
    let first = open(&reader, &stage.in_space("")).await;
    assert!(first.contains("<em>harbor</em>") && first.contains("First steps"), "{first}");
    assert!(first.contains(&stage.in_space("/install")) && first.contains("rel=\"next\""), "{first}");
    // Members can read pages that are hidden from visitors.
    let hidden = open(&reader, &stage.in_space("/secret")).await;
    assert!(hidden.contains("Hidden words.") && hidden.contains("hidden from visitors"), "{hidden}");
    let location = |path: &str| {
        let (path, reader) = (stage.in_space(path), reader.clone());
        async move { reader.get(&path).await.expect(303).header("location").to_owned() }
    };
    assert_eq!(location("/start").await, stage.in_space(""));
    assert_eq!(location("/INSTALL").await, stage.in_space("/install"));
    let install = format!("/v1/spaces/{}/content/path/install", stage.guide);
    let install = stage.admin.get(&install).await.expect(200).text("/id");
    assert_eq!(location(&format!("/~/page/{install}")).await, stage.in_space("/install"));
    let comment = json!({"body": {"markdown": "Which *tool*?"}, "page": install});
    let comments = format!("/v1/spaces/{}/comments", stage.guide);
    let posted = stage.admin.post(&comments, comment).await.expect(201).text("/id");
    let reply = json!({"body": {"markdown": "The `doctor`."}});
    stage.admin.post(&format!("{comments}/{posted}/replies"), reply).await.expect(201);
    let commented = open(&reader, &stage.in_space("/install")).await;
    assert!(
        commented.contains("Which <em>tool</em>?") && commented.contains("<code>doctor</code>"),
        "{commented}"
    );
    assert!(!open(&reader, &stage.in_space("")).await.contains("Which"), "of another page");
    // A moved page is found.
    stage.write(&stage.guide, json!([{"operation": "update_page", "page": install, "slug": "setup"}])).await;
    assert_eq!(location("/install").await, stage.in_space("/setup"));
}

#[actix_web::test]
async fn references_lead_to_pages_of_the_workspace() {
    let stage = Stage::set().await;
    let reader = stage.app.as_role(Role::Read);
    let path = format!("/v1/orgs/{}/spaces", stage.app.organization);
    let mut pages = Vec::new();
    for title in ["Open", "Closed"] {
        let space = stage.admin.post(&path, json!({ "title": title })).await.expect(201).text("/id");
        stage.write(&space, json!([page("Other", "Text."), page("Target", "Text.")])).await;
        let target = format!("/v1/spaces/{space}/content/path/target");
        pages.push((space, stage.admin.get(&target).await.expect(200).text("/id")));
    }
    let [(open_space, shown), (closed, hidden)]: [(String, String); 2] = pages.try_into().unwrap();
    let access = format!("/v1/spaces/{closed}");
    stage.admin.patch(&access, json!({"defaultLevel": null})).await.expect(200);
    let markdown =
        format!("[Shown](/spaces/{open_space}/pages/{shown}) and [Hidden](/spaces/{closed}/pages/{hidden})");
    stage.write(&stage.guide, json!([page("Links", &markdown)])).await;
    let links = open(&reader, &stage.in_space("/links")).await;
    assert!(links.contains(&format!("href=\"/s/{open_space}/target\"")), "{links}");
    assert!(!links.contains(&format!("/s/{closed}")), "{links}");
}

#[actix_web::test]
async fn what_a_caller_may_not_see_is_like_what_does_not_exist() {
    let stage = Stage::set().await;
    let change = stage.change("Secret subject", "Short").await;
    let absent = "0190a5d2-7c1e-7000-8000-000000000001";
    let organization = stage.app.organization;
    let none = stage.admin.get(&format!("/s/{absent}")).await.expect(404);
    assert!(body(&none).contains("role=\"search\""));
    let guest = stage.app.member_of(organization, None);
    let stranger = stage.app.stranger();
    for path in
        ["", "/install", "/nothing", "/~/changes", &format!("/~/changes/{change}"), "/~/pages", "/~/nothing"]
    {
        for caller in [&guest, &stranger] {
            let answer = caller.get(&stage.in_space(path)).await.expect(404);
            assert_eq!(answer.bytes, none.bytes, "{path}");
        }
    }
    for path in [
        stage.in_space("/nothing"),
        stage.in_space("/~/changes/99"),
        stage.in_space("/~/changes/x"),
        stage.in_space(&format!("/~/changes/{change}/nothing")),
        stage.in_space("/~/changes?status=other"),
        stage.in_space("/~/pages?parent=x"),
        stage.in_space(&format!("/~/pages?parent={absent}")),
        stage.in_space("/a%00b"),
        format!("/c/{absent}"),
        format!("/o/{absent}"),
        format!("/o/{absent}/search?query=x"),
        "/s/nonsense".to_owned(),
        "/integrations/nothing".to_owned(),
    ] {
        assert_eq!(stage.admin.get(&path).await.expect(404).bytes, none.bytes, "{path}");
    }
    for path in [format!("/o/{organization}"), format!("/o/{organization}/changes")] {
        assert_eq!(stranger.get(&path).await.expect(404).bytes, none.bytes, "{path}");
    }
    // Invalid credentials redirect to the sign-in page like missing ones.
    let expired = TestRequest::with_uri(&stage.in_space("/install?a=b"))
        .insert_header((header::AUTHORIZATION, "Bearer qt_0000000000000000000000000000000000000000000"));
    let answer = stage.app.anonymous().send(expired).await;
    if answer.status == 303 {
        let next = format!("/~/sign-in?next={}", stage.in_space("/install%3Fa%3Db"));
        assert_eq!(answer.header("location"), next);
    }
}

#[actix_web::test]
async fn change_requests_are_listed_and_read() {
    let stage = Stage::set().await;
    let organization = stage.app.organization;
    let reader = stage.app.as_role(Role::Read);
    let number = stage.change("Shorter <i>", "Brief").await;
    let drafts = open(&reader, &stage.in_space("/~/changes?status=draft")).await;
    assert!(drafts.contains("Shorter &lt;i&gt;") && drafts.contains("1 change request"), "{drafts}");
    let everywhere = open(&reader, &format!("/o/{organization}/changes?status=draft")).await;
    assert!(everywhere.contains("Shorter &lt;i&gt;") && everywhere.contains("Guide"), "{everywhere}");
    let none = open(&reader, &stage.in_space("/~/changes")).await;
    assert!(none.contains("No change requests with this status"), "{none}");
    let path = stage.in_space(&format!("/~/changes/{number}"));
    let api = format!("/v1/spaces/{}/change-requests/{number}", stage.guide);
    let asked = stage.app.on_space(&stage.guide, Some(Role::Review));
    stage.admin.patch(&api, json!({"status": "open"})).await.expect(200);
    let users = json!({"users": [asked.user().to_string()]});
    stage.admin.post(&format!("{api}/requested-reviewers"), users).await.expect(200);
    let comment = json!({"body": {"markdown": "Looks *good*."}});
    stage.admin.post(&format!("{api}/comments"), comment).await.expect(201);
    let overview = open(&reader, &path).await;
    for part in ["Brief", "New page", "Looks <em>good</em>.", "Waiting", "Open"] {
        assert!(overview.contains(part), "{part}: {overview}");
    }
    assert!(overview.contains(&format!("{path}/brief")), "{overview}");
    let home = open(&asked, "/").await;
    assert!(home.contains("Waiting for your review") && home.contains("1 change request waits"), "{home}");
    let page = open(&reader, &format!("{path}/brief")).await;
    assert!(page.contains("Words of the change.") && page.contains("part of a change request"), "{page}");
    assert!(
        page.contains(&format!("href=\"{path}/install\"")),
        "the tree stays in the change request: {page}"
    );
    // The page is not in the main content yet.
    reader.get(&stage.in_space("/brief")).await.expect(404);
    // The former address redirects to the current one.
    let former = reader.get(&stage.in_space(&format!("/change-requests/{number}"))).await.expect(303);
    assert_eq!(former.header("location"), path);
}

/// The tree has the ids for its script only if the caller may change it.
#[actix_web::test]
async fn the_tree_of_an_active_change_request_is_changed_by_editors() {
    let stage = Stage::set().await;
    let number = stage.change("Order", "Brief").await;
    let path = stage.in_space(&format!("/~/changes/{number}"));
    let content = format!("spaces/{}/change-requests/{number}/content", stage.guide);
    let edited = open(&stage.admin, &path).await;
    assert!(
        edited.contains(&format!("data-edits=\"{content}\"")) && edited.contains("data-page="),
        "{edited}"
    );
    let level = open(&stage.admin, &stage.in_space(&format!("/~/pages?change={number}"))).await;
    assert!(level.contains("data-page="), "{level}");
    let reader = stage.app.as_role(Role::Read);
    let in_space = (&stage.admin, stage.in_space(""));
    for (caller, path) in [(&reader, path.clone()), in_space] {
        let read = open(caller, &path).await;
        assert!(!read.contains("data-edits") && !read.contains("data-add-page"), "{read}");
    }
    let api = format!("/v1/spaces/{}/change-requests/{number}", stage.guide);
    stage.admin.patch(&api, json!({"status": "archived"})).await.expect(200);
    assert!(!open(&stage.admin, &path).await.contains("data-edits"), "an archived change request");
}

#[actix_web::test]
async fn lists_continue_where_the_last_page_ended() {
    let stage = Stage::set().await;
    for number in 0..51 {
        let space = format!("/v1/spaces/{}/change-requests", stage.guide);
        stage.admin.post(&space, json!({ "subject": format!("Change {number}.") })).await.expect(201);
    }
    let first = open(&stage.admin, &stage.in_space("/~/changes?status=draft")).await;
    assert!(first.contains("51 change requests") && !first.contains("Change 0."), "{first}");
    let (_, more) = first.split_once("&amp;page=").unwrap();
    let (cursor, _) = more.split_once('"').unwrap();
    let second = open(&stage.admin, &stage.in_space(&format!("/~/changes?status=draft&page={cursor}"))).await;
    assert!(second.contains("Change 0.") && !second.contains("Change 50."), "{second}");
    // A cursor is valid for its list only.
    stage.admin.get(&stage.in_space(&format!("/~/changes?status=open&page={cursor}"))).await.expect(400);
}

#[actix_web::test]
async fn a_large_tree_is_loaded_level_by_level() {
    let stage = Stage::set().await;
    for number in 0..3 {
        let parts = (0..50).map(|part| page(&format!("Part {}", number * 50 + part), "Text."));
        stage.write(&stage.guide, parts.collect()).await;
    }
    let last = format!("/v1/spaces/{}/content/path/part-149", stage.guide);
    let last = stage.admin.get(&last).await.expect(200).text("/id");
    for number in 0..2 {
        let chapter = |chapter: i32| {
            json!({"operation": "insert_page", "title": format!("Chapter {}", number * 50 + chapter), "into": last,
                "document": {"markdown": "Text."}})
        };
        stage.write(&stage.guide, (0..50).map(chapter).collect()).await;
    }
    let first = open(&stage.admin, &stage.in_space("")).await;
    assert!(first.contains("More pages") && !first.contains("Chapter 0"), "a part of the tree");
    let deep = open(&stage.admin, &stage.in_space("/part-149/chapter-1")).await;
    assert!(deep.contains("Chapter 74") && deep.contains("Part 149"), "the way to the page");
    let level = open(&stage.admin, &stage.in_space(&format!("/~/pages?parent={last}"))).await;
    assert!(
        level.contains("Chapter 0") && level.contains("Chapter 74") && !level.contains("Part 1<"),
        "{level}"
    );
}

#[actix_web::test]
async fn collections_list_their_spaces() {
    let stage = Stage::set().await;
    let path = format!("/v1/orgs/{}/collections", stage.app.organization);
    let made = stage.admin.post(&path, json!({"title": "Manuals"})).await.expect(201).text("/id");
    let parent = json!({ "parent": made });
    stage.admin.post(&format!("/v1/spaces/{}/move", stage.guide), parent).await.expect(200);
    let reader = stage.app.as_role(Role::Read);
    let collection = open(&reader, &format!("/c/{made}")).await;
    assert!(collection.contains("Manuals") && collection.contains(&stage.in_space("")), "{collection}");
    stage.app.member_of(stage.app.organization, None).get(&format!("/c/{made}")).await.expect(404);
}

#[actix_web::test]
async fn pages_are_searched_without_a_script() {
    let stage = Stage::set().await;
    let organization = stage.app.organization;
    let reader = stage.app.as_role(Role::Read);
    let path = format!("/o/{organization}/search");
    let found = open(&reader, &format!("{path}?query=on+linux")).await;
    assert!(found.contains(&stage.in_space("/install#on-linux")), "{found}");
    let marked = open(&reader, &format!("{path}?query=harbor")).await;
    assert!(marked.contains("<mark>harbor</mark>"), "{marked}");
    let nothing = open(&reader, &format!("{path}?query=%3Cscript%3Ezebra")).await;
    assert!(nothing.contains("No results") && nothing.contains("&lt;script&gt;zebra"), "{nothing}");
    assert!(!open(&reader, &path).await.contains("No results"), "nothing was searched");
    let led = reader.get("/~/search?query=a+b").await.expect(303);
    assert_eq!(led.header("location"), format!("{path}?query=a%20b"));
    // A guest finds nothing in spaces without a grant.
    let guest = stage.app.member_of(organization, None);
    assert!(open(&guest, &format!("{path}?query=linux")).await.contains("No results"));
}

#[actix_web::test]
async fn a_page_takes_a_fixed_number_of_statements() {
    let stage = Stage::set().await;
    let reader = stage.app.as_role(Role::Read);
    let count = async |path: &str| {
        open(&reader, path).await;
        let before = stage.app.statements();
        open(&reader, path).await;
        stage.app.statements() - before
    };
    let home = count("/").await;
    let change = async |number: u8| {
        let made = stage.change(&format!("Change {number}"), &format!("Page {number}")).await;
        let request = format!("/v1/spaces/{}/change-requests/{made}", stage.guide);
        stage.admin.patch(&request, json!({"status": "open"})).await.expect(200);
    };
    // For a space with open change requests, the page looks up those that change it.
    change(0).await;
    let page = count(&stage.in_space("/install")).await;
    for number in 1..12 {
        change(number).await;
        let path = format!("/v1/orgs/{}/spaces", stage.app.organization);
        stage.admin.post(&path, json!({"title": format!("Space {number}")})).await.expect(201);
    }
    stage.write(&stage.guide, json!([page_of_many_links()])).await;
    assert_eq!(count(&stage.in_space("/install")).await, page);
    assert!(page <= 12, "{page}");
    assert!(count("/").await <= home + 1 && home <= 20, "{home}");
    assert!(count(&stage.in_space("/links")).await <= page, "references of the own space take none");
}

fn page_of_many_links() -> serde_json::Value {
    page("Links", &"[a](https://ferry.example) ".repeat(50))
}

#[actix_web::test]
async fn buttons_are_those_of_the_role() {
    let stage = Stage::set().await;
    let number = stage.change("Shorter installation", "Short").await;
    let request = format!("/v1/spaces/{}/change-requests/{number}", stage.guide);
    let overview = stage.in_space(&format!("/~/changes/{number}"));
    let in_change = format!("{overview}/short");
    let buttons = async |role: Role, path: &str| {
        let page = open(&stage.app.as_role(role), path).await;
        let of = |name: &str| page.contains(&format!("data-action=\"{name}\""));
        (of("edit"), of("page"), of("send"), of("merge"), page.contains("data-editor"))
    };
    let nothing = (false, false, false, false, false);
    let page = stage.in_space("/install");
    for path in [&page, &overview, &in_change] {
        assert_eq!(buttons(Role::Comment, path).await, nothing, "{path}");
    }
    // A page can be edited only in a change request.
    assert_eq!(buttons(Role::Edit, &page).await, (true, true, false, false, false));
    // A draft must be submitted for review before the merge. Its pages have the button too.
    assert_eq!(buttons(Role::Edit, &in_change).await, (false, true, true, false, true));
    assert_eq!(buttons(Role::Review, &overview).await, (false, true, true, false, false));
    stage.admin.patch(&request, json!({"status": "open"})).await.expect(200);
    assert_eq!(buttons(Role::Edit, &overview).await, (false, true, true, false, false));
    assert_eq!(buttons(Role::Review, &overview).await, (false, true, true, true, false));
    stage.admin.post_empty(&format!("{request}/merge")).await.expect(200);
    for path in [&overview, &in_change] {
        assert_eq!(buttons(Role::Admin, path).await, nothing, "{path}: it is merged");
    }
    // Only some roles can create spaces.
    let home = format!("/o/{}", stage.app.organization);
    for (role, expected) in [(Role::Review, false), (Role::Create, true)] {
        let shown = open(&stage.app.as_role(role), &home).await;
        assert_eq!(shown.contains("data-action=\"space\""), expected, "{role:?}");
    }
}

#[actix_web::test]
async fn changes_are_shown_with_their_words() {
    let stage = Stage::set().await;
    let number = stage.change("A difference", "Added here").await;
    let overview = open(&stage.admin, &stage.in_space(&format!("/~/changes/{number}"))).await;
    assert!(overview.contains("Words of the change.") && overview.contains("1 block added"), "{overview}");
    assert!(overview.contains("<ins>") && overview.contains("Added</p>"), "{overview}");
    let history = open(&stage.admin, &stage.in_space("/~/history")).await;
    let revision = history.split("/~/history/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    for query in ["", "?view=split", &format!("?compare={revision}")] {
        let page = open(&stage.admin, &stage.in_space(&format!("/~/history/{revision}{query}"))).await;
        let is_same = query.starts_with("?compare");
        assert_eq!(page.contains("No page texts differ"), is_same, "{query}");
        assert_eq!(page.contains("Restore this page"), !is_same, "{query}");
    }
    let reader = stage.app.as_role(Role::Read);
    let page = open(&reader, &stage.in_space(&format!("/~/history/{revision}"))).await;
    assert!(!page.contains("Restore this page"), "readers have no draft");
    assert!(history.contains("1 page edited") || history.contains("added"), "{history}");
    assert_eq!(stage.admin.get(&stage.in_space("/~/history?from=none")).await.status, 400);
    for unknown in ["/~/history/none", "/~/history?page=none", &format!("/~/history/{revision}?compare=none")]
    {
        assert_eq!(stage.admin.get(&stage.in_space(unknown)).await.status, 404, "{unknown}");
        assert_eq!(stage.app.stranger().get(&stage.in_space("/~/history")).await.status, 404);
    }
}

#[actix_web::test]
async fn a_page_of_a_revision_is_read_as_it_was() {
    let stage = Stage::set().await;
    let reader = stage.app.as_role(Role::Read);
    let content = format!("/v1/spaces/{}/content", stage.guide);
    let revision = stage.admin.get(&content).await.expect(200).text("/id");
    let install = stage.admin.get(&format!("{content}/path/install")).await.expect(200).text("/id");
    let then = format!("/v1/spaces/{}/revisions/{revision}/page/{install}", stage.guide);
    let address = stage.admin.get(&then).await.expect(200).text("/urls/app");
    let path = address.split_once("/s/").map(|(_, rest)| format!("/s/{rest}")).unwrap();
    let before = open(&reader, &path).await;
    let changed = json!({"operation": "update_page", "page": install, "slug": "setup", "document": {"markdown": "New words."}});
    stage.write(&stage.guide, json!([changed])).await;
    let after = open(&stage.admin, &path).await;
    assert!(!after.contains("New words.") && after.contains("part of a revision"), "{after}");
    let text = |page: &str| page.split("<article").nth(1).map(ToOwned::to_owned);
    assert_eq!(text(&before), text(&after));
    // Links stay within the revision, which is read-only and has no comments.
    assert!(after.contains(&format!("/~/history/{revision}/secret")), "{after}");
    for absent in ["data-action", "New comment", "data-editor"] {
        assert!(!after.contains(absent), "{absent}");
    }
    let moved = stage.in_space(&format!("/~/history/{revision}/INSTALL"));
    assert_eq!(reader.get(&moved).await.expect(303).header("location"), path);
    for unknown in [stage.in_space("/~/history/none/install"), path.replace("/install", "/nothing")] {
        assert_eq!(reader.get(&unknown).await.status, 404, "{unknown}");
    }
    assert_eq!(stage.app.stranger().get(&path).await.status, 404);
}

#[actix_web::test]
async fn the_inbox_lists_entries_and_the_bell_counts_those_that_are_unread() {
    let stage = Stage::set().await;
    let member = stage.app.as_role(Role::Read);
    let empty = open(&member, "/~/inbox").await;
    assert!(empty.contains("You have read everything") && !empty.contains("Mark all as read"), "{empty}");
    let text = format!("Look, [you](/users/{} \"mention\") & all.", member.user());
    let comments = format!("/v1/spaces/{}/comments", stage.guide);
    let comment = stage.admin.post(&comments, json!({"body": {"markdown": text}})).await.expect(201);
    let comment = comment.text("/id");
    let bell = |page: &str| page.split_once("data-inbox").unwrap().1.split_once("</a>").unwrap().0.to_owned();
    for path in ["/", &stage.in_space("/install"), "/~/inbox"] {
        assert!(bell(&open(&member, path).await).contains(">1<"), "{path}");
    }
    let inbox = open(&member, "/~/inbox").await;
    assert!(
        inbox.contains("mentioned you in a comment") && inbox.contains("Look, you &amp; all."),
        "{inbox}"
    );
    assert!(inbox.contains(&format!("/s/{}#comment-{comment}", stage.guide)), "{inbox}");
    let _ = member.post("/v1/user/inbox/read", json!({})).await.expect(204);
    let read = open(&member, "/~/inbox?show=all").await;
    assert!(read.contains("mentioned you") && !read.contains("Mark as read"), "{read}");
    assert!(bell(&read).contains("hidden") && open(&member, "/~/inbox").await.contains("read everything"));
    let anonymous = stage.app.anonymous().get("/~/inbox").await.expect(303);
    assert!(anonymous.header("location").contains("/~/sign-in"), "{}", anonymous.header("location"));
}

#[actix_web::test]
async fn the_connection_to_a_repository_is_read_without_a_script() {
    let stage = Stage::set().await;
    let path = stage.in_space("/~/git");
    let reader = stage.app.as_role(Role::Read);
    assert!(open(&reader, &path).await.contains("This page needs the role edit"));
    let editor = stage.app.as_role(Role::Edit);
    let seen = open(&editor, &path).await;
    assert!(
        seen.contains("Members with the role create") && !seen.contains("<form class=\"form\""),
        "{seen}"
    );
    assert!(open(&stage.admin, &path).await.contains("data-url=\"git/installations\""));
    stage.app.stranger().get(&path).await.expect(404);

    let target = json!({"type": "space", "spaceId": stage.guide});
    let made = stage.admin.post("/v1/git/installations", json!({"provider": "github", "target": target}));
    let installation = format!("/v1/git/installations/{}", made.await.expect(201).text("/id"));
    assert!(open(&stage.admin, &path).await.contains("The connection has no repository yet."));
    let repository = json!({"providerConfiguration": {"url": "https://127.0.0.1/acme/docs.git"}});
    let _ = stage.admin.patch(&installation, repository).await.expect(200);
    let undecided = open(&stage.admin, &path).await;
    assert!(
        undecided.contains("Choose the content to begin with") && undecided.contains("href=\"?compare=1\""),
        "{undecided}"
    );
    assert!(undecided.contains("https://127.0.0.1/acme/docs/tree/HEAD"), "the address for people");
    assert!(undecided.contains("<option value=\"provider\" selected>The repository"), "{undecided}");
    let _ =
        stage.admin.patch(&installation, json!({"defaultMergeAuthorityPolicy": "gitbook"})).await.expect(200);
    let kept = open(&stage.admin, &path).await;
    assert!(kept.contains("<option value=\"gitbook\" selected>This space"), "{kept}");
    let compared = open(&stage.admin, &format!("{path}?compare=1")).await;
    assert!(compared.contains("Not compared") && compared.contains(" here. "), "{compared}");
    assert!(open(&editor, &stage.in_space("/~/history")).await.contains(&format!("{path}\"")));
    assert!(!open(&reader, &stage.in_space("/~/history")).await.contains(&format!("{path}\"")));
}

#[actix_web::test]
async fn a_page_names_the_change_requests_that_change_it() {
    let stage = Stage::set().await;
    let editor = stage.app.on_space(&stage.guide, Some(Role::Edit));
    let requests = format!("/v1/spaces/{}/change-requests", stage.guide);
    let pages = stage.admin.get(&format!("/v1/spaces/{}/content/pages", stage.guide)).await.expect(200);
    let install =
        pages.at("/pages").as_array().unwrap().iter().find(|page| page["title"] == "Install").unwrap();
    let edit = json!({"changes": [
        {"operation": "update_page", "page": install["id"], "document": {"markdown": "Run it twice."}},
    ]});
    let address = stage.in_space("/install");
    assert!(!open(&editor, &address).await.contains("this page:"));
    for subject in ["Twice <b>", "Again"] {
        let made = editor.post(&requests, json!({ "subject": subject })).await.expect(201).text("/id");
        editor.post(&format!("{requests}/{made}/content"), edit.clone()).await.expect(200);
    }
    let own = open(&editor, &address).await;
    assert!(
        own.contains("2 drafts of yours change this page:") && own.contains("#1 Twice &lt;b&gt;"),
        "{own}"
    );
    assert!(!open(&stage.admin, &address).await.contains("this page:"), "drafts of others are not named");
    stage.admin.patch(&format!("{requests}/1"), json!({"status": "open"})).await.expect(200);
    let named = open(&stage.admin, &address).await;
    let link = format!("href=\"{}\"", stage.in_space("/~/changes/1"));
    assert!(named.contains("1 open change request changes this page:") && named.contains(&link), "{named}");
    for path in ["", "/~/changes/1/install"] {
        assert!(!open(&stage.admin, &stage.in_space(path)).await.contains("this page:"), "{path}");
    }
    editor.get(&stage.in_space("/~/changes/2")).await.expect(200);
}

#[actix_web::test]
async fn an_unknown_address_of_an_organization_is_absent_for_members() {
    let stage = Stage::set().await;
    let organization = stage.app.organization;
    let absent = "0190a5d2-7c1e-7000-8000-000000000001";
    for path in ["nothing", "nothing/more", "teams/x/y", "sites/nonsense", &format!("sites/{absent}")] {
        let address = format!("/o/{organization}/{path}");
        stage.app.as_role(Role::Read).get(&address).await.expect(404);
        // Non-members see what is published.
        let published = stage.app.anonymous().get(&address).await;
        assert!([303, 307].contains(&published.status.as_u16()), "{path}");
    }
}

#[actix_web::test]
async fn changed_blocks_have_their_key_for_those_who_comment() {
    let stage = Stage::set().await;
    let requests = format!("/v1/spaces/{}/change-requests", stage.guide);
    let pages = stage.admin.get(&format!("/v1/spaces/{}/content/pages", stage.guide)).await.expect(200);
    let install =
        pages.at("/pages").as_array().unwrap().iter().find(|page| page["title"] == "Install").unwrap();
    stage.admin.post(&requests, json!({"subject": "Twice"})).await.expect(201);
    let edit = json!({"changes": [{
        "operation": "update_page", "page": install["id"],
        "document": {"markdown": "## On Linux\n\nRun it twice.\n\nWait."},
    }]});
    stage.admin.post(&format!("{requests}/1/content"), edit).await.expect(200);
    let path = stage.in_space("/~/changes/1");
    let html = open(&stage.admin, &path).await;
    for part in ["<div class=\"chg mod\" data-block=\"1\">", "<div class=\"chg add\" data-block=\"2\">"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(html.contains("/~quire/assets/review."), "{html}");
    let reader = stage.app.as_role(Role::Read);
    assert!(!open(&reader, &path).await.contains("data-block"), "readers can't comment");
}
