//! Task pages of the workspace: imports, files and sites.

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_test_support::Answer;
use serde_json::json;

use super::workspace::open;
use super::{Stage, page};

/// Returns a form with a source and a file.
fn upload(path: &str, source: &str, name: &str, text: &str) -> TestRequest {
    let body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{source}\r\n--b\r\nContent-Disposition: \
         form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n--b--\r\n"
    );
    TestRequest::post()
        .uri(path)
        .insert_header(("Content-Type", "multipart/form-data; boundary=b"))
        .insert_header(("Prefer", "respond-async"))
        .set_payload(body)
}

impl Stage {
    async fn import(&self, source: &str, name: &str, text: &str) -> Answer {
        let path = format!("/v1/spaces/{}/content/import", self.guide);
        self.admin.send(upload(&path, source, name, text)).await.expect(202)
    }
}

#[actix_web::test]
async fn an_import_is_followed_to_its_report() {
    let stage = Stage::set().await;
    let text = "# Tides <b>\n\n[gone](gone.md) and [bad](javascript:x)";
    let import = stage.import("markdown", "Tides <b>.md", text).await.text("/id");
    let path = stage.in_space(&format!("/~/imports/{import}"));
    let waiting = open(&stage.admin, &path).await;
    assert!(waiting.contains("data-follow") && waiting.contains("<progress"), "{waiting}");
    assert!(waiting.contains("data-method=\"DELETE\""), "it can be cancelled: {waiting}");
    stage.app.run_jobs().await;
    let report = open(&stage.admin, &path).await;
    assert!(!report.contains("data-follow") && report.contains("Imported 1 of 1 page or file."), "{report}");
    assert!(report.contains("Broken links") && report.contains("Tides &lt;b&gt;.md"), "{report}");
    let broken = report.find("Broken links").unwrap();
    assert!(broken < report.find("links were removed").unwrap(), "in the order of the report: {report}");
    // Callers who may import see a list of earlier imports.
    let form = open(&stage.admin, &stage.in_space("/~/import")).await;
    assert!(
        form.contains(&path) && form.contains("Tides &lt;b&gt;.md") && form.contains("type=\"file\""),
        "{form}"
    );
    assert!(form.contains("Notion") && form.contains("value=\"website\""), "{form}");
    let reader = stage.app.as_role(Role::Read);
    for path in [path, stage.in_space("/~/import"), stage.in_space("/~/imports/nothing")] {
        reader.get(&path).await.expect(404);
    }
    assert!(!open(&reader, &stage.in_space("")).await.contains("/~/import"), "no link without the right");
}

#[actix_web::test]
async fn lines_of_a_report_lead_to_the_pages() {
    let stage = Stage::set().await;
    let import = stage.import("markdown", "tides.md", "# Tides\n\n[gone](gone.md)").await.text("/id");
    stage.app.run_jobs().await;
    let report = open(&stage.admin, &stage.in_space(&format!("/~/imports/{import}"))).await;
    assert!(report.contains(&format!("href=\"{}\"", stage.in_space("/tides"))), "{report}");
    // The address is that of the page, which has another name than the file.
    let import = stage.import("markdown", "a.md", "# Quay\n\n[gone](gone.md)").await.text("/id");
    stage.app.run_jobs().await;
    let quay = stage.page_id("Quay").await;
    let rename = json!([{"operation": "update_page", "page": quay, "slug": "harbour"}]);
    stage.write(&stage.guide, rename).await;
    let report = open(&stage.admin, &stage.in_space(&format!("/~/imports/{import}"))).await;
    assert!(report.contains(&format!("href=\"{}\"", stage.in_space("/harbour"))), "{report}");
}

#[actix_web::test]
async fn a_failed_import_says_why() {
    let stage = Stage::set().await;
    let import = stage.import("docx", "broken.docx", "not an archive").await.text("/id");
    stage.app.run_jobs().await;
    let failed = open(&stage.admin, &stage.in_space(&format!("/~/imports/{import}"))).await;
    assert!(failed.contains("Nothing was changed.") && failed.contains("Import again"), "{failed}");
    assert!(!failed.contains("data-follow"), "{failed}");
}

#[actix_web::test]
async fn files_are_listed_with_their_uses() {
    let stage = Stage::set().await;
    let content = format!("/v1/spaces/{}/content", stage.guide);
    let file = |name: &str, reference: &str| json!({"name": name, "ref": reference, "contentType": "text/plain", "base64": "QQ"});
    let changes = json!([
        {"operation": "insert_files", "files": [file("used <b>.txt", "used"), file("unused.txt", "unused")]},
        {"operation": "insert_page", "title": "Attached", "document": {"markdown": "[The file](/files/used)"}},
    ]);
    stage.write(&stage.guide, changes).await;
    let files = stage.admin.get(&format!("{content}/files")).await.expect(200);
    assert_eq!(files.at("/items").as_array().unwrap().len(), 2);
    let path = stage.in_space("/~/files");
    let shown = open(&stage.admin, &path).await;
    assert!(shown.contains("used &lt;b&gt;.txt") && shown.contains("1 byte"), "{shown}");
    assert!(shown.contains("Not used") && shown.contains("delete_files"), "{shown}");
    // A reader sees them without buttons.
    let reader = stage.app.as_role(Role::Read);
    let read = open(&reader, &path).await;
    assert!(read.contains("unused.txt") && !read.contains("data-action"), "{read}");
    // A change request has its own files.
    let requests = format!("/v1/spaces/{}/change-requests", stage.guide);
    let number =
        stage.admin.post(&requests, json!({"subject": "Fewer"})).await.expect(201).at("/number").clone();
    let unused = files.text("/items/0/id");
    let deletion = json!({"changes": [{"operation": "delete_files", "files": [unused]}]});
    stage.admin.post(&format!("{requests}/{number}/content"), deletion).await.expect(200);
    let name = files.text("/items/0/name").replace('<', "&lt;").replace('>', "&gt;");
    assert!(!open(&reader, &format!("{path}?change={number}")).await.contains(&name));
    assert!(open(&reader, &path).await.contains(&name));
    for wrong in ["?change=x", "?change=99", "?page=x"] {
        let answer = reader.get(&format!("{path}{wrong}")).await;
        assert!(matches!(answer.status.as_u16(), 400 | 404), "{wrong}");
    }
    let reusable = open(&reader, &stage.in_space("/~/reusable")).await;
    assert!(reusable.contains("No reusable contents"), "{reusable}");
}

#[actix_web::test]
async fn members_manage_sites_and_others_see_what_is_published() {
    let stage = Stage::set().await;
    let site = stage.site.replacen("/v1/orgs/", "/o/", 1);
    let list = format!("/o/{}/sites", stage.app.organization);
    let member = stage.app.as_role(Role::Read);
    assert!(open(&member, &list).await.contains("Ferry"));
    assert!(open(&member, &format!("{list}?space={}", stage.guide)).await.contains("Ferry"));
    for (path, expected) in [
        ("", "Open the preview"),
        ("/structure", "Reference"),
        ("/look", "Main color"),
        ("/address", "/sites/"),
        ("/access", "Ferry"),
        ("/redirects", "No redirects"),
    ] {
        let path = format!("{site}{path}");
        let read = open(&member, &path).await;
        assert!(read.contains(expected) && read.contains("role create"), "{path}: {read}");
        let is_change =
            |page: &str| page.contains("data-action=\"form\"") || page.contains("data-action=\"send\"");
        assert!(!is_change(&read), "{path}: {read}");
        assert!(is_change(&open(&stage.app.as_role(Role::Create), &path).await), "{path}");
    }
    // Only administrators see the visitor key.
    let auth = json!({"backend": "custom", "fallbackURL": "https://ferry.example/in"});
    let changed = stage.admin.patch(&format!("{}/publishing/auth", stage.site), auth).await.expect(200);
    let key = changed.text("/privateKey");
    let access = format!("{site}/access");
    assert!(open(&stage.admin, &access).await.contains(&key));
    assert!(!open(&stage.app.as_role(Role::Create), &access).await.contains(&key));
    // Non-members, with a user or without, are redirected to the published site.
    for caller in [stage.app.stranger(), stage.app.anonymous()] {
        assert_eq!(
            caller.get(&site).await.expect(307).header("location"),
            format!("{}{}", super::BASE, stage.root)
        );
    }
    stage.app.stranger().get(&list).await.expect(404);
}

#[actix_web::test]
async fn forms_of_sites_offer_spaces_that_the_navigation_leaves_out() {
    let stage = Stage::set().await;
    let spaces = format!("/v1/orgs/{}/spaces", stage.app.organization);
    for number in 0..101 {
        stage.admin.post(&spaces, json!({"title": format!("Space {number}")})).await.expect(201);
    }
    let listed = stage.admin.get(&format!("{spaces}?limit=1000")).await.expect(200);
    let last = listed.text(&format!("/items/{}/id", listed.at("/items").as_array().unwrap().len() - 1));
    let site = stage.site.replacen("/v1/orgs/", "/o/", 1);
    for path in [format!("/o/{}/sites", stage.app.organization), format!("{site}/structure")] {
        let form = open(&stage.admin, &path).await;
        assert!(form.contains(&format!("value=\"{last}\"")), "{path}: {form}");
        assert!(form.contains("All spaces"), "the navigation lists all spaces: {path}");
    }
    let read = open(&stage.app.as_role(Role::Read), &format!("/o/{}/sites", stage.app.organization)).await;
    assert!(!read.contains(&format!("value=\"{last}\"")), "{read}");
}

#[actix_web::test]
async fn the_structure_of_a_site_has_its_moves() {
    let stage = Stage::set().await;
    let site = stage.site.replacen("/v1/orgs/", "/o/", 1);
    let structure = open(&stage.admin, &format!("{site}/structure")).await;
    assert!(structure.contains("Move down Guide") && structure.contains("Move up Reference"), "{structure}");
    assert!(
        !structure.contains("Move up Guide") && !structure.contains("Move down Reference"),
        "{structure}"
    );
    let source =
        json!({"source": "/old", "destination": {"kind": "external", "url": "https://ferry.example/new"}});
    stage.admin.post(&format!("{}/redirects", stage.site), source).await.expect(201);
    let redirects = open(&stage.admin, &format!("{site}/redirects")).await;
    assert!(redirects.contains("/old") && redirects.contains("https://ferry.example/new"), "{redirects}");
}

#[actix_web::test]
async fn parts_of_a_site_and_its_look_have_pages_for_those_who_manage_it() {
    let stage = Stage::set().await;
    let site = stage.site.replacen("/v1/orgs/", "/o/", 1);
    let (reads, creates) = (stage.app.as_role(Role::Read), stage.app.as_role(Role::Create));
    let part = |kind: &str| format!("{}/{kind}", stage.site);
    let section = creates.get(&part("sections")).await.expect(200).text("/items/0/id");
    let space = creates.get(&part("site-spaces")).await.expect(200).text("/items/0/id");
    let group = json!({"title": "More", "sections": [section]});
    let group = creates.post(&part("section-groups"), group).await.expect(201).text("/id");
    let titles =
        json!({"hidden": true, "condition": "visitor.claims.beta", "localizedTitle": {"de": "Handbuch"}});
    creates.patch(&part(&format!("site-spaces/{space}")), titles).await.expect(200);
    for (path, expected) in [
        (format!("structure/site-spaces/{space}"), "de=Handbuch"),
        (format!("structure/sections/{section}"), "Descriptions in other languages"),
        (format!("structure/section-groups/{group}"), "the group and its sections"),
        ("look/more".to_owned(), "Text of the announcement"),
    ] {
        let path = format!("{site}/{path}");
        let page = open(&creates, &path).await;
        assert!(page.contains(expected) && page.contains("data-action=\"form\""), "{path}: {page}");
        let refused = open(&reads, &path).await;
        assert!(
            refused.contains("role create") && !refused.contains("data-action=\"form\""),
            "{path}: {refused}"
        );
    }
    let page = open(&creates, &format!("{site}/structure/site-spaces/{space}")).await;
    assert!(page.contains("visitor.claims.beta") && page.contains("Conditions see no claims yet"), "{page}");
    for path in ["structure/site-spaces/none", "structure/pages/none"] {
        creates.get(&format!("{site}/{path}")).await.expect(404);
    }
    let structure = open(&reads, &format!("{site}/structure")).await;
    assert!(structure.contains("Hidden") && structure.contains("With a condition"), "{structure}");
}

#[actix_web::test]
async fn the_start_page_shows_the_first_site_of_the_organization() {
    let stage = Stage::set().await;
    let organization = stage.app.organization;
    let home = format!("/o/{organization}");
    let id = stage.site.rsplit('/').next().unwrap_or_default();
    assert!(!open(&stage.admin, &home).await.contains(">Ferry</a>"));
    let first = json!({"defaultContent": {"type": "site", "site": id}});
    stage.admin.patch(&format!("/v1/orgs/{organization}"), first).await.expect(200);
    for role in [Role::Admin, Role::Read] {
        let home = open(&stage.app.as_role(role), &home).await;
        assert!(home.contains(">Ferry</a>") && home.contains(&stage.root), "{home}");
    }
}

#[actix_web::test]
async fn an_organization_without_spaces_has_three_doors() {
    let stage = Stage::set().await;
    let admin = &stage.admin;
    let other = stage.app.create_organization("Harbor");
    stage.app.join(admin, other, Some(Role::Admin));
    let home = open(admin, &format!("/o/{other}")).await;
    for door in ["Import what you have", "Write the first page", "Invite people"] {
        assert!(home.contains(door), "{home}");
    }
    let reader = stage.app.as_role(Role::Read);
    stage.app.join(&reader, other, Some(Role::Read));
    assert!(!open(&reader, &format!("/o/{other}")).await.contains("Import what you have"));
}

#[actix_web::test]
async fn pages_of_tasks_take_few_statements() {
    let stage = Stage::set().await;
    stage.write(&stage.guide, json!([page("More", "Text.")])).await;
    let site = stage.site.replacen("/v1/orgs/", "/o/", 1);
    let paths = [
        stage.in_space("/~/import"),
        stage.in_space("/~/files"),
        stage.in_space("/~/reusable"),
        format!("/o/{}/sites", stage.app.organization),
        site.clone(),
        format!("{site}/structure"),
        format!("{site}/look"),
        format!("{site}/access"),
        format!("{site}/redirects"),
    ];
    for path in paths {
        open(&stage.admin, &path).await;
        let before = stage.app.statements();
        open(&stage.admin, &path).await;
        let count = stage.app.statements() - before;
        assert!(count <= 15, "{path}: {count}");
    }
}

#[actix_web::test]
async fn a_space_is_transferred_to_another_organization_of_its_administrator() {
    let stage = Stage::set().await;
    let settings = stage.in_space("/~/settings");
    assert!(!open(&stage.admin, &settings).await.contains("/transfer"), "there is no other organization");
    let other = stage.admin.post("/v1/orgs", json!({"title": "Isles"})).await.expect(201).text("/id");
    let html = open(&stage.admin, &settings).await;
    assert!(html.contains(&format!("<option value=\"{other}\">Isles</option>")), "{html}");
    assert!(html.contains(&format!("data-url=\"spaces/{}/transfer\"", stage.guide)), "{html}");
}

#[actix_web::test]
async fn adaptive_content_is_set_up_where_the_access_to_a_site_is() {
    let stage = Stage::set().await;
    let access = stage.site.replacen("/v1/orgs", "/o", 1) + "/access";
    let html = open(&stage.admin, &access).await;
    assert!(
        html.contains("name=\"adaptiveContent.enabled\"") && html.contains("name=\"jsonSchema\""),
        "{html}"
    );
    assert!(html.contains("No share links"), "{html}");
    let reader = open(&stage.app.as_role(Role::Read), &access).await;
    assert!(!reader.contains("jsonSchema"), "{reader}");
}
