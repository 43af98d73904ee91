//! Backups, restores, checks, recoveries and moves through the commands for operators.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;

use crate::http::Client;
use crate::server::{Scratch, Server, stderr};

/// Runs a command that must succeed, and returns its output.
#[track_caller]
fn run(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = scratch.run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail with this status, and returns its message.
#[track_caller]
fn refused(scratch: &Scratch, arguments: &[&str], status: i32) -> String {
    let output = scratch.run(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

fn make_space(client: &Client, organization: &str, title: &str) -> String {
    let made =
        client.send("POST", &format!("/v1/orgs/{organization}/spaces"), Some(&json!({"title": title})));
    made.expect(201).text("/id")
}

fn titles(client: &Client, organization: &str) -> Vec<String> {
    let spaces = client.list(&format!("/v1/orgs/{organization}/spaces"));
    let mut titles: Vec<String> =
        spaces.iter().map(|space| space["title"].as_str().unwrap().to_owned()).collect();
    titles.sort_unstable();
    titles
}

fn copy_key(from: &Scratch, to: &Scratch) {
    fs::create_dir_all(to.data_dir()).unwrap();
    fs::copy(from.data_dir().join("secret.key"), to.data_dir().join("secret.key")).unwrap();
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_backup_of_a_running_server_is_restored_on_another_machine() {
    let (here, there, folder) = (Scratch::new(), Scratch::new(), tempfile::tempdir().unwrap());
    let server = Server::start(&here);
    let (organization, client) = here.bootstrap(&server);
    make_space(&client, &organization, "Guide");
    let archive = path(&folder, "backup");
    let said = run(&here, &["backup", &archive]);
    assert!(said.starts_with("Wrote ") && said.contains(" rows and "), "{said}");
    assert!(refused(&here, &["backup", &archive], 2).contains("already exists"));
    assert!(refused(&here, &["restore", &archive], 1).contains("is already served by"));
    make_space(&client, &organization, "Later");

    let said = run(&there, &["restore", &archive]);
    assert!(said.contains("The archive has no master key"), "{said}");
    assert!(refused(&there, &["restore", &archive], 2).contains("the database is not empty"));
    copy_key(&here, &there);
    let checked = run(&there, &["check", "--read-files"]);
    assert!(checked.starts_with("Verified "), "{checked}");
    let restored = Server::start(&there);
    let client = restored.client(&client.token);
    assert_eq!(titles(&client, &organization), ["Guide"]);

    fs::write(&archive, b"something else").unwrap();
    let empty = Scratch::new();
    assert!(refused(&empty, &["restore", &archive], 2).contains("not an archive of Quire"));
}

#[test]
fn an_organization_moves_between_deployments() {
    let (here, there, folder) = (Scratch::new(), Scratch::new(), tempfile::tempdir().unwrap());
    let server = Server::start(&here);
    let (organization, client) = here.bootstrap(&server);
    make_space(&client, &organization, "Guide");
    let archive = path(&folder, "acme");
    let exported = here.json(&["admin", "organization", "export", "--organization", &organization, &archive]);
    assert_eq!(exported["missing"], 0);
    copy_key(&here, &there);
    assert!(refused(&there, &["restore", &archive], 2).contains("holds an organization"));
    let imported = there.json(&["admin", "organization", "import", &archive]);
    assert_eq!(imported["organization"], organization.as_str());
    assert!(refused(&there, &["admin", "organization", "import", &archive], 2).contains("already"));
    let target = Server::start(&there);
    assert_eq!(titles(&target.client(&client.token), &organization), ["Guide"]);
    // Options without a subcommand are still required.
    assert!(!there.run(&["admin", "organization"]).status.success());
}

#[test]
fn the_private_postgres_is_recovered_at_a_moment_between_two_writes() {
    let (here, folder) = (Scratch::new(), tempfile::tempdir().unwrap());
    fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).unwrap();
    let (wal, base) = (here.data_dir().join("../wal"), path(&folder, "base"));
    let wal = wal.to_str().unwrap().to_owned();
    let mut command = here.quire(&["serve"]);
    command.env("QUIRE_WAL_ARCHIVE", &wal);
    let mut server = Server::spawn(&here, command);
    let (organization, client) = here.bootstrap(&server);
    make_space(&client, &organization, "Before the copy");
    run(&here, &["base-backup", &base]);
    make_space(&client, &organization, "Before the accident");
    std::thread::sleep(Duration::from_millis(1_100));
    let moment = quire_domain_now();
    std::thread::sleep(Duration::from_millis(1_100));
    make_space(&client, &organization, "After it");
    // Stopping PostgreSQL archives the rest of the log.
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait(), Some(0), "{}", here.log());
    let archived = || fs::read_dir(&wal).unwrap().count();
    let began = Instant::now();
    while archived() == 0 {
        assert!(began.elapsed() < Duration::from_secs(30), "nothing was archived: {}", here.log());
        std::thread::sleep(Duration::from_millis(50));
    }

    let recovered = |until: Option<&str>| {
        let there = Scratch::new();
        let mut arguments = vec!["recover", &base, "--wal", &wal];
        arguments.extend(until.iter().flat_map(|until| ["--until", *until]));
        run(&there, &arguments);
        copy_key(&here, &there);
        let server = Server::start(&there);
        let titles = titles(&server.client(&client.token), &organization);
        assert!(refused(&there, &["recover", &base, "--wal", &wal], 1).contains("holds a cluster already"));
        titles
    };
    assert_eq!(recovered(Some(&moment)), ["Before the accident", "Before the copy"]);
    assert_eq!(recovered(None), ["After it", "Before the accident", "Before the copy"]);

    let there = Scratch::new();
    let said = refused(&there, &["recover", &base, "--wal", &wal, "--until", "2099-01-01T00:00:00Z"], 1);
    assert!(said.contains("recovery ended before configured recovery target was reached"), "{said}");
    assert!(!there.data_dir().join("postgres/pgdata").exists());
    let nowhere = Path::new("/nonexistent/wal").to_str().unwrap();
    assert!(refused(&there, &["recover", &base, "--wal", nowhere], 2).contains("is not a folder"));
}

/// Returns the current time in the format of commands.
fn quire_domain_now() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let now =
        time::OffsetDateTime::from_unix_timestamp_nanos(i128::try_from(now.as_nanos()).unwrap()).unwrap();
    now.format(&time::format_description::well_known::Rfc3339).unwrap()
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let scratch = Scratch::new();
    let before = run(&scratch, &["doctor"]);
    assert!(before.contains("OK   database: not created yet"), "{before}");
    assert!(!scratch.data_dir().exists(), "it creates nothing");
    let server = Server::start(&scratch);
    let (_, client) = scratch.bootstrap(&server);
    let said = scratch
        .quire(&["doctor"])
        .env("QUIRE_BASE_URL", format!("http://{}", client.address))
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", stderr(&said));
    let said = String::from_utf8(said.stdout).unwrap();
    for line in [
        "OK   clock: ",
        "OK   schema: ",
        "OK   master key: it decrypts",
        "OK   files: ",
        "OK   base URL: ",
        "OK   jobs: no job",
    ] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
    let output = scratch
        .quire(&["doctor"])
        .env("QUIRE_SECRET_KEY", "b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVyb3Q=")
        .env("QUIRE_FILES", "s3://nowhere")
        .env("QUIRE_S3_ENDPOINT", "http://127.0.0.1:1")
        .env("QUIRE_S3_ACCESS_KEY", "a")
        .env("QUIRE_S3_SECRET_KEY", "b")
        .env("QUIRE_BASE_URL", "http://127.0.0.1:1")
        .env("QUIRE_PDF_BIN", "/nonexistent")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    for line in [
        "FAIL master key: QUIRE_SECRET_KEY isn't the master key",
        "FAIL files: s3://nowhere can't be used",
        "WARN base URL: http://127.0.0.1:1 does not answer",
        "WARN PDFs: /nonexistent is missing",
    ] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
}

#[test]
fn half_an_access_key_is_refused() {
    let scratch = Scratch::new();
    let output = scratch
        .quire(&["serve"])
        .env("QUIRE_FILES", "s3://files")
        .env("QUIRE_S3_ACCESS_KEY", "only")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("QUIRE_S3_SECRET_KEY"), "{}", stderr(&output));
}

#[test]
fn files_are_copied_between_folders_and_damaged_ones_named() {
    let (scratch, folder) = (Scratch::new(), tempfile::tempdir().unwrap());
    let (from, to) = (folder.path().join("from"), path(&folder, "to"));
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let shard = from.join("018f0000-0000-7000-8000-000000000000").join("ba");
    fs::create_dir_all(&shard).unwrap();
    fs::write(shard.join(hash), "abc").unwrap();
    let from = from.to_str().unwrap();
    assert!(run(&scratch, &["files", "copy", from, &to]).starts_with("Copied 1 files (3 bytes); 0 were"));
    assert!(run(&scratch, &["files", "copy", from, &to]).starts_with("Copied 0 files (0 bytes); 1 were"));
    fs::write(shard.join(hash), "abd").unwrap();
    let said = refused(&scratch, &["files", "copy", "--verify", from, &path(&folder, "other")], 1);
    assert!(said.contains("1 files are damaged"), "{said}");
    assert!(refused(&scratch, &["files", "copy", "/nonexistent", &to], 1).contains("is not a folder"));
}
