//! PostgreSQL's log, in two files of bounded size.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use crate::error::ClusterError;
use crate::layout::Layout;

/// Size in bytes at which the file is renamed over the older one.
const LARGEST_FILE: u64 = 8 << 20;
/// Maximum length of a line in bytes. Lines can contain statements of any length.
const LONGEST_LINE: u64 = 16 << 10;
const TAIL_LINES: usize = 12;

/// Copies PostgreSQL's standard error to the log until it is closed, then sends a message to the returned channel.
///
/// PostgreSQL's own log files are not used, because their size cannot be limited while it runs.
pub(crate) fn follow(
    output: impl Read + Send + 'static,
    layout: &Layout,
) -> Result<Receiver<()>, ClusterError> {
    let path = layout.log_file();
    let mut file = layout.open_file(&path)?;
    let layout = layout.clone();
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            // A gap in the log is better than a PostgreSQL that blocks on a full pipe.
            if let Err(error) = append(&mut file, &line, &path, &layout) {
                log::warn!("can't write to {}: {error}", path.display());
            }
        }
        // The receiver may be gone.
        done.send(()).unwrap_or_default();
    });
    Ok(ended)
}

fn append(file: &mut File, line: &[u8], path: &Path, layout: &Layout) -> io::Result<()> {
    if file.metadata()?.len() >= LARGEST_FILE {
        fs::rename(path, older(path))?;
        *file = layout.open_file(path).map_err(io::Error::other)?;
    }
    file.write_all(line)
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("log.1")
}

/// Returns the last lines of the log, for error messages.
pub(crate) fn tail(path: &Path) -> String {
    let lines = File::open(path).map(|file| last_lines(BufReader::new(file)));
    lines.unwrap_or_else(|error| format!("({}: {error})", path.display()))
}

fn last_lines(reader: impl BufRead) -> String {
    let mut lines = VecDeque::with_capacity(TAIL_LINES);
    for line in reader.split(b'\n').map_while(Result::ok) {
        if lines.len() == TAIL_LINES {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(&line).into_owned());
    }
    Vec::from(lines).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Account;

    fn layout(folder: &Path) -> Layout {
        let account = Account { name: "tester".into(), uid: 0, gid: 0, switch: false };
        Layout { data_dir: folder.to_owned(), run_dir: folder.join("run"), account }
    }

    #[test]
    fn the_log_is_bounded_and_keeps_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let layout = layout(folder.path());
        let line = "x".repeat(1023) + "\n";
        let mut text = line.repeat(3 * 8 * 1024);
        text.push_str("the end\n");
        follow(io::Cursor::new(text), &layout).unwrap().recv().unwrap();
        let size = |path: &Path| fs::metadata(path).unwrap().len();
        let path = layout.log_file();
        assert!(size(&path) <= LARGEST_FILE && size(&older(&path)) <= LARGEST_FILE);
        assert!(tail(&path).ends_with("the end"));
    }

    #[test]
    fn the_tail_is_the_last_lines() {
        let text: String = (0..100).map(|number| format!("line {number}\n")).collect();
        let tail = last_lines(text.as_bytes());
        assert!(tail.starts_with("line 88\n") && tail.ends_with("line 99"));
    }
}
