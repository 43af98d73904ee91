//! Splitting of specifications and rendering of their pages.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

use std::collections::{HashMap, HashSet};

use quire_markup::openapi::{
    Child, Context, Json, Notation, PageKind, SpecError, Specification, read, render,
};
use quire_markup::{Document, StableRefs, node_keys, print};

const PETS: &str = include_str!("pets.yaml");
const OLD_PETS: &str = include_str!("pets-2.json");

/// Returns the document of a page. Pages have their JSON pointers as ids.
fn document(specification: &Specification, title: &str) -> Document {
    let index = specification.pages.iter().position(|page| page.title == title).unwrap();
    let page = &specification.pages[index];
    let parts: HashMap<&str, Json> = page
        .parts
        .iter()
        .map(|part| &specification.parts[usize::try_from(*part).unwrap()])
        .map(|part| (part.pointer.as_str(), Json::parse(&part.body).unwrap()))
        .collect();
    let parts: HashMap<&str, &Json> = parts.iter().map(|(pointer, part)| (*pointer, part)).collect();
    let below = specification.pages.iter().filter(|page| page.parent == Some(index));
    let children: Vec<Child<'_>> = below
        .map(|page| Child { id: &page.pointer, title: &page.title, description: page.description.as_deref() })
        .collect();
    let context = Context {
        children: &children,
        blocks: &[],
        page_at: &|pointer| {
            specification.pages.iter().any(|page| page.pointer == pointer).then(|| pointer.to_owned())
        },
        key: &|number| format!("n{number}"),
    };
    render(page.kind, &Json::parse(&page.body).unwrap(), &parts, &context)
}

fn markdown(specification: &Specification, title: &str) -> String {
    print(&document(specification, title), &StableRefs)
}

fn outline(specification: &Specification) -> Vec<(Option<usize>, &str, &str, &str)> {
    let pages = specification.pages.iter();
    pages.map(|page| (page.parent, page.title.as_str(), page.slug.as_str(), page.pointer.as_str())).collect()
}

#[test]
fn pages_follow_the_tags_and_keep_the_order_of_the_specification() {
    let pets = read(PETS).unwrap();
    assert_eq!(pets.notation, Notation::Yaml);
    assert_eq!(
        outline(&pets),
        [
            (None, "Pets & Co", "pets-co", "/info"),
            (None, "owners", "owners", "/tags/owners"),
            (Some(1), "getOwner", "getowner", "/paths/~1owners~1{id}/get"),
            (None, "pets", "pets", "/tags/pets"),
            (Some(3), "List pets", "list-pets", "/paths/~1pets/get"),
            (Some(3), "List pets", "list-pets-1", "/paths/~1pets/post"),
            (None, "Default", "default", "/tags"),
            (Some(6), "GET /health", "get-health", "/paths/~1health/get"),
            (None, "Models", "models", "/components/schemas"),
            (Some(8), "Pet", "pet", "/components/schemas/Pet"),
            (Some(8), "Owner", "owner", "/components/schemas/Owner"),
            (Some(8), "Named", "named", "/components/schemas/Named"),
        ]
    );
    assert_eq!(pets.pages[0].description.as_deref(), Some("Everything about pets"));
    assert_eq!(pets.pages[4].description.as_deref(), Some("GET /pets"));
}

#[test]
fn tags_and_headings_of_the_description_have_pages() {
    let text = r##"{"openapi": "3.1.0", "info": {"title": "Shop", "description": "Lead.\n\n# Start\n\nFirst.\n\n## Keys\n\nSecond."},
        "tags": [{"name": "start", "x-displayName": "Shown", "x-page-title": "Begin", "x-page-icon": "star",
                  "x-page-description": "How to begin.", "x-parent": "all"},
                 {"name": "all"}, {"name": "hidden", "x-internal": true}],
        "paths": {"/b": {"post": {"tags": ["free", "start"]}, "get": {"tags": ["start"]}},
                  "/a": {"get": {"tags": ["free"]}, "put": {"x-internal": true}, "patch": {"tags": ["hidden"]}}},
        "components": {"schemas": {"Shown": {}, "Own": {"x-gitbook-ignore": true}}}}"##;
    let shop = read(text).unwrap();
    assert_eq!(
        outline(&shop),
        [
            (None, "Shop", "shop", "/info"),
            (None, "Start", "start", "/info/description/0"),
            (Some(1), "Keys", "keys", "/info/description/1"),
            (None, "all", "all", "/tags/all"),
            (Some(3), "Begin", "begin", "/tags/start"),
            (Some(4), "GET /b", "get-b", "/paths/~1b/get"),
            (Some(4), "POST /b", "post-b", "/paths/~1b/post"),
            (None, "free", "free", "/tags/free"),
            (Some(7), "GET /a", "get-a", "/paths/~1a/get"),
            (None, "PUT /a", "put-a", "/paths/~1a/put"),
            (None, "PATCH /a", "patch-a", "/paths/~1a/patch"),
            (None, "Models", "models", "/components/schemas"),
            (Some(11), "Shown", "shown", "/components/schemas/Shown"),
            (None, "Own", "own", "/components/schemas/Own"),
        ]
    );
    let begin = &shop.pages[4];
    assert_eq!((begin.icon.as_deref(), begin.description.as_deref()), (Some("star"), Some("How to begin.")));
    let [lead, start, keys] = ["Shop", "Start", "Keys"].map(|title| markdown(&shop, title));
    assert!(lead.contains("Lead.") && !lead.contains("First."), "{lead}");
    assert!(start.contains("First.") && !start.contains("Second."), "{start}");
    assert!(keys.contains("Second."), "{keys}");
}

const PETS_2_FORM: &str = r#"
openapi: 3.1.0
info: {title: Pets}
paths:
  /pets:
    post:
      servers: [{url: "https://{region}.example", variables: {region: {default: eu, enum: [eu, us]}}}]
      requestBody:
        content:
          application/x-www-form-urlencoded: {schema: &pet {properties: {id: {type: integer, readOnly: true},
            secret: {type: object, writeOnly: true}, name: {type: string}, price: {type: [number, "null"],
            exclusiveMinimum: 0, multipleOf: 0.5, const: null, examples: [null]}, kinds: {type: array, items: {enum: [a, b],
            x-enumDescriptions: {a: The first.}}}}, xml: {name: pet}}}
          application/xml: {schema: *pet}
      responses: {"200": {description: ok, content: {application/json: {schema: *pet}}}}
"#;

#[test]
fn titles_and_versions_keep_their_spelling() {
    for text in [
        "openapi: 3.1.0\ninfo: {title: 2026, version: 1.10}\npaths: {}\n",
        r#"{"openapi": "3.1.0", "info": {"title": 2026, "version": 1.10}, "paths": {}}"#,
    ] {
        let specification = read(text).unwrap();
        assert_eq!(specification.pages[0].title, "2026");
        assert!(markdown(&specification, "2026").contains("Version: `1.10`"), "{text}");
    }
}

#[test]
fn bodies_have_the_form_of_their_media_type() {
    let text = markdown(&read(PETS_2_FORM).unwrap(), "POST /pets");
    for words in [
        "https://{region}.example",
        "`{region}` is by default `eu`, one of `eu`, `us`",
        "Content type: `application/x-www-form-urlencoded`, `application/xml`",
        "name=text\nprice=0.5\nkinds=a",
        "<name>text</name>\n  <price>0.5</price>\n  <kinds>a</kinds>\n</pet>",
        "Greater than: `0`. Multiple of: `0.5`.",
        "One of: `a` (The first), `b`.",
        "\"id\": 0",
    ] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
    let (request, response) = text.split_once("## Responses").unwrap();
    assert!(!request.contains("`id`") && request.contains("`secret`"), "{text}");
    assert!(response.contains("`id`") && !response.contains("secret"), "{text}");
}

#[test]
fn pages_of_tags_keep_their_addresses() {
    let text = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "description": "# Models\n"},
        "paths": {"/": {"get": {"tags": ["pets"]}, "put": {"tags": ["default"]}, "post": {}}},
        "components": {"schemas": {"A": {}}}}"##;
    let slugs: Vec<(String, String)> =
        read(text).unwrap().pages.into_iter().map(|page| (page.pointer, page.slug)).collect();
    let slug = |pointer: &str| slugs.iter().find(|(own, _)| own == pointer).unwrap().1.as_str();
    assert_eq!((slug("/tags/pets"), slug("/info")), ("pets", "pets-1"));
    assert_eq!((slug("/components/schemas"), slug("/info/description/0")), ("models", "models-1"));
    // A tag named `default` and the operations without a tag share a page.
    assert_eq!(slugs.iter().filter(|(pointer, _)| pointer.starts_with("/tags")).count(), 2);
}

#[test]
fn an_operation_page_is_complete() {
    let text = markdown(&read(PETS).unwrap(), "List pets");
    for words in [
        "GET /pets",
        "All pets.",
        "curl https://pets.example.com/v1/pets",
        "## Authorization",
        "API key in header `X-Key`",
        "## Query parameters",
        "How many \\| at most",
        "Default: `20`. At least: `1`. At most: `100`.",
        "## Header parameters",
        "X-Trace",
        "## Responses",
        "A page of pets",
        "The next page",
        "array of [Pet](/pages//components/schemas/Pet)",
        "[].name",
        "[].owner.title",
        "One of: `dog`, `cat`.",
        "### default",
        "What went wrong",
        "Nowhere",
        "Thing",
        "\"kind\": \"dog\"",
    ] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
    assert!(!text.contains("Not this one"), "the operation's own parameter counts");
    // Properties keep the order of the specification, and a cycle ends at its first repetition.
    let (name, kind) = (text.find("`[].name`").unwrap(), text.find("`[].kind`").unwrap());
    assert!(name < kind && !text.contains("[].friends[].friends"), "{text}");
}

#[test]
fn every_page_is_a_valid_document_with_a_key_a_block() {
    for specification in [read(PETS).unwrap(), read(OLD_PETS).unwrap()] {
        for page in &specification.pages {
            let document = document(&specification, &page.title);
            assert_eq!(Document::from_json(&document.to_json()).unwrap(), document, "{}", page.title);
            let keys = node_keys(&document);
            let unique: HashSet<&String> = keys.iter().collect();
            assert_eq!(unique.len(), keys.len(), "{}", page.title);
            assert!(!document.is_empty(), "{}", page.title);
        }
    }
}

#[test]
fn the_other_kinds_of_pages_are_rendered() {
    let pets = read(PETS).unwrap();
    let info = markdown(&pets, "Pets & Co");
    for words in
        ["1.2.0", "Lists **pets**", "## Servers", "https://pets.example.com/v1", "mailto:ada@example.com"]
    {
        assert!(info.contains(words), "{words:?} is not in\n{info}");
    }
    let tag = markdown(&pets, "pets");
    assert!(tag.contains("The pets themselves.") && tag.contains("`POST /pets`"), "{tag}");
    let model = markdown(&pets, "Owner");
    assert!(model.contains("string (date) or null") && model.contains("\"title\": \"Dr.\""), "{model}");
    assert!(markdown(&pets, "Models").contains("[Owner](/pages//components/schemas/Owner)"));
}

#[test]
fn swagger_2_gives_the_same_pages() {
    let pets = read(OLD_PETS).unwrap();
    assert_eq!(pets.notation, Notation::Json);
    assert!(markdown(&pets, "Old pets").contains("https://pets.example.com/v0"));
    let list = markdown(&pets, "List pets");
    for words in ["HTTP basic", "How many", "At most: `100`.", "array of [Pet]", "\"name\": \"Rex\""] {
        assert!(list.contains(words), "{words:?} is not in\n{list}");
    }
    let add = markdown(&pets, "Add a pet");
    assert!(add.contains("The pet") && add.contains("It is gone") && add.contains("`age`"), "{add}");
    let photo = markdown(&pets, "Send a photo");
    assert!(photo.contains("multipart/form-data") && photo.contains("The picture"), "{photo}");
    assert_eq!(pets.pages.iter().filter(|page| page.kind == PageKind::Model).count(), 1);
}

#[test]
fn invalid_specifications_are_refused() {
    for (text, error) in [
        ("", SpecError::Malformed { pointer: String::new(), message: String::new() }),
        ("[]", SpecError::Malformed { pointer: String::new(), message: String::new() }),
        ("{\"openapi\": ", SpecError::Notation { notation: "", message: String::new() }),
        ("openapi: 4.0.0\npaths: {}", SpecError::Version),
        ("swagger: '1.2'\npaths: {}", SpecError::Version),
        ("openapi: 3.1.0", SpecError::Malformed { pointer: String::new(), message: String::new() }),
        (
            "openapi: 3.1.0\npaths: {/a: {get: 1}}",
            SpecError::Malformed { pointer: String::new(), message: String::new() },
        ),
        (
            "openapi: 3.1.0\npaths: []",
            SpecError::Malformed { pointer: String::new(), message: String::new() },
        ),
    ] {
        let refused = read(text).unwrap_err();
        assert_eq!(std::mem::discriminant(&refused), std::mem::discriminant(&error), "{text:?}: {refused}");
    }
    let deep = format!(
        "{{\"openapi\": \"3.1.0\", \"paths\": {{\"/a\": {{\"get\": {}{}}}}}}}",
        "{\"a\":".repeat(500),
        "1".to_owned() + &"}".repeat(500)
    );
    assert!(matches!(read(&deep), Err(SpecError::Malformed { .. })));
}

#[test]
fn models_that_refer_to_each_other_in_masses_are_cut() {
    // Each of five models refers a thousand times to the next: far too many paths to visit.
    let names = ["V", "W", "X", "Y", "Z"];
    let models: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let next =
                names.get(index + 1).map(|next| format!("{{\"$ref\":\"#/components/schemas/{next}\"}}"));
            let part = next.unwrap_or_else(|| "{\"properties\":{\"p\":{\"type\":\"string\"}}}".to_owned());
            format!("\"{name}\":{{\"allOf\":[{}]}}", vec![part; 1_000].join(","))
        })
        .collect();
    let text = format!("{{\"openapi\":\"3.1.0\",\"components\":{{\"schemas\":{{{}}}}}}}", models.join(","));
    let rendered = document(&read(&text).unwrap(), "V");
    assert!(print(&rendered, &StableRefs).contains('p'));
}

#[test]
fn shared_parts_of_responses_are_shown_within_bounds() {
    let long = "word ".repeat(40_000);
    let shared = format!(
        "{{\"description\":\"{long}\",\"content\":{{\"application/json\":{{\"example\":[\"{long}\"]}}}}}}"
    );
    let responses: Vec<String> =
        (0..2_000).map(|n| format!("\"{n}\":{{\"$ref\":\"#/components/responses/R\"}}")).collect();
    let text = format!(
        "{{\"openapi\":\"3.1.0\",\"components\":{{\"responses\":{{\"R\":{shared}}}}},\"paths\":{{\"/a\":{{\"get\":{{\"summary\":\"Get\",\"responses\":{{{}}}}}}}}}}}",
        responses.join(",")
    );
    let printed = markdown(&read(&text).unwrap(), "Get");
    assert!(printed.len() < 8 << 20, "{} bytes", printed.len());
}

#[test]
fn the_repetition_of_pages_is_limited() {
    let security = format!("[{{\"key\":[\"{}\"]}}]", "s".repeat(1 << 20));
    let paths: Vec<String> = (0..200).map(|n| format!("\"/{n}\":{{\"get\":{{}}}}")).collect();
    let text = format!("{{\"openapi\":\"3.1.0\",\"security\":{security},\"paths\":{{{}}}}}", paths.join(","));
    assert_eq!(read(&text).unwrap_err(), SpecError::TooMuchText);
    let body =
        format!("{{\"in\":\"body\",\"name\":\"b\",\"schema\":{{\"title\":\"{}\"}}}}", "t".repeat(1 << 20));
    let consumes: Vec<String> = (0..5_000).map(|n| format!("\"a/{n}\"")).collect();
    let paths: Vec<String> =
        (0..20).map(|n| format!("\"/{n}\":{{\"get\":{{\"parameters\":[{body}]}}}}")).collect();
    let text = format!(
        "{{\"swagger\":\"2.0\",\"consumes\":[{}],\"paths\":{{{}}}}}",
        consumes.join(","),
        paths.join(",")
    );
    assert_eq!(read(&text).unwrap_err(), SpecError::TooMuchText);
}

#[test]
fn paths_that_lead_nowhere_count_too() {
    let paths: Vec<String> = (0..30_000).map(|n| format!("\"/{n}\":{{}}")).collect();
    let text = format!("{{\"openapi\":\"3.1.0\",\"paths\":{{{}}}}}", paths.join(","));
    assert_eq!(read(&text).unwrap_err(), SpecError::TooManyPages);
}

#[test]
fn masses_of_tags_and_of_references_that_lead_nowhere_are_read() {
    let tags: Vec<String> = (0..20_000).map(|n| format!("{{\"name\":\"t{n}\"}}")).collect();
    let nowhere: Vec<String> = (0..20_000).map(|n| format!("{{\"$ref\":\"#/components/a{n}/b\"}}")).collect();
    let paths: Vec<String> = (0..2_000)
        .map(|n| {
            let schema = "{\"schema\":{\"$ref\":\"#/components/schemas/M\"}}";
            format!("\"/{n}\":{{\"get\":{{\"tags\":[\"t{n}\"],\"requestBody\":{{\"content\":{{\"a\":{schema}}}}}}}}}")
        })
        .collect();
    let text = format!(
        "{{\"openapi\":\"3.1.0\",\"tags\":[{}],\"components\":{{\"schemas\":{{\"M\":{{\"allOf\":[{}]}}}}}},\"paths\":{{{}}}}}",
        tags.join(","),
        nowhere.join(","),
        paths.join(",")
    );
    let specification = read(&text).unwrap();
    assert_eq!(specification.parts.len(), 1);
}

#[test]
fn repeated_paths_are_one_page() {
    let text = "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"summary\":\"First\"}},\"/a\":{\"get\":{\"summary\":\"Last\"},\"get\":{\"summary\":\"Last of all\"}}},\"components\":{\"schemas\":{\"M\":{},\"M\":{\"type\":\"string\"}}}}";
    let specification = read(text).unwrap();
    let pointers: HashSet<&str> = specification.pages.iter().map(|page| page.pointer.as_str()).collect();
    assert_eq!(pointers.len(), specification.pages.len());
    assert!(specification.pages.iter().any(|page| page.title == "Last of all"));
}

#[test]
fn addresses_that_run_something_are_words() {
    let text = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"API\",\"contact\":{\"name\":\"Ada\",\"url\":\"javascript:alert(1)\"},\"license\":{\"name\":\"MIT\",\"url\":\"https://mit.example/\"},\"termsOfService\":\"javascript:x\"},\"externalDocs\":{\"url\":\"vbscript:x\"},\"paths\":{}}";
    let document = document(&read(text).unwrap(), "API");
    let links = quire_markup::links(&document);
    assert_eq!(links.len(), 1, "{links:?}");
    let words = quire_markup::plain_text(&document);
    assert!(words.contains("Ada") && words.contains("Terms of service"), "{words}");
}
