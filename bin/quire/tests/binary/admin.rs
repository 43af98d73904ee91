//! `quire admin` and `quire migrate`, with and without a running server.

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::server::{Scratch, Server, stderr};

fn lines(output: &std::process::Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn people_and_tokens_are_managed_while_a_server_runs_and_while_none_does() {
    let scratch = Scratch::new();
    let mut server = Server::start(&scratch);
    let (organization, ada) = scratch.bootstrap(&server);
    let create = ["admin", "create-user", "--organization", &organization, "--email"];
    let create = |rest: &[&str]| scratch.run(&[&create, rest].concat());

    let made = create(&["bob@example.com", "--name", "Bob", "--role", "read"]);
    let bob = server.client(lines(&made)[0]["token"].as_str().unwrap());
    assert_eq!(bob.list("/v1/orgs").len(), 1);
    let spaces = format!("/v1/orgs/{organization}/spaces");
    bob.send("POST", &spaces, None).expect(403);

    // E-mail addresses are case-insensitive.
    let again = create(&["BOB@example.com", "--name", "Bob", "--role", "admin"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("is already a member of the organization"), "{}", stderr(&again));

    let issued =
        scratch.json(&["admin", "token", "--email", "ada@example.com", "--label", "ci", "--read-only"]);
    let reader = server.client(issued["token"].as_str().unwrap());
    assert_eq!(reader.list("/v1/orgs").len(), 1);
    reader.send("POST", &spaces, None).expect(403);
    assert!(scratch.run(&["admin", "revoke", issued["id"].as_str().unwrap()]).status.success());
    reader.get("/v1/orgs").expect(401);
    ada.send("POST", &spaces, None).expect(201);

    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait(), Some(0));

    let expiring =
        ["admin", "token", "--email", "bob@example.com", "--label", "week", "--expires-in-days", "7"];
    assert!(scratch.json(&expiring)["expiresAt"].is_string());
    let tokens = lines(&scratch.run(&["admin", "tokens"]));
    let labels: Vec<&str> = tokens.iter().map(|token| token["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["bootstrap", "create-user", "week"]);
    assert!(tokens.iter().all(|token| token.get("token").is_none()));
    assert_eq!(lines(&scratch.run(&["admin", "tokens", "--email", "bob@example.com"])).len(), 2);
    assert!(scratch.postmaster().is_none(), "the command's PostgreSQL ended with it");
}

#[test]
fn an_organization_and_its_members_are_administrated_while_a_server_runs() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch);
    let (organization, ada) = scratch.bootstrap(&server);
    let set = |rest: &[&str]| {
        let output =
            scratch.run(&[&["admin", "organization", "--organization", &organization], rest].concat());
        assert!(output.status.success(), "{rest:?}: {}", stderr(&output));
    };
    set(&[
        "--plan",
        "pro_2024",
        "--trial",
        "active",
        "--trial-ends",
        "2027-01-31T00:00:00Z",
        "--billing",
        "yearly",
    ]);
    set(&["--custom-hostname", "Docs.Acme.example"]);
    let path = format!("/v1/orgs/{organization}");
    let seen = ada.get(&path).expect(200).json;
    assert_eq!((&seen["plan"], &seen["customHostname"]), (&"pro_2024".into(), &"docs.acme.example".into()));
    assert_eq!(seen["trial"]["endDate"], "2027-01-31T00:00:00.000Z");
    assert_eq!(seen["billing"]["interval"], "yearly");
    set(&["--migration-deadline", "2027-03-01T00:00:00Z", "--migration-discount", "12.5"]);
    assert_eq!(
        ada.get(&path).expect(200).json["internal_billingMigration"],
        serde_json::json!({"deadline": "2027-03-01T00:00:00.000Z", "discountPercent": 12.5})
    );
    set(&["--no-billing-migration"]);
    assert_eq!(ada.get(&path).expect(200).json.get("internal_billingMigration"), None);
    set(&["--no-billing", "--block", "security"]);
    let seen = ada.get(&path).expect(200).json;
    assert_eq!((seen.get("billing"), &seen["blocked"]["reason"]), (None, &"security".into()));
    set(&["--unblock"]);

    let create = [
        "admin",
        "create-user",
        "--organization",
        &organization,
        "--email",
        "bob@example.com",
        "--name",
        "Bob",
    ];
    let made = scratch.json(&[&create[..], &["--role", "read"]].concat());
    let bob = server.client(made["token"].as_str().unwrap());
    let member = |email: &str, how: &str| {
        scratch.run(&["admin", "member", "--organization", &organization, "--email", email, how])
    };
    assert!(member("BOB@example.com", "--disable").status.success());
    bob.get(&path).expect(404);
    assert!(member("bob@example.com", "--enable").status.success());
    bob.get(&path).expect(200);
    for (email, says) in [("ada@example.com", "last administrator"), ("eve@example.com", "there is no user")]
    {
        let refused = member(email, "--disable");
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(says), "{}", stderr(&refused));
    }
    // An account created with the secret of an invite has no verified address until an operator sets one.
    let invites = format!("{path}/invites");
    let body = serde_json::json!({"emails": ["carla@example.com"]});
    let invited = ada.send("POST", &invites, Some(&body)).expect(200).json;
    let invite = &invited["invites"][0];
    let register = format!("/v1/invites/{}/register", invite["id"].as_str().unwrap());
    let body = serde_json::json!({"secret": invite["secret"]});
    let carla = ada.send("POST", &register, Some(&body)).expect(201).json;
    let user = carla["user"].as_str().unwrap();
    let address = |email: &str| scratch.run(&["admin", "user", "--user", user, "--email", email]);
    let refused = address("BOB@example.com");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("another user has the address"), "{}", stderr(&refused));
    assert!(address("carla@example.com").status.success() && address("Carla@example.com").status.success());
    let carla = server.client(carla["token"].as_str().unwrap());
    assert_eq!(carla.get("/v1/user").expect(200).json["email"], "carla@example.com");
    let disable = ["admin", "member", "--organization", &organization, "--user", user, "--disable"];
    assert!(scratch.run(&disable).status.success());
    carla.get(&path).expect(404);
    let key = scratch.json(&["admin", "visitor-key", "--organization", &organization]);
    assert_eq!(key["visitorKey"].as_str().map(str::len), Some(44));
    let rotated = scratch.json(&["admin", "visitor-key", "--organization", &organization, "--rotate"]);
    assert_ne!(rotated["visitorKey"], key["visitorKey"]);
    assert_eq!(scratch.json(&["admin", "visitor-key", "--organization", &organization]), rotated);
    let language = |name: &str| {
        scratch.run(&["admin", "search-language", "--organization", &organization, "--language", name])
    };
    assert!(language("english").status.success());
    let refused = language("klingon");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("`klingon`"), "{}", stderr(&refused));
    let refused = scratch.run(&["admin", "integration", "--name", "nothing", "--verify"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("there is no integration `nothing`"), "{}", stderr(&refused));
}

#[test]
fn a_deployment_is_made_without_a_server_and_only_once() {
    let scratch = Scratch::new();
    let bootstrap =
        ["admin", "bootstrap", "--organization", "Acme", "--email", "ada@example.com", "--name", "Ada"];
    assert!(scratch.json(&bootstrap)["token"].as_str().unwrap().starts_with("qr_"));
    let second = scratch.run(&bootstrap);
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("an organization already exists"), "{}", stderr(&second));
    let migrated = scratch.run(&["migrate"]);
    assert_eq!(String::from_utf8_lossy(&migrated.stdout), "The schema is up to date.\n");
}

#[test]
fn wrong_input_is_refused_before_anything_is_started() {
    let scratch = Scratch::new();
    let id = "0190a5d2-7c1e-7000-8000-000000000001";
    for (arguments, says) in [
        (
            vec!["bootstrap", "--organization", "A", "--email", "a@b.c", "--name", "Ada"],
            "--organization can't be `A`",
        ),
        (
            vec!["bootstrap", "--organization", "Acme", "--email", "ada", "--name", "Ada"],
            "not an e-mail address",
        ),
        (
            vec!["bootstrap", "--organization", "Acme", "--email", "a@b.c", "--name", " "],
            "1 to 100 characters",
        ),
        (
            vec!["create-user", "--organization", id, "--email", "a@b.c", "--name", "A", "--role", "owner"],
            "--role can't be `owner`: it must be guest or one of read",
        ),
        (
            vec![
                "create-user",
                "--organization",
                "acme",
                "--email",
                "a@b.c",
                "--name",
                "A",
                "--role",
                "read",
            ],
            "--organization can't be `acme`",
        ),
        (vec!["token", "--email", "a@b.c", "--label", ""], "1 to 50 characters"),
        (vec!["token", "--email", "a@b.c", "--label", "x", "--expires-in-days", "0"], "--expires-in-days"),
        (vec!["revoke", "qr_secret"], "can't be `qr_secret`"),
    ] {
        let output = scratch.run(&[&["admin"], &arguments[..]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    assert!(!scratch.data_dir().exists());
}
