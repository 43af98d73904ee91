//! Files of content.

use actix_multipart::Multipart;
use actix_web::FromRequest;
use actix_web::dev::Payload;
use futures_util::future::LocalBoxFuture;
use quire_content::attachments::Attachments;
use quire_content::edits::PastNeeds;
use quire_content::{ContentWrite, DraftBase, Written, attachments, media};
use quire_domain::File;
use quire_domain::bounded::Bounded;
use quire_domain::bounds::FILES_MAX;
use quire_domain::content::{ContentChange, ContentChanges, InsertFile, InsertFiles};
use quire_domain::list::List;
use quire_domain::texts::FileName;
use quire_revision::{FileNode, Tree};
use quire_server::files::{SignedQuery, respond_signed};
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use super::answer::{ContentRequest, Source, answer};
use super::path::ContentPath;
use super::query::{ContentQuery, FilesQuery};
use crate::body_budget::BodyReservation;
use crate::extract::{BodyDeadline, Part, read_parts};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    let edits = Needs(Action::EditContent);
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/files", Some(Object::Space)),
            edits,
            "Upload files to a space",
            upload_files,
        )
        .operation("uploadFilesToSpace")
        .form::<FileUpload>()
        .lists::<File>()
        .created(),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files",
                Some(Object::ChangeRequest),
            ),
            edits,
            "Upload files to a change request",
            upload_files,
        )
        .operation("uploadFilesToChangeRequest")
        .form::<FileUpload>()
        .lists::<File>()
        .created(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/files/{blob}/{fileName}", None),
            Public,
            "Download a file",
            download_file,
        )
        .query::<DownloadQuery>()
        .answers_media("*/*"),
    ]
}

pub async fn list_files(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<FilesQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = name(path);
    let (page, limit) = (query.page.clone(), query.limit());
    let asked = ContentRequest { caller, path, git: query.metadata, computed: false };
    let make = move |source: Source<'_, '_>, tree: Tree| {
        let list = match source.content.change_request.filter(|_| path.revision().is_none()) {
            Some(change_request) => format!("{list} in {}", change_request.id),
            None => list.clone(),
        };
        let after: Option<FileId> = present::cursor(&list, page.as_deref())?;
        let slice = slice(&tree, after, limit)?;
        present::list(&list, slice, |file| file.id, |file| Ok(source.view.file(file)))
    };
    answer(asked, &request, &api, |tree| Some(tree.clone()), make).await
}

/// Returns the name of the list for its cursors. It contains the content and not its revision, so that cursors stay
/// valid after an edit.
fn name(path: ContentPath) -> String {
    let space = path.space();
    match path.revision() {
        Some(revision) => format!("files of {space} at {revision}"),
        None => format!("files of {space}"),
    }
}

fn slice(tree: &Tree, after: Option<FileId>, limit: u16) -> ApiResult<Slice<&FileNode>> {
    let mut files = tree.files_after(after);
    let items = files.by_ref().take(usize::from(limit)).collect();
    let total = u64::try_from(tree.file_count()).map_err(ApiError::internal)?;
    Ok(Slice { items, total, has_more: files.next().is_some() })
}

/// Path parameters: the file of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileItem {
    file_id: FileId,
}

pub async fn get_file(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(FileItem { file_id }): Path<FileItem>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = ContentRequest { caller, path, git: query.metadata, computed: false };
    let find = move |tree: &Tree| tree.file(file_id).cloned();
    answer(asked, &request, &api, find, |source, file| Ok(source.view.file(&file))).await
}

/// Maximum number of parts with other names in a body.
const OTHER_PARTS: usize = 20;

async fn upload_files(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    upload: Upload,
    if_match: IfMatch,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let (content, seen) = state
        .read(caller, move |reader| {
            let content = reader.content(path.space(), path.selector())?.authorize(Action::EditContent)?;
            content.require_editable()?;
            let seen = DraftBase::look(reader, &content, &PastNeeds::default())?;
            Ok((content, seen))
        })
        .await?;
    // Memory that stays reserved until the files are stored.
    let mut room = state.bodies.of_body();
    let parts = upload.read(state, &mut room).await?;
    let (files, attachments) = store(&api, content.space.id, parts).await?;
    let body = ContentChanges::of_current(vec![ContentChange::InsertFiles(InsertFiles { files })]);
    let wanted = ContentWrite { body, attachments, expected: if_match.revisions().into() };
    let find = move |reader: &mut Reader<'_>| {
        Ok(reader.content(path.space(), path.selector())?.authorize(Action::EditContent)?)
    };
    let end = |tx: &mut Tx<'_>, written: Written| {
        if let Some(first) = written.files.first() {
            tx.record_created("file", first);
        }
        Ok(written)
    };
    let written = wanted.write(&**api, caller, seen, find, end).await?;
    let view = path.view(state, &content, &written.tree);
    let nodes = written.files.iter().filter_map(|id| written.tree.file(*id));
    let items: Vec<File> = nodes.map(|node| view.file(node)).collect();
    let location = match items.first() {
        Some(first) => state.urls.api(format_args!("{}/files/{}", path.location(), first.id)),
        None => state.urls.api(format_args!("{}/files", path.location())),
    };
    let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
    respond::created(&location, &List { next: None, count, items })
}

/// Form of a file upload.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "forms are read part by part; this is their schema")]
pub struct FileUpload {
    /// Files, one part each.
    #[schema(schema_with = files)]
    pub file: Vec<Vec<u8>>,
}

fn files() -> RefOr<Schema> {
    let file = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .content_media_type("application/octet-stream");
    ArrayBuilder::new()
        .description(Some("Files, one part each."))
        .items(file)
        .min_items(Some(1))
        .max_items(usize::try_from(FILES_MAX).ok())
        .into()
}

/// Body that is not read before the caller is authorized.
pub struct Upload(Option<Multipart>);

impl FromRequest for Upload {
    type Error = std::convert::Infallible;
    type Future = LocalBoxFuture<'static, Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
        let is_form = essence.trim().eq_ignore_ascii_case("multipart/form-data");
        let upload = is_form.then(|| Multipart::new(request.headers(), payload.take()));
        Box::pin(std::future::ready(Ok(Self(upload))))
    }
}

impl Upload {
    /// Returns the files of the body: its parts with the name `file`.
    async fn read(self, state: &ServerState, room: &mut BodyReservation) -> ApiResult<Vec<Part>> {
        let multipart = self.0.ok_or_else(|| {
            ApiError::new(Reason::UnsupportedMediaType)
                .with_message("Uploads require `Content-Type: multipart/form-data`.")
        })?;
        let most = usize::try_from(FILES_MAX).unwrap_or(usize::MAX);
        let limit = state.settings.max_upload;
        let arrival = BodyDeadline::of(&state.settings, u64::try_from(limit).unwrap_or(u64::MAX));
        let parts = read_parts(multipart, limit, most.saturating_add(OTHER_PARTS), arrival, room).await?;
        let files: Vec<Part> = parts.into_iter().filter(|part| part.name == "file").collect();
        match files.len() {
            0 => Err(ApiError::invalid_field("file", "is required")),
            count if count > most => {
                Err(ApiError::invalid_field("file", format!("must have at most {most} files, has {count}")))
            }
            _ => Ok(files),
        }
    }
}

/// Stores the bytes of the files, after all names were checked.
async fn store(api: &Api, space: SpaceId, parts: Vec<Part>) -> ApiResult<(Vec<InsertFile>, Attachments)> {
    let intake = api.intake();
    let names: Vec<String> = parts.iter().map(name_of).collect::<ApiResult<_>>()?;
    let (mut files, mut stored) = (Vec::new(), Vec::new());
    for (part, name) in parts.into_iter().zip(names) {
        let declared = part.content_type.as_deref().and_then(media::media_type);
        let file = attachments::store(&intake, space, &name, declared.as_ref(), part.bytes, "file").await?;
        let content_type = Some(Bounded::unchecked(file.content_type.clone()));
        let name = FileName::new(name)?;
        files.push(InsertFile { name, content_type, reference: None, url: None, base64: None });
        stored.push(file);
    }
    Ok((files, Attachments::of_one_change(stored)))
}

/// Returns the name of an uploaded file, without the path that some clients send.
fn name_of(part: &Part) -> ApiResult<String> {
    let name =
        part.file_name.as_deref().ok_or_else(|| ApiError::invalid_field("file", "must have a file name"))?;
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    media::check_file_name(name)
        .map_err(|message| ApiError::invalid_field("file", format!("has a name that {message}")))?;
    Ok(name.to_owned())
}

/// Query parameters of a download URL.
#[derive(Debug, Deserialize, Validate, IntoParams)]
pub struct DownloadQuery {
    /// Media type of the response.
    #[serde(rename = "type")]
    #[param(value_type = String)]
    content_type: Option<String>,
    /// Signature of the URL.
    token: Option<String>,
}

async fn download_file(
    Path(file): Path<(SpaceId, String, String)>,
    Query(query): Query<DownloadQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = SignedQuery { content_type: query.content_type, token: query.token };
    respond_signed(file, query, &request, &state).await
}
