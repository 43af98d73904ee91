//! OpenAPI specifications: creation, processing, reads, and computed pages.

mod guests;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::openapi_specs::ProcessError;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_storage::content::openapi_specs::{PROCESS_JOB, Processed, SourceOf};
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

const PETS: &str = include_str!("../../../../markup/tests/openapi/pets.yaml");

/// Serves one response once; for `None`, accepts the request and never responds.
fn serve(answer: Option<(u16, &'static str)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        match answer {
            Some((status, body)) => {
                write!(
                    stream,
                    "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                )
                .unwrap();
            }
            // Waits until the client disconnects.
            None => drop(stream.read(&mut [0; 1])),
        }
    });
    format!("http://{address}/openapi.yaml")
}

async fn app() -> TestApp {
    let fetch = FetchConfig {
        allow: vec!["127.0.0.1".parse().unwrap()],
        timeout: Duration::from_millis(500),
        ..FetchConfig::default()
    };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

fn specs(app: &TestApp) -> String {
    format!("/v1/orgs/{}/openapi", app.organization)
}

async fn processed(app: &TestApp, admin: &Caller, slug: &str, source: Value) -> Value {
    let path = format!("{}/{slug}", specs(app));
    let put = admin.put(&path, json!({ "source": source })).await;
    assert!(put.status.is_success(), "{}", put.json);
    app.run_jobs().await;
    admin.get(&path).await.expect(200).json
}

/// Returns the properties of a source of pages without a page of the models.
fn no_models() -> Value {
    json!({"models": false})
}

fn source(spec: &str, props: Value) -> Value {
    let dependencies = json!({"spec": {"ref": {"kind": "openapi", "spec": spec}}});
    json!({"type": "builtin:openapi", "dependencies": dependencies, "props": props})
}

#[actix_web::test]
async fn a_specification_is_made_processed_read_and_deleted() {
    let app = app().await;
    let (creator, reader) = (app.as_role(Role::Create), app.as_role(Role::Read));
    let made =
        creator.post(&specs(&app), json!({"slug": "pets", "source": {"text": PETS}})).await.expect(201);
    assert_eq!(made.header("location"), made.text("/urls/location"));
    let location = format!("http://127.0.0.1:8080/v1/orgs/{}/openapi/pets", app.organization);
    let mut expected = json!({
        "object": "openapi-spec", "id": made.text("/id"), "createdAt": made.text("/createdAt"),
        "updatedAt": made.text("/createdAt"), "slug": "pets", "processingState": "pending",
        "lastProcessedErrorCount": 0, "permissions": {"view": true, "edit": true},
        "urls": {"location": location, "app": format!("http://127.0.0.1:8080/o/{}/openapi/pets", app.organization)},
    });
    assert_eq!(made.json, expected);
    let refused =
        creator.post(&specs(&app), json!({"slug": "pets", "source": {"text": "x"}})).await.expect(409);
    assert_eq!((refused.reason(), refused.fields()), ("slug-taken".to_owned(), vec!["slug".to_owned()]));
    app.run_jobs().await;
    let path = format!("{}/pets", specs(&app));
    let read = reader.get(&path).await.expect(200);
    expected["processingState"] = json!("complete");
    expected["permissions"]["edit"] = json!(false);
    expected["lastVersion"] = json!(read.text("/lastVersion"));
    expected["lastProcessedAt"] = json!(read.text("/lastProcessedAt"));
    assert_eq!(read.json, expected);

    let versions = reader.get(&format!("{path}/versions")).await.expect(200);
    assert_eq!((versions.at("/count"), versions.at("/items/0/id")), (&json!(1), read.at("/lastVersion")));
    let latest = reader.get(&format!("{path}/versions/latest")).await.expect(200);
    assert_eq!(latest.json, versions.json["items"][0]);
    let content = reader.get(&format!("{path}/versions/latest/content")).await.expect(200);
    assert_eq!((content.text("/text"), content.text("/format")), (PETS.to_owned(), "yaml".to_owned()));
    assert_eq!(content.text("/urls/source"), format!("{}/content", latest.text("/urls/location")));
    assert_eq!(content.text("/filesystem/0/specification/info/title"), "Pets & Co");

    reader.delete(&path).await.expect(403);
    creator.delete(&path).await.expect(204);
    creator.delete(&path).await.expect(404);
    reader.get(&path).await.expect(404);
    app.member_of(app.organization, None).get(&path).await.expect(403);
}

#[actix_web::test]
async fn errors_have_a_code_and_the_last_good_version_stays() {
    let app = app().await;
    let admin = app.as_role(Role::Create);
    let good = processed(&app, &admin, "pets", json!({"url": serve(Some((200, PETS)))})).await;
    assert_eq!((&good["processingState"], &good["lastProcessErrorCode"]), (&json!("complete"), &Value::Null));
    assert!(good["sourceURL"].as_str().unwrap().starts_with("http://127.0.0.1"));
    for (source, code) in [
        (json!({"url": serve(Some((404, "gone")))}), "FETCH_ERROR"),
        (json!({"url": "http://10.0.0.1/openapi.json"}), "FETCH_ERROR"),
        (json!({"url": serve(None)}), "FETCH_TIMEOUT"),
        (json!({"url": serve(Some((200, "just words")))}), "PARSE_ERROR"),
        (json!({"text": "{\"openapi\": \"3.1.0\", \"paths\": []}"}), "PARSE_ERROR"),
    ] {
        let read = processed(&app, &admin, "pets", source).await;
        assert_eq!(
            (&read["lastProcessErrorCode"], &read["processingState"]),
            (&json!(code), &json!("complete"))
        );
        assert_eq!(read["lastVersion"], good["lastVersion"]);
    }
    let again = processed(&app, &admin, "pets", json!({"text": PETS})).await;
    assert_eq!((&again["lastVersion"], &again["lastProcessErrorCode"]), (&good["lastVersion"], &Value::Null));
    let other = processed(&app, &admin, "pets", json!({"text": PETS.replace("1.2.0", "2.0.0")})).await;
    assert_ne!(other["lastVersion"], good["lastVersion"]);
}

#[actix_web::test]
async fn a_lost_worker_is_replaced_and_a_newer_source_wins() {
    let app = app().await;
    let admin = app.as_role(Role::Create);
    let path = format!("{}/pets", specs(&app));
    admin.put(&path, json!({"source": {"text": PETS}})).await.expect(201);
    let system = &app.system;
    let take = || -> SourceOf {
        let job = system.transact(|tx| tx.take_job(&[PROCESS_JOB], Duration::from_secs(60)));
        serde_json::from_value(job.unwrap().unwrap().payload).unwrap()
    };
    let begin = |of| system.transact(|tx| tx.begin_processing(of)).unwrap();
    let end = |of| {
        let failed = Processed::Failed(ProcessError::ParseError);
        system.transact(|tx| tx.end_processing(of, &failed)).unwrap()
    };
    // A worker begins and is lost. Its lease expires, and another worker finishes the work.
    let first = take();
    assert!(begin(first).is_some());
    assert_eq!(admin.get(&path).await.expect(200).text("/processingState"), "progress");
    app.run_jobs().await;
    assert_eq!(admin.get(&path).await.expect(200).text("/processingState"), "progress");
    app.clock.advance(Duration::from_secs(61));
    app.run_jobs().await;
    let done = admin.get(&path).await.expect(200);
    assert_eq!(done.text("/processingState"), "complete");
    // The lost worker ends too late.
    assert!(!end(first));
    assert_eq!(admin.get(&path).await.expect(200).json, done.json);

    // A newer source is set while an older one is processed.
    admin.put(&path, json!({"source": {"text": "older"}})).await.expect(200);
    let older = take();
    assert!(begin(older).is_some());
    admin.put(&path, json!({"source": {"text": PETS.replace("1.2.0", "3.0.0")}})).await.expect(200);
    assert!(!end(older));
    assert_eq!(admin.get(&path).await.expect(200).text("/processingState"), "pending");
    app.run_jobs().await;
    let newer = admin.get(&path).await.expect(200);
    assert_eq!(
        (newer.text("/processingState"), newer.json.get("lastProcessErrorCode")),
        ("complete".to_owned(), None)
    );
    assert_ne!(newer.at("/lastVersion"), done.at("/lastVersion"));
}

#[actix_web::test]
async fn lists_are_walked_once_and_conditions_are_honoured() {
    let app = app().await;
    let admin = app.as_role(Role::Create);
    for slug in ["a", "b", "c"] {
        admin.post(&specs(&app), json!({"slug": slug, "source": {"text": "x"}})).await.expect(201);
    }
    let mut walked = Vec::new();
    let mut path = format!("{}?limit=1", specs(&app));
    loop {
        let page = admin.get(&path).await.expect(200);
        assert_eq!(page.at("/count"), &json!(3));
        walked.push(page.text("/items/0/slug"));
        let Some(next) = page.json.pointer("/next/page") else { break };
        path = format!("{}?limit=1&page={}", specs(&app), next.as_str().unwrap());
    }
    assert_eq!(walked, ["c", "b", "a"]);
    let put = async |slug: &str, tag: &str| {
        let request = actix_web::test::TestRequest::put().uri(&format!("{}/{slug}", specs(&app)));
        let request = request.insert_header(("If-Match", tag)).set_json(json!({"source": {"text": "y"}}));
        admin.send(request).await.status.as_u16()
    };
    let tag = admin.get(&format!("{}/a", specs(&app))).await.expect(200).header("etag").to_owned();
    assert_eq!((put("a", "\"other\"").await, put("new", "*").await, put("a", &tag).await), (412, 412, 200));
    let refused =
        admin.put(&format!("{}/No_Slug", specs(&app)), json!({"source": {"text": "x"}})).await.expect(400);
    assert_eq!(
        (refused.reason(), refused.fields()),
        ("invalid-path".to_owned(), vec!["specSlug".to_owned()])
    );
    for (body, field) in [
        (json!({"slug": "A", "source": {"text": "x"}}), "slug"),
        (json!({"slug": "a-", "source": {"text": "x"}}), "slug"),
        (json!({"slug": "d", "source": {"url": "ftp://a.example"}}), "source.url"),
        (json!({"slug": "d", "source": {"text": ""}}), "source.text"),
        (json!({"slug": "d", "source": {}}), "source"),
        (json!({"slug": "d", "source": {"text": "x", "url": "http://a.example"}}), "source"),
    ] {
        assert_eq!(admin.post(&specs(&app), body.clone()).await.expect(400).fields(), [field], "{body}");
    }
}

#[actix_web::test]
async fn computed_documents_and_pages_follow_from_seed_and_version() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let spec = processed(&app, &admin, "pets", json!({"text": PETS})).await;
    let base = format!("/v1/spaces/{space}/content/computed");
    let ask = async |kind: &str, source: Value, seed: &str| {
        admin.post(&format!("{base}/{kind}"), json!({"source": source, "seed": seed})).await
    };
    let pages = ask("revision", source("pets", json!({"models": true})), "s").await.expect(200);
    assert_eq!((pages.at("/files"), pages.at("/reusableContents")), (&json!([]), &json!([])));
    let titles = |pages: &Value| -> Vec<String> {
        pages.as_array().unwrap().iter().map(|page| page["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(pages.at("/pages")), ["Pets & Co", "owners", "pets", "Default", "Models"]);
    let tag = pages.at("/pages/2");
    assert_eq!((&tag["path"], &tag["pages"]), (&json!("pets"), &json!([])));
    assert_eq!((&tag["computedSeed"], tag.get("documentId")), (&json!("s"), None));
    assert_eq!(tag["computed"]["props"], json!({"doc": "operations", "page": "tag-pets"}));
    let names: Vec<&Value> = pages
        .at("/pages")
        .as_array()
        .unwrap()
        .iter()
        .map(|page| &page["computed"]["props"]["page"])
        .collect();
    assert_eq!(names[0..2], [&json!("info"), &json!("tag-owners")]);
    assert_eq!(
        (names[3], &pages.at("/pages/4")["computed"]["props"]),
        (&json!("tag-default"), &json!({"doc": "models"}))
    );
    let resolved = json!({"object": "openapi-spec", "id": spec["id"], "slug": "pets", "lastVersion": spec["lastVersion"]});
    assert_eq!(tag["computed"]["dependencies"]["spec"]["value"], resolved);
    // The id of the specification works like its slug, with the same ids in the result; another seed gives other ids.
    let by_id =
        ask("revision", source(spec["id"].as_str().unwrap(), json!({"models": true})), "s").await.expect(200);
    assert_eq!(by_id.at("/pages/2/id"), &tag["id"]);
    let other = ask("revision", source("pets", no_models()), "t").await.expect(200);
    assert_ne!(other.at("/pages/2/id"), &tag["id"]);
    assert_eq!(titles(other.at("/pages")).len(), 4);

    // The source of a page returns its document: the description of the tag, then a block per operation.
    let document = ask("document", tag["computed"].clone(), "s").await.expect(200);
    assert_eq!(document.text("/object"), "document");
    let nodes = document.at("/nodes").as_array().unwrap();
    let types: Vec<&str> = nodes.iter().map(|node| node["type"].as_str().unwrap()).collect();
    assert_eq!(types[types.len() - 2..], ["openapi-operation", "openapi-operation"]);
    assert!(nodes[0].to_string().contains("The pets themselves."), "{}", nodes[0]);
    let operation = json!({"path": "/pets", "method": "get", "ref": {"kind": "openapi", "spec": "pets"}});
    assert_eq!(nodes[nodes.len() - 2]["data"], operation);
    assert_eq!(ask("document", tag["computed"].clone(), "s").await.expect(200).bytes, document.bytes);
    assert_ne!(ask("document", tag["computed"].clone(), "t").await.expect(200).bytes, document.bytes);
    // Sources of earlier versions number the documents: tags and operations, or the overview and models.
    let numbered =
        ask("document", source("pets", json!({"doc": "operations", "page": 2})), "s").await.expect(200);
    assert_eq!(numbered.bytes, document.bytes);
    let info = || json!({"doc": "info", "page": 1});
    for doc in [
        info(),
        json!({"doc": "info", "page": "info"}),
        json!({"doc": "models"}),
        json!({"doc": "operations", "page": "tag-default"}),
        json!({"doc": "operations", "page": 4}),
        json!({"doc": "operation", "page": "/pets", "method": "post", "deprecated": false}),
        json!({"doc": "tag", "page": "tag-pets"}),
    ] {
        let document = ask("document", source("pets", doc.clone()), "s").await.expect(200);
        assert!(!document.at("/nodes").as_array().unwrap().is_empty(), "{doc}");
    }
    for (props, field) in [
        (json!({"doc": "/paths/~1pets/get"}), "source.props.doc"),
        (json!({"page": 1}), "source.props.doc"),
        (json!({"doc": "models", "page": 1}), "source.props"),
        (json!({"doc": "info"}), "source.props"),
        (json!({"doc": "operations"}), "source.props"),
        (json!({"doc": "operation", "page": "/pets"}), "source.props"),
        (json!({"doc": "operations", "page": "tag-pets", "method": "get"}), "source.props"),
        (json!({"doc": "operation", "page": "/pets", "method": "fetch"}), "source.props.method"),
        (json!({"doc": "operation", "page": "/pets", "method": "patch"}), "source.props.page"),
        (json!({"doc": "operations", "page": 0}), "source.props.page"),
        (json!({"doc": "operations", "page": ""}), "source.props.page"),
        (json!({"doc": "operations", "page": true}), "source.props.page"),
        (json!({"doc": "operations", "page": "pets"}), "source.props.page"),
        (json!({"doc": "tag", "page": "info"}), "source.props.page"),
        (json!({"doc": "operations", "page": 99}), "source.props.page"),
    ] {
        let refused = ask("document", source("pets", props.clone()), "s").await.expect(400);
        assert_eq!(refused.fields(), [field], "{props}");
    }
    for (props, field) in [
        (json!({"models": false, "grouping": "by-path"}), "source.props.grouping"),
        (json!({"models": false, "downloadLink": "yes"}), "source.props.downloadLink"),
    ] {
        let refused = ask("revision", source("pets", props.clone()), "s").await.expect(400);
        assert_eq!(refused.fields(), [field], "{props}");
    }
    for props in [json!({}), json!({"doc": "models"}), json!({"models": "yes"}), json!({"models": null})] {
        let refused = ask("revision", source("pets", props.clone()), "s").await.expect(400);
        assert_eq!(refused.fields(), ["source.props.models"], "{props}");
    }
    let mut unknown = source("pets", info());
    unknown["type"] = json!("builtin:other");
    assert_eq!(ask("document", unknown, "s").await.expect(400).fields(), ["source.type"]);
    ask("document", source("none", info()), "s").await.expect(404);
    admin.post(&specs(&app), json!({"slug": "unread", "source": {"text": "x"}})).await.expect(201);
    ask("revision", source("unread", no_models()), "s").await.expect(404);
    let elsewhere = app.create_organization("Elsewhere");
    let stranger = app.member_of(elsewhere, Some(Role::Admin));
    let foreign = format!("/v1/orgs/{elsewhere}/openapi/theirs");
    stranger.put(&foreign, json!({"source": {"text": PETS}})).await.expect(201);
    app.run_jobs().await;
    ask("revision", source("theirs", no_models()), "s").await.expect(404);
}

#[actix_web::test]
async fn placeholders_are_expanded_when_content_is_read() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let content = format!("/v1/spaces/{space}/content");
    let placed = json!({"operation": "insert_computed", "title": "API", "source": source("pets", no_models()), "seed": "s", "at": 1});
    let page =
        |title: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": "Hello."}});
    admin.post(&content, json!({"changes": [page("Home"), page("pets"), placed]})).await.expect(200);
    let titles = async |query: &str| -> Vec<String> {
        let read = admin.get(&format!("{content}/pages{query}")).await.expect(200);
        read.at("/pages")
            .as_array()
            .unwrap()
            .iter()
            .map(|page| page["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(titles("").await, ["Home", "API", "pets"], "without a version the placeholder is shown");
    let before = admin.get(&format!("{content}/pages")).await.expect(200).header("etag").to_owned();
    processed(&app, &admin, "pets", json!({"text": PETS})).await;
    assert_eq!(titles("").await, ["Home", "Pets & Co", "owners", "pets", "Default", "pets"]);
    assert_eq!(titles("?computed=false").await, ["Home", "API", "pets"]);
    let read = admin.get(&format!("{content}/pages")).await.expect(200);
    assert_ne!(read.header("etag"), before);
    // A stored page keeps its slug.
    assert_eq!(
        (read.text("/pages/3/slug"), read.text("/pages/5/slug")),
        ("pets-1".to_owned(), "pets".to_owned())
    );
    let whole = admin.get(&content).await.expect(200);
    assert_eq!(whole.at("/pages"), read.at("/pages"));

    let list = read.at("/pages/3");
    let by_id = format!("{content}/page/{}", list["id"].as_str().unwrap());
    let mut page = admin.get(&by_id).await.expect(200).json;
    assert!(page.as_object_mut().unwrap().remove("document").is_some());
    assert_eq!(page, *list);
    admin.get(&format!("{by_id}?computed=false")).await.expect(404);
    let markdown = admin.get(&format!("{content}/path/pets-1?format=markdown")).await.expect(200);
    let block = "{% openapi-operation spec=\"pets\" path=\"/pets\" method=\"get\" %}";
    assert!(markdown.text("/markdown").contains(block), "{}", markdown.json);
    let document = admin.get(&format!("{by_id}?format=document")).await.expect(200);
    let asked = json!({"source": list["computed"], "seed": "s"});
    let computed = admin.post(&format!("{content}/computed/document"), asked).await.expect(200);
    assert_eq!(*document.at("/document"), computed.json);

    let cost = async |path: &str| {
        let before = app.statements();
        admin.get(path).await.expect(200);
        app.statements() - before
    };
    let other = format!("{content}/path/owners?format=markdown");
    assert_eq!(cost(&other).await, cost(&format!("{by_id}?format=markdown")).await);
    admin.delete(&format!("{}/pets", specs(&app))).await.expect(204);
    assert_eq!(titles("").await, ["Home", "API", "pets"]);
    for (change, field) in [
        (json!({"operation": "insert_computed", "source": {"type": "x"}}), "changes[0].source.type"),
        (
            json!({"operation": "insert_computed", "slug": "x", "source": source("pets", no_models())}),
            "changes[0].slug",
        ),
    ] {
        let refused = admin.post(&content, json!({"changes": [change]})).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
}

#[actix_web::test]
async fn operations_have_pages_of_their_own_if_the_source_says_so() {
    let app = app().await;
    let (space, admin) = app.space().await;
    processed(&app, &admin, "pets", json!({"text": PETS})).await;
    let content = format!("/v1/spaces/{space}/content");
    let props = json!({"models": true, "grouping": "by-operation", "downloadLink": true});
    let placed = json!({"operation": "insert_computed", "title": "API", "source": source("pets", props.clone()), "seed": "s"});
    admin.post(&content, json!({"changes": [placed]})).await.expect(200);
    let stored = admin.get(&format!("{content}/pages?computed=false")).await.expect(200);
    assert_eq!(stored.at("/pages/0/computed/props"), &props);
    let read = admin.get(&format!("{content}/pages")).await.expect(200);
    let tag = read.at("/pages/2");
    assert_eq!(tag["computed"]["props"], json!({"doc": "tag", "page": "tag-pets"}));
    let list = &tag["pages"][0];
    assert_eq!((&list["path"], &list["description"]), (&json!("pets/list-pets"), &json!("GET /pets")));
    assert_eq!(list["computed"]["props"], json!({"doc": "operation", "page": "/pets", "method": "get"}));
    for page in [tag, list] {
        let read = admin.get(&format!("{content}/page/{}", page["id"].as_str().unwrap())).await.expect(200);
        let asked = json!({"source": page["computed"], "seed": "s"});
        let computed = admin.post(&format!("{content}/computed/document"), asked).await.expect(200);
        assert_eq!(*read.at("/document"), computed.json);
    }
    assert_eq!(read.at("/pages/4/pages"), &json!([]), "models have one page");
    let overview = format!("{content}/page/{}", read.text("/pages/0/id"));
    let has_link = async || admin.get(&overview).await.expect(200).json.to_string().contains("openapi.yaml");
    assert!(!has_link().await, "the source was sent as text");
    processed(&app, &admin, "pets", json!({"url": serve(Some((200, PETS)))})).await;
    assert!(has_link().await);
}

/// Returns a specification with this many operations, each with its own tag.
fn operations(count: usize) -> String {
    let paths: serde_json::Map<String, Value> = (0..count)
        .map(|number| {
            let operation = json!({"tags": [format!("tag-{number}")], "summary": format!("Call {number}"), "responses": {}});
            (format!("/p{number:04}"), json!({"get": operation}))
        })
        .collect();
    json!({"openapi": "3.1.0", "info": {"title": "Calls", "version": "1"}, "paths": paths}).to_string()
}

#[actix_web::test]
async fn a_page_costs_the_same_however_large_its_specification_is() {
    let app = app().await;
    let mut costs = Vec::new();
    for count in [1, 1_000] {
        let (space, admin) = app.space().await;
        let slug = format!("calls-{count}");
        processed(&app, &admin, &slug, json!({"text": operations(count)})).await;
        let content = format!("/v1/spaces/{space}/content");
        let placed =
            json!({"operation": "insert_computed", "source": source(&slug, no_models()), "seed": "s"});
        admin.post(&content, json!({"changes": [placed]})).await.expect(200);
        let pages = admin.get(&format!("{content}/pages")).await.expect(200);
        // One page for the information of the specification, and one per tag.
        assert_eq!(pages.at("/pages").as_array().unwrap().len(), count + 1);
        let tag = pages.at("/pages/1");
        let page = format!("{content}/page/{}?format=markdown", tag["id"].as_str().unwrap());
        let mut of_space = Vec::new();
        for path in [&page, &page, &format!("{content}/pages"), &content] {
            let before = app.statements();
            let answer = admin.get(path).await.expect(200);
            of_space.push(app.statements() - before);
            if path == &page {
                assert!(answer.text("/markdown").contains("/p0000"));
                assert!(answer.bytes.len() < 10_000, "{} bytes", answer.bytes.len());
            }
        }
        costs.push(of_space);
    }
    assert_eq!(costs[0], costs[1]);
}

#[actix_web::test]
async fn a_placeholder_gets_another_source() {
    let app = app().await;
    let (space, admin) = app.space().await;
    processed(&app, &admin, "pets", json!({"text": PETS})).await;
    processed(&app, &admin, "calls", json!({"text": operations(2)})).await;
    let content = format!("/v1/spaces/{space}/content");
    let placed = json!({"operation": "insert_computed", "source": source("pets", no_models()), "seed": "s"});
    let page = json!({"operation": "insert_page", "title": "Home", "document": {"markdown": "Hello."}});
    admin.post(&content, json!({"changes": [placed, page]})).await.expect(200);
    let stored = admin.get(&format!("{content}/pages?computed=false")).await.expect(200);
    let (holder, home) = (stored.at("/pages/0/id").clone(), stored.at("/pages/1/id").clone());
    let first = async || admin.get(&format!("{content}/pages")).await.expect(200).text("/pages/0/title");
    assert_eq!(first().await, "Pets & Co");
    let update = |page: &Value, source: Value| json!({"changes": [{"operation": "update_page", "page": page, "source": source}]});
    admin.post(&content, update(&holder, source("calls", no_models()))).await.expect(200);
    assert_eq!(first().await, "Calls");
    let stored = admin.get(&format!("{content}/pages?computed=false")).await.expect(200);
    assert_eq!(stored.at("/pages/0/id"), &holder);
    admin.post(&content, update(&holder, source("pets", json!({"models": false})))).await.expect(200);
    assert_eq!(first().await, "Pets & Co");
    for (page, source, field) in [
        (&home, source("pets", no_models()), "changes[0].source"),
        (&holder, json!({"type": "x"}), "changes[0].source.type"),
        (&holder, json!(null), "changes[0].source"),
    ] {
        let refused = admin.post(&content, update(page, source)).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
}

#[actix_web::test]
async fn a_source_that_no_attempt_can_process_ends_with_an_error() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("{}/pets", specs(&app));
    processed(&app, &admin, "pets", json!({"text": PETS})).await;
    let version = admin.get(&path).await.expect(200).text("/lastVersion");
    admin.put(&path, json!({"source": {"text": operations(1)}})).await.expect(200);
    // The worker was lost at each attempt, once while processing.
    app.connection()
        .batch_execute(
            "UPDATE jobs SET attempts = 12; UPDATE openapi_specs SET processing_state = 'progress'",
        )
        .unwrap();
    let outcome = quire_worker::run_next(&app.services()).await.unwrap();
    assert_eq!(outcome, quire_worker::Outcome::Failed(quire_storage::operations::jobs::Failed::GivenUp));
    let ended = admin.get(&path).await.expect(200);
    assert_eq!(
        (ended.text("/processingState"), ended.text("/lastProcessErrorCode"), ended.text("/lastVersion")),
        ("complete".to_owned(), "PARSE_ERROR".to_owned(), version)
    );
    // A new source is processed again.
    let again = processed(&app, &admin, "pets", json!({"text": operations(2)})).await;
    assert_eq!((&again["processingState"], again.get("lastProcessErrorCode")), (&json!("complete"), None));
}

#[actix_web::test]
async fn computed_pages_are_searched_and_follow_their_specification() {
    let app = app().await;
    app.state.storage.keep_search_index();
    let (space, admin) = app.space().await;
    processed(&app, &admin, "pets", json!({"text": PETS})).await;
    let content = format!("/v1/spaces/{space}/content");
    let page =
        |title: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": "Hello."}});
    let placed = json!({"operation": "insert_computed", "title": "API", "source": source("pets", no_models()), "seed": "s"});
    admin.post(&content, json!({"changes": [page("Home"), placed]})).await.expect(200);
    // The home page, the pages of the description, the two tags and the operation without a tag.
    app.wait_for_search_index(5).await;
    let found = async |query: &str| -> Vec<String> {
        let hits = admin.get(&format!("/v1/spaces/{space}/search?query={query}")).await.expect(200);
        let hits = hits.at("/items").as_array().unwrap().clone();
        hits.iter().map(|hit| hit["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(found("How%20many%20at%20most").await, ["pets"], "the parameters of an operation");
    assert_eq!(found("Hello").await, ["home"]);
    let organization = format!("/v1/orgs/{}/search?query=People%20who%20have", app.organization);
    let hits = admin.get(&organization).await.expect(200);
    assert_eq!(hits.text("/items/0/pages/0/path"), "owners");
    // Pages written since then are found together with computed pages in the index.
    app.state.storage.stop_search_index();
    admin.post(&content, json!({"changes": [page("More")]})).await.expect(200);
    assert_eq!(
        (found("Hello").await.len(), found("People%20who%20have").await),
        (2, vec!["owners".to_owned()])
    );
}

#[actix_web::test]
async fn computed_pages_are_indexed_when_their_specification_changes() {
    let app = app().await;
    app.state.storage.keep_search_index();
    let (space, admin) = app.space().await;
    processed(&app, &admin, "pets", json!({"text": PETS})).await;
    let placed = json!({"operation": "insert_computed", "title": "API", "source": source("pets", no_models()), "seed": "s"});
    let content = format!("/v1/spaces/{space}/content");
    admin.post(&content, json!({"changes": [placed]})).await.expect(200);
    app.wait_for_search_index(4).await;
    let count = async |query: &str| {
        let hits = admin.get(&format!("/v1/spaces/{space}/search?query={query}")).await.expect(200);
        hits.at("/count").clone()
    };
    assert_eq!((count("People%20who%20have").await, count("axolotls").await), (json!(1), json!(0)));
    let changed = PETS
        .replace("tags: [owners]", "tags: [axolotls]")
        .replace("  - name: owners\n    description: People who have *pets*.\n", "");
    let changed = changed.replace(
        "tags: [pets]\n      summary: List pets\n      deprecated",
        "tags: [parrots]\n      summary: List parrots\n      deprecated",
    );
    processed(&app, &admin, "pets", json!({ "text": changed })).await;
    app.wait_for_search_index(5).await;
    let counts = (count("People%20who%20have").await, count("axolotls").await, count("parrots").await);
    assert_eq!(counts, (json!(0), json!(1), json!(1)));
    admin.delete(&format!("{}/pets", specs(&app))).await.expect(204);
    app.wait_for_search_index(0).await;
    assert_eq!(count("axolotls").await, json!(0));
}
