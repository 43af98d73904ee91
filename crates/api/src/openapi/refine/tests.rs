use super::*;

fn in_document(schemas: Value) -> Value {
    json!({"components": {"schemas": schemas}, "paths": {}})
}

fn refined(schemas: Value) -> Value {
    let mut document = in_document(schemas);
    refine(&mut document);
    document["components"]["schemas"].take()
}

#[test]
fn defaults_are_keywords_and_values_of_their_schema() {
    let schema = json!({"$ref": "#/components/schemas/Order"});
    let schemas = refined(json!({
        "Order": {"type": "string", "enum": ["asc", "desc"]},
        "Query": {"properties": {
            "order": {"allOf": [schema, {"type": "object", "default": "desc"}]},
            "title": {"type": "string", "default": null},
            "level": {"oneOf": [schema, {"type": "null"}], "default": null},
            "limit": {"type": "integer", "default": 50},
        }},
    }));
    assert_eq!(
        schemas["Query"]["properties"],
        json!({
            "order": {"$ref": "#/components/schemas/Order", "default": "desc"},
            "title": {"type": "string"},
            "level": {"oneOf": [schema, {"type": "null"}]},
            "limit": {"type": "integer", "default": 50},
        })
    );
}

#[test]
fn objects_without_described_keys_are_open() {
    let schemas = refined(json!({
        "Any": {"type": "object"},
        "Named": {"type": "object", "properties": {"type": {"type": "string"}}},
        "Map": {"type": "object", "additionalProperties": {"type": "string"}},
    }));
    assert_eq!(schemas["Any"], json!({"type": "object", "additionalProperties": true}));
    assert_eq!(schemas["Named"].get("additionalProperties"), None);
    assert_eq!(schemas["Map"]["additionalProperties"], json!({"type": "string"}));
}

#[test]
fn facts_are_parts_of_their_resources() {
    let object =
        |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]});
    let of = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let schemas = refined(json!({
        "Space": {"description": "A space.", "allOf": [of("SpaceFacts"), object("url")]},
        "SpaceFacts": {"description": "Facts.", "type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "WrittenSpace": {"allOf": [of("Space"), object("head")]},
    }));
    assert_eq!(
        schemas,
        json!({
            "Space": {
                "description": "A space.",
                "type": "object",
                "properties": {"id": {"type": "string"}, "url": {"type": "string"}},
                "required": ["id", "url"],
            },
            "WrittenSpace": {"allOf": [of("Space"), object("head")]},
        })
    );
}

#[test]
fn variants_get_names_and_unions_discriminators() {
    let tag = |value: &str| json!({"type": "object", "properties": {"type": {"enum": [value]}}, "required": ["type"]});
    let of = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let schemas = refined(json!({
        "Item": {"oneOf": [
            {"allOf": [of("Leaf"), tag("leaf")], "description": "A leaf."},
            {"allOf": [of("Shared"), tag("big-branch")]},
            {"type": "object", "properties": {"type": {"enum": ["root"]}, "all": of("Shared")}, "required": ["type"]},
        ]},
        "Leaf": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "Shared": {"type": "object", "properties": {"id": {"type": "string"}}},
        "Source": {"oneOf": [
            {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
            {"type": "string"},
        ]},
    }));
    assert_eq!(schemas["Item"]["oneOf"], json!([of("Leaf"), of("ItemBigBranch"), of("ItemRoot")]));
    assert_eq!(
        schemas["Item"]["discriminator"],
        json!({"propertyName": "type", "mapping": {
            "leaf": "#/components/schemas/Leaf", "big-branch": "#/components/schemas/ItemBigBranch",
            "root": "#/components/schemas/ItemRoot",
        }})
    );
    assert_eq!(schemas["Leaf"]["required"], json!(["id", "type"]));
    assert_eq!(schemas["Leaf"]["properties"]["type"], json!({"enum": ["leaf"]}));
    assert_eq!(schemas["ItemBigBranch"]["allOf"], json!([of("Shared"), tag("big-branch")]));
    assert_eq!(schemas["Source"]["oneOf"], json!([of("SourceUrl"), {"type": "string"}]));
    assert_eq!(schemas["Source"].get("discriminator"), None);
}

#[test]
fn a_body_is_required_when_it_can_not_be_empty() {
    let mut document = in_document(json!({
        "Create": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]},
        "Update": {"type": "object", "properties": {"title": {"type": "string"}}},
        "Both": {"allOf": [{"$ref": "#/components/schemas/Update"}, {"type": "object", "required": ["page"]}]},
    }));
    let body = |name: &str| {
        json!({"requestBody": {"content": {"application/json":
            {"schema": {"$ref": format!("#/components/schemas/{name}")}}}}})
    };
    document["paths"] = json!({"/a": {"post": body("Create"), "patch": body("Update"), "put": body("Both")}});
    refine(&mut document);
    let item = &document["paths"]["/a"];
    assert_eq!(item["post"]["requestBody"]["required"], true);
    assert_eq!(item["put"]["requestBody"]["required"], true);
    assert_eq!(item["patch"]["requestBody"].get("required"), None);
}

#[test]
fn references_in_unions_have_no_siblings() {
    let dog = |about: &str| json!({"$ref": "#/components/schemas/Dog", "description": about});
    let schemas = refined(json!({
        "Cat": {"type": "string", "description": "A cat."},
        "Dog": {"type": "string"},
        "Pet": {"anyOf": [dog("A dog."), {"$ref": "#/components/schemas/Cat", "description": "Another cat."}]},
        "Owner": {"properties": {
            "dog": {"oneOf": [{"type": "null"}, dog("Dog of the owner.")]},
            "other": {"description": "The other dog.", "anyOf": [dog("Left out."), {"type": "null"}]},
        }},
    }));
    let bare = json!({"$ref": "#/components/schemas/Dog"});
    assert_eq!(schemas["Pet"]["anyOf"], json!([bare, {"$ref": "#/components/schemas/Cat"}]));
    assert_eq!(schemas["Dog"]["description"], "A dog.");
    assert_eq!(schemas["Cat"]["description"], "A cat.");
    assert_eq!(
        schemas["Owner"]["properties"],
        json!({
            "dog": {"oneOf": [{"type": "null"}, bare], "description": "Dog of the owner."},
            "other": {"description": "The other dog.", "anyOf": [bare, {"type": "null"}]},
        })
    );
}
