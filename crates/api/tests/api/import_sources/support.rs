//! File server, zipped fixture folders, and pages in a form for tests.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

/// Responses of a local server: type and body by path.
pub type Files = BTreeMap<String, (&'static str, Vec<u8>)>;

/// File server that runs until the process ends.
pub struct Server {
    pub address: SocketAddr,
    /// Requested paths, in order.
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves the files that `files` returns for the address of the server. A type that begins with `->` redirects.
    pub fn start(files: impl FnOnce(&str) -> Files) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let files = files(&format!("http://{address}"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap());
                let mut head = String::new();
                while lines.read_line(&mut head).is_ok_and(|read| read > 2) {}
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                let answer = match files.get(&path) {
                    Some((to, _)) if to.starts_with("->") => {
                        format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", &to[2..]).into_bytes()
                    }
                    Some((kind, body)) => {
                        let mut answer = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                            body.len()
                        )
                        .into_bytes();
                        answer.extend_from_slice(body);
                        answer
                    }
                    None => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec(),
                };
                log.lock().unwrap().push(path);
                let _ = stream.write_all(&answer);
            }
        });
        Self { address, asked }
    }

    /// Serves one file.
    pub fn of_file(path: &str, kind: &'static str, body: Vec<u8>) -> Self {
        Self::start(|_| Files::from([(path.to_owned(), (kind, body))]))
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/import_sources/fixtures")
}

/// Returns a file of the fixtures.
pub fn fixture(path: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(path)).unwrap()
}

/// Returns a folder of the fixtures as an archive, with the files `more` added. An empty name adds only those.
pub fn zipped(folder: &str, more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let root = fixtures().join(folder);
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut folders = if folder.is_empty() { Vec::new() } else { vec![root.clone()] };
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(&std::fs::read(&path).unwrap()).unwrap();
        }
    }
    for (name, bytes) in more {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Finished import: the space with its administrator, and the response.
pub struct Imported {
    /// Kept, because the database is dropped with the application.
    #[allow(dead_code, reason = "what it holds is what counts")]
    pub app: TestApp,
    pub space: String,
    pub admin: Caller,
    pub answer: Answer,
}

/// Starts an application that may fetch from this machine.
pub async fn app() -> TestApp {
    let fetch = FetchConfig { allow: vec!["127.0.0.1".parse().unwrap()], ..FetchConfig::default() };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

/// Imports a URL into a new space.
pub async fn import(source: &str, url: &str) -> Imported {
    let app = app().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}/content/import");
    let answer = admin.post(&path, json!({"url": url, "source": source})).await;
    Imported { app, space, admin, answer }
}

impl Imported {
    pub fn done(self) -> Self {
        Self { answer: self.answer.expect(201), ..self }
    }

    /// Returns the tree with a page per line: its title, with `#` after a group and `?` after a hidden page.
    pub async fn outline(&self) -> String {
        let pages = self.admin.get(&format!("/v1/spaces/{}/content/pages", self.space)).await.expect(200);
        let mut out = String::new();
        fn write(pages: &Value, depth: usize, out: &mut String) {
            for page in pages.as_array().into_iter().flatten() {
                let group = if page["type"] == "group" { "#" } else { "" };
                let hidden = if page["hidden"] == json!(true) { "?" } else { "" };
                let title = page["title"].as_str().unwrap();
                out.push_str(&format!("{}{title}{group}{hidden}\n", "  ".repeat(depth)));
                write(&page["pages"], depth + 1, out);
            }
        }
        write(pages.at("/pages"), 0, &mut out);
        out
    }

    /// Returns the Markdown of a page, with the ids of pages and files replaced by titles and names.
    pub async fn markdown(&self, path: &str) -> String {
        let base = format!("/v1/spaces/{}/content", self.space);
        let page = self.admin.get(&format!("{base}/path/{path}?format=markdown")).await.expect(200);
        let mut text = page.text("/markdown");
        let pages = self.admin.get(&format!("{base}/pages")).await.expect(200);
        let mut names = Vec::new();
        fn collect(pages: &Value, names: &mut Vec<(String, String)>) {
            for page in pages.as_array().into_iter().flatten() {
                let title = page["title"].as_str().unwrap();
                names.push((format!("/pages/{}", page["id"].as_str().unwrap()), format!("page:{title}")));
                collect(&page["pages"], names);
            }
        }
        collect(pages.at("/pages"), &mut names);
        for file in self.files().await {
            let name = file["name"].as_str().unwrap();
            names.push((format!("/files/{}", file["id"].as_str().unwrap()), format!("file:{name}")));
        }
        for (address, name) in names {
            text = text.replace(&address, &name);
        }
        text
    }

    pub async fn files(&self) -> Vec<Value> {
        let files = self.admin.get(&format!("/v1/spaces/{}/content/files", self.space)).await.expect(200);
        files.at("/items").as_array().unwrap().clone()
    }

    pub async fn file_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.files().await.iter().map(|file| file["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }

    /// Returns the report with an entry per line: status and path.
    pub fn report(&self) -> Vec<String> {
        let entries = self.answer.at("/report").as_array().unwrap();
        entries
            .iter()
            .map(|entry| format!("{} {}", entry["status"].as_str().unwrap(), entry["path"].as_str().unwrap()))
            .collect()
    }
}
