//! Writes of content.

use std::collections::BTreeSet;
use std::time::Instant;

use quire_content::attachments::Attachments;
use quire_content::edits::PastNeeds;
use quire_content::{ContentWrite, DraftBase, Written};
use quire_domain::content::{ContentChanges, ContentMerge, NewRevision, WrittenChangeRequest};
use quire_domain::documents::DocumentInput;
use quire_domain::{ChangeRequest, Revision};
use quire_markup::{Document, StableRefs, try_parse};
use quire_revision::diff;
use quire_storage::content::change_requests::ChangeRequestRecord;
use quire_storage::lookup::SpaceKey;

use super::path::ContentPath;
use crate::preferences::Prefer;
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    let edits = Needs(Action::EditContent);
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content", Some(Object::Space)),
            edits,
            "Update a space's content",
            write_content,
        )
        .operation("updateSpaceContent")
        .body::<ContentChanges>()
        .answers::<NewRevision>(200),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
                Some(Object::ChangeRequest),
            ),
            edits,
            "Update a change request's content",
            write_content,
        )
        .operation("updateChangeRequestContent")
        .body::<ContentChanges>()
        .answers::<WrittenChangeRequest>(200),
    ]
}

/// Time limit for parsing the Markdown of one text. The longest allowed text takes a fraction of it.
const READING_TIME: Duration = Duration::from_secs(5);

/// Reason for refusing a text, with the fields of the request.
#[derive(Debug)]
pub enum InvalidInput {
    /// Broken rules of a document.
    Document(Vec<FieldError>),
    /// Exceeded bound of Markdown.
    Markdown(FieldError),
}

impl InvalidInput {
    /// Returns the fields.
    pub fn into_fields(self) -> Vec<FieldError> {
        match self {
            Self::Document(fields) => fields,
            Self::Markdown(field) => vec![field],
        }
    }
}

/// Parses the text at a key of a request.
///
/// # Errors
/// The path of each broken rule, or the exceeded bound.
pub fn parse_document(key: &str, input: &DocumentInput) -> Result<Document, InvalidInput> {
    match input {
        DocumentInput::Document { document } => Document::from_json(document).map_err(|errors| {
            let errors = errors.into_iter();
            let field = |path: String| format!("{key}.{path}");
            let errors = errors.map(|error| FieldError { field: field(error.path), message: error.message });
            InvalidInput::Document(errors.collect())
        }),
        DocumentInput::Markdown { markdown } => {
            let deadline = Instant::now() + READING_TIME;
            try_parse(markdown, &StableRefs, &|| Instant::now() > deadline).map_err(|excess| {
                InvalidInput::Markdown(FieldError {
                    field: format!("{key}.markdown"),
                    message: excess.to_string(),
                })
            })
        }
    }
}

async fn write_content(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Json(body): Json<ContentChanges>,
    if_match: IfMatch,
    prefer: Prefer,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let (needs, base, amend) = (PastNeeds::of(&body), body.base, body.amend);
    let (space, seen) = look_up(state, caller, path, needs).await?;
    let attachments = Attachments::collect(&api.intake(), space, &body.changes).await?;
    let wanted = ContentWrite { body, attachments, expected: if_match.revisions().into() };
    let find = move |reader: &mut Reader<'_>| {
        Ok(reader.content(path.space(), path.selector())?.authorize(Action::EditContent)?)
    };
    let end = move |tx: &mut Tx<'_>, written: Written| {
        // This statement runs only if nothing was changed and the head is a merge.
        let merged_from = tx.merged_from(&written.content)?;
        let tags =
            if prefer.representation { tx.tags(&written.content, &written.tree)? } else { BTreeSet::new() };
        // Only a head that did not change can be an import.
        let git = match prefer.representation && written.tree == written.before {
            true => tx.imported_commits(&written.content)?,
            false => None,
        };
        Ok((written, (merged_from, git), tags))
    };
    let (written, (merged_from, git), tags) = wanted.write(&**api, caller, seen, find, end).await?;
    let content = &written.content;
    let change_request = |record: &ChangeRequestRecord| -> ChangeRequest {
        present::change_request(&state.urls, record, content.space.head)
    };
    let view = path.view(state, content, &written.tree);
    let merge = base.zip(written.merge.as_deref());
    let merge = merge.map(|(base, merge)| present::content_merge(state, &view, base, merge, &written.before));
    let merge = merge.transpose()?;
    if let Some(record) = &content.change_request {
        let (change_request, amended) = (change_request(record), amend.then_some(written.amended));
        return respond::changed(&WrittenChangeRequest { change_request, merge, amended });
    }
    if !prefer.representation {
        let changes = diff(&written.before, &written.tree);
        let revision = present::new_revision(&view, &content.revision, changes, merge);
        return respond::changed_to_revision(&request, revision.id, &revision);
    }
    let origin = (merged_from.as_ref().map(change_request), git);
    let revision = present::revision(&view, &content.revision, tags, origin);
    respond::changed_to_revision(&request, revision.id, &WrittenRevision { revision: &revision, merge })
}

/// All content of a revision that a write created.
#[derive(Serialize)]
struct WrittenRevision<'a> {
    #[serde(flatten)]
    revision: &'a Revision,
    #[serde(skip_serializing_if = "Option::is_none")]
    merge: Option<ContentMerge>,
}

/// Looks up content that the caller may edit, with the data that its changes need.
async fn look_up(
    state: &State,
    caller: Credentials,
    path: ContentPath,
    needs: PastNeeds,
) -> ApiResult<(SpaceId, DraftBase)> {
    let space = path.space();
    if path.selector() == ContentSelector::Space {
        let (found, known) = state.content_to_write(SpaceKey { credentials: caller, space }).await?;
        let (content, _) = found.authorize(Action::EditContent)?.split();
        content.require_editable()?;
        if let Some(seen) = DraftBase::cached(&state.storage, (&content, known), &needs) {
            return Ok((space, seen));
        }
    }
    let look = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, path.selector())?.authorize(Action::EditContent)?;
        content.require_editable()?;
        Ok((content.space.id, DraftBase::look(reader, &content, &needs)?))
    };
    state.read(caller, look).await
}
