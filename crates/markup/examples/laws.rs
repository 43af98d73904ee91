//! Checks the laws of Markdown on every `.md` file below the folders that are named as arguments.

#[allow(unreachable_pub, clippy::indexing_slicing)]
#[path = "../tests/support/laws.rs"]
mod laws;

use std::io::Write;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut files = Vec::new();
    for folder in std::env::args().skip(1) {
        collect(Path::new(&folder), &mut files)?;
    }
    files.sort();
    let mut out = std::io::stdout().lock();
    let mut failures = 0;
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        if let Err(problem) = laws::check_page(&text) {
            failures += 1;
            writeln!(out, "=== {}\n{problem}\n", file.display())?;
        }
    }
    writeln!(out, "{} files, {failures} failures", files.len())?;
    std::process::exit(i32::from(failures > 0))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "md") {
        files.push(path.to_owned());
    }
    Ok(())
}
