//! Configuration errors are one sentence that names the variable.

use std::net::TcpListener;

use crate::server::{Scratch, stderr};

#[test]
fn a_wrong_value_stops_the_start_and_its_variable_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let scratch = Scratch::new();
    for (name, value, says) in [
        ("QUIRE_BIND", "localhost", "an address and a port"),
        ("QUIRE_BIND", "192.0.2.1:80", "can't listen on 192.0.2.1:80"),
        ("QUIRE_BIND", &taken, "in use"),
        ("QUIRE_BASE_URL", "docs.example.com", "https://docs.example.com"),
        ("QUIRE_POOL", "0", "1..=1000"),
        ("QUIRE_RATE_LIMIT", "many", "a number of requests"),
        ("QUIRE_PEER_RATE_LIMIT", "-1", "a number of requests"),
        ("QUIRE_MAX_BODY", "4 MiB", "a number of bytes"),
        ("QUIRE_MAX_UPLOAD", "0", "a number of bytes"),
        ("QUIRE_MAX_BODIES", "1000", "at least the largest body or upload"),
        ("QUIRE_IMPORT_BYTES", "0", "a number of bytes"),
        ("QUIRE_IMPORT_TEXT_BYTES", "0", "a number of bytes"),
        ("QUIRE_IMPORT_SECONDS", "0", "1..=86400"),
        ("QUIRE_FETCH_ALLOW", "10.0.0.0/99", "`10.0.0.0/99` is not a host"),
        ("QUIRE_CORS_ORIGINS", "https://a.example/x", "is not an origin"),
        ("QUIRE_TRUSTED_PROXIES", "10.0.0.1,proxy", "`proxy` is neither an IP address nor a network"),
        ("QUIRE_FORWARDED_HEADER", "x-real-ip", "`x-forwarded-for` or `forwarded`"),
        ("QUIRE_TRUST_FORWARDED", "true", "replaced by QUIRE_TRUSTED_PROXIES"),
        ("QUIRE_LOG", "loud", "has no level"),
    ] {
        let output = scratch.quire(&["serve"]).env(name, value).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{name}={value}: {said}");
        assert!(said.contains(name) && said.contains(says), "{name}={value}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{name}={value}: {said}");
    }
    assert!(!scratch.data_dir().exists(), "nothing was made");
}

#[test]
fn a_database_that_is_away_is_named_by_its_variable() {
    let scratch = Scratch::new();
    let mut command = scratch.quire(&["serve"]);
    let output = command.env("DATABASE_URL", "postgresql://127.0.0.1:1/quire").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("quire: DATABASE_URL names a database that can't be used: "));
}

#[test]
fn a_private_postgresql_that_cannot_be_had_is_named_by_the_variable_that_decides_it() {
    let scratch = Scratch::new();
    for (name, value) in [("QUIRE_DATA_DIR", "/dev/null/data"), ("QUIRE_POSTGRES_BIN", "/nowhere")] {
        let output = scratch.quire(&["serve"]).env(name, value).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{name}={value}: {said}");
        assert!(said.starts_with(&format!("quire: {name}: ")), "{name}={value}: {said}");
    }
}

#[test]
fn help_and_documentation_list_the_variables_but_no_secret() {
    let scratch = Scratch::new();
    let mut command = scratch.quire(&["serve", "--help"]);
    let output = command.env("DATABASE_URL", "postgresql://quire:hunter2@db/quire").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for name in [
        "QUIRE_BIND",
        "QUIRE_DATA_DIR",
        "DATABASE_URL",
        "QUIRE_BASE_URL",
        "QUIRE_FETCH_ALLOW",
        "QUIRE_RATE_LIMIT",
        "QUIRE_MAX_BODY",
        "QUIRE_MAX_UPLOAD",
        "QUIRE_POOL",
        "QUIRE_CORS_ORIGINS",
        "QUIRE_POSTGRES_BIN",
        "QUIRE_FILES",
        "QUIRE_LOG",
    ] {
        assert!(help.contains(name), "{name}");
    }
    assert!(output.status.success() && !help.contains("hunter2"));
    let documentation = include_str!("../../../../docs/operations.md");
    let is_documented = |name: &str| documentation.contains(&format!("\n| `{name}` |"));
    let missing: Vec<&str> = help
        .split("[env: ")
        .skip(1)
        .filter_map(|rest| rest.split(['=', ']']).next())
        .filter(|name| !is_documented(name))
        .collect();
    assert!(missing.is_empty(), "docs/operations.md lacks {missing:?}");
}

#[test]
fn the_openapi_document_is_printed() {
    let document = Scratch::new().json(&["openapi"]);
    assert_eq!(document["info"]["title"], "Quire");
    assert!(document["paths"]["/v1/spaces/{spaceId}"]["get"].is_object());
}
