//! Preview URLs in lookups, and the access of their site tokens.

use actix_web::http::Method;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, ContentEditor};
use serde_json::json;

use super::Stage;
use super::tokens::{BASE, LOOKUP};

/// Site with a space whose change request has a new page.
struct Previews {
    stage: Stage,
    space: String,
    change_request: String,
    draft: String,
}

impl Previews {
    async fn new() -> Self {
        let (stage, space, _) = Stage::with_page("Welcome.").await;
        let id: SpaceId = space.parse().unwrap();
        let change_request = stage.app.create_change_request(&stage.manager, id);
        let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(change_request));
        let markdown = "{% if false %}\nLobster.\n{% endif %}\n\nHarbor.";
        let page = |content: &mut ContentEditor| content.page(None, "Draft", markdown);
        let (_, draft) = stage.app.edit(&stage.manager, id, selector, page);
        Self { stage, space, change_request: change_request.to_string(), draft: draft.to_string() }
    }

    /// Creates a preview as a caller, and returns its URL.
    async fn url(&self, caller: &Caller, query: &str) -> String {
        let path = format!("{}/publishing/preview?{query}", self.stage.site);
        caller.get(&path).await.expect(200).text("/url")
    }

    async fn find(&self, caller: &Caller, url: &str) -> Answer {
        caller.post(LOOKUP, json!({ "url": url })).await
    }

    fn holder(&self, found: &Answer) -> Caller {
        self.stage.app.anonymous().with_token(&found.text("/apiToken"))
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/spaces/{}/{rest}", self.space)
    }

    /// Returns paths of the change request and of its content.
    fn paths(&self) -> Vec<String> {
        let request = self.path(&format!("change-requests/{}", self.change_request));
        let by_number = self.path("change-requests/1");
        let content = format!("{request}/content");
        let page = format!("{content}/page/{}", self.draft);
        let pages =
            [format!("{content}/path/draft"), format!("{page}/meta-links"), format!("{content}/pages")];
        [request, content, page, format!("{by_number}/content"), by_number].into_iter().chain(pages).collect()
    }
}

#[actix_web::test]
async fn a_preview_address_opens_its_change_request_and_no_other() {
    let previews = Previews::new().await;
    let (stage, anonymous) = (&previews.stage, previews.stage.app.anonymous());
    let id = &previews.change_request;
    let url = previews.url(&stage.manager, &format!("changeRequest={id}")).await;
    let found = previews.find(&anonymous, &format!("{url}/draft/x")).await.expect(200);
    assert_eq!(found.text("/changeRequest"), *id);
    assert_eq!((found.at("/preview"), found.json.get("revision")), (&json!(true), None));
    assert_eq!(found.text("/pathname"), "draft/x");
    let base = url.strip_prefix(BASE).unwrap();
    assert_eq!(found.text("/siteBasePath"), format!("{base}/"));
    assert_eq!(found.text("/basePath"), format!("{base}/"));
    let holder = previews.holder(&found);
    for path in previews.paths() {
        holder.get(&path).await.expect(200);
    }
    let request = holder.get(&previews.paths()[0]).await.expect(200);
    assert_eq!(request.json.pointer("/createdBy/email"), None);
    let revision = request.text("/revision");
    let page = previews.path(&format!("revisions/{revision}/page/{}", previews.draft));
    let text = holder.get(&format!("{page}/document")).await.expect(200);
    let text = String::from_utf8(text.bytes.to_vec()).unwrap();
    assert!(text.contains("Harbor.") && !text.contains("Lobster."), "{text}");
    for path in ["published", "structure", "site-spaces"] {
        holder.get(&format!("{}/{path}", stage.site)).await.expect(200);
    }
    holder.get(&previews.path("content")).await.expect(200);
    // Other change requests, past revisions, lists and edits are refused.
    let space: SpaceId = previews.space.parse().unwrap();
    let past = stage.manager.get(&format!("/v1/spaces/{space}")).await.expect(200);
    stage.write(&previews.space, "Next", "More.");
    let other = stage.app.create_change_request(&stage.manager, space);
    for path in [
        previews.path(&format!("change-requests/{other}")),
        previews.path(&format!("change-requests/{other}/content")),
        previews.path("change-requests/2/content"),
        previews.path("change-requests"),
        previews.path(&format!("revisions/{}", past.text("/revision"))),
        previews.path(&format!("change-requests/{id}/reviews")),
        previews.path("comments"),
    ] {
        holder.get(&path).await.expect(404);
    }
    holder.call(Method::PATCH, &previews.paths()[0]).await.expect(404);
    // A token of the published site gives no access to change requests.
    let visitor = stage.visitor(json!({})).await;
    for path in previews.paths() {
        visitor.get(&path).await.expect(404);
    }
    stage.app.clock.advance(std::time::Duration::from_secs(60 * 60));
    holder.get(&previews.paths()[0]).await.expect(401);
    previews.find(&anonymous, &url).await.expect(404);
}

#[actix_web::test]
async fn paths_of_changes_and_revisions_are_for_those_who_may_read_them() {
    let previews = Previews::new().await;
    let (stage, anonymous) = (&previews.stage, previews.stage.app.anonymous());
    let root = format!("{BASE}{}", stage.root());
    let id = &previews.change_request;
    for key in ["1", id.as_str()] {
        let url = format!("{root}/~/changes/{key}/draft");
        let found = previews.find(&stage.manager, &url).await.expect(200);
        assert_eq!((found.text("/changeRequest"), found.text("/pathname")), (id.clone(), "draft".to_owned()));
        assert_eq!(found.text("/basePath"), format!("{}/~/changes/{key}/", stage.root()));
        assert_eq!(found.text("/siteBasePath"), format!("{}/", stage.root()));
        previews.holder(&found).get(&previews.paths()[1]).await.expect(200);
        let outsiders =
            [stage.app.stranger(), anonymous.clone(), stage.app.member_of(stage.app.organization, None)];
        for outsider in outsiders {
            previews.find(&outsider, &url).await.expect(404);
        }
    }
    let past =
        stage.manager.get(&format!("/v1/spaces/{}", previews.space)).await.expect(200).text("/revision");
    stage.write(&previews.space, "Next", "More.");
    let url = format!("{root}/~/revisions/{past}");
    let found = previews.find(&stage.manager, &url).await.expect(200);
    assert_eq!((found.text("/revision"), found.json.get("changeRequest")), (past.clone(), None));
    let holder = previews.holder(&found);
    let revision = previews.path(&format!("revisions/{past}"));
    holder.get(&revision).await.expect(200);
    holder.get(&previews.paths()[0]).await.expect(404);
    stage.visitor(json!({})).await.get(&revision).await.expect(404);
    for absent in ["changes/7", "revisions/0190a5d2-7c1e-7000-8000-000000000001"] {
        previews.find(&stage.manager, &format!("{root}/~/{absent}")).await.expect(404);
    }
    previews.find(&stage.manager, &format!("{root}/home/~/changes/1")).await.expect(404);
    // The key of a preview gives access to the change request of the preview.
    let url = previews.url(&stage.manager, &format!("changeRequest={id}")).await;
    previews.find(&anonymous, &format!("{url}/~/changes/1/draft")).await.expect(200);
    previews.find(&anonymous, &format!("{url}/~/revisions/{past}")).await.expect(404);
    let of_site = previews.url(&stage.manager, "").await;
    previews.find(&anonymous, &format!("{of_site}/~/changes/1")).await.expect(404);
}

#[actix_web::test]
async fn a_preview_ends_with_the_role_of_its_maker() {
    let previews = Previews::new().await;
    let (stage, anonymous) = (&previews.stage, previews.stage.app.anonymous());
    let hidden = stage.space("Hidden").await;
    let default = json!({"defaultLevel": null});
    stage.manager.patch(&format!("/v1/spaces/{hidden}"), default.clone()).await.expect(200);
    let path = format!("{}/site-spaces", stage.site);
    stage.manager.post(&path, json!({ "spaceId": hidden })).await.expect(201);
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    let maker = stage.app.as_role(Role::Read);
    let url = previews.url(&maker, "").await;
    let found = previews.find(&anonymous, &url).await.expect(200);
    assert_eq!(found.at("/preview"), &json!(true));
    let holder = previews.holder(&found);
    let content = previews.path("content");
    holder.get(&content).await.expect(200);
    holder.get(&previews.paths()[0]).await.expect(404);
    // A space on which the creator of the preview has no role is absent.
    holder.get(&format!("/v1/spaces/{hidden}")).await.expect(404);
    let spaces = holder.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    assert_eq!(spaces.at("/items").as_array().unwrap().len(), 1);
    let search = format!("{}/search", stage.site);
    holder.post(&search, json!({"query": "welcome", "mode": "all"})).await.expect(200);
    stage.manager.patch(&format!("/v1/spaces/{}", previews.space), default).await.expect(200);
    holder.get(&content).await.expect(404);
    previews.find(&anonymous, &url).await.expect(404);
}
