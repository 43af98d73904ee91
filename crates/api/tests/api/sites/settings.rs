//! Customization and adaptive schemas.

use serde_json::json;

use super::Stage;

#[actix_web::test]
async fn customization_is_replaced_and_has_defaults() {
    let stage = Stage::set().await;
    let path = format!("{}/customization", stage.site);
    let defaults = stage.manager.get(&path).await.expect(200);
    assert_eq!(defaults.text("/styling/font"), "Inter");
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
