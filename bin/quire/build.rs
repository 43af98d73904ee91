//! Hands the commit that is built to the code, as `QUIRE_BUILD`.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=QUIRE_BUILD");
    // The file that each commit and each checkout adds a line to.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let given = option_env!("QUIRE_BUILD").map(str::to_owned);
    let build =
        given.or_else(|| git(&["rev-parse", "--short=12", "HEAD"])).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=QUIRE_BUILD={build}");
}

/// Returns the answer of git; `None` outside of a repository and without git.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !answer.trim().is_empty()).then(|| answer.trim().to_owned())
}
