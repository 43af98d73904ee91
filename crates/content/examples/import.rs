//! Imports a folder or a zip archive without HTTP, and lists the resulting pages.
//!
//! ```sh
//! DATABASE_URL=postgres:///example cargo run -p quire-content --example import -- docs
//! ```

#![allow(clippy::print_stdout, reason = "a program prints its result")]

mod setup;

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use bytes::Bytes;
use quire_content::ExpectedRevisions;
use quire_content::imports::{Destination, Import, ImportInput, ImportLimiter, ImportRunner};
use quire_domain::imports::ImportSource;
use quire_domain::policy::Action;
use quire_importer::fetch::{FetchConfig, Fetcher};
use quire_importer::progress::Progress;
use quire_importer::source::GatherLimits;
use quire_importer::tree::SourceTree;
use quire_storage::Reader;
use quire_storage::content::store::ContentSelector;
use quire_storage::door::TypedDoor;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).context("usage: import FOLDER|ARCHIVE")?;
    let workspace = setup::open()?;
    let (storage, credentials, space) = (&workspace.storage, workspace.credentials, workspace.space);

    let fetcher = Fetcher::new(FetchConfig::default());
    let limiter = ImportLimiter::new(1, Duration::ZERO, fetcher.threads().clone());
    let runner = ImportRunner { fetcher, limiter };
    let import = Import {
        credentials,
        destination: Destination { space, selector: ContentSelector::Space, page: None },
        limits: GatherLimits::default(),
        expected: ExpectedRevisions::default(),
        change: None,
    };
    let (path, progress) = (Path::new(&path), Progress::default());
    let result = if path.is_dir() {
        let files = (ImportSource::Zip, SourceTree::from_files(files(path)?));
        runner.run_files(storage, import, files, &progress, |_, _| Ok(())).await?
    } else {
        runner.run(storage, import, archive(path)?, &progress, |_, _| Ok(())).await?
    };
    println!(
        "revision {}: {} of {} imported",
        result.revision, result.imported_resources, result.total_resources
    );

    let list = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
        Ok(reader.tree(&content)?)
    };
    let tree = TypedDoor::read(storage, credentials, list).await?;
    for page in tree.pages_in_order() {
        println!("/{}  {}", tree.path_of(page.id).unwrap_or_default(), page.title);
    }
    Ok(())
}

fn archive(path: &Path) -> anyhow::Result<ImportInput> {
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(ImportInput::Upload { source: ImportSource::Zip, file_name, content: fs::read(path)?.into() })
}

fn files(folder: &Path) -> anyhow::Result<Vec<(String, Bytes)>> {
    let mut files = Vec::new();
    walk(folder, folder, &mut files)?;
    Ok(files)
}

fn walk(top: &Path, folder: &Path, files: &mut Vec<(String, Bytes)>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(top, &path, files)?;
        } else {
            let name = path.strip_prefix(top)?.to_string_lossy().into_owned();
            files.push((name, fs::read(&path)?.into()));
        }
    }
    Ok(())
}
