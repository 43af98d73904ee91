//! Variants in several languages, previews of URLs, and permissions of members on sites.

use quire_domain::Role;
use serde_json::{Value, json};

use super::Stage;

#[actix_web::test]
async fn a_page_has_links_to_its_translations() {
    let (stage, space, page) = Stage::with_page("Welcome.").await;
    let path = format!("{}/site-spaces", stage.site);
    let mut variants = Vec::new();
    for (title, language) in [("Deutsch", Some("de")), ("Español", Some("es")), ("Old", None)] {
        let variant = stage.space(title).await;
        let same = stage.write(&variant, if title == "Español" { "Other" } else { "Home" }, "Hallo.");
        stage.manager.post(&path, json!({ "spaceId": variant })).await.expect(201);
        let admin = stage.app.as_role(Role::Admin);
        admin.patch(&format!("/v1/spaces/{variant}"), json!({ "language": language })).await.expect(200);
        variants.push((variant, same));
    }
    let admin = stage.app.as_role(Role::Admin);
    let read = admin.patch(&format!("/v1/spaces/{space}"), json!({"language": "en"})).await.expect(200);
    let revision = read.text("/revision");
    let own = json!({"kind": "page", "page": page, "space": space});
    let german = json!({"kind": "page", "page": variants[0].1, "space": variants[0].0});
    let expected = json!({"canonical": own, "alternates": [german]});
    let (visitor, stranger) = (stage.visitor(json!({})).await, stage.app.stranger());
    let in_revision = format!("/v1/spaces/{space}/revisions/{revision}/page/{page}/meta-links");
    for caller in [&visitor, &stranger, &stage.manager] {
        assert_eq!(caller.get(&in_revision).await.expect(200).json, expected);
    }
    let current = format!("/v1/spaces/{space}/content/page/{page}/meta-links");
    assert_eq!(visitor.get(&current).await.expect(200).json, expected);
    visitor.get(&format!("/v1/spaces/{space}/content/page/{space}/meta-links")).await.expect(404);
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    assert_eq!(stage.manager.get(&current).await.expect(200).json, json!({}));
    visitor.get(&current).await.expect(404);
}

#[actix_web::test]
async fn a_search_includes_the_variants_in_the_language_of_the_visitor() {
    let stage = Stage::set().await;
    let mut sections = Vec::new();
    for title in ["Guides", "API"] {
        let section = stage.section(title).await;
        let german = stage.space(&format!("{title} auf Deutsch")).await;
        stage.write(&german, "Hafen", "Hafen.");
        let admin = stage.app.as_role(Role::Admin);
        admin.patch(&format!("/v1/spaces/{german}"), json!({"language": "de"})).await.expect(200);
        let body = json!({"spaceId": german, "sectionId": section.text("/id")});
        let placed = stage.manager.post(&format!("{}/site-spaces", stage.site), body).await.expect(201);
        sections.push(placed.text("/id"));
    }
    stage.publish().await;
    let visitor = stage.visitor(json!({})).await;
    let found = async |scope: Value| {
        let body = json!({"query": "hafen", "scope": scope});
        visitor.post(&format!("{}/search", stage.site), body).await.expect(200).at("/count").clone()
    };
    assert_eq!(found(json!({"mode": "default"})).await, 0);
    assert_eq!(found(json!({"mode": "default", "currentSiteSpace": sections[0]})).await, 2);
    let others = json!({"mode": "default", "currentSiteSpace": sections[0], "restrictTo": "otherSiteSpaces"});
    assert_eq!(found(others).await, 1);
}

#[actix_web::test]
async fn urls_are_previewed_without_a_fetch() {
    let (stage, space, _) = Stage::with_page("Welcome.").await;
    let (visitor, stranger) = (stage.visitor(json!({})).await, stage.app.stranger());
    let preview = async |caller: &quire_test_support::Caller, url: &str| {
        let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        let embed = caller.get(&format!("/v1/urls/embed?url={url}")).await.expect(200).json;
        let in_space = caller.get(&format!("/v1/spaces/{space}/embed?url={url}")).await.expect(200).json;
        assert_eq!(embed, in_space);
        embed
    };
    for caller in [&visitor, &stranger, &stage.manager] {
        let link = preview(caller, "https://example.com/a/b/?c=d").await;
        assert_eq!(link, json!({"type": "link", "title": "example.com/a/b", "site": "example.com"}));
        let video = preview(caller, "https://www.youtube.com/watch?v=abc").await;
        assert_eq!((&video["type"], &video["site"]), (&json!("rich"), &json!("YouTube")));
        let html = video["html"].as_str().unwrap();
        assert!(html.contains(r#"src="https://www.youtube-nocookie.com/embed/abc""#), "{html}");
        let own = preview(caller, &format!("http://127.0.0.1:8080{}/home", stage.root())).await;
        assert_eq!(own, json!({"type": "link", "title": "Home", "site": "Docs"}));
        let absent = preview(caller, &format!("http://127.0.0.1:8080{}/nothing", stage.root())).await;
        assert_eq!(absent["site"], "127.0.0.1");
    }
    let refused = visitor.get("/v1/urls/embed?url=javascript:alert(1)").await.expect(400);
    assert_eq!(refused.fields(), ["url"]);
    stage.app.anonymous().get("/v1/urls/embed?url=https://example.com").await.expect(401);
    let icon =
        json!({"favicon": {"icon": {"light": "https://a.example/l.png", "dark": "https://a.example/d.png"}}});
    stage.manager.put(&format!("{}/customization", stage.site), icon).await.expect(200);
    let home = preview(&visitor, &format!("http://127.0.0.1:8080{}", stage.root())).await;
    assert_eq!((&home["title"], &home["icon"]), (&json!("Docs"), &json!("https://a.example/l.png")));
    // Nothing is revealed about a site that the caller may not read.
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    let url = format!("/v1/urls/embed?url=http://127.0.0.1:8080{}/home", stage.root());
    assert_eq!(stranger.get(&url).await.expect(200).at("/site"), "127.0.0.1");
    visitor.get(&url).await.expect(404);
}

#[actix_web::test]
async fn a_site_shows_what_its_reader_may_do() {
    let (stage, ..) = Stage::with_page("Welcome.").await;
    let path = format!("{}/published", stage.site);
    for (caller, view, edit) in [
        (&stage.manager, true, true),
        (&stage.app.as_role(Role::Read), true, false),
        (&stage.visitor(json!({})).await, false, false),
        (&stage.app.stranger(), false, false),
    ] {
        let site = caller.get(&path).await.expect(200);
        assert_eq!(site.at("/site/permissions/view"), view);
        assert_eq!(site.at("/site/permissions/edit"), edit);
        assert_eq!(site.at("/site/defaultLevel"), "inherit");
    }
    let site = stage.manager.get(&stage.site).await.expect(200);
    assert_eq!(site.text("/urls/preview"), format!("http://127.0.0.1:8080{}", stage.root()));
}

#[actix_web::test]
async fn titles_of_parts_have_translations() {
    let stage = Stage::set().await;
    let section = stage.section("Guides").await;
    let group = json!({"title": "More", "sections": [section.text("/id")]});
    let group =
        stage.manager.post(&format!("{}/section-groups", stage.site), group).await.expect(201).text("/id");
    let titles = json!({"de": "Anleitungen", "pt-br": "Guias"});
    for path in [
        format!("sections/{}", section.text("/id")),
        format!("section-groups/{group}"),
        format!("site-spaces/{}", section.text("/siteSpaces/0/id")),
    ] {
        let path = format!("{}/{path}", stage.site);
        let set = stage.manager.patch(&path, json!({ "localizedTitle": titles })).await.expect(200);
        assert_eq!(set.at("/localizedTitle"), &titles, "{path}");
        let kept = stage.manager.patch(&path, json!({})).await.expect(200);
        assert_eq!(kept.at("/localizedTitle"), &titles, "{path}");
        for (body, field) in [
            (json!({"localizedTitle": {"de": "t".repeat(129)}}), "localizedTitle.de"),
            (json!({"localizedTitle": {"xx": "Guides"}}), "localizedTitle.xx"),
        ] {
            let refused = stage.manager.patch(&path, body).await.expect(400);
            assert_eq!(refused.fields(), [field], "{path}");
        }
    }
    let path = format!("{}/sections/{}", stage.site, section.text("/id"));
    let about = json!({"localizedDescription": {"de": "Alle"}});
    assert_eq!(stage.manager.patch(&path, about).await.expect(200).text("/localizedDescription/de"), "Alle");
    stage.publish().await;
    let structure = stage.app.stranger().get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(structure.at("/structure/0/localizedTitle"), &titles);
    assert_eq!(structure.at("/structure/0/children/0/localizedTitle"), &titles);
    assert_eq!(structure.at("/structure/0/children/0/siteSpaces/0/localizedTitle"), &titles);
    for empty in [json!({}), json!(null)] {
        let body = json!({"localizedTitle": empty, "localizedDescription": empty});
        let removed = stage.manager.patch(&path, body).await.expect(200);
        assert_eq!(removed.json.get("localizedTitle"), None, "{empty}");
        assert_eq!(removed.json.get("localizedDescription"), None, "{empty}");
    }
}
