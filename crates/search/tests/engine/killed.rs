//! Recovery after the process is killed while it writes the index.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use quire_domain::ids::PageId;
use quire_search::{Index, IndexedVersion, Language, Page};

use crate::{found, indexed, on_disk, page, space, text};

/// Environment variable with the folder in which the killed process writes.
const FOLDER: &str = "QUIRE_TEST_KILLED_FOLDER";
const PAGES: u128 = 60;
const KILLS: u8 = 8;

fn number(index: &Index) -> u8 {
    index.snapshot().held(space(1)).map_or(0, |held| held.root[0])
}

/// Replaces all pages of the space in one commit.
fn write(index: &Index, number: u8) {
    let word = format!("round{number}x");
    let body = format!("{word} {}", "hay stack needle ".repeat(50));
    let pages: Vec<Page<'_>> = (1..=PAGES).map(|id| text(id, &word, &body)).collect();
    let ids: Vec<PageId> = (1..=PAGES).map(page).collect();
    let mut update = index.update().unwrap();
    update.remove(space(1), ids).unwrap();
    update.add(space(1), Language::SIMPLE, &pages).unwrap();
    update
        .hold(
            space(1),
            IndexedVersion {
                root: [number; 32],
                language: Language::SIMPLE,
                pages: 1,
                missing: 0,
                computed: 0,
            },
        )
        .unwrap();
    update.commit().unwrap();
}

#[test]
#[ignore = "the process that the next test kills"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let index = on_disk(Path::new(&folder));
    for number in number(&index) + 1..u8::MAX {
        write(&index, number);
        // The test harness would capture `println!`.
        writeln!(std::io::stderr().lock(), "committed {number}").unwrap();
    }
}

fn writer(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::writes_until_it_is_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_process_that_is_killed_leaves_its_last_commit() {
    let folder = tempfile::tempdir().unwrap();
    for kill in 0..KILLS {
        let random = RandomState::new().hash_one(kill);
        let mut child = writer(folder.path());
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let commits = 1 + random % 3;
        let mut committed = 0;
        for _ in 0..commits {
            let line = lines.next().expect("the process writes until it is killed").unwrap();
            committed = line.strip_prefix("committed ").unwrap().parse().unwrap();
        }
        // A commit takes far longer than this loop, so the process is killed at any point of one.
        for _ in 0..(random >> 8) % 2_000_000 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        let _ = child.wait().unwrap();
        let index = on_disk(folder.path());
        let number = number(&index);
        assert!(number >= committed, "{number} follows {committed}");
        let pages = found(&index, &format!("round{number}x"), &[indexed(space(1))]);
        assert_eq!(
            (pages, index.snapshot().pages()),
            ((1..=PAGES).collect::<Vec<u128>>(), u64::try_from(PAGES).unwrap())
        );
        assert!(index.is_sound());
    }
}
