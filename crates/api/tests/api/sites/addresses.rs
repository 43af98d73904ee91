//! URLs of a site and of its parts.

use quire_domain::Role;
use serde_json::{Value, json};

use super::tokens::{BASE, LOOKUP};
use super::{Stage, each};

impl Stage {
    /// Compares the URL of each site space with the canonical URL of a lookup. Returns the titles of the spaces with
    /// their paths below the root of the site.
    async fn addresses(&self) -> Vec<(String, String)> {
        self.addresses_without("").await
    }

    /// Returns paths as [`Stage::addresses`] does, without a space that visitors cannot find.
    async fn addresses_without(&self, hidden: &str) -> Vec<(String, String)> {
        let root = self.manager.get(&self.site).await.expect(200).text("/urls/published");
        let list = self.manager.get(&format!("{}/site-spaces", self.site)).await.expect(200);
        let mut addresses = Vec::new();
        for item in list.at("/items").as_array().unwrap() {
            let address = item.pointer("/urls/published").and_then(Value::as_str).unwrap();
            if item["draft"] != json!(true) && item["title"] != hidden {
                let found = self.app.anonymous().post(LOOKUP, json!({ "url": address })).await.expect(200);
                assert_eq!(
                    (found.at("/siteSpace"), found.text("/canonicalUrl").as_str()),
                    (&item["id"], address)
                );
                let space =
                    format!("/v1/spaces/{}", item.pointer("/space/id").and_then(Value::as_str).unwrap());
                let space = self.manager.get(&space).await.expect(200);
                assert_eq!(
                    (space.text("/urls/published"), &space.json["title"]),
                    (address.to_owned(), &item["title"])
                );
            }
            let path = address.strip_prefix(&root).unwrap_or_else(|| panic!("{address} is not below {root}"));
            addresses.push((item["title"].as_str().unwrap().to_owned(), path.to_owned()));
        }
        addresses.sort();
        addresses
    }
}

fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(title, path)| (title.to_owned(), path.to_owned())).to_vec()
}

#[actix_web::test]
async fn addresses_leave_out_defaults() {
    let stage = Stage::set().await;
    let [one, two] = [stage.resource("One").await, stage.resource("Two").await];
    stage.publish().await;
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/two")]));
    let part = |id: &str| format!("{}/site-spaces/{id}", stage.site);
    stage.manager.patch(&stage.site, json!({ "defaultSiteSpace": two })).await.expect(200);
    assert_eq!(stage.addresses().await, pairs([("One", "/one"), ("Two", "")]));
    stage.manager.patch(&part(&two), json!({"draft": true})).await.expect(200);
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/two")]), "a draft is no default");
    stage.manager.patch(&part(&two), json!({"draft": false, "path": "second"})).await.expect(200);
    assert_eq!(stage.addresses().await, pairs([("One", "/one"), ("Two", "")]));
    stage.manager.patch(&stage.site, json!({ "defaultSiteSpace": one })).await.expect(200);
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/second")]));
    stage.manager.patch(&stage.site, json!({ "defaultSiteSpace": two })).await.expect(200);
    stage.manager.delete(&part(&one)).await.expect(204);
    assert_eq!(stage.addresses().await, pairs([("Two", "")]));
    // With a share link key.
    stage.manager.patch(&stage.site, json!({"visibility": "share-link"})).await.expect(200);
    let link =
        stage.manager.post(&format!("{}/share-links", stage.site), json!({"name": "Team"})).await.expect(201);
    let (key, address) = (link.text("/key"), link.text("/urls/published"));
    let shared =
        stage.app.stranger().get(&format!("{}/structure?shareKey={key}", stage.site)).await.expect(200);
    assert_eq!(shared.text("/structure/0/urls/published"), address);
    let space = format!("/v1/spaces/{}?shareKey={key}", shared.text("/structure/0/space/id"));
    assert_eq!(stage.app.stranger().get(&space).await.expect(200).text("/urls/published"), address);
}

#[actix_web::test]
async fn addresses_follow_the_sections() {
    let stage = Stage::set().await;
    stage.resource("One").await;
    let more = stage.resource("More").await;
    stage.publish().await;
    let guides = stage.section("Guides").await.text("/id");
    assert_eq!(stage.addresses().await, pairs([("Guides", "/guides"), ("More", "/more"), ("One", "")]));
    // A space of the default section whose path equals the path of a section is found only below its own section.
    stage
        .manager
        .patch(&format!("{}/site-spaces/{more}", stage.site), json!({"path": "guides"}))
        .await
        .expect(200);
    assert_eq!(
        stage.addresses().await,
        pairs([("Guides", "/guides"), ("More", "/docs/guides"), ("One", "")])
    );
    stage.manager.patch(&stage.site, json!({ "defaultSiteSection": guides })).await.expect(200);
    assert_eq!(stage.addresses().await, pairs([("Guides", ""), ("More", "/docs/guides"), ("One", "/docs")]));
    let sections = format!("{}/sections", stage.site);
    let list = stage.manager.get(&sections).await.expect(200);
    let root = stage.manager.get(&stage.site).await.text("/urls/published");
    assert_eq!(each(&list, "/urls/published"), [format!("{root}/docs"), root.clone()]);
    stage.manager.patch(&format!("{sections}/{guides}"), json!({"draft": true})).await.expect(200);
    let hidden = [("Guides", "/guides/guides"), ("More", "/guides"), ("One", "")];
    assert_eq!(stage.addresses_without("Guides").await, pairs(hidden), "a path of a draft is free");
    stage.manager.patch(&format!("{sections}/{guides}"), json!({"draft": false})).await.expect(200);
    // A group in the first place, with a section that is not flagged as the default.
    let docs = list.text("/items/0/id");
    stage.manager.patch(&stage.site, json!({ "defaultSiteSection": docs })).await.expect(200);
    stage.app.store.execute("UPDATE site_sections SET is_default = false");
    let groups = format!("{}/section-groups", stage.site);
    let group = json!({"title": "Menu", "sections": [guides]});
    let group = stage.manager.post(&groups, group).await.expect(201).text("/id");
    assert_eq!(stage.addresses().await[0], ("Guides".to_owned(), "/guides".to_owned()));
    let first = json!({"position": {"before": {"type": "site-section", "id": docs}}});
    let moved = stage.manager.post(&format!("{groups}/{group}/move"), first).await;
    assert_eq!(moved.status.as_u16(), 200, "{}", moved.json);
    assert_eq!(stage.addresses().await[0], ("Guides".to_owned(), String::new()));
}

#[actix_web::test]
async fn a_restored_space_keeps_its_address() {
    let stage = Stage::set().await;
    stage.resource("One").await;
    stage.resource("Two").await;
    stage.publish().await;
    let list = stage.manager.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let space = format!("/v1/spaces/{}", list.text("/items/0/space/id"));
    let admin = stage.app.as_role(Role::Admin);
    admin.delete(&space).await.expect(204);
    // Meanwhile the other space is the default. Its URL works before and after.
    let root = stage.manager.get(&stage.site).await.text("/urls/published");
    let found = stage.app.anonymous().post(LOOKUP, json!({"url": format!("{root}/two")})).await.expect(200);
    assert_eq!(found.text("/canonicalUrl"), root);
    admin.post_empty(&format!("{space}/restore")).await.expect(200);
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/two")]));
    assert!(root.starts_with(BASE));
}

#[actix_web::test]
async fn addresses_have_names() {
    let stage = Stage::set().await;
    let admin = stage.app.as_role(Role::Admin);
    let organization = format!("/v1/orgs/{}", stage.app.organization);
    stage.resource("One").await;
    let two = stage.resource("Two").await;
    let shown = |name: &str| format!("{BASE}/sites/{name}");
    let title = admin.get(&organization).await.expect(200).text("/title").to_lowercase();
    assert_eq!(stage.publish().await.text("/urls/published"), shown(&format!("{title}/docs")));
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/two")]));
    let found = async |url: &str| {
        let found = stage.app.anonymous().post(LOOKUP, json!({ "url": url })).await.expect(200);
        assert_eq!(found.at("/siteSpace"), &json!(two), "{url}");
        found.text("/canonicalUrl")
    };
    // A site with the same title gets a number in its name, and keeps the name when the title changes.
    let make = async |title: &str| {
        let made =
            stage.manager.post(&stage.sites, json!({"title": title, "spaces": "empty"})).await.expect(201);
        format!("{}/{}", stage.sites, made.text("/id"))
    };
    let same = make("Docs").await;
    let preview = async |site: &str| stage.manager.get(site).await.expect(200).text("/urls/preview");
    assert_eq!(preview(&same).await, shown(&format!("{title}/docs-1")));
    stage.manager.patch(&same, json!({"title": "Manual"})).await.expect(200);
    assert_eq!(preview(&same).await, shown(&format!("{title}/docs-1")));
    assert_eq!(preview(&make("Größe & Gewicht").await).await, shown(&format!("{title}/grosse-gewicht")));
    // A chosen name takes precedence, and the former URL still works.
    stage.manager.patch(&stage.site, json!({"basename": "guide"})).await.expect(200);
    let named = admin.patch(&organization, json!({"hostname": "ferry"})).await;
    assert_eq!(named.status.as_u16(), 200, "{}", named.json);
    let (_, site) = stage.site.rsplit_once('/').unwrap();
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/two")]));
    for organization in ["ferry", &title, &stage.app.organization.to_string()] {
        let canonical = found(&shown(&format!("{organization}/guide/two"))).await;
        assert_eq!(canonical, shown("ferry/guide/two"), "{organization}");
        for former in ["docs", site] {
            let url = shown(&format!("{organization}/{former}/two"));
            let moved = stage.app.anonymous().post(LOOKUP, json!({ "url": url })).await.expect(200);
            assert_eq!(
                moved.json,
                json!({"target": "content", "redirect": shown("ferry/guide/two")}),
                "{url}"
            );
        }
    }
    // A chosen name replaces the same name that another site has from its title.
    stage.manager.patch(&stage.site, json!({"basename": "docs-1"})).await.expect(200);
    assert_eq!(preview(&same).await, shown("ferry/docs-1-1"));
    assert_eq!(stage.addresses().await, pairs([("One", ""), ("Two", "/two")]));
    let taken = stage.manager.patch(&same, json!({"basename": "docs-1"})).await.expect(409);
    assert_eq!((taken.reason().as_str(), taken.fields()), ("name-taken", vec!["basename".to_owned()]));
    stage.manager.patch(&stage.site, json!({"basename": null})).await.expect(200);
    assert_eq!(preview(&stage.site).await, shown("ferry/docs"));
}

#[actix_web::test]
async fn a_name_of_an_organization_is_of_no_other() {
    let stage = Stage::set().await;
    let admin = stage.app.as_role(Role::Admin);
    let organization = format!("/v1/orgs/{}", stage.app.organization);
    let named = async |title: &str, hostname: Option<&str>| {
        let mut body = json!({ "title": title });
        if let Some(hostname) = hostname {
            body["hostname"] = json!(hostname);
        }
        admin.post("/v1/orgs", body).await
    };
    let make = async |title: &str| {
        let made = named(title, None).await.expect(201).text("/id");
        let site = admin.post(&format!("/v1/orgs/{made}/sites"), json!({"title": "Docs"})).await.expect(201);
        site.text("/urls/preview").rsplit('/').nth(1).unwrap().to_owned()
    };
    assert_eq!(make("Harbor").await, "harbor");
    assert_eq!(make("Harbor").await, "harbor-1");
    // A hostname cannot take a name that another organization has in URLs.
    let preview = async || {
        let site = admin.get(&stage.site).await.expect(200);
        site.text("/urls/preview").strip_prefix(BASE).unwrap().to_owned()
    };
    admin.patch(&organization, json!({"hostname": "harbor"})).await.expect(200);
    assert_eq!(preview().await, "/sites/acme/docs");
    named("Other", Some("harbor-1")).await.expect(201);
    admin.patch(&organization, json!({"hostname": "quay"})).await.expect(200);
    assert_eq!(preview().await, "/sites/quay/docs");
    assert_eq!(make("Quay").await, "quay-1");
}
