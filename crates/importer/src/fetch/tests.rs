use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use super::*;

/// Serves each connection with `answer`, given the request's head, until the test's process ends.
fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = String::new();
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            while lines.read_line(&mut head).unwrap() > 2 {}
            answer(&head, &mut stream);
        }
    });
    address
}

/// Serves the same bytes for every request.
fn serve_bytes(answer: impl Into<Vec<u8>>) -> SocketAddr {
    let answer = answer.into();
    serve(move |_, stream| stream.write_all(&answer).unwrap())
}

/// Serves connections that stay open, and returns the number of open connections at each request.
fn serve_open() -> (SocketAddr, std::sync::mpsc::Receiver<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, requests) = std::sync::mpsc::channel();
    thread::spawn(move || {
        for (count, stream) in (1..).zip(listener.incoming()) {
            let (mut stream, sender) = (stream.unwrap(), sender.clone());
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
                    if line == "\r\n" {
                        sender.send(count).unwrap();
                        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").unwrap();
                    }
                    line.clear();
                }
            });
        }
    });
    (address, requests)
}

fn fetch(config: FetchConfig, url: &str) -> Result<Fetched, FetchError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(Fetcher::new(config).fetch(url))
}

fn allowing(rule: impl ToString) -> FetchConfig {
    FetchConfig { allow: vec![rule.to_string().parse().unwrap()], ..FetchConfig::default() }
}

#[test]
fn a_body_is_returned_with_its_type_and_name() {
    let address = serve_bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: Text/Markdown; charset=utf-8\r\nContent-Length: 4\r\nConnection: close\r\n\r\n# Hi",
    );
    let fetched =
        fetch(allowing(address), &format!("http://{address}/docs/getting%20started.md?x=1")).unwrap();
    assert_eq!(&fetched.bytes[..], b"# Hi");
    assert_eq!(fetched.content_type.as_deref(), Some("text/markdown"));
    assert_eq!(fetched.file_name.as_deref(), Some("getting started.md"));
}

#[test]
fn an_exchange_returns_what_a_host_answers_and_follows_no_redirect() {
    let address = serve(|head, stream| {
        let (status, body) = match head.lines().next() {
            Some("POST /token HTTP/1.1") => {
                ("400 Bad Request", head.contains("authorization: Basic YTpi").to_string())
            }
            _ => ("302 Found\r\nLocation: /token", String::new()),
        };
        let length = body.len();
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
            .unwrap();
    });
    let exchange = |config, method, path: &str, max_bytes| {
        let request = http::Request::builder()
            .method(method)
            .uri(format!("http://{address}{path}"))
            .header("Authorization", "Basic YTpi")
            .body(b"code=1".to_vec())
            .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Fetcher::new(config).exchange(request, Duration::from_secs(5), max_bytes))
    };
    let answer = exchange(allowing(address), "POST", "/token", 100).unwrap();
    assert_eq!((answer.status().as_u16(), answer.body().as_slice()), (400, b"true".as_slice()));
    assert_eq!(exchange(allowing(address), "GET", "/", 100).unwrap().status().as_u16(), 302);
    let large = exchange(allowing(address), "POST", "/token", 3);
    assert!(matches!(large, Err(FetchError::TooLarge { limit: 3 })), "{large:?}");
    let refused = exchange(FetchConfig::default(), "POST", "/token", 100);
    assert!(matches!(refused, Err(FetchError::Refused { .. })), "{refused:?}");
}

#[test]
fn a_declared_file_name_loses_its_folders() {
    let address = serve_bytes(
        "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"../../etc/docs.zip\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    let fetched = fetch(allowing(address), &format!("http://{address}/download")).unwrap();
    assert_eq!(fetched.file_name.as_deref(), Some("docs.zip"));
}

#[test]
fn no_credentials_cookies_or_referrer_are_sent() {
    let address = serve(|head, stream| {
        let body = head.to_ascii_lowercase();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
    });
    let fetched = fetch(allowing(address), &format!("http://{address}/")).unwrap();
    let head = String::from_utf8(fetched.bytes.to_vec()).unwrap();
    for header in ["cookie:", "authorization:", "referer:"] {
        assert!(!head.contains(header), "{head}");
    }
}

#[test]
fn each_fetch_opens_a_connection_of_its_own() {
    let (address, requests) = serve_open();
    let fetcher = Fetcher::new(allowing(address));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for count in 1..=3 {
        runtime.block_on(fetcher.fetch(&format!("http://{address}/"))).unwrap();
        assert_eq!(requests.recv().unwrap(), count);
    }
}

#[test]
fn loopback_is_refused_by_address_and_by_name_without_an_exception() {
    let address = serve_bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let port = address.port();
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"] {
        let error = fetch(FetchConfig::default(), &format!("http://{host}:{port}/")).unwrap_err();
        assert!(matches!(error, FetchError::Refused { .. }), "{host}: {error:?}");
    }
    // The address of a name is not disclosed.
    let error = fetch(FetchConfig::default(), &format!("http://localhost:{port}/")).unwrap_err();
    assert_eq!(error.to_string(), "`localhost` is not fetched: not a public address");
}

#[test]
fn a_block_of_addresses_admits_names_that_resolve_into_it() {
    let address = serve_bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    let config = FetchConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()],
        ..FetchConfig::default()
    };
    let fetched = fetch(config, &format!("http://localhost:{}/", address.port())).unwrap();
    assert_eq!(&fetched.bytes[..], b"ok");
}

#[test]
fn schemes_and_credentials_are_refused_without_repeating_the_password() {
    for url in ["file:///etc/passwd", "ftp://example.com/", "gopher://example.com/", "not a url", "http://"] {
        let error = fetch(FetchConfig::default(), url).unwrap_err();
        assert!(matches!(error, FetchError::InvalidUrl { .. }), "{url}: {error:?}");
    }
    let error = fetch(FetchConfig::default(), "http://ada:secret@example.com/").unwrap_err();
    assert!(matches!(error, FetchError::InvalidUrl { .. }));
    assert!(!error.to_string().contains("secret"));
    let error = fetch(FetchConfig::default(), "http://ada:secret@exa mple.com:port/").unwrap_err();
    assert!(matches!(error, FetchError::InvalidUrl { .. }));
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn redirects_are_followed_and_each_hop_is_checked() {
    let inside = serve_bytes("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret");
    let elsewhere = format!("http://{inside}/");
    let outside = serve(move |head, stream| {
        let target = if head.starts_with("GET /relative") { "/end.md" } else { &elsewhere };
        if head.starts_with("GET /end.md") {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok").unwrap();
        } else {
            write!(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            .unwrap();
        }
    });
    let fetched = fetch(allowing(outside), &format!("http://{outside}/relative")).unwrap();
    assert_eq!((&fetched.bytes[..], fetched.file_name.as_deref()), (&b"ok"[..], Some("end.md")));

    let error = fetch(allowing(outside), &format!("http://{outside}/away")).unwrap_err();
    assert!(matches!(error, FetchError::Refused { .. }), "{error:?}");
}

#[test]
fn redirects_without_end_are_cut() {
    let address = serve_bytes(
        "HTTP/1.1 301 Moved\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    let error = fetch(allowing(address), &format!("http://{address}/")).unwrap_err();
    assert!(matches!(error, FetchError::TooManyRedirects { limit: 5 }), "{error:?}");
}

#[test]
fn a_redirect_to_another_scheme_is_refused() {
    let address = serve_bytes(
        "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    let error = fetch(allowing(address), &format!("http://{address}/")).unwrap_err();
    assert!(matches!(error, FetchError::InvalidUrl { .. }), "{error:?}");
}

#[test]
fn the_targets_failure_keeps_its_status() {
    let address = serve_bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let error = fetch(allowing(address), &format!("http://{address}/")).unwrap_err();
    assert!(matches!(error, FetchError::Failed { status: 404 }), "{error:?}");
}

#[test]
fn a_closed_port_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = fetch(allowing(free), &format!("http://{free}/")).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable(_)), "{error:?}");
}

#[test]
fn a_body_over_the_bound_is_cut_whether_declared_or_not() {
    let declared = serve_bytes("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\nConnection: close\r\n\r\nx");
    let endless = serve(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
        // Writes until the client closes the connection.
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    for address in [declared, endless] {
        let config = FetchConfig { max_bytes: 1000, ..allowing(address) };
        let error = fetch(config, &format!("http://{address}/")).unwrap_err();
        assert!(matches!(error, FetchError::TooLarge { limit: 1000 }), "{error:?}");
    }
}

#[test]
fn a_server_that_trickles_runs_out_of_time() {
    let address = serve(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx").unwrap();
        // Stays silent until the client closes the connection.
        let _closed = stream.read(&mut [0]);
    });
    let config = FetchConfig { timeout: Duration::from_millis(300), ..allowing(address) };
    let error = fetch(config, &format!("http://{address}/")).unwrap_err();
    assert!(matches!(error, FetchError::TimedOut { .. }), "{error:?}");
}

#[test]
fn a_server_that_sends_a_byte_now_and_then_runs_out_of_time_all_the_same() {
    let address = serve(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n").unwrap();
        // A limit on idle time only would restart with each byte.
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        while stream.write_all(b"x").is_ok() && !matches!(stream.read(&mut [0]), Ok(0)) {}
    });
    let config = FetchConfig { timeout: Duration::from_millis(300), ..allowing(address) };
    let error = fetch(config, &format!("http://{address}/")).unwrap_err();
    assert!(matches!(error, FetchError::TimedOut { .. }), "{error:?}");
}
