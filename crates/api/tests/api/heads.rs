//! HEAD requests over a socket, the documentation page, and security headers.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::rt::task::spawn_blocking;
use actix_web::test::TestRequest;
use actix_web::{App, HttpServer};
use flate2::read::GzDecoder;
use quire_api::ApiSettings;
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::TestApp;

use crate::routes::fill;

/// Response as received.
#[derive(Debug)]
struct Raw {
    status: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

/// Sends a request on a new connection and reads until the server closes it.
async fn ask(address: SocketAddr, token: &str, method: Method, target: &str) -> Raw {
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nX-Request-Id: r\r\nConnection: close\r\n\r\n"
    );
    let exchange = move || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.write_all(request.as_bytes())?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = spawn_blocking(exchange).await.unwrap().unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let (status, lines) = head.split_once("\r\n").unwrap();
    let headers = lines.lines().map(|line| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_ascii_lowercase(), value.to_owned())
    });
    let headers = headers.filter(|(name, _)| name != "date").collect();
    Raw { status: status.to_owned(), headers, body: bytes[end + 4..].to_vec() }
}

#[actix_web::test]
async fn head_answers_as_get_does_without_the_body() {
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    let limits = ApiSettings {
        pdf_wait: Duration::from_millis(10),
        stream_life: Duration::ZERO,
        ..ApiSettings::default()
    };
    let app = TestApp::start_with_limits(settings, limits, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    let fixture = fill(&app, app.organization, space, &admin).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let api = app.api.clone();
    let server = HttpServer::new(move || App::new().configure(quire_api::configure(api.clone())));
    let server = server.workers(1).disable_signals().listen(listener).unwrap().run();
    let handle = server.handle();
    let serving = actix_web::rt::spawn(server);
    let of_space = format!("/v1/spaces/{}", fixture.space);
    let file = admin.get(&format!("{of_space}/content/files")).await.expect(200).text("/items/0/downloadURL");
    let pdf = admin.get(&format!("{of_space}/pdf")).await.expect(200).text("/url");
    let routes = quire_api::routes().into_iter().filter(|route| route.method == Method::GET);
    let mut targets: Vec<String> =
        routes.filter(|route| fixture.knows(route)).map(|route| fixture.path(&route)).collect();
    assert!(targets.len() > 100, "{}", targets.len());
    targets.extend([file, pdf].iter().map(|url| url.strip_prefix(app.state.urls.base()).unwrap().to_owned()));
    targets
        .extend(["/docs", "/docs/", "/docs/swagger-ui.css", "/docs/nothing", "/nowhere"].map(String::from));
    for target in targets {
        let get = ask(address, admin.token(), Method::GET, &target).await;
        let mut head = ask(address, admin.token(), Method::HEAD, &target).await;
        assert_eq!(head.status, get.status, "{target}");
        assert!(head.body.is_empty(), "{target}: {head:?}");
        if target == "/metrics" {
            // The metrics change with each request.
            head.headers.insert("content-length".to_owned(), get.headers["content-length"].clone());
        }
        assert_eq!(head.headers, get.headers, "{target}");
        if let Some(length) = get.headers.get("content-length") {
            assert_eq!(length, &get.body.len().to_string(), "{target}");
        }
    }
    handle.stop(false).await;
    serving.await.unwrap().unwrap();
}

#[actix_web::test]
async fn the_documentation_page_answers_errors_as_json() {
    let app = TestApp::start().await;
    let anonymous = app.anonymous();
    for path in ["/docs", "/docs/", "/docs/swagger-ui.css"] {
        let found = anonymous.get(path).await;
        assert!([200, 307].contains(&found.status.as_u16()), "{path}: {}", found.status);
        for method in [Method::POST, Method::DELETE, Method::OPTIONS] {
            let refused = anonymous.call(method, path).await.expect(405);
            assert_eq!(
                (refused.reason().as_str(), refused.header("allow")),
                ("method-not-allowed", "GET, HEAD")
            );
        }
    }
    for method in [Method::GET, Method::HEAD, Method::POST] {
        assert_eq!(anonymous.call(method, "/docs/nothing").await.expect(404).reason(), "not-found");
    }
    let script = anonymous.get("/docs/swagger-initializer.js").await.expect(200);
    let script = String::from_utf8(script.bytes.to_vec()).unwrap();
    assert!(script.contains("../v1/openapi.json") && script.contains(r#"validatorUrl: "none""#), "{script}");
}

#[actix_web::test]
async fn the_documentation_page_has_the_files_that_it_loads() {
    let app = TestApp::start().await;
    let anonymous = app.anonymous();
    let page = anonymous.get("/docs/").await.expect(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let page = String::from_utf8(page.bytes.to_vec()).unwrap();
    let names = ["src=\"", "href=\""].into_iter().flat_map(|start| page.split(start).skip(1));
    let names: Vec<&str> = names.filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        let name = name.trim_start_matches("./");
        let file = anonymous.get(&format!("/docs/{name}")).await.expect(200);
        assert!(!file.bytes.is_empty() && !file.header("content-type").is_empty(), "{name}");
    }
}

#[actix_web::test]
async fn the_documentation_page_is_compressed_only_for_clients_that_accept_gzip() {
    let app = TestApp::start().await;
    let anonymous = app.anonymous();
    let plain = anonymous.get("/docs/swagger-ui.css").await.expect(200);
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "Accept-Encoding"));
    assert!(plain.bytes.starts_with(b".swagger-ui"), "{:?}", plain.bytes.get(..40));
    let request =
        TestRequest::get().uri("/docs/swagger-ui.css").insert_header(("Accept-Encoding", "br, gzip"));
    let zipped = anonymous.send(request).await.expect(200);
    assert_eq!((zipped.header("content-encoding"), zipped.header("vary")), ("gzip", "Accept-Encoding"));
    let mut unzipped = Vec::new();
    GzDecoder::new(&*zipped.bytes).read_to_end(&mut unzipped).unwrap();
    assert!(unzipped == plain.bytes && zipped.bytes.len() < plain.bytes.len() / 3);
}

#[actix_web::test]
async fn every_answer_has_security_headers() {
    let settings = Settings { base_url: "https://example.com/quire".to_owned(), ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let (anonymous, member) = (app.anonymous(), app.as_role(Role::Read));
    let json = "default-src 'none'; frame-ancestors 'none'";
    for (caller, path, status, policy) in [
        (&member, "/quire/v1/user", 200, json),
        (&anonymous, "/quire/v1/user", 401, json),
        (&anonymous, "/quire/nowhere", 404, json),
        (&anonymous, "/elsewhere", 404, json),
        (&anonymous, "/quire/docs", 307, json),
        (&anonymous, "/quire/docs/", 200, "script-src 'self'; style-src 'self' 'sha256-"),
        (&anonymous, "/quire/docs/nothing", 404, json),
    ] {
        let answer = caller.get(path).await.expect(status);
        assert!(answer.header("content-security-policy").contains(policy), "{path}: {:?}", answer.headers);
        assert!(!answer.header("content-security-policy").contains("unsafe"), "{path}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("strict-transport-security", "max-age=31536000"),
        ] {
            assert_eq!(answer.header(name), value, "{path}: {name}");
        }
    }
    let plain = TestApp::start().await;
    assert_eq!(plain.anonymous().get("/healthz").await.header("strict-transport-security"), "");
}
