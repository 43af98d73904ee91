//! Clusters with a real PostgreSQL, and with kill -9.

#![allow(clippy::unwrap_used, reason = "clippy knows test functions, but not the functions that they call")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use quire_postgres::{Cluster, ClusterConfig, ClusterError, Opened};
use support::{Holder, Scratch, psql, until, until_some};

#[test]
fn data_outlives_a_stop() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    psql(&cluster.url(), "CREATE TABLE notes AS SELECT 'kept' AS text").unwrap();
    cluster.stop().unwrap();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT text FROM notes").unwrap(), "kept");
}

#[test]
fn a_new_cluster_is_utf8_with_checksums_and_an_ordinary_owner() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(&scratch.config().with_setting("max_connections", "17")).unwrap();
    let answer = |sql: &str| psql(&cluster.url(), sql).unwrap();
    assert_eq!(answer("SHOW server_encoding"), "UTF8");
    assert_eq!(answer("SHOW data_checksums"), "on");
    assert_eq!(answer("SHOW listen_addresses"), "");
    assert_eq!(answer("SHOW max_connections"), "17");
    assert_eq!(answer("SELECT lower('ÄÉ')"), "äé");
    assert_eq!(
        answer("SELECT current_user || ' ' || rolsuper FROM pg_roles WHERE rolname = current_user"),
        "notes false"
    );
    let mode = fs::metadata(cluster.connection().socket_dir()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_second_start_is_refused_with_a_sentence() {
    let scratch = Scratch::new();
    let _cluster = Cluster::start(&scratch.config()).unwrap();
    let refusal = Cluster::start(&scratch.config()).unwrap_err();
    assert!(matches!(refusal, ClusterError::AlreadyRunning { .. }));
    let sentence = format!("is already served by another process ({})", std::process::id());
    assert!(refusal.to_string().ends_with(&sentence), "{refusal}");
}

#[test]
fn commands_join_a_running_cluster_and_start_a_stopped_one() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    let joined = Cluster::join_or_start(&scratch.config()).unwrap();
    assert!(matches!(joined, Opened::Joined(_)));
    assert_eq!(joined.url(), cluster.url());
    joined.close().unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT 1").unwrap(), "1");
    cluster.stop().unwrap();
    let opened = Cluster::join_or_start(&scratch.config()).unwrap();
    assert!(matches!(opened, Opened::Owner(_)));
    let url = opened.url();
    opened.close().unwrap();
    assert!(psql(&url, "SELECT 1").is_err());
}

#[test]
fn a_killed_postgres_is_started_again() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    psql(&cluster.url(), "CREATE TABLE notes AS SELECT 'kept' AS text").unwrap();
    let first = cluster.postmaster_pid().unwrap();
    kill(Pid::from_raw(first), Signal::SIGKILL).unwrap();
    let text = until_some(|| psql(&cluster.url(), "SELECT text FROM notes").ok());
    assert_eq!(text, "kept");
    assert_ne!(cluster.postmaster_pid(), Some(first));
}

#[test]
fn a_killed_owner_takes_postgres_along() {
    let scratch = Scratch::new();
    let holder = Holder::start(&scratch);
    let postmaster = scratch.postmaster_pid().unwrap();
    holder.kill();
    until(|| kill(postmaster, None).is_err());
    // PostgreSQL removes its own file only in a regular shutdown, not in a crash.
    assert_eq!(scratch.postmaster_pid(), None);
}

#[test]
fn the_next_start_follows_a_killed_owner_at_once() {
    let scratch = Scratch::new();
    let holder = Holder::start(&scratch);
    psql(&holder.url, "CREATE TABLE notes AS SELECT 'kept' AS text").unwrap();
    holder.kill();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT text FROM notes").unwrap(), "kept");
}

#[test]
fn a_postgres_without_owner_is_taken_over() {
    let scratch = Scratch::new();
    Cluster::start(&scratch.config()).unwrap().stop().unwrap();
    let orphan = scratch.start_orphan();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    assert!(orphan.has_ended());
    assert_eq!(psql(&cluster.url(), "SELECT 1").unwrap(), "1");
}

#[test]
fn owner_and_postgres_killed_together_recover() {
    let scratch = Scratch::new();
    let holder = Holder::start(&scratch);
    psql(&holder.url, "CREATE TABLE notes AS SELECT 'kept' AS text").unwrap();
    kill(scratch.postmaster_pid().unwrap(), Signal::SIGKILL).unwrap();
    holder.kill();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT text FROM notes").unwrap(), "kept");
}

#[test]
fn a_stale_pid_file_with_a_living_process_is_removed() {
    let scratch = Scratch::new();
    Cluster::start(&scratch.config()).unwrap().stop().unwrap();
    // PostgreSQL would take only a process of the cluster's own account for its predecessor.
    let stranger = scratch.start_stranger();
    let pid_file = scratch.data_dir().join("pgdata/postmaster.pid");
    fs::write(&pid_file, format!("{}\n/elsewhere\n", stranger.id())).unwrap();
    scratch.assign_to_cluster_account(&pid_file);
    let cluster = Cluster::start(&scratch.config()).unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT 1").unwrap(), "1");
}

#[test]
fn a_partial_cluster_is_created_again() {
    let scratch = Scratch::new();
    Cluster::start(&scratch.config()).unwrap().stop().unwrap();
    let pgdata = scratch.data_dir().join("pgdata");
    fs::rename(&pgdata, scratch.data_dir().join("pgdata.new")).unwrap();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT 1").unwrap(), "1");
    assert!(!scratch.data_dir().join("pgdata.new").exists());
}

#[test]
fn a_long_path_gets_a_short_socket() {
    let scratch = Scratch::new();
    let config = ClusterConfig { data_dir: scratch.data_dir().join("x".repeat(120)), ..scratch.config() };
    scratch.open_parent_of(&config.data_dir);
    let cluster = Cluster::start(&config).unwrap();
    assert_eq!(psql(&cluster.url(), "SELECT 1").unwrap(), "1");
    let socket_dir = cluster.connection().socket_dir().to_owned();
    assert!(socket_dir.starts_with("/tmp"));
    cluster.stop().unwrap();
    assert!(Cluster::remove(&config).unwrap());
    assert!(!socket_dir.exists() && !config.data_dir.exists());
}

#[test]
fn missing_programs_are_named() {
    let scratch = Scratch::new();
    let config = ClusterConfig { binaries: Some("/nowhere/bin".into()), ..scratch.config() };
    let sentence = Cluster::start(&config).unwrap_err().to_string();
    assert!(sentence.contains("(initdb and postgres) were not found in /nowhere/bin"), "{sentence}");
    assert!(sentence.contains("apt-get install postgresql"), "{sentence}");
}

#[test]
fn another_major_version_is_refused() {
    let scratch = Scratch::new();
    Cluster::start(&scratch.config()).unwrap().stop().unwrap();
    fs::write(scratch.data_dir().join("pgdata/PG_VERSION"), "9\n").unwrap();
    let sentence = Cluster::start(&scratch.config()).unwrap_err().to_string();
    assert!(sentence.contains("was created by PostgreSQL 9, which is not installed"), "{sentence}");
}

#[test]
fn a_wrong_setting_is_reported_with_postgres_own_words() {
    let scratch = Scratch::new();
    let error = Cluster::start(&scratch.config().with_setting("max_connections", "many")).unwrap_err();
    assert!(matches!(error, ClusterError::Exited { .. }));
    assert!(
        error.to_string().contains(r#"invalid value for parameter "max_connections": "many""#),
        "{error}"
    );
}

#[test]
fn the_stop_of_a_command_leaves_no_process() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(&scratch.config()).unwrap();
    let postmaster = Pid::from_raw(cluster.postmaster_pid().unwrap());
    drop(cluster);
    assert!(kill(postmaster, None).is_err());
}

#[test]
fn root_names_the_folder_that_keeps_postgres_out() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let scratch = Scratch::new();
    let closed = scratch.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let config = ClusterConfig { data_dir: closed.join("data"), ..scratch.config() };
    let sentence = Cluster::start(&config).unwrap_err().to_string();
    assert!(sentence.contains(&format!("can't enter {}: allow it", closed.display())), "{sentence}");
}

#[test]
fn an_ordinary_user_runs_its_own() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    // The system account 65534 runs the program, because build machines rarely have an ordinary account.
    let scratch = Scratch::new();
    let home = scratch.path().join("home");
    fs::create_dir(&home).unwrap();
    std::os::unix::fs::chown(&home, Some(65534), Some(65534)).unwrap();
    let program = scratch.path().join("hold");
    fs::copy(support::hold_program(), &program).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]).arg(&program);
    let holder = Holder::spawn(command, &home.join("data"));
    assert_eq!(support::owner_of(&home.join("data/pgdata")), 65534);
    assert_eq!(psql(&holder.url, "SELECT 1").unwrap(), "1");
    holder.finish();
    assert!(!Path::new(&home.join("data/pgdata/postmaster.pid")).exists());
}
