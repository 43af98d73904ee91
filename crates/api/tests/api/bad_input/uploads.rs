//! Invalid multipart bodies.

use actix_web::test::TestRequest;
use quire_api::route::{Content, Route};

use super::{Expected, Stage};

fn with_uploads() -> impl Iterator<Item = Route> {
    Stage::routes().filter(|route| route.bodies.iter().any(|body| matches!(body, Content::Form(_))))
}

fn form(path: &str, media: &str, body: impl Into<Vec<u8>>) -> TestRequest {
    TestRequest::with_uri(path).insert_header(("Content-Type", media)).set_payload(body.into())
}

#[actix_web::test]
async fn forms_that_cannot_be_read_are_refused() {
    const FORM: &str = "multipart/form-data; boundary=b";
    let mut stage = Stage::set().await;
    for route in with_uploads() {
        let before = stage.stored();
        let path = stage.own.path(&route);
        let part = |head: &str, bytes: &str| format!("--b\r\n{head}\r\n\r\n{bytes}\r\n--b--\r\n");
        let named = |name: &str| {
            part(&format!("Content-Disposition: form-data; name=\"file\"; filename=\"{name}\""), "Hello.")
        };
        let broken = [
            ("no boundary", "multipart/form-data", named("a.txt")),
            (
                "an endless boundary",
                &format!("multipart/form-data; boundary={}", "b".repeat(5_000)),
                named("a.txt"),
            ),
            ("nothing", FORM, String::new()),
            ("garbage", FORM, "🤷".to_owned()),
            ("no parts", FORM, "--b--\r\n".to_owned()),
            (
                "no end",
                FORM,
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nabc".to_owned(),
            ),
            ("a part without a name", FORM, part("Content-Type: text/plain", "a")),
            ("another part", FORM, part("Content-Disposition: form-data; name=\"other\"", "a")),
            ("a NUL in a name", FORM, named("a\0.txt")),
            (
                "an escaped NUL in a name",
                FORM,
                part("Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''a%00b.txt", "a"),
            ),
            ("a long name", FORM, named(&"a".repeat(300))),
            ("no name of a file", FORM, named("")),
        ];
        for (what, media, body) in broken {
            stage.send(what, &route, form(&path, media, body), Expected::Status(400)).await;
        }
        let large = named("large.txt").replace("Hello.", &"a".repeat(2 << 20));
        stage.send("2 MiB", &route, form(&path, FORM, large), Expected::Status(413)).await;
        let text = form(&path, "text/plain", "Hello.");
        stage.send("a text", &route, text, Expected::Status(415)).await;
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}
