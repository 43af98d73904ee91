//! Customization and adaptive schemas.

use serde_json::json;

use super::Stage;

#[actix_web::test]
async fn customization_is_replaced_and_has_defaults() {
    let stage = Stage::set().await;
    let path = format!("{}/customization", stage.site);
    let defaults = stage.manager.get(&path).await.expect(200);
    assert_eq!(defaults.text("/styling/font"), "Inter");
    assert_eq!(defaults.at("/pageActions/items"), &json!(["markdown", "external-ai", "mcp", "pdf"]));
    let same = stage.manager.put(&path, defaults.json.clone()).await.expect(200);
    assert_eq!((&same.json, same.json.get("updatedAt")), (&defaults.json, None), "nothing has changed");
    let body = json!({
        "title": "Our docs", "styling": {"theme": "bold", "primaryColor": {"light": "#fff", "dark": "#000"}},
        "announcement": {"enabled": true, "message": "New!", "style": "success"},
        "header": {"links": [{"title": "Home", "to": {"kind": "url", "url": "https://example.com"}}]},
    });
    let stored = stage.manager.put(&path, body).await.expect(200);
    assert_eq!(
        (stored.text("/styling/theme"), stored.text("/styling/corners")),
        ("bold".to_owned(), "rounded".to_owned())
    );
    assert_eq!(stage.manager.get(&path).await.expect(200).json, stored.json);
    stage.app.clock.advance(std::time::Duration::from_secs(60));
    assert_eq!(stage.manager.put(&path, stored.json.clone()).await.expect(200).json, stored.json);
    let published = stage.manager.get(&format!("{}/published", stage.site)).await.expect(200);
    assert_eq!(published.at("/customizations/site"), &stored.json);
    assert_eq!(defaults.json.get("updatedAt"), None);
    stage.app.clock.advance(std::time::Duration::from_secs(60));
    let mut reset =
        stage.manager.put(&path, json!({"updatedAt": "2000-01-01T00:00:00.000Z"})).await.expect(200);
    assert!(reset.text("/updatedAt") > stored.text("/updatedAt"), "the service sets it");
    reset.json.as_object_mut().unwrap().remove("updatedAt");
    assert_eq!(reset.json, defaults.json);
    let wrong = json!({"styling": {"primaryColor": {"light": "red", "dark": "#000"}}, "footer": {"copyright": "c".repeat(513)}});
    let refused = stage.manager.put(&path, wrong).await.expect(400);
    assert_eq!(refused.fields(), ["footer.copyright", "styling.primaryColor.light"]);
    let script = json!({"privacyPolicy": {"url": "javascript:alert(1)"}});
    assert_eq!(stage.manager.put(&path, script).await.expect(400).fields(), ["privacyPolicy.url"]);
}

#[actix_web::test]
async fn a_site_space_overrides_single_settings_of_its_site() {
    let stage = Stage::set().await;
    let (id, other) = (stage.resource("Guide").await, stage.resource("Other").await);
    stage.publish().await;
    let site = format!("{}/customization", stage.site);
    let path = format!("{}/site-spaces/{id}/customization", stage.site);
    stage.manager.put(&site, json!({"title": "Docs", "styling": {"theme": "bold"}})).await.expect(200);
    let inherited = stage.manager.get(&path).await.expect(200);
    assert_eq!(inherited.json, stage.manager.get(&site).await.expect(200).json);
    stage.manager.delete(&path).await.expect(404);

    let body = json!({"title": "Manual", "styling": {"corners": "straight", "sidebar": {"list": "pill"}}});
    let changed = stage.manager.patch(&path, body).await.expect(200);
    assert_eq!(changed.json, stage.manager.get(&path).await.expect(200).json);
    let shown = |settings: &quire_test_support::Answer| {
        ["/title", "/styling/theme", "/styling/corners", "/styling/sidebar/list"]
            .map(|key| settings.text(key))
    };
    assert_eq!(shown(&changed), ["Manual", "bold", "straight", "pill"]);
    // Settings without an override follow the site.
    stage.manager.put(&site, json!({"title": "Docs", "styling": {"theme": "muted"}})).await.expect(200);
    assert_eq!(shown(&stage.manager.get(&path).await.expect(200)), ["Manual", "muted", "straight", "pill"]);
    let cleared = json!({"title": null, "styling": {"sidebar": null}});
    let cleared = stage.manager.patch(&path, cleared).await.expect(200);
    assert_eq!(shown(&cleared), ["Docs", "muted", "straight", "default"]);

    let visitor = stage.app.stranger();
    let published = visitor.get(&format!("{}/published", stage.site)).await.expect(200);
    let of_spaces = published.at("/customizations/siteSpaces").as_object().unwrap();
    assert_eq!(of_spaces.keys().collect::<Vec<_>>(), [&id], "only those that override");
    assert_eq!(of_spaces[&id], cleared.json);
    let plain = stage.manager.get(&format!("{}/site-spaces/{other}/customization", stage.site)).await;
    assert_eq!(plain.expect(200).text("/styling/corners"), "rounded");

    stage.manager.delete(&path).await.expect(204);
    stage.manager.delete(&path).await.expect(404);
    assert_eq!(stage.manager.get(&path).await.expect(200).text("/styling/corners"), "rounded");

    // Removing the last override, or an empty body, leaves no overrides.
    stage.manager.patch(&path, json!({"title": "Manual"})).await.expect(200);
    for body in [json!({"title": null}), json!({})] {
        let left = stage.manager.patch(&path, body).await.expect(200);
        assert_eq!(left.json, stage.manager.get(&site).await.expect(200).json);
        stage.manager.delete(&path).await.expect(404);
    }
}

#[actix_web::test]
async fn overrides_have_the_bounds_of_settings() {
    let stage = Stage::set().await;
    let id = stage.resource("Guide").await;
    let path = format!("{}/site-spaces/{id}/customization", stage.site);
    let link = json!({"title": "Home", "to": {"kind": "url", "url": "https://example.com"}});
    let mut conditional = link.clone();
    conditional["condition"] = json!("visitor.claims.");
    for (body, field) in [
        (json!({"title": "x"}), "title"),
        (json!({"localizedTitle": {"de": "t".repeat(129)}}), "localizedTitle.de"),
        (json!({"footer": {"copyright": "c".repeat(513)}}), "footer.copyright"),
        (
            json!({"styling": {"primaryColor": {"light": "red", "dark": "#000"}}}),
            "styling.primaryColor.light",
        ),
        (json!({"header": {"links": [conditional]}}), "header.links[0].condition"),
        (json!({"header": {"links": vec![link; 101]}}), "header.links"),
        (json!({"styling": {"theme": "plain"}}), "styling.theme"),
        (json!({"announcement": null}), "announcement"),
        (json!({"feedback": {}}), "feedback.enabled"),
    ] {
        assert_eq!(stage.manager.patch(&path, body.clone()).await.expect(400).fields(), [field], "{body}");
    }
    // Settings of the whole site are unknown keys here.
    let fonts = json!({"styling": {"font": "Papyrus"}, "ai": {"mode": "assistant"}});
    assert_eq!(stage.manager.patch(&path, fonts).await.expect(200).text("/ai/mode"), "none");
    let absent = format!("{}/site-spaces/0190a5d2-7c1e-7000-8000-000000000001/customization", stage.site);
    stage.manager.get(&absent).await.expect(404);
    stage.manager.patch(&absent, json!({"title": "Docs"})).await.expect(404);
}

#[actix_web::test]
async fn overrides_of_several_requests_have_a_bound() {
    let stage = Stage::set().await;
    let id = stage.resource("Guide").await;
    let path = format!("{}/site-spaces/{id}/customization", stage.site);
    let link = json!({"kind": "url", "url": "https://example.com", "note": "n".repeat(20_000)});
    let header = json!({"header": {"primaryLink": link}});
    let kept = stage.manager.patch(&path, header).await.expect(200);
    let announcement = json!({
        "enabled": true, "message": "New!", "style": "info", "link": {"title": "More", "to": link},
    });
    let announcement = json!({ "announcement": announcement });
    let refused = stage.manager.patch(&path, announcement.clone()).await.expect(400);
    assert_eq!(refused.fields(), ["customization"]);
    assert_eq!(stage.manager.get(&path).await.expect(200).json, kept.json);
    stage.manager.patch(&path, json!({"header": null})).await.expect(200);
    stage.manager.patch(&path, announcement).await.expect(200);
}

#[actix_web::test]
async fn visitors_see_overrides_of_the_spaces_and_links_that_they_see() {
    let stage = Stage::set().await;
    let (shown, hidden) = (stage.resource("Guide").await, stage.resource("Secret").await);
    stage.publish().await;
    let to = json!({"kind": "url", "url": "https://example.com"});
    let links = json!([{"title": "Staff", "to": to, "condition": "visitor.claims.staff"}, {"title": "All", "to": to}]);
    for id in [&shown, &hidden] {
        let path = format!("{}/site-spaces/{id}/customization", stage.site);
        stage.manager.patch(&path, json!({"header": {"links": links}})).await.expect(200);
    }
    let condition = json!({"condition": "visitor.claims.staff"});
    stage.manager.patch(&format!("{}/site-spaces/{hidden}", stage.site), condition).await.expect(200);
    let published = stage.app.stranger().get(&format!("{}/published", stage.site)).await.expect(200);
    let of_spaces = published.at("/customizations/siteSpaces").as_object().unwrap();
    assert_eq!(of_spaces.keys().collect::<Vec<_>>(), [&shown]);
    assert_eq!(of_spaces[&shown]["header"]["links"].as_array().unwrap().len(), 1);
    assert_eq!(of_spaces[&shown]["header"]["links"][0]["title"], "All");
}

#[actix_web::test]
async fn adaptive_schemas_are_closed() {
    let stage = Stage::set().await;
    let path = format!("{}/adaptive-schema", stage.site);
    stage.manager.get(&path).await.expect(404);
    let claims = json!({"beta": {"type": "boolean", "description": "Takes part"}});
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": claims,
        "additionalProperties": false,
    });
    let stored = stage.manager.put(&path, json!({ "jsonSchema": schema })).await.expect(200);
    assert_eq!(
        (stored.text("/object"), stored.at("/jsonSchema")),
        ("site-adaptive-schema".to_owned(), &schema)
    );
    assert_eq!(stage.manager.get(&path).await.expect(200).json, stored.json);
    let open = json!({"jsonSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}});
    let refused = stage.manager.put(&path, open).await.expect(400);
    assert_eq!(refused.fields(), ["jsonSchema.properties.a.description"]);
    let nonsense = json!({"jsonSchema": {"type": "thing", "properties": {}, "additionalProperties": false}});
    assert_eq!(stage.manager.put(&path, nonsense).await.expect(400).fields(), ["jsonSchema.type"]);
}
