//! `quire files`: commands on stores of files.

use clap::{Args, Subcommand};
use futures_util::StreamExt as _;
use quire_storage::content::files::{Copied, FileLocation, FileStore};

use crate::config::BucketOptions;
use crate::output;

/// Concurrent copies. Each needs at most one part of an upload in memory, 8 MiB, and one chunk.
const AT_ONCE: usize = 8;

/// Commands on stores of files.
#[derive(Subcommand)]
pub enum FilesCommand {
    /// Copy all files from one store to another, for example from a folder to a bucket
    Copy(Copy),
}

/// The stores of a copy.
#[derive(Args)]
pub struct Copy {
    /// The store to read: a folder, or s3://bucket/prefix
    from: FileLocation,
    /// The store to write
    to: FileLocation,
    /// Also read files that the target has with the same size, and copy them again if their bytes differ
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    s3: BucketOptions,
}

/// Runs the command.
///
/// # Errors
/// If a store fails, or a file is damaged.
pub fn run(command: FilesCommand) -> anyhow::Result<()> {
    let FilesCommand::Copy(copy) = command;
    if let FileLocation::Folder(folder) = &copy.from {
        // Opening the store would create a missing folder, and the copy would be empty.
        anyhow::ensure!(folder.is_dir(), "{} is not a folder", folder.display());
    }
    anyhow::ensure!(copy.from != copy.to, "the two stores are the same");
    let access = copy.s3.access()?;
    let (from, to) = (FileStore::open(&copy.from, &access)?, FileStore::open(&copy.to, &access)?);
    actix_web::rt::System::new().block_on(copy_all(&from, &to, copy.verify))
}

/// Copies every object. Objects that the target already has are skipped, so that an interrupted copy can be continued.
async fn copy_all(from: &FileStore, to: &FileStore, verify: bool) -> anyhow::Result<()> {
    let (mut written, mut present, mut bytes, mut damaged) = (0_u64, 0_u64, 0_u64, 0_u64);
    let copies = from.all_objects().map(async |object| {
        let object = object?;
        let copied = to.copy_from(from, &object, verify).await?;
        Ok::<_, quire_storage::Error>((object, copied))
    });
    let mut copies = std::pin::pin!(copies.buffer_unordered(AT_ONCE));
    while let Some(copied) = copies.next().await {
        let (object, copied) = copied?;
        match copied {
            Copied::Written => {
                written = written.saturating_add(1);
                bytes = bytes.saturating_add(object.size);
            }
            Copied::Present => present = present.saturating_add(1),
            Copied::Damaged => {
                damaged = damaged.saturating_add(1);
                output::error(&format!(
                    "{} is damaged: its bytes do not have the hash of its name",
                    object.name()
                ));
            }
            Copied::Gone => {}
        }
    }
    output::line(&format!("Copied {written} files ({bytes} bytes); {present} were there already."));
    anyhow::ensure!(damaged == 0, "{damaged} files are damaged and were not copied");
    Ok(())
}
