//! `render-pdf`: renders a requested PDF.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use futures_util::StreamExt as _;
use quire_domain::ids::{PdfId, SpaceId};
use quire_revision::BlobHash;
use quire_storage::content::files::BlobLocations;
use quire_storage::operations::jobs::Job;
use quire_storage::operations::pdf::{PdfRecord, PdfState};
use serde_json::Value;

use super::Next;
use crate::Services;
use crate::pdf::{Gathered, GatheredImage, RenderError, gather, pictures};
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = quire_storage::operations::pdf::RENDER;

/// Delay before the next try while the node renders another PDF.
const WAIT: Duration = Duration::from_secs(1);
/// Maximum number of attempts. A book that crashed two workers would likely crash a third, and a user waits for the
/// result.
const ATTEMPTS: i32 = 2;
/// Maximum number of bytes of images in a book. Further images are replaced by their text.
const IMAGES: u64 = 256 << 20;

/// Renders the PDF of the job. A failed rendering is a recorded outcome, not an error: retries would not help.
///
/// # Errors
/// If the database, the store or the disk fails.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let Some(_turn) = services.pdf.turn() else { return Ok(Next::RunAgainAfter(WAIT)) };
    let (space, id) = ids(&job.payload)?;
    if job.attempt > ATTEMPTS {
        log::error!("PDF {id} of space {space} was not created: {ATTEMPTS} attempts failed");
        transact(&services.storage, move |tx| match tx.pdf(space, id)? {
            Some(pdf) => tx.end_pdf(&pdf, PdfState::Failed).map(drop),
            None => Ok(()),
        })
        .await?;
        return Ok(Next::Done);
    }
    let addresses = services.pdf.addresses.clone();
    let gathered = read(&services.storage, move |reader| -> quire_content::Result<_> {
        let Some(pdf) = reader.pdf(space, id)?.filter(|pdf| pdf.state == PdfState::Waiting) else {
            return Ok(None);
        };
        let gathered = match gather(reader, &pdf, addresses.as_ref())? {
            Ok(gathered) => gathered,
            Err(reason) => return Ok(Some((pdf, Err(reason)))),
        };
        let blobs: Vec<BlobHash> = gathered.images.iter().map(|image| image.blob).collect();
        let blobs = reader.blob_locations(space, &blobs)?;
        Ok(Some((pdf, Ok((gathered, blobs)))))
    });
    // The PDF may have expired, or another worker may have completed it.
    let Some((pdf, gathered)) = gathered.await? else { return Ok(Next::Done) };
    let state = match gathered {
        Ok((gathered, blobs)) => ended(&pdf, render(services, &pdf, gathered, &blobs).await?),
        Err(reason) => {
            log::warn!("PDF {} of space {} was not created: {reason}", pdf.id, pdf.space);
            PdfState::Failed
        }
    };
    transact(&services.storage, move |tx| tx.end_pdf(&pdf, state)).await?;
    Ok(Next::Done)
}

/// Returns the final state of a rendered PDF.
fn ended(pdf: &PdfRecord, rendered: Result<(BlobHash, u64), RenderError>) -> PdfState {
    match rendered {
        Ok((blob, size)) => PdfState::Ready { blob, size },
        Err(error) => {
            log::error!("PDF {} of space {} was not created: {error}", pdf.id, pdf.space);
            match error {
                RenderError::NotInstalled(_) => PdfState::NotInstalled,
                _ => PdfState::Failed,
            }
        }
    }
}

/// Returns the space and the PDF in the payload of a job.
pub(super) fn ids(payload: &Value) -> anyhow::Result<(SpaceId, PdfId)> {
    let text = |name: &str| payload.get(name).and_then(Value::as_str).context("the job names no PDF");
    Ok((text("space")?.parse()?, text("pdf")?.parse()?))
}

/// Renders in a temporary folder. The outer error concerns this machine, the inner one the book.
async fn render(
    services: &Services,
    pdf: &PdfRecord,
    gathered: Gathered,
    blobs: &BlobLocations,
) -> anyhow::Result<Result<(BlobHash, u64), RenderError>> {
    let folder = tempfile::Builder::new().prefix("quire-pdf-").tempdir().context("no folder can be made")?;
    write(services, gathered, blobs, folder.path()).await.context("the book can't be written")?;
    let rendered = match services.pdf.render(folder.path()).await {
        Err(RenderError::System(error)) => return Err(error).context("the renderer can't be run"),
        Err(error) => return Ok(Err(error)),
        Ok(rendered) => rendered,
    };
    let bytes = tokio::fs::read(rendered).await.context("the PDF can't be read")?;
    let (bytes, blob) = tokio::task::spawn_blocking(move || {
        let blob = BlobHash::of(&bytes);
        (bytes, blob)
    })
    .await?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    services.storage.files().put(pdf.space, blob, bytes.into()).await?;
    Ok(Ok((blob, size)))
}

async fn write(
    services: &Services,
    gathered: Gathered,
    blobs: &BlobLocations,
    folder: &Path,
) -> anyhow::Result<()> {
    let Gathered { mut book, images, pictures: urls } = gathered;
    let mut pictures = std::pin::pin!(pictures(&services.fetcher, urls).enumerate());
    let mut written = 0_u64;
    while let Some((number, (url, bytes))) = pictures.next().await {
        let name = format!("picture{number}");
        if keep(&mut written, &folder.join(&name), &bytes).await? {
            book.pictures.insert(url, name);
        }
    }
    let json = tokio::task::spawn_blocking(move || serde_json::to_vec(&book)).await??;
    tokio::fs::write(folder.join("book.json"), json).await?;
    for GatheredImage { name, blob, size } in images {
        if !has_room(written, size) {
            continue;
        }
        // Missing bytes are a fault of the store. The book is still useful without the image.
        let Some(bytes) = services.storage.files().get(blobs.of(blob), blob, None).await? else { continue };
        keep(&mut written, &folder.join(name), &bytes).await?;
    }
    Ok(())
}

/// Returns whether an image of this size fits in addition to the images already written.
fn has_room(written: u64, size: u64) -> bool {
    written.saturating_add(size) <= IMAGES
}

/// Writes an image if it fits in addition to the images already written. Returns whether it was written.
async fn keep(written: &mut u64, path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if !has_room(*written, size) {
        return Ok(false);
    }
    *written = written.saturating_add(size);
    tokio::fs::write(path, bytes).await?;
    Ok(true)
}
