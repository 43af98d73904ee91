//! Bytes of files that a write adds. They are fetched and stored before the transaction of the write.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use mime_guess::mime::Mime;
use quire_domain::content::{ContentChange, InsertFile};
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::SpaceId;
use quire_importer::fetch::{FetchError, Fetcher};
use quire_importer::svg;
use quire_revision::{BlobHash, Dimensions};
use quire_storage::Storage;

use super::media;
use crate::door::Door;
use crate::error::{Error, Result};

/// Maximum size of a file in base64 within a body, in bytes.
const EMBEDDED_MAX: usize = 1_000_000;
/// Time limit for fetching all files of a write.
const FETCH_TIMEOUT: Duration = Duration::from_secs(60);
/// Base64 with optional padding, which many encoders omit.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Dependencies for fetching, checking and storing the bytes of files.
#[derive(Clone, Copy, Debug)]
pub struct Intake<'a, D> {
    /// Storage, and threads that process the bytes.
    pub door: &'a D,
    /// Fetcher of files by URL.
    pub fetcher: &'a Fetcher,
    /// Maximum total size of the files of one write, in bytes.
    pub max_bytes: usize,
}

/// Stored file with its metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Hash of the bytes, under which they are stored.
    pub blob: BlobHash,
    /// Size in bytes.
    pub size: u64,
    /// Media type of the bytes.
    pub content_type: String,
    /// Dimensions of an image.
    pub dimensions: Option<Dimensions>,
}

/// Files of a write by the index of their change and the index in that change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attachments(BTreeMap<(usize, usize), Stored>);

impl Attachments {
    /// Returns the files of a single change.
    #[must_use]
    pub fn of_one_change(files: Vec<Stored>) -> Self {
        Self(files.into_iter().enumerate().map(|(number, file)| ((0, number), file)).collect())
    }

    /// Returns a file.
    #[must_use]
    pub fn get(&self, change: usize, number: usize) -> Option<&Stored> {
        self.0.get(&(change, number))
    }

    /// Returns the hashes and sizes of the bytes.
    #[must_use]
    pub fn blobs(&self) -> Vec<(BlobHash, u64)> {
        let blobs: BTreeMap<_, _> =
            self.0.values().map(|file| (*file.blob.as_bytes(), (file.blob, file.size))).collect();
        blobs.into_values().collect()
    }

    /// Fetches the bytes of all files that these changes add, and stores them in the space. Their total size has the
    /// limit of an upload.
    ///
    /// # Errors
    /// 400 with the field of a file that cannot be fetched. 413 if the files are too large.
    pub async fn collect(
        intake: &Intake<'_, impl Door>,
        space: SpaceId,
        changes: &[ContentChange],
    ) -> Result<Self> {
        let collect = async {
            let (mut attachments, mut total) = (Self::default(), 0_usize);
            for ((change, number), file) in files_of(changes) {
                let path = format!("changes[{change}].files[{number}]");
                let (declared, bytes) = bytes_of(intake, file, &path).await?;
                total = total.saturating_add(bytes.len());
                if total > intake.max_bytes {
                    return Err(too_large(intake));
                }
                let stored =
                    store(intake, space, file.name.as_text()?, declared.as_ref(), bytes, &path).await?;
                attachments.0.insert((change, number), stored);
            }
            Ok(attachments)
        };
        match tokio::time::timeout(FETCH_TIMEOUT, collect).await {
            Ok(attachments) => attachments,
            Err(_) => Err(Refusal::new(Reason::FetchFailed)
                .with_message(format!("The files took longer than {FETCH_TIMEOUT:?} to be fetched."))
                .into()),
        }
    }
}

/// Stores bytes and detects their properties. An SVG image is replaced by a sanitized copy.
///
/// # Errors
/// 400 with `field` for an SVG image that cannot be parsed. An error if the store fails.
pub async fn store(
    intake: &Intake<'_, impl Door>,
    space: SpaceId,
    name: &str,
    declared: Option<&Mime>,
    bytes: Bytes,
    field: &str,
) -> Result<Stored> {
    let content_type = media::type_of(declared, name);
    let field = field.to_owned();
    let find_out = move |_: &Storage| {
        let bytes = if svg::is_svg(&content_type) { safe(&bytes, field)? } else { bytes };
        let stored = Stored {
            blob: BlobHash::of(&bytes),
            size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            dimensions: media::dimensions(&content_type, &bytes),
            content_type,
        };
        Ok((stored, bytes))
    };
    let (stored, bytes) = intake.door.compute(find_out).await?;
    intake.door.storage().files().put(space, stored.blob, bytes).await?;
    Ok(stored)
}

/// Returns the sanitized copy of an SVG image.
fn safe(bytes: &Bytes, field: String) -> Result<Bytes> {
    let drawing = svg::sanitized(bytes);
    drawing
        .map(Bytes::from)
        .map_err(|error| Error::invalid_field(field, format!("is not a drawing that can be shown: {error}")))
}

/// Returns the refusal (413) of files that exceed the limit of an upload.
fn too_large(intake: &Intake<'_, impl Door>) -> Error {
    let message = format!("The files are larger than {} bytes.", intake.max_bytes);
    Refusal::new(Reason::PayloadTooLarge).with_message(message).into()
}

fn files_of(changes: &[ContentChange]) -> impl Iterator<Item = ((usize, usize), &InsertFile)> {
    changes.iter().enumerate().flat_map(|(index, change)| {
        let files = match change {
            ContentChange::InsertFiles(change) => change.files.as_slice(),
            _ => &[],
        };
        files.iter().enumerate().map(move |(number, file)| ((index, number), file))
    })
}

async fn bytes_of(
    intake: &Intake<'_, impl Door>,
    file: &InsertFile,
    path: &str,
) -> Result<(Option<Mime>, Bytes)> {
    let declared = match &file.content_type {
        None => None,
        Some(written) => Some(media::media_type(written.as_text()?).ok_or_else(|| {
            Error::invalid_field(format!("{path}.contentType"), "is not a media type such as image/png")
        })?),
    };
    match (&file.base64, &file.url) {
        (Some(base64), _) => Ok((declared, embedded(base64, path)?)),
        (None, Some(url)) => {
            let fetched = intake
                .fetcher
                .fetch(url.as_text()?)
                .await
                .map_err(|error| not_fetched(intake, error, path))?;
            let found = || fetched.content_type.as_deref().and_then(media::media_type);
            Ok((declared.or_else(found), fetched.bytes))
        }
        (None, None) => Err(Error::invalid_field(path, "exactly one of `url` and `base64` is required")),
    }
}

fn embedded(base64: &str, path: &str) -> Result<Bytes> {
    let field = || format!("{path}.base64");
    let bytes = BASE64
        .decode(base64.trim_ascii())
        .map_err(|error| Error::invalid_field(field(), format!("is not base64: {error}")))?;
    if bytes.len() > EMBEDDED_MAX {
        let message = format!("must have at most {EMBEDDED_MAX} bytes, has {}", bytes.len());
        return Err(Error::invalid_field(field(), message));
    }
    Ok(bytes.into())
}

fn not_fetched(intake: &Intake<'_, impl Door>, error: FetchError, path: &str) -> Error {
    let reason = match error {
        FetchError::InvalidUrl { .. } | FetchError::Refused { .. } => Reason::FetchRefused,
        FetchError::TooLarge { .. } => return too_large(intake),
        FetchError::Spool(_) => return Error::internal("a fetched file can't be kept", error),
        FetchError::Failed { .. }
        | FetchError::Unreachable(_)
        | FetchError::TooManyRedirects { .. }
        | FetchError::TimedOut { .. } => Reason::FetchFailed,
    };
    Refusal::new(reason).at(format!("{path}.url"), error.to_string()).into()
}
