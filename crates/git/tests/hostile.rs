//! Hostile servers. Each attack ends with an error, within the limits.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gix_hash::Kind;
use quire_git::{
    Address, Changes, Description, GitError, Limits, NewCommit, ObjectId, Remote, RemoteRef, Signature,
};
use quire_importer::fetch::{FetchConfig, Fetcher};

/// Maximum duration of a run against any server: its time limit and a reserve for slow machines.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Answers of a hostile server to the requests of a fetch.
type Attack = fn(Request, &mut TcpStream) -> std::io::Result<()>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    Greeting,
    Refs,
    Fetch,
    Push,
}

fn serve(attack: Attack) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(attack, stream).ok());
        }
    });
    address
}

fn answer(attack: Attack, mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim_end().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let is_list = body.windows(15).any(|bytes| bytes == b"command=ls-refs");
    let (request, kind) = match first.starts_with("GET") {
        true => (Request::Greeting, "advertisement"),
        false if is_list => (Request::Refs, "result"),
        false if first.contains("git-receive-pack") => (Request::Push, "result"),
        false => (Request::Fetch, "result"),
    };
    let service = if first.contains("git-receive-pack") { "receive" } else { "upload" };
    let content_type = format!("Content-Type: application/x-git-{service}-pack-{kind}");
    write!(stream, "HTTP/1.1 200 OK\r\n{content_type}\r\nConnection: close\r\n\r\n")?;
    attack(request, &mut stream)
}

fn line(stream: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    write!(stream, "{:04x}", bytes.len() + 4)?;
    stream.write_all(bytes)
}

fn greet(stream: &mut impl Write) -> std::io::Result<()> {
    line(stream, b"version 2\n")?;
    line(stream, b"ls-refs\n")?;
    line(stream, b"fetch=shallow filter\n")?;
    line(stream, b"object-format=sha1\n")?;
    stream.write_all(b"0000")
}

/// Sends a pack over the side band of a fetch response.
fn send(stream: &mut impl Write, pack: &[u8]) -> std::io::Result<()> {
    line(stream, b"packfile\n")?;
    for part in pack.chunks(60_000) {
        line(stream, &[b"\x01", part].concat())?;
    }
    stream.write_all(b"0000")
}

/// Returns a pack with its checksum.
fn pack(count: u32, objects: &[Vec<u8>]) -> Vec<u8> {
    let header = [b"PACK".to_vec(), 2_u32.to_be_bytes().to_vec(), count.to_be_bytes().to_vec()];
    let mut bytes = [header.concat(), objects.concat()].concat();
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&bytes);
    bytes.extend_from_slice(hasher.try_finalize().unwrap().as_slice());
    bytes
}

/// Returns the header of an object with a kind and a claimed size.
fn header(kind: u8, size: u64) -> Vec<u8> {
    let mut bytes = vec![(kind << 4) | u8::try_from(size & 15).unwrap()];
    let mut rest = size >> 4;
    while rest > 0 {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.push(u8::try_from(rest & 127).unwrap());
        rest >>= 7;
    }
    bytes
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn fetch(attack: Attack, limits: Limits) -> GitError {
    run(attack, limits, |remote| {
        let _branch = remote.find_ref(None)?;
        remote.fetch(ObjectId::from_hex(&[b'1'; 40]).unwrap()).map(drop)
    })
}

/// Returns the error of `work` with a hostile server.
fn run(
    attack: Attack,
    limits: Limits,
    work: impl FnOnce(&Remote) -> Result<(), GitError> + Send + 'static,
) -> GitError {
    let address = serve(attack);
    let allow = vec![address.to_string().parse().unwrap()];
    let fetcher = Fetcher::new(FetchConfig { allow, ..FetchConfig::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let started = Instant::now();
    let remote = Address::parse(&format!("http://{address}/docs.git")).unwrap();
    let error = runtime.block_on(Remote::run(&fetcher, remote, limits, work)).unwrap_err();
    assert!(started.elapsed() < MAX_WAIT, "it took {:?}", started.elapsed());
    assert!(error.to_string().chars().count() < 300, "{error}");
    error
}

/// Answers the greeting and lists one branch. Returns whether the request is a fetch.
fn until_fetch(request: Request, stream: &mut TcpStream) -> std::io::Result<bool> {
    match request {
        Request::Greeting => greet(stream)?,
        Request::Refs => {
            let id = "1".repeat(40);
            line(stream, format!("{id} HEAD symref-target:refs/heads/main\n").as_bytes())?;
            stream.write_all(b"0000")?;
        }
        Request::Fetch | Request::Push => return Ok(true),
    }
    Ok(false)
}

#[test]
fn endless_answers_before_the_pack_are_cut() {
    let refs: Attack = |request, stream| match request {
        Request::Greeting => greet(stream),
        _ => loop {
            let name = "a".repeat(200);
            line(stream, format!("{} refs/heads/{name}\n", "1".repeat(40)).as_bytes())?;
        },
    };
    let capabilities: Attack = |_, stream| {
        line(stream, b"version 2\n")?;
        loop {
            line(stream, format!("x={}\n", "y".repeat(1000)).as_bytes())?;
        }
    };
    // Before protocol version 2, the greeting contains the refs.
    let old: Attack = |_, stream| {
        line(stream, b"# service=git-upload-pack\n")?;
        stream.write_all(b"0000")?;
        line(stream, format!("{} HEAD\0side-band-64k ofs-delta\n", "1".repeat(40)).as_bytes())?;
        loop {
            line(stream, format!("{} refs/heads/{}\n", "1".repeat(40), "a".repeat(200)).as_bytes())?;
        }
    };
    for attack in [refs, capabilities, old] {
        let error = fetch(attack, Limits::default());
        assert!(matches!(error, GitError::TooLarge { what: "the refs", limit: 4_194_304 }), "{error:?}");
    }
}

#[test]
fn a_trickle_and_endless_progress_end_with_the_time_or_the_bytes() {
    let trickle: Attack = |_, stream| {
        stream.write_all(b"0400")?;
        stream.set_read_timeout(Some(Duration::from_millis(50)))?;
        loop {
            stream.write_all(b"x")?;
            drop(stream.read(&mut [0]));
        }
    };
    let progress: Attack = |request, stream| {
        if until_fetch(request, stream)? {
            line(stream, b"packfile\n")?;
            loop {
                line(stream, b"\x02working\n")?;
            }
        }
        Ok(())
    };
    let limits = Limits { time: Duration::from_secs(1), bytes: u64::MAX, ..Limits::default() };
    for attack in [trickle, progress] {
        let error = fetch(attack, limits);
        assert!(matches!(error, GitError::TimedOut { .. }), "{error:?}");
    }
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    let error = fetch(progress, limits);
    assert!(matches!(error, GitError::TooLarge { what: "the bytes", limit: 1_048_576 }), "{error:?}");
}

#[test]
fn objects_that_claim_too_much_are_refused() {
    let millions: Attack = |request, stream| match until_fetch(request, stream)? {
        true => send(stream, &pack(u32::MAX, &[])),
        false => Ok(()),
    };
    let huge: Attack = |request, stream| match until_fetch(request, stream)? {
        // Zeros compress to a thousandth.
        true => send(stream, &pack(1, &[[header(3, 1 << 23), deflated(&vec![0; 1 << 23])].concat()])),
        false => Ok(()),
    };
    let liar: Attack = |request, stream| match until_fetch(request, stream)? {
        true => send(stream, &pack(1, &[[header(3, 10), deflated(&vec![0; 1 << 23])].concat()])),
        false => Ok(()),
    };
    for attack in [millions, huge, liar] {
        let limits = Limits { object_bytes: 1 << 20, ..Limits::default() };
        let error = fetch(attack, limits);
        assert!(matches!(error, GitError::Protocol { .. }), "{error:?}");
    }
    // The same object is read where the limit is higher, so the limit is what refuses it.
    let error = fetch(huge, Limits { object_bytes: 1 << 24, ..Limits::default() });
    assert!(matches!(error, GitError::Missing { .. }), "{error:?}");
}

/// Returns a size in the encoding of deltas.
fn size(mut size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while size > 127 {
        bytes.push(u8::try_from(size & 127).unwrap() | 0x80);
        size >>= 7;
    }
    bytes.push(u8::try_from(size).unwrap());
    bytes
}

/// Returns a delta whose base is this many bytes before it in the pack.
fn on_base(distance: usize, delta: &[u8]) -> Vec<u8> {
    let mut offset = vec![u8::try_from(distance & 127).unwrap()];
    let mut rest = distance >> 7;
    while rest > 0 {
        rest -= 1;
        offset.insert(0, u8::try_from(rest & 127).unwrap() | 0x80);
        rest >>= 7;
    }
    [header(6, u64::try_from(delta.len()).unwrap()), offset, deflated(delta)].concat()
}

/// Number of deltas in a chain. gix counts levels in 16 bits. With 65,536, a build with overflow checks panics and the
/// run ends with an error; other builds wrap the number, which is only for statistics.
const DELTAS: u32 = 65_000;

#[test]
fn a_chain_of_deltas_takes_no_stack() {
    let chain: Attack = |request, stream| {
        if !until_fetch(request, stream)? {
            return Ok(());
        }
        let mut objects = vec![[header(3, 4), deflated(&[0; 4])].concat()];
        for number in 0..DELTAS {
            // An inserted number makes each object unique.
            let delta = [size(4), size(4), vec![4], number.to_be_bytes().to_vec()].concat();
            objects.push(on_base(objects[objects.len() - 1].len(), &delta));
        }
        send(stream, &pack(DELTAS + 1, &objects))
    };
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let error = fetch(chain, limits);
    assert!(matches!(error, GitError::Missing { .. } | GitError::TimedOut { .. }), "{error:?}");
}

/// Returns a commit with folders of this depth, and its pack.
fn nested(depth: u32) -> (ObjectId, Vec<u8>) {
    let id = |kind, bytes: &[u8]| gix_object::compute_hash(Kind::Sha1, kind, bytes).unwrap();
    let object =
        |kind, bytes: &[u8]| [header(kind, u64::try_from(bytes.len()).unwrap()), deflated(bytes)].concat();
    let mut objects = vec![object(2, b"")];
    let mut tree = id(gix_object::Kind::Tree, b"");
    for _ in 0..depth {
        let bytes = [b"40000 d\0", tree.as_slice()].concat();
        tree = id(gix_object::Kind::Tree, &bytes);
        objects.push(object(2, &bytes));
    }
    let commit = format!("tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nDeep\n");
    objects.push(object(1, commit.as_bytes()));
    (id(gix_object::Kind::Commit, commit.as_bytes()), pack(depth + 2, &objects))
}

#[test]
fn twenty_thousand_nested_folders_are_not_read() {
    let deep: Attack = |request, stream| match until_fetch(request, stream)? {
        true => send(stream, &nested(20_000).1),
        false => Ok(()),
    };
    let commit = nested(20_000).0;
    let error = run(deep, Limits::default(), move |remote| {
        let snapshot = remote.fetch(commit)?;
        Err::<(), _>(GitError::Missing { id: snapshot.skipped.len().to_string() })
    });
    assert!(matches!(&error, GitError::Missing { id } if id == "1"), "{error:?}");
}

#[test]
fn an_endless_report_of_a_push_is_cut() {
    let report: Attack = |request, stream| match request {
        Request::Push => loop {
            line(stream, b"unpack ok\n")?;
        },
        _ => {
            line(stream, b"# service=git-receive-pack\n")?;
            stream.write_all(b"0000")?;
            let id = "1".repeat(40);
            line(stream, format!("{id} refs/heads/main\0report-status agent=x\n").as_bytes())?;
            stream.write_all(b"0000")
        }
    };
    let error = run(report, Limits::default(), |remote| {
        let me = Signature { name: "A".to_owned(), email: "a@example.org".to_owned() };
        let description =
            Description { author: me.clone(), committer: me, seconds: 0, message: "Begin".to_owned() };
        let changes = Changes::from([("a.md".to_owned(), Some(b"# A\n".to_vec()))]);
        let commit = NewCommit::new(None, &changes, &description)?.unwrap();
        let branch = RemoteRef { name: "refs/heads/main".to_owned(), commit: None };
        remote.push(&branch, &commit)
    });
    assert!(matches!(error, GitError::TooLarge { what: "the refs", .. }), "{error:?}");
}

#[test]
fn a_bomb_of_deltas_ends_with_the_time() {
    let bomb: Attack = |request, stream| {
        if !until_fetch(request, stream)? {
            return Ok(());
        }
        // Each delta copies 16 MiB - 1 bytes of the base six times.
        let base = vec![0; (1 << 24) - 1];
        let copy = [0x80 | 0x70, 0xff, 0xff, 0xff];
        let first = [header(3, u64::try_from(base.len()).unwrap()), deflated(&base)].concat();
        let mut objects = vec![first];
        let mut distance = objects[0].len();
        for number in 0..3_000_u32 {
            // An inserted number makes each object unique.
            let number = number.to_be_bytes();
            let delta = [
                size(base.len()),
                size(base.len() * 6 + 4),
                copy.repeat(6),
                [&[4_u8][..], &number[..]].concat(),
            ]
            .concat();
            let object = on_base(distance, &delta);
            distance += object.len();
            objects.push(object);
        }
        let bytes = pack(3_001, &objects);
        send(stream, &bytes)
    };
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let error = fetch(bomb, limits);
    assert!(matches!(error, GitError::TimedOut { .. }), "{error:?}");
}

#[test]
fn other_answers_are_not_git() {
    let page: Attack = |_, stream| stream.write_all(b"<!doctype html><title>Sign in</title>");
    let nothing: Attack = |_, _| Ok(());
    let sha256: Attack = |_, stream| {
        line(stream, b"version 2\n")?;
        line(stream, b"ls-refs\n")?;
        line(stream, b"fetch=shallow filter\n")?;
        line(stream, b"object-format=sha256\n")?;
        stream.write_all(b"0000")
    };
    for attack in [page, nothing] {
        let error = fetch(attack, Limits::default());
        assert!(matches!(error, GitError::Protocol { .. }), "{error:?}");
    }
    let error = fetch(sha256, Limits::default());
    assert!(matches!(error, GitError::Unsupported { .. }), "{error:?}");
}
