//! Git server: `git http-backend` behind a small HTTP server with Basic authentication.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use tempfile::TempDir;

/// User name and password of the server.
pub const GIT_CREDENTIALS: &str = "bot:s3cret";

/// [`GIT_CREDENTIALS`] in Base64.
const ENCODED: &str = "Ym90OnMzY3JldA==";

/// Credentials of the LFS store. The LFS API returns them with each action.
pub const LARGE: &str = "Store key";

/// The same password as the token of a GitHub App installation, in Base64.
const ENCODED_OF_APP: &str = "eC1hY2Nlc3MtdG9rZW46czNjcmV0";

/// Private key of a GitHub App in PEM.
pub const GITHUB_APP_KEY: &str = include_str!("oidc_provider.pem");

/// Path prefix of requests that a GitHub App signs.
const APP: &str = "/api/v3/app/";

/// The password as the bearer token of a provider's API.
const TOKEN: &str = "Bearer s3cret";

/// Git server that ends with the process. Dropping the value removes its repositories.
pub struct GitServer {
    address: SocketAddr,
    root: TempDir,
    seen: Arc<Seen>,
}

/// Rule for withheld answers.
struct Withholding {
    /// Number of requests that are still answered.
    before: usize,
    /// True if only one answer is withheld.
    is_one: bool,
    /// Called for each withheld answer.
    announce: Box<dyn Fn() + Send>,
}

/// Requests that a server received.
#[derive(Default)]
struct Seen {
    lines: Mutex<Vec<String>>,
    /// Size of all bodies in both directions, in bytes.
    bytes: AtomicU64,
    /// Rule for withheld answers, if any.
    withholding: Mutex<Option<Withholding>>,
    /// True if withheld answers are sent on release; otherwise the clients are disconnected.
    sent_late: AtomicBool,
    released: Condvar,
    /// Handler of API requests.
    api: Mutex<Option<ApiAnswer>>,
}

/// Handler of API requests. Receives method, target and body; returns status and body.
type ApiAnswer = Box<dyn Fn(&str, &str, &str) -> (u16, String) + Send>;

/// Repository of a [`GitServer`].
pub struct GitRepository {
    /// URL without credentials.
    pub url: String,
    /// URL with credentials.
    pub url_with_credentials: String,
    bare: PathBuf,
}

impl GitServer {
    /// Starts a server. On a machine without Git, prints a message and returns `None`. In CI, Git must be installed.
    #[must_use]
    #[allow(
        clippy::print_stderr,
        clippy::disallowed_methods,
        reason = "a skipped test says so, except in CI"
    )]
    pub fn start() -> Option<Self> {
        let Some(backend) = backend() else {
            assert!(std::env::var_os("CI").is_none(), "git is not installed");
            eprintln!("skipped: git is not installed");
            return None;
        };
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the address of a listener");
        let root = TempDir::new().expect("a folder for repositories");
        let seen = Arc::<Seen>::default();
        let (folder, log) = (root.path().to_owned(), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (backend, folder, log) = (backend.clone(), folder.clone(), Arc::clone(&log));
                // An error, such as a disconnected client, ends only the thread of its connection.
                thread::spawn(move || answer(stream, &backend, &folder, &log).ok());
            }
        });
        Some(Self { address, root, seen })
    }

    /// Returns the address that a guard must allow.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Creates an empty repository. `has_filters` decides whether it supports partial clones.
    #[must_use]
    pub fn create(&self, name: &str, has_filters: bool) -> GitRepository {
        let bare = self.root.path().join(format!("{name}.git"));
        git(self.root.path(), ["init", "--quiet", "--bare", "--initial-branch=main", &format!("{name}.git")]);
        let repository = GitRepository {
            url: format!("http://{}/{name}.git", self.address),
            url_with_credentials: format!("http://{GIT_CREDENTIALS}@{}/{name}.git", self.address),
            bare,
        };
        repository.git(["config", "http.receivepack", "true"]);
        repository.git(["config", "uploadpack.allowFilter", if has_filters { "true" } else { "false" }]);
        repository
    }

    /// Returns the requests since the last call, one line each: method, path, and whether credentials were sent.
    #[must_use]
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.seen.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the size of the bodies of requests and answers since the last call, in bytes.
    #[must_use]
    pub fn take_bytes(&self) -> u64 {
        self.seen.bytes.swap(0, Ordering::Relaxed)
    }

    /// Answers this many requests and carries out further ones, but withholds their answers until
    /// [`GitServer::answer_all`]. `announce` is called for each withheld answer.
    pub fn answer_only(&self, requests: usize, announce: impl Fn() + Send + 'static) {
        self.withhold(Withholding { before: requests, is_one: false, announce: Box::new(announce) });
    }

    /// Like [`GitServer::answer_only`], but withholds only one answer.
    pub fn hold_one(&self, before: usize, announce: impl Fn() + Send + 'static) {
        self.withhold(Withholding { before, is_one: true, announce: Box::new(announce) });
    }

    fn withhold(&self, rule: Withholding) {
        *self.seen.withholding.lock().unwrap_or_else(PoisonError::into_inner) = Some(rule);
    }

    /// Sets the handler of requests below `/api/` and of LFS requests. The body for a `HEAD` is lines of headers. The
    /// body of a request that a GitHub App signs follows the value of `Authorization` and a line break.
    pub fn answer_api(&self, answer: impl Fn(&str, &str, &str) -> (u16, String) + Send + 'static) {
        *self.seen.api.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(answer));
    }

    /// Disconnects clients whose answers are withheld, and answers all requests from now on.
    pub fn answer_all(&self) {
        self.release(false);
    }

    /// Sends the withheld answers, and answers all requests from now on.
    pub fn answer_late(&self) {
        self.release(true);
    }

    fn release(&self, is_sent: bool) {
        self.seen.sent_late.store(is_sent, Ordering::Relaxed);
        *self.seen.withholding.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.seen.released.notify_all();
    }
}

/// Object id that marks a removed file.
const ZERO: &str = "0000000000000000000000000000000000000000";

impl GitRepository {
    /// Commits files to `main`, and returns the id of the commit. `None` removes a file.
    pub fn commit(&self, files: &[(&str, Option<&[u8]>)]) -> String {
        let entries = files.iter().map(|(path, bytes)| match bytes {
            Some(bytes) => format!("100644 blob {}\t{path}\n", self.write_object("blob", bytes)),
            // Mode 0 removes a file. It works without a work tree.
            None => format!("0 {ZERO}\t{path}\n"),
        });
        self.commit_entries(&entries.collect::<String>())
    }

    /// Commits entries to `main` in the form of `git ls-tree`, such as symbolic links, and returns the commit id.
    pub fn commit_entries(&self, entries: &str) -> String {
        let work = TempDir::new().expect("a folder for a commit");
        let index = work.path().join("index");
        let run = |arguments: &[&str], input: &str| {
            let index = [("GIT_INDEX_FILE", index.as_os_str())];
            text(arguments, piped(&self.bare, arguments, input.as_bytes(), &index))
        };
        if let Some(head) = self.head() {
            run(&["read-tree", &head], "");
        }
        run(&["update-index", "--index-info"], entries);
        let tree = run(&["write-tree"], "");
        self.commit_tree(&tree)
    }

    /// Commits a tree to `main`, and returns the commit id.
    pub fn commit_tree(&self, tree: &str) -> String {
        let head = self.head();
        let mut arguments = vec!["commit-tree", tree, "-m", "Edit files"];
        arguments.extend(head.iter().flat_map(|head| ["-p", head.as_str()]));
        let commit = self.git(arguments);
        self.git(["update-ref", "refs/heads/main", &commit]);
        commit
    }

    /// Writes an object without checks, and returns its id.
    pub fn write_object(&self, kind: &str, bytes: &[u8]) -> String {
        let arguments = ["hash-object", "-t", kind, "--literally", "-w", "--stdin"];
        text(&arguments, piped(&self.bare, &arguments, bytes, &[]))
    }

    /// Returns the commit of `main`, if there is one.
    #[must_use]
    pub fn head(&self) -> Option<String> {
        let arguments = ["rev-parse", "--verify", "--quiet", "refs/heads/main"];
        let output = piped(&self.bare, &arguments, b"", &[]);
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Returns the blob ids of the files of `main` by path.
    #[must_use]
    pub fn files(&self) -> HashMap<String, String> {
        let listed = self.git(["ls-tree", "-r", "-z", "--format=%(objectname) %(path)", "refs/heads/main"]);
        let entries = listed.split('\0').filter_map(|line| line.split_once(' '));
        entries.map(|(id, path)| (path.to_owned(), id.to_owned())).collect()
    }

    /// Returns a file of `main` as text.
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        let arguments = ["cat-file", "blob", &format!("refs/heads/main:{path}")];
        let output = piped(&self.bare, &arguments, b"", &[]);
        assert!(output.status.success(), "{path} is missing: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns all files of `main` as texts by path, with one process for any number of them. Leaves out those whose
    /// bytes the repository lacks: submodules, and files of an incomplete copy.
    ///
    /// # Panics
    /// If Git prints something else.
    #[must_use]
    pub fn texts(&self) -> HashMap<String, String> {
        let files = self.files();
        let asked: String = files.values().map(|id| format!("{id}\n")).collect();
        let arguments = ["cat-file", "--batch", "--buffer"];
        let output = piped(&self.bare, &arguments, asked.as_bytes(), &[]);
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
        // The id, the kind and the size in a line, the bytes, and a line end. For an absent object, the id and a word.
        let (mut texts, mut rest) = (HashMap::new(), output.stdout.as_slice());
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (head, after) = rest.split_at(end + 1);
            let head = String::from_utf8_lossy(head);
            let Some(size) = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok()) else {
                assert!(head.trim_end().ends_with(" missing"), "git {arguments:?}: {head}");
                rest = after;
                continue;
            };
            let (bytes, after) = after.split_at(size);
            let id = head.split(' ').next().unwrap_or_default().to_owned();
            texts.insert(id, String::from_utf8_lossy(bytes).into_owned());
            rest = after.strip_prefix(b"\n").expect("the line end after an object");
        }
        files.into_iter().filter_map(|(path, id)| Some((path, texts.get(&id)?.clone()))).collect()
    }

    /// Installs a hook.
    pub fn hook(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.bare.join("hooks").join(name);
        fs::create_dir_all(self.bare.join("hooks")).expect("the folder of hooks");
        fs::write(&path, script).expect("a hook");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable hook");
    }

    /// Runs `git` in the repository, and returns its output.
    pub fn git<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        git(&self.bare, arguments)
    }
}

fn git<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> String {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    text(&arguments, piped(folder, &arguments, b"", &[]))
}

fn text(arguments: &[&str], output: Output) -> String {
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned()
}

fn piped(folder: &Path, arguments: &[&str], input: &[u8], variables: &[(&str, &OsStr)]) -> Output {
    let person = ["AUTHOR", "COMMITTER"];
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments).envs(variables.iter().copied());
    for role in person {
        command.env(format!("GIT_{role}_NAME"), "Ada Example");
        command.env(format!("GIT_{role}_EMAIL"), "ada@example.org");
        command.env(format!("GIT_{role}_DATE"), "1795824000 +0000");
    }
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git is installed");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Git writes while it reads: its output must be read before its input ends.
    thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).expect("git reads its input"));
        child.wait_with_output().expect("git ends")
    })
}

/// Returns the path of `git http-backend`.
fn backend() -> Option<PathBuf> {
    let output = Command::new("git").arg("--exec-path").output().ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    Some(folder.join("git-http-backend")).filter(|path| path.exists())
}

impl Seen {
    fn note(&self, line: String) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Returns whether a request gets an answer. A withheld answer is announced, and this call blocks until the
    /// release.
    fn is_answered(&self) -> bool {
        let mut withholding = self.withholding.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *withholding {
            None => return true,
            Some(Withholding { before: before @ 0, is_one, announce }) => {
                announce();
                if *is_one {
                    *before = usize::MAX;
                }
            }
            Some(Withholding { before, .. }) => {
                *before -= 1;
                return true;
            }
        }
        drop(self.released.wait_while(withholding, |withholding| withholding.is_some()));
        self.sent_late.load(Ordering::Relaxed)
    }

    fn count(&self, bytes: usize) {
        self.bytes.fetch_add(u64::try_from(bytes).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Returns the credentials that an API or LFS request must have. `None` for requests of Git.
fn credentials_of_api(target: &str) -> Option<String> {
    if target.starts_with("/api/") {
        Some(TOKEN.to_owned())
    } else if target.contains("/info/lfs/") {
        Some(format!("Basic {ENCODED}"))
    } else {
        target.starts_with("/large/").then(|| LARGE.to_owned())
    }
}

/// Answers one request.
fn answer(stream: TcpStream, backend: &Path, root: &Path, seen: &Seen) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(()) };
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let authorization = headers.get("authorization");
    let credentials = if authorization.is_some() { "with credentials" } else { "without credentials" };
    seen.count(body.len());
    seen.note(format!("{method} {target} {credentials}"));
    if let Some(moved) = target.strip_prefix("/moved/") {
        let location = format!("Location: /{moved}");
        return write!(
            writer,
            "HTTP/1.1 301 Moved\r\n{location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    }
    let credentials_of_api = match target.starts_with(APP) {
        true => authorization.cloned(),
        false => credentials_of_api(&target),
    };
    if let Some(credentials) = credentials_of_api {
        let mut body = String::from_utf8_lossy(&body).into_owned();
        if target.starts_with(APP) {
            body = format!("{credentials}\n{body}");
        }
        let api = seen.api.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = api.as_ref().filter(|_| authorization == Some(&credentials));
        let (status, body) =
            answer.map_or_else(|| (404, "{}".to_owned()), |answer| answer(&method, &target, &body));
        drop(api);
        if method == "HEAD" {
            return write!(writer, "HTTP/1.1 {status} Api\r\n{body}Connection: close\r\n\r\n");
        }
        let length = body.len();
        return write!(
            writer,
            "HTTP/1.1 {status} Api\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
    }
    let accepted = [ENCODED, ENCODED_OF_APP].map(|encoded| format!("Basic {encoded}"));
    if authorization.is_none_or(|authorization| !accepted.contains(authorization)) {
        let realm = "WWW-Authenticate: Basic realm=\"git\"";
        return write!(
            writer,
            "HTTP/1.1 401 No\r\n{realm}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
    let mut child = Command::new(backend)
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", root)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", &method)
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", length.to_string())
        .env("GIT_PROTOCOL", header("git-protocol"))
        .env("REMOTE_USER", "bot")
        .env("REMOTE_ADDR", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
    let feeding = thread::spawn(move || input.write_all(&body).ok());
    let output = child.wait_with_output()?;
    drop(feeding.join());
    let end = output.stdout.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    let (head, body) = output.stdout.split_at(end.map_or(0, |end| end + 2));
    seen.count(body.len());
    if !seen.is_answered() {
        return Ok(());
    }
    let head = String::from_utf8_lossy(head);
    let status = head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK");
    write!(writer, "HTTP/1.1 {status}\r\nConnection: close\r\n")?;
    for line in head.lines().filter(|line| !line.starts_with("Status: ")) {
        write!(writer, "{line}\r\n")?;
    }
    writer.write_all(body)
}
