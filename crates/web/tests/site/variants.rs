//! Variants of a section: languages and versions.

use serde_json::json;

use super::{BASE, Stage, body, page};

#[actix_web::test]
async fn pages_name_their_translations() {
    let stage = Stage::set().await;
    let spaces = format!("/v1/orgs/{}/spaces", stage.app.organization);
    let german = stage.admin.post(&spaces, json!({"title": "Deutsch"})).await.expect(201).text("/id");
    for (id, language) in [(&stage.guide, "en"), (&german, "de")] {
        stage.admin.patch(&format!("/v1/spaces/{id}"), json!({ "language": language })).await.expect(200);
    }
    stage.write(&german, json!([page("Anfang", "Hallo."), page("Install", "Auf Linux.")])).await;
    let list = stage.admin.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let section = list.text("/items/0/section");
    let placed = json!({"spaceId": german, "sectionId": section});
    let placed = stage.admin.post(&format!("{}/site-spaces", stage.site), placed).await.expect(201);
    let variant = format!("{}/site-spaces/{}", stage.site, placed.text("/id"));
    let root = &stage.root;

    let html = body(&stage.get("/install").await.expect(200));
    assert!(html.contains("<html lang=\"en\""), "{html}");
    for part in [
        format!("<link rel=\"alternate\" hreflang=\"en\" href=\"{BASE}{root}/install\">"),
        format!("<link rel=\"alternate\" hreflang=\"de\" href=\"{BASE}{root}/deutsch/install\">"),
        format!("<a href=\"{root}/deutsch/install\" hreflang=\"de\" lang=\"de\">"),
    ] {
        assert!(html.contains(&part), "{part} is not in {html}");
    }
    let translated = body(&stage.get("/deutsch/install").await.expect(200));
    assert!(translated.contains("<html lang=\"de\"") && translated.contains("Suchen"), "{translated}");

    // Menus and sitemaps omit a hidden variant, which remains reachable by its address.
    stage.admin.patch(&variant, json!({"hidden": true})).await.expect(200);
    assert!(!body(&stage.get("/install").await.expect(200)).contains("deutsch"));
    let hidden = body(&stage.get("/deutsch/install").await.expect(200));
    assert!(hidden.contains(&format!("{root}/install")), "its pages lead to the others");
    stage.admin.patch(&variant, json!({"draft": true})).await.expect(200);
    stage.get("/deutsch/install").await.expect(404);
    assert!(!body(&stage.get("/install").await.expect(200)).contains("deutsch"));
}

#[actix_web::test]
async fn sections_with_hidden_spaces_alone_are_in_no_menu() {
    let stage = Stage::set().await;
    let list = stage.admin.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let reference = list.text("/items/1/id");
    let link = format!("href=\"{}/reference\"", stage.root);
    assert!(body(&stage.get("").await.expect(200)).contains(&link));
    let hidden = json!({"hidden": true});
    stage.admin.patch(&format!("{}/site-spaces/{reference}", stage.site), hidden).await.expect(200);
    assert!(!body(&stage.get("").await.expect(200)).contains(&link));
    assert!(body(&stage.get("/reference").await.expect(200)).contains("All of them."));
}

#[actix_web::test]
async fn menus_are_in_the_language_of_the_page() {
    let stage = Stage::set().await;
    let path = format!("/v1/spaces/{}", stage.guide);
    let list = stage.admin.get(&format!("{}/sections", stage.site)).await.expect(200);
    let reference = format!("{}/sections/{}", stage.site, list.text("/items/1/id"));
    stage.admin.patch(&reference, json!({"localizedTitle": {"de": "Nachschlagen"}})).await.expect(200);
    let to = json!({"kind": "url", "url": "https://ferry.example/help"});
    let mut settings = json!({
        "title": "Ferry", "localizedTitle": {"de": "Fähre"},
        "header": {"links": [{"title": "Help", "localizedTitle": {"de": "Hilfe"}, "to": to}]},
    });
    let customization = format!("{}/customization", stage.site);
    stage.admin.put(&customization, settings.clone()).await.expect(200);
    let shown = async || {
        let html = body(&stage.get("").await.expect(200));
        ["Nachschlagen", "Fähre", "Hilfe"].map(|word| html.contains(word))
    };
    assert_eq!(shown().await, [false; 3]);
    stage.admin.patch(&path, json!({"language": "de"})).await.expect(200);
    assert_eq!(shown().await, [true; 3]);
    let guide = format!("{}/sections/{}", stage.site, list.text("/items/0/id"));
    stage.admin.patch(&guide, json!({"localizedTitle": {"de": "Anleitung"}})).await.expect(200);
    let found = stage.get("/~quire/search?q=harbor").await.expect(200);
    assert_eq!(found.at("/hits/0/crumbs"), &json!(["Anleitung"]));
    // The site itself has a title in one language only.
    settings.as_object_mut().unwrap().remove("title").unwrap();
    stage.admin.put(&customization, settings).await.expect(200);
    assert_eq!(shown().await, [true; 3]);
}

#[actix_web::test]
async fn menus_describe_sections_in_the_language_of_the_page() {
    let stage = Stage::set().await;
    let list = stage.admin.get(&format!("{}/sections", stage.site)).await.expect(200);
    let reference = format!("{}/sections/{}", stage.site, list.text("/items/1/id"));
    let plain = body(&stage.get("").await.expect(200));
    assert!(!plain.contains("<small") && !plain.contains(" title=\""), "{plain}");
    let described = json!({"description": "All commands", "localizedDescription": {"de": "Alle Befehle"}});
    stage.admin.patch(&reference, described).await.expect(200);
    let html = body(&stage.get("").await.expect(200));
    // The bar has no space for it. The menu of narrow screens has.
    assert!(html.contains(" title=\"All commands\">Reference</a>"), "{html}");
    assert!(html.contains("Reference<small>All commands</small></a>"), "{html}");
    stage.admin.patch(&format!("/v1/spaces/{}", stage.guide), json!({"language": "de"})).await.expect(200);
    let german = body(&stage.get("").await.expect(200));
    assert!(german.contains("Reference<small>Alle Befehle</small></a>"), "{german}");
    // A description in one other language only is shown in that language.
    stage.admin.patch(&reference, json!({"description": null})).await.expect(200);
    assert!(body(&stage.get("").await.expect(200)).contains("<small>Alle Befehle</small>"));
}
