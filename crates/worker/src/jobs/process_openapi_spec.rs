//! `process-openapi-spec`: fetches the source of an OpenAPI specification, if needed, and makes a version from it.
//!
//! A job is about one source. The result is dropped if the source was replaced meanwhile or another worker has ended
//! the job. If the worker is lost, another one restarts the job.

use quire_domain::openapi_specs::{ProcessError, SpecFormat, SpecSource};
use quire_importer::fetch::{FetchError, Fetcher};
use quire_markup::openapi::{self, Notation};
use quire_storage::content::openapi_specs::{
    OutlinePage, PROCESS_JOB, PageKind, Processed, SourceOf, SpecPage, SpecPart,
};
use quire_storage::operations::jobs::Job;
use quire_storage::{Result, SystemTx};

use super::Next;
use crate::Services;
use crate::runner::{compute, transact};

/// The kind of the job.
pub const KIND: &str = PROCESS_JOB;

/// Processes one source.
///
/// # Errors
/// If a statement fails. A source that cannot be fetched or read is a result, not an error.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let of: SourceOf = serde_json::from_value(job.payload.clone())?;
    let storage = &services.storage;
    let Some(source) = transact(storage, move |tx| tx.begin_processing(of)).await? else {
        return Ok(Next::Done);
    };
    let text = match source {
        SpecSource::Text { text } => Ok(text.into_text()?),
        SpecSource::Url { url } => fetch(&services.fetcher, &url.into_text()?).await,
    };
    let processed = match text {
        Ok(text) => compute(move || read(text)).await?,
        Err(error) => Processed::Failed(error),
    };
    let noted = transact(storage, move |tx| tx.end_processing(of, &processed)).await?;
    if !noted {
        log::info!(
            "the source {} of specification {} was replaced while it was processed",
            of.generation,
            of.spec
        );
    }
    Ok(Next::Done)
}

/// Ends the processing of a source after its last failed attempt.
pub fn give_up(tx: &mut SystemTx<'_>, job: &Job) -> Result<()> {
    // An unreadable payload names no specification.
    let Ok(of) = serde_json::from_value::<SourceOf>(job.payload.clone()) else { return Ok(()) };
    // The job may have failed before it recorded its start.
    tx.begin_processing(of)?;
    tx.end_processing(of, &Processed::Failed(ProcessError::ParseError))?;
    Ok(())
}

async fn fetch(fetcher: &Fetcher, url: &str) -> std::result::Result<String, ProcessError> {
    let fetched = fetcher.fetch(url).await.map_err(|error| {
        log::info!("a specification could not be fetched: {error}");
        match error {
            FetchError::TimedOut { .. } => ProcessError::FetchTimeout,
            _ => ProcessError::FetchError,
        }
    })?;
    String::from_utf8(fetched.bytes.into()).map_err(|_| ProcessError::ParseError)
}

/// Returns the version that a text makes.
fn read(text: String) -> Processed {
    // NUL has no use in JSON and YAML, and PostgreSQL does not store it.
    if text.contains('\0') {
        return Processed::Failed(ProcessError::ParseError);
    }
    match openapi::read(&text) {
        Ok(specification) => version(specification, text),
        Err(error) => {
            log::info!("a specification could not be read: {error}");
            Processed::Failed(ProcessError::ParseError)
        }
    }
}

fn version(specification: openapi::Specification, source: String) -> Processed {
    let openapi::Specification { notation, pages, parts } = specification;
    Processed::Version {
        format: match notation {
            Notation::Json => SpecFormat::Json,
            Notation::Yaml => SpecFormat::Yaml,
        },
        source,
        pages: pages.into_iter().map(page).collect(),
        parts: parts.into_iter().map(|part| SpecPart { pointer: part.pointer, body: part.body }).collect(),
    }
}

fn page(page: openapi::Page) -> (OutlinePage, SpecPage) {
    let outline = OutlinePage {
        parent: page.parent,
        kind: match page.kind {
            openapi::PageKind::Info => PageKind::Info,
            openapi::PageKind::Tag => PageKind::Tag,
            openapi::PageKind::Operation => PageKind::Operation,
            openapi::PageKind::Models => PageKind::Models,
            openapi::PageKind::Model => PageKind::Model,
        },
        pointer: page.pointer,
        title: page.title,
        slug: page.slug,
        description: page.description,
        icon: page.icon,
    };
    (outline, SpecPage { body: page.body, parts: page.parts })
}
