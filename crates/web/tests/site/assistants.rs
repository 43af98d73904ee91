//! Model Context Protocol of a site.

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_test_support::Answer;
use serde_json::{Value, json};

use super::{BASE, Stage, page};

impl Stage {
    /// Sends a message to the MCP server.
    async fn message(&self, message: &Value) -> Answer {
        self.send_message("/~quire/mcp", message.to_string()).await
    }

    async fn send_message(&self, path: &str, message: String) -> Answer {
        self.app.anonymous().send(self.request(path, "application/json").set_payload(message)).await
    }

    fn request(&self, path: &str, content_type: &str) -> TestRequest {
        TestRequest::post()
            .uri(&format!("{}{path}", self.root))
            .insert_header((header::HOST, "127.0.0.1:8080"))
            .insert_header((header::CONTENT_TYPE, content_type))
            .insert_header((header::ACCEPT, "application/json, text/event-stream"))
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        self.message(&message).await.expect(200).json
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[actix_web::test]
async fn assistants_search_a_site_and_read_its_pages() {
    let stage = Stage::set().await;
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let start = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let started = stage.message(&start).await.expect(200);
    assert_eq!(started.at("/result/serverInfo/name"), "Ferry");
    assert!(started.header("content-type").starts_with("application/json"));
    let former = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let former = stage.send_message("/~gitbook/mcp", former.to_string()).await.expect(200);
    assert!(former.json["result"]["tools"].is_array(), "{}", former.json);
    let ready = stage.message(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    assert_eq!(ready.status, 202);

    let tools = stage.message(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await.expect(200);
    let tools = tools.at("/result/tools").as_array().unwrap().clone();
    assert_eq!(
        tools.iter().map(|tool| &tool["name"]).collect::<Vec<_>>(),
        ["searchDocumentation", "getPage"]
    );
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
    for tool in &tools {
        assert!(tool["title"].is_string() && tool["title"] == tool["annotations"]["title"], "{tool}");
    }

    let found = stage.call("searchDocumentation", json!({"query": "linux"})).await;
    let url = format!("{BASE}{}/install", stage.root);
    assert!(
        text(&found).starts_with(&format!("# [Install]({url})\n\n- On Linux ({url}#on-linux): ")),
        "{found}"
    );
    assert_eq!(
        text(&stage.call("searchDocumentation", json!({"query": "unfindable"})).await),
        "Nothing was found."
    );

    for address in
        [url.clone(), format!("{}/install", stage.root), "/install".into(), format!("{url}.md#on-linux")]
    {
        let read = stage.call("getPage", json!({"url": address})).await;
        assert!(text(&read).starts_with("# Install\n\n## On Linux"), "{address}: {read}");
    }
    let first = stage.call("getPage", json!({"url": format!("{BASE}{}/index.md", stage.root)})).await;
    assert!(text(&first).starts_with("# Start\n"), "{first}");
    // A redirect of the site and another spelling of a path both find the page.
    let redirect = json!({"source": "/old/*", "destination": {"kind": "path", "spaceId": stage.guide, "path": "install"}});
    stage.admin.post(&format!("{}/redirects", stage.site), redirect).await.expect(201);
    for moved in ["/old/install", "/Install", "/install/"] {
        let read = stage.call("getPage", json!({"url": moved})).await;
        assert!(text(&read).starts_with("# Install\n"), "{moved}: {read}");
    }
    let absent = stage.call("getPage", json!({"url": "/nothing"})).await;
    assert_eq!(
        (&absent["result"]["isError"], text(&absent)),
        (&json!(true), "There is no page at this URL.")
    );
}

#[actix_web::test]
async fn malformed_messages_are_refused() {
    let stage = Stage::set().await;
    for (tool, arguments) in
        [("getPage", json!({})), ("getPage", json!({"url": 1})), ("deletePage", json!({}))]
    {
        let answer = stage.call(tool, arguments).await;
        assert_eq!(answer["error"]["code"], -32602, "{tool}: {answer}");
    }
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let long = |length: usize| format!("\"{}\"", "x".repeat(length));
    let json = "application/json";
    for (content_type, message, status, code) in [
        (json, "{", 415, -32_700),
        (json, "", 415, -32_700),
        ("Application/JSON; charset=utf-8", "{", 415, -32_700),
        (json, "[]", 415, -32_600),
        (json, "\"x\"", 415, -32_600),
        (json, r#"{"jsonrpc": "2.0", "id": 1}"#, 415, -32_600),
        ("text/plain", list.as_str(), 415, -32_600),
        ("text/plain", "{", 415, -32_600),
        // More than the protocol accepts, and more than is read.
        (json, long(70_000).as_str(), 413, -32_600),
        (json, long(300_000).as_str(), 413, -32_600),
    ] {
        let request = stage.request("/~quire/mcp", content_type).set_payload(message.to_owned());
        let answer = stage.app.anonymous().send(request).await.expect(status);
        let shown = format!("{content_type} {}: {}", &message[..message.len().min(40)], answer.json);
        assert!(answer.header("content-type").starts_with("application/json"), "{shown}");
        assert_eq!(
            (answer.at("/jsonrpc"), answer.at("/error/code")),
            (&json!("2.0"), &json!(code)),
            "{shown}"
        );
        assert!(!answer.text("/error/message").is_empty(), "{shown}");
        assert!(answer.json.get("id").is_none(), "{shown}");
    }
    let request = stage.request("/~quire/mcp", json).set_payload(list.clone());
    let request = request.insert_header((header::ACCEPT, "text/html"));
    let unacceptable = stage.app.anonymous().send(request).await.expect(406);
    assert_eq!(unacceptable.at("/error/code"), -32_600);
    let request = stage.request("/~quire/mcp", json).set_payload(list);
    let request = request.insert_header(("mcp-protocol-version", "2001-01-01"));
    let unknown = stage.app.anonymous().send(request).await.expect(400);
    assert!(unknown.text("/error/message").contains("2001-01-01"), "{}", unknown.json);
    for service in ["/~quire/mcp", "/~gitbook/mcp"] {
        let read = stage.get(service).await.expect(405);
        assert_eq!(read.header("allow"), "POST");
    }
    let page = stage.send_message("/install", "{}".to_owned()).await.expect(405);
    assert_eq!(page.header("allow"), "GET, HEAD");
}

#[actix_web::test]
async fn assistants_read_what_their_visitor_sees() {
    let stage = Stage::set().await;
    stage
        .write(
            &stage.guide,
            json!([page("Later", "{% if visitor.claims.staff %}\nFor staff.\n{% endif %}\n\nFor all.")]),
        )
        .await;
    let read = stage.call("getPage", json!({"url": "/later"})).await;
    assert!(text(&read).contains("For all.") && !text(&read).contains("staff"), "{read}");
    stage.update(json!({"visibility": "share-link"})).await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(stage.message(&message).await.status, 404);
    let link = stage.admin.post(&format!("{}/share-links", stage.site), json!({})).await.expect(201);
    let path = format!("/{}/~quire/mcp", link.text("/key"));
    assert_eq!(stage.send_message(&path, message.to_string()).await.status, 200);
}
