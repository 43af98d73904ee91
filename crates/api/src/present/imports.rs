//! Presentation of background imports.

use quire_domain::imports::{Import, ImportProgress, ImportUrls};
use quire_domain::object::ImportTag;
use quire_storage::content::imports::{ImportOrigin, ImportRecord};

use super::user;
use crate::urls::Urls;

/// Returns an import.
#[must_use]
pub fn import(urls: &Urls, record: ImportRecord) -> Import {
    let location = urls.api(format_args!("spaces/{}/imports/{}", record.space, record.id));
    let (url, file_name) = match record.origin {
        ImportOrigin::Url(url) => (Some(url), None),
        ImportOrigin::Upload { file_name, .. } => (None, file_name),
    };
    Import {
        object: ImportTag::Tag,
        id: record.id,
        space: record.space,
        change_request: record.change_request,
        page: record.page,
        source: record.source,
        url,
        file_name,
        status: record.state,
        phase: record.phase,
        progress: ImportProgress { done: record.done, total: record.total },
        created_by: user(urls, &record.created_by),
        created_at: record.created_at,
        started_at: record.started_at,
        finished_at: record.finished_at,
        result: record.result,
        error: record.error,
        urls: ImportUrls { location },
    }
}
