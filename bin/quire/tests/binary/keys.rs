//! Master key of a deployment: created by the first start, private, required and replaceable.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use nix::sys::signal::Signal;

use crate::server::{Scratch, Server, stderr};

/// Another key: 32 bytes in base64.
const OTHER: &str = "b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVyb3Q=";

fn key_file(scratch: &Scratch) -> PathBuf {
    scratch.data_dir().join("secret.key")
}

#[track_caller]
fn refused(scratch: &Scratch, variables: &[(&str, &str)], says: &[&str]) {
    let output = scratch.quire(&["serve"]).envs(variables.iter().copied()).output().unwrap();
    let said = stderr(&output);
    assert!(!output.status.success(), "{said}");
    let line = said.lines().find(|line| line.starts_with("quire: ")).unwrap_or_else(|| panic!("{said}"));
    assert!(says.iter().all(|words| line.contains(words)), "{line}");
}

#[test]
fn a_deployment_keeps_its_master_key_until_it_is_replaced() {
    let scratch = Scratch::new();
    let mut server = Server::start(&scratch);
    let (organization, _) = scratch.bootstrap(&server);
    let visitor_key = || scratch.json(&["admin", "visitor-key", "--organization", &organization]);
    let key = visitor_key();
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait(), Some(0), "{}", scratch.log());

    let file = key_file(&scratch);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o600);
    let first = fs::read_to_string(&file).unwrap();
    assert!(!scratch.log().contains(first.trim()));
    refused(
        &scratch,
        &[("QUIRE_SECRET_KEY", OTHER)],
        &["QUIRE_SECRET_KEY isn't the master key of this database"],
    );
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    refused(&scratch, &[], &["secret.key", "mode 0644", "chmod 600"]);
    fs::remove_file(&file).unwrap();
    refused(
        &scratch,
        &[],
        &["QUIRE_SECRET_KEY: the keys of this database are wrapped by the master key", "secret.key"],
    );
    assert!(!file.exists(), "no other key is made in its target");

    let write = |text: &str| {
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    };
    write(&format!("{OTHER}\n{first}"));
    let rotated = scratch.json(&["admin", "rotate-keys"]);
    assert_eq!((&rotated["visitorKeys"], &rotated["shareLinks"]), (&1.into(), &0.into()));
    assert!(
        rotated["deploymentKeys"].as_u64() >= Some(2)
            && rotated["masterKey"].as_str().map(str::len) == Some(16)
    );
    write(&first);
    refused(&scratch, &[], &["secret.key isn't the master key of this database"]);
    fs::remove_file(&file).unwrap();
    let mut command = scratch.quire(&["serve"]);
    command.env("QUIRE_SECRET_KEY", OTHER);
    let server = Server::spawn(&scratch, command);
    assert!(!file.exists());
    let mut command = scratch.quire(&["admin", "visitor-key", "--organization", &organization]);
    let shown = command.env("QUIRE_SECRET_KEY", OTHER).output().unwrap();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&shown.stdout).unwrap(),
        key,
        "{}",
        stderr(&shown)
    );
    let issued = scratch.json(&["admin", "token", "--email", "ada@example.com", "--label", "x"]);
    let ada = server.client(issued["token"].as_str().unwrap());
    let entries = ada.list(&format!("/v1/orgs/{organization}/audit-log"));
    let operations: Vec<&str> = entries.iter().map(|entry| entry["operation"].as_str().unwrap()).collect();
    assert_eq!(
        operations,
        ["admin.token", "admin.visitor-key", "admin.rotate-keys", "admin.visitor-key", "admin.bootstrap"]
    );
    assert!(entries.iter().all(|entry| entry["actor"]["object"] == "system"));
}

#[test]
fn an_invalid_master_key_stops_the_start_and_is_not_printed() {
    let scratch = Scratch::new();
    for name in ["QUIRE_SECRET_KEY", "QUIRE_SECRET_KEY_PREVIOUS"] {
        let output = scratch.quire(&["serve"]).env(name, "hunter2").output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains(name) && said.contains("32 random bytes") && !said.contains("hunter2"),
            "{said}"
        );
    }
    assert!(!scratch.data_dir().exists(), "nothing was made");
}
