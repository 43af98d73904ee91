//! `quire import` against a server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};
use std::thread;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::http::Client;
use crate::server::{Scratch, Server, stderr, until};

struct Stage {
    scratch: Scratch,
    server: Server,
    ada: Client,
    space: String,
}

impl Stage {
    fn set() -> Self {
        let scratch = Scratch::new();
        let mut command = scratch.quire(&["serve"]);
        command.env("QUIRE_FETCH_ALLOW", "127.0.0.1").env("QUIRE_IMPORT_ENTRIES", "20");
        let server = Server::spawn(&scratch, command);
        let (organization, ada) = scratch.bootstrap(&server);
        let made =
            ada.send("POST", &format!("/v1/orgs/{organization}/spaces"), Some(&json!({"title": "Guide"})));
        Self { scratch, server, space: made.expect(201).text("/id"), ada }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.scratch.quire(&["import"]);
        command.args(arguments).env("QUIRE_URL", format!("http://{}", self.ada.address));
        command.env("QUIRE_TOKEN", &self.ada.token);
        command
    }

    fn import(&self, what: &str, more: &[&str]) -> Output {
        self.command(&[&[what, "--space", &self.space], more].concat()).output().unwrap()
    }

    fn titles(&self, target: &str) -> Vec<String> {
        let pages = self.ada.get(&format!("/v1/spaces/{}{target}/content/pages", self.space)).expect(200);
        let title = |page: &serde_json::Value| page["title"].as_str().unwrap().to_owned();
        pages.json["pages"].as_array().unwrap().iter().map(title).collect()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Starts a server that answers each request with one HTML page, and returns its address.
fn page_server() -> String {
    const PAGE: &str = "<h1>Served</h1><p>From an address.</p>";
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            lines.map_while(Result::ok).take_while(|line| !line.is_empty()).for_each(drop);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            write!(stream, "{head}Content-Length: {}\r\n\r\n{PAGE}", PAGE.len()).unwrap();
        }
    });
    address
}

#[test]
fn a_folder_a_file_and_an_address_are_imported() {
    let stage = Stage::set();
    let folder = stage.scratch.data_dir().with_file_name("docs");
    fs::create_dir_all(folder.join("guide")).unwrap();
    fs::write(folder.join("README.md"), "# Welcome\n\nSee [the guide](guide/use.md).\n").unwrap();
    fs::write(folder.join("guide/use.md"), "# Use\n").unwrap();
    fs::write(folder.join("notes.xyz"), "?").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("link.md")).unwrap();
    let imported = stage.import(folder.to_str().unwrap(), &[]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    let said = stdout(&imported);
    assert!(said.contains("skipped: link.md: it is a symbolic link\n"), "{said}");
    assert!(said.contains("skipped: notes.xyz: "), "{said}");
    assert!(said.lines().last().unwrap().contains(" pages and files imported: revision "), "{said}");
    assert!(stderr(&imported).starts_with("packing…\nuploading…\n"), "{}", stderr(&imported));
    assert!(stage.titles("").contains(&"Welcome".to_owned()));

    // Into a change request.
    let requests = format!("/v1/spaces/{}/change-requests", stage.space);
    stage.ada.send("POST", &requests, Some(&json!({"subject": "More"}))).expect(201);
    let page = folder.join("guide/use.md");
    let imported = stage.import(page.to_str().unwrap(), &["--change-request", "1"]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    let (main, proposed) = (stage.titles("").len(), stage.titles("/change-requests/1").len());
    assert_eq!(proposed, main + 1);

    // From a URL.
    let imported = stage.import(&page_server(), &["--source", "html"]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    assert_eq!(stage.titles("").len(), main + 1);
    drop(stage.server);
}

#[test]
fn a_failed_import_ends_with_a_sentence_and_a_code() {
    let stage = Stage::set();
    let folder = stage.scratch.data_dir().with_file_name("many");
    fs::create_dir_all(&folder).unwrap();
    for number in 0..30 {
        fs::write(folder.join(format!("{number}.md")), "# Page").unwrap();
    }
    let many = folder.to_str().unwrap();
    let failed = stage.import(many, &[]);
    assert_eq!(failed.status.code(), Some(1));
    let said = stderr(&failed);
    assert!(
        said.contains("quire: the import failed: ")
            && said.contains("30 files that may be documentation, more than 20"),
        "{said}"
    );
    assert_eq!(stage.titles(""), [""; 0]);

    let absent = stage.command(&[many, "--space", "01a1b2c3-0000-7000-8000-000000000000"]).output().unwrap();
    assert_eq!(absent.status.code(), Some(1));
    assert!(
        stderr(&absent).contains(
            "the server refused the import: The resource does not exist, or the caller may not see it."
        ),
        "{}",
        stderr(&absent)
    );

    for (arguments, says) in [
        (&["/nowhere", "--space", &stage.space][..], "/nowhere cannot be read"),
        (&[many, "--space", "x"], "--space can't be `x`"),
        (&[many, "--space", &stage.space, "--source", "disk"], "must be one of website, docx"),
        (&["/etc/passwd", "--space", &stage.space], "--source is required"),
    ] {
        let wrong = stage.command(arguments).output().unwrap();
        assert_eq!(wrong.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&wrong).contains(says), "{arguments:?}: {}", stderr(&wrong));
    }
    let mut command = stage.command(&[many, "--space", &stage.space]);
    let anonymous = command.env_remove("QUIRE_TOKEN").output().unwrap();
    assert_eq!((anonymous.status.code(), stderr(&anonymous).contains("QUIRE_TOKEN")), (Some(2), true));
    let mut command = stage.command(&[many, "--space", &stage.space]);
    let nowhere = command.env("QUIRE_URL", "http://127.0.0.1:1").output().unwrap();
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(stderr(&nowhere).contains("the server can't be reached"), "{}", stderr(&nowhere));
}

#[test]
fn ctrl_c_cancels_the_import_on_the_server() {
    let stage = Stage::set();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/docs.zip", listener.local_addr().unwrap());
    // The server accepts the request and never responds.
    let holder = thread::spawn(move || listener.accept().unwrap());
    let mut command = stage.command(&[&url, "--space", &stage.space]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let imports = format!("/v1/spaces/{}/imports", stage.space);
    let status =
        || stage.ada.list(&imports).first().map(|import| import["status"].as_str().unwrap().to_owned());
    until("the import runs", || status().as_deref() == Some("running"));
    // From its first poll on, the program handles Ctrl-C.
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    until("the program watches", || {
        said.next().is_some_and(|line| ["waiting…", "beginning…", "fetching…"].contains(&&*line.unwrap()))
    });
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let rest: Vec<String> = said.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.contains("the import was cancelled")), "{rest:?}");
    assert_eq!(status().as_deref(), Some("cancelled"));
    drop(holder.join().unwrap());
}
