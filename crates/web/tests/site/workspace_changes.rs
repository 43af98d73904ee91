//! Differences and conflicts of change requests in the workspace.

use quire_domain::Role;
use quire_test_support::Caller;
use serde_json::{Value, json};

use super::workspace::open;
use super::{Stage, page};

impl Stage {
    fn requests(&self) -> String {
        format!("/v1/spaces/{}/change-requests", self.guide)
    }

    /// Creates a change request with these changes.
    async fn propose(&self, caller: &Caller, subject: &str, changes: Value) -> u64 {
        let made = caller.post(&self.requests(), json!({ "subject": subject })).await.expect(201);
        let number = made.json["number"].as_u64().unwrap();
        let content = format!("{}/{number}/content", self.requests());
        caller.post(&content, json!({ "changes": changes })).await.expect(200);
        number
    }

    pub(super) async fn page_id(&self, title: &str) -> Value {
        let pages = self.admin.get(&format!("/v1/spaces/{}/content/pages", self.guide)).await.expect(200);
        let pages = pages.at("/pages").as_array().unwrap();
        pages.iter().find(|page| page["title"] == title).unwrap()["id"].clone()
    }
}

async fn name_of(caller: &Caller) -> String {
    caller.get("/v1/user").await.expect(200).text("/displayName")
}

#[actix_web::test]
async fn changed_pages_are_shown_part_by_part() {
    let stage = Stage::set().await;
    let pages: Vec<Value> = (0..25).map(|number| page(&format!("Page {number}"), "Words.")).collect();
    let number = stage.propose(&stage.admin, "Many", json!(pages)).await;
    let overview = stage.in_space(&format!("/~/changes/{number}"));
    let shown = |html: &str| html.matches("<section class=\"diff\"").count();
    let first = open(&stage.admin, &overview).await;
    assert!(first.contains("Changed pages 1 to 20 of 25 are shown") && shown(&first) == 20, "{first}");
    let next = first.split("?changed=").nth(1).and_then(|rest| rest.split('#').next()).unwrap();
    let second = open(&stage.admin, &format!("{overview}?changed={next}")).await;
    assert!(second.contains("Changed pages 21 to 25 of 25 are shown") && shown(&second) == 5, "{second}");
    assert!(!second.contains("Next changed pages") && second.contains("First changed pages"), "{second}");
    for wrong in [format!("{overview}?changed=20"), stage.in_space(&format!("/~/history?from={next}"))] {
        stage.admin.get(&wrong).await.expect(400);
    }
}

#[actix_web::test]
async fn differences_are_inline_or_side_by_side() {
    let stage = Stage::set().await;
    let install = stage.page_id("Install").await;
    let edit =
        json!([{"operation": "update_page", "page": install, "document": {"markdown": "Run it twice."}}]);
    let number = stage.propose(&stage.admin, "Twice", edit).await;
    let overview = stage.in_space(&format!("/~/changes/{number}"));
    for (query, is_split) in
        [("", false), ("?view=inline", false), ("?view=split", true), ("?view=other", false)]
    {
        let html = open(&stage.admin, &format!("{overview}{query}")).await;
        assert_eq!(html.contains("chg-row"), is_split, "{query}: {html}");
        let pressed = if is_split { "split" } else { "inline" };
        assert!(html.contains(&format!("value=\"{pressed}\" aria-pressed=\"true\"")), "{query}: {html}");
    }
}

#[actix_web::test]
async fn comments_are_shown_part_by_part() {
    let stage = Stage::set().await;
    let install = stage.page_id("Install").await;
    let comments = format!("/v1/spaces/{}/comments", stage.guide);
    for number in 0..55 {
        let body = json!({"page": install, "body": {"markdown": format!("Comment number {number}.")}});
        stage.admin.post(&comments, body).await.expect(201);
    }
    let shown = |html: &str| html.matches("<article class=\"thread\"").count();
    let page = stage.in_space("/install");
    let first = open(&stage.admin, &page).await;
    assert!(
        shown(&first) == 50 && first.contains("More comments") && !first.contains("First comments"),
        "{first}"
    );
    let next = first.split("&amp;after=").nth(1).and_then(|rest| rest.split('#').next()).unwrap();
    let second = open(&stage.admin, &format!("{page}?comments=open&after={next}")).await;
    assert!(shown(&second) == 5 && second.contains("Comment number 54."), "{second}");
    assert!(second.contains("First comments") && !second.contains("More comments"), "{second}");
    stage.admin.get(&format!("{page}?after=50")).await.expect(400);
}

#[actix_web::test]
async fn conflicts_name_the_heading_and_the_last_edit_of_each_side() {
    let stage = Stage::set().await;
    let [ours, theirs] = [Role::Edit, Role::Admin].map(|role| stage.app.on_space(&stage.guide, Some(role)));
    let install = stage.page_id("Install").await;
    let edit = |markdown: &str, more: Value| {
        let mut change =
            json!({"operation": "update_page", "page": install, "document": {"markdown": markdown}});
        change.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([change])
    };
    let changes = edit("## On Linux\n\nRun it twice.", json!({"title": "Set up"}));
    let number = stage.propose(&ours, "Twice", changes).await;
    let path = stage.in_space(&format!("/~/changes/{number}/~conflicts"));
    assert!(open(&ours, &path).await.contains("No conflicts"));
    let merged = stage.propose(&theirs, "Once", edit("## On Linux\n\nRun it once.", json!({}))).await;
    theirs.post_empty(&format!("{}/{merged}/merge", stage.requests())).await.expect(200);
    stage.write(&stage.guide, json!([{"operation": "update_page", "page": install, "title": "Setup"}])).await;

    let [by_ours, by_theirs, by_admin] =
        [name_of(&ours).await, name_of(&theirs).await, name_of(&stage.admin).await];
    let html = open(&ours, &path).await;
    let conflict = |heading: &str| {
        let (_, after) = html.split_once(heading).unwrap_or_else(|| panic!("{heading}: {html}"));
        after.split("<details class=\"conflict\"").next().unwrap().to_owned()
    };
    let text = conflict("A paragraph of Set up, under On Linux");
    assert!(text.contains(&format!("Last edit: {by_ours}, <time")), "{text}");
    assert!(text.contains(&format!("Last edit: {by_theirs}, merged in #{merged}, <time")), "{text}");
    let title = conflict("Title of Set up");
    assert!(title.contains(&format!("Last edit: {by_ours}, <time")), "{title}");
    assert!(title.contains(&format!("Last edit: {by_admin}, <time")), "{title}");

    // From several edits on, the number of statements is independent of their number.
    let count = async || {
        open(&ours, &path).await;
        let before = stage.app.statements();
        open(&ours, &path).await;
        stage.app.statements() - before
    };
    let edit_again = async |words: &str| {
        let changes = edit(&format!("## On Linux\n\nRun it {words}."), json!({}));
        let content = format!("{}/{number}/content", stage.requests());
        ours.post(&content, json!({ "changes": changes })).await.expect(200);
    };
    edit_again("thrice").await;
    let few = count().await;
    for words in ["four times", "five times", "six times"] {
        edit_again(words).await;
    }
    let more = count().await;
    assert_eq!(more, few, "statements with five edits, and with two");
}

#[actix_web::test]
async fn each_block_in_conflict_names_the_edit_that_made_it_and_what_merged_is_counted() {
    let stage = Stage::set().await;
    let [first, second, third] = [(); 3].map(|()| stage.app.on_space(&stage.guide, Some(Role::Edit)));
    let (install, other) = (stage.page_id("Install").await, stage.page_id("Start").await);
    let text = |markdown: &str| json!({"operation": "update_page", "page": install, "document": {"markdown": markdown}});
    stage.write(&stage.guide, json!([text("One.\n\nTwo.\n\nThree.\n\nFour.")])).await;
    let number =
        stage.propose(&first, "Words", json!([text("One of ours.\n\nTwo.\n\nThree.\n\nFour.")])).await;
    let request = format!("{}/{number}/content", stage.requests());
    let edit = async |editor: &Caller, markdown: &str| {
        editor.post(&request, json!({ "changes": [text(markdown)] })).await.expect(200);
    };
    edit(&second, "One of ours.\n\nThree.\n\nFour.").await;
    edit(&third, "One of ours.\n\nThree.\n\nFour of ours.").await;
    let renamed = json!({"operation": "update_page", "page": other, "description": "Renamed."});
    stage
        .write(&stage.guide, json!([text("One of theirs.\n\nTwo of theirs.\n\nThree.\n\nFour."), renamed]))
        .await;
    let html = open(&first, &stage.in_space(&format!("/~/changes/{number}/~conflicts"))).await;
    let conflicts: Vec<&str> = html.split("<details class=\"conflict\"").skip(1).collect();
    assert_eq!(conflicts.len(), 2, "{html}");
    for (conflict, editor) in conflicts.iter().zip([&first, &second]) {
        let name = name_of(editor).await;
        assert!(conflict.contains(&format!("Last edit: {name}, <time")), "{name}: {conflict}");
    }
    let counted = "Everything else is merged already: 1 page, 1 block of the texts below.";
    assert!(html.contains(counted), "{html}");
}

#[actix_web::test]
async fn each_conflict_shows_the_value_before_both_changes() {
    let stage = Stage::set().await;
    let note =
        json!([{"operation": "insert_reusable_content", "title": "Note", "document": {"markdown": "Mind."}}]);
    stage.write(&stage.guide, json!([page("Quay", "Q."), page("Dock", "D."), page("Old", "Old.")])).await;
    stage.write(&stage.guide, json!([page("Gone", "Gone."), page("Moved", "Rests.")])).await;
    stage.write(&stage.guide, note).await;
    let revision = stage.admin.get(&format!("/v1/spaces/{}/content", stage.guide)).await.expect(200);
    let note = revision.at("/reusableContents/0/id").clone();
    let [install, start, quay, dock] = ["Install", "Start", "Quay", "Dock"];
    let [install, start] = [stage.page_id(install).await, stage.page_id(start).await];
    let [quay, dock] = [stage.page_id(quay).await, stage.page_id(dock).await];
    let [old, gone, moved] =
        [stage.page_id("Old").await, stage.page_id("Gone").await, stage.page_id("Moved").await];
    let update = |page: &Value, more: Value| {
        let mut change = json!({"operation": "update_page", "page": page});
        change.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        change
    };
    let fields = |word: &str, outline: bool, tags: bool| {
        let layout = json!({"outline": outline, "tags": tags});
        json!({"title": format!("Install {word}"), "description": format!("About {word}"), "layout": layout})
    };
    let rename = |title: &str| json!({"operation": "update_reusable_content", "reusableContent": note, "title": title});
    let delete = |page: &Value| json!({"operation": "delete_page", "page": page});
    stage
        .write(
            &stage.guide,
            json!([update(&install, fields("before", false, true)), update(&moved, json!({"into": start}))]),
        )
        .await;

    let changes = json!([
        update(&install, fields("here", false, false)),
        update(&moved, json!({"into": quay})),
        delete(&old),
        update(&gone, json!({"document": {"markdown": "Kept."}})),
        rename("Note here"),
    ]);
    let number = stage.propose(&stage.admin, "All kinds", changes).await;
    let of_space = json!([
        update(&install, fields("there", true, true)),
        update(&moved, json!({"into": dock})),
        update(&old, json!({"document": {"markdown": "Newer."}})),
        delete(&gone),
        rename("Note there"),
    ]);
    stage.write(&stage.guide, of_space).await;
    let html = open(&stage.admin, &stage.in_space(&format!("/~/changes/{number}/~conflicts"))).await;
    let before = |heading: &str| {
        let (_, after) = html.split_once(heading).unwrap_or_else(|| panic!("{heading}: {html}"));
        let conflict = after.split("<details class=\"conflict\"").next().unwrap();
        let (_, after) =
            conflict.split_once("Before both changes</summary>").unwrap_or_else(|| panic!("{conflict}"));
        after.split("</details>").next().unwrap().to_owned()
    };
    for (heading, value) in [
        ("Title of Install here", "<p>“Install before”</p>"),
        ("Description of Install here", "<p>“About before”</p>"),
        ("Layout of Install here", "<p>outline: no, tags: yes</p>"),
        ("Location of Moved", "<p>below “Start”</p>"),
        ("Deletion of Old", "<p>“Old”, at old</p>"),
        ("Deletion of Gone", "<p>“Gone”, at gone</p>"),
        ("Reusable content of Note here", "<p>“Note”</p>"),
    ] {
        assert_eq!(before(heading), value, "{heading}");
    }
    let (_, layout) = html.split_once("Layout of Install here").unwrap();
    assert!(
        layout.contains("outline: no, tags: no") && layout.contains("outline: yes, tags: yes"),
        "{layout}"
    );
}
