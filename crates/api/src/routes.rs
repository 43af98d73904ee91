//! The route table: every route once, in the order of the reference.

use actix_web::http::Method;
use quire_domain::change_requests::{
    ChangeRequestCreate, ChangeRequestQuery, ChangeRequestUpdate, MergeResult, UpdateRequest, UpdateResult,
};
use quire_domain::comments::{
    CommentCreate, CommentListQuery, CommentReplyCreate, CommentReplyListQuery, CommentUpdate, FormatQuery,
};
use quire_domain::content::ContentChanges;
use quire_domain::imports::{ImportRequest, ImportResult};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::revisions::{NewRevision, PageList, RevisionChanges};
use quire_domain::search::{SearchHit, SearchQuery};
use quire_domain::spaces::{SpaceCreate, SpaceUpdate};
use quire_domain::{
    ChangeRequest, Comment, CommentReply, File, Organization, Page, ReusableContent, Revision, Space,
};

use crate::route::Access::{AuthorOr, Needs, Public, SignedIn};
use crate::route::Route;
use crate::service::{docs, health, metrics};
use crate::v1;

/// Every route.
#[must_use]
pub fn routes() -> Vec<Route> {
    [
        service(),
        spaces(),
        change_requests(),
        content(),
        content_writes(),
        imports(),
        search(),
        comments(),
        organizations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn service() -> Vec<Route> {
    vec![
        get("/healthz", "getHealth", Public, "Whether the process lives", health::live)
            .answers::<health::Health>(200),
        get("/readyz", "getReadiness", Public, "Whether it can work", health::ready)
            .answers::<health::Health>(200),
        get("/metrics", "getMetrics", Public, "Measurements for Prometheus", metrics::handle)
            .answers_media("text/plain; version=0.0.4"),
        get("/v1/openapi.json", "getOpenApiDocument", Public, "This document", docs::document)
            .answers_media("application/json"),
    ]
}

fn spaces() -> Vec<Route> {
    use v1::spaces::{create, get as read, list, update};
    vec![
        get("/v1/spaces/{spaceId}", "getSpaceById", Needs(Action::ViewSpace), "Get a space", read::handle)
            .answers::<Space>(200),
        patch(
            "/v1/spaces/{spaceId}",
            "updateSpaceById",
            Needs(Action::AdministerSpace),
            "Change a space",
            update::handle,
        )
        .body::<SpaceUpdate>()
        .answers::<Space>(200),
        get(
            "/v1/orgs/{organizationId}/spaces",
            "listSpacesInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's spaces",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Space>(),
        post(
            "/v1/orgs/{organizationId}/spaces",
            "createSpace",
            Needs(Action::CreateContent),
            "Make a space",
            create::handle,
        )
        .body::<SpaceCreate>()
        .answers::<Space>(201),
    ]
}

fn content_writes() -> Vec<Route> {
    use v1::content::{upload, write};
    use v1::files::download;
    let edits = Needs(Action::EditContent);
    vec![
        post(
            "/v1/spaces/{spaceId}/content",
            "updateSpaceContent",
            edits,
            "Change a space's content",
            write::handle,
        )
        .body::<ContentChanges>()
        .answers::<NewRevision>(200),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
            "updateChangeRequestContent",
            edits,
            "Change a change request's content",
            write::handle,
        )
        .body::<ContentChanges>()
        .answers::<ChangeRequest>(200),
        post(
            "/v1/spaces/{spaceId}/content/files",
            "uploadFilesToSpace",
            edits,
            "Add files to a space",
            upload::handle,
        )
        .media("multipart/form-data")
        .lists::<File>()
        .created(),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files",
            "uploadFilesToChangeRequest",
            edits,
            "Add files to a change request",
            upload::handle,
        )
        .media("multipart/form-data")
        .lists::<File>()
        .created(),
        get(
            "/v1/spaces/{spaceId}/files/{blob}/{fileName}",
            "downloadFile",
            Public,
            "Get the bytes of a file",
            download::handle,
        )
        .query::<download::DownloadQuery>()
        .answers_media("*/*"),
    ]
}

fn change_requests() -> Vec<Route> {
    use v1::change_requests::{create, get as read, list, merge, pull, update};
    const ALL: &str = "/v1/spaces/{spaceId}/change-requests";
    const ONE: &str = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}";
    const MERGE: &str = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge";
    const UPDATE: &str = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update";
    let (view, edit) = (Needs(Action::ViewSpace), Needs(Action::EditContent));
    vec![
        get(ALL, "listChangeRequestsForSpace", view, "List a space's change requests", list::handle)
            .query::<PageQuery>()
            .query::<ChangeRequestQuery>()
            .lists::<ChangeRequest>(),
        post(ALL, "createChangeRequest", edit, "Make a change request", create::handle)
            .body::<ChangeRequestCreate>()
            .answers::<ChangeRequest>(201),
        get(ONE, "getChangeRequestById", view, "Get a change request", read::handle)
            .answers::<ChangeRequest>(200),
        patch(ONE, "updateChangeRequestById", edit, "Change a change request", update::handle)
            .body::<ChangeRequestUpdate>()
            .answers::<ChangeRequest>(200),
        post(
            MERGE,
            "mergeChangeRequest",
            Needs(Action::MergeChangeRequest),
            "Merge a change request into its space",
            merge::handle,
        )
        .answers::<MergeResult>(200),
        post(UPDATE, "updateChangeRequest", edit, "Pull the space into a change request", pull::handle)
            .body::<UpdateRequest>()
            .answers::<UpdateResult>(200),
    ]
}

fn search() -> Vec<Route> {
    vec![
        get(
            "/v1/spaces/{spaceId}/search",
            "searchSpaceContent",
            Needs(Action::ViewSpace),
            "Search a space's content",
            v1::spaces::search::handle,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SearchHit>(),
    ]
}

fn imports() -> Vec<Route> {
    use v1::imports::{change_request, space};
    let needed = Needs(Action::EditContent);
    vec![
        post(
            "/v1/spaces/{spaceId}/content/import",
            "importContent",
            needed,
            "Import content below the root",
            space::handle,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
        post(
            "/v1/spaces/{spaceId}/content/page/{pageId}/import",
            "importContentInPageById",
            needed,
            "Import content into a page",
            space::into_page,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import",
            "importContentInChangeRequest",
            needed,
            "Import content below a change request's root",
            change_request::handle,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import",
            "importContentInChangeRequestPageById",
            needed,
            "Import content into a page of a change request",
            change_request::into_page,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
    ]
}

/// The routes of comments and replies below a place that has them; the second word ends their operations' ids.
macro_rules! comment_routes {
    ($place:literal, $of:literal) => {{
        use v1::comments::{create, delete as remove, get as read, list, replies, update};
        const ALL: &str = concat!($place, "/comments");
        const ONE: &str = concat!($place, "/comments/{commentId}");
        const REPLIES: &str = concat!($place, "/comments/{commentId}/replies");
        const REPLY: &str = concat!($place, "/comments/{commentId}/replies/{commentReplyId}");
        let (view, comment) = (Needs(Action::ViewSpace), Needs(Action::CommentOnSpace));
        let own = AuthorOr(Action::AdministerSpace);
        vec![
            get(ALL, concat!("listComments", $of), view, "List comments", list::handle)
                .query::<CommentListQuery>()
                .lists::<Comment>(),
            post(ALL, concat!("postComment", $of), comment, "Post a comment", create::handle)
                .query::<FormatQuery>()
                .body::<CommentCreate>()
                .answers::<Comment>(201),
            get(ONE, concat!("getComment", $of), view, "Get a comment", read::handle)
                .query::<FormatQuery>()
                .answers::<Comment>(200),
            put(ONE, concat!("updateComment", $of), comment, "Change a comment", update::handle)
                .query::<FormatQuery>()
                .body::<CommentUpdate>()
                .answers::<Comment>(200),
            delete(ONE, concat!("deleteComment", $of), own, "Delete a comment", remove::handle)
                .answers_nothing(),
            get(REPLIES, concat!("listCommentReplies", $of), view, "List replies", replies::list::handle)
                .query::<CommentReplyListQuery>()
                .lists::<CommentReply>(),
            post(REPLIES, concat!("postCommentReply", $of), comment, "Post a reply", replies::create::handle)
                .query::<FormatQuery>()
                .body::<CommentReplyCreate>()
                .answers::<CommentReply>(201),
            get(REPLY, concat!("getCommentReply", $of), view, "Get a reply", replies::get::handle)
                .query::<FormatQuery>()
                .answers::<CommentReply>(200),
            put(
                REPLY,
                concat!("updateCommentReply", $of),
                comment,
                "Change a reply",
                replies::update::handle,
            )
            .query::<FormatQuery>()
            .body::<CommentUpdate>()
            .answers::<CommentReply>(200),
            delete(REPLY, concat!("deleteCommentReply", $of), own, "Delete a reply", replies::delete::handle)
                .answers_nothing(),
        ]
    }};
}

fn comments() -> Vec<Route> {
    let of_change_requests =
        comment_routes!("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", "InChangeRequest");
    let of_spaces = comment_routes!("/v1/spaces/{spaceId}", "InSpace");
    of_change_requests.into_iter().chain(of_spaces).collect()
}

fn organizations() -> Vec<Route> {
    use v1::organizations::{get as read, list};
    vec![
        get(
            "/v1/orgs",
            "listOrganizationsForAuthenticatedUser",
            SignedIn,
            "List your organizations",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Organization>(),
        get(
            "/v1/orgs/{organizationId}",
            "getOrganizationById",
            Needs(Action::ViewOrganization),
            "Get an organization",
            read::handle,
        )
        .answers::<Organization>(200),
    ]
}

/// What of a content is read, below the path of a space's current content, of a change request's, and of any revision.
macro_rules! content_reads {
    ($routes:ident, $base:literal, $all:literal, $pages:literal, $files:literal, $file:literal, $page:literal, $path:literal, $reusable:literal) => {
        $routes.extend([
            get($base, $all, Needs(Action::ViewSpace), "Get all content", content::get::handle)
                .query::<ContentQuery>()
                .answers::<Revision>(200),
            get(
                concat!($base, "/pages"),
                $pages,
                Needs(Action::ViewSpace),
                "Get the pages",
                content::pages::handle,
            )
            .query::<ContentQuery>()
            .answers::<PageList>(200),
            get(
                concat!($base, "/files"),
                $files,
                Needs(Action::ViewSpace),
                "List the files",
                content::files::handle,
            )
            .query::<FilesQuery>()
            .lists::<File>(),
            get(
                concat!($base, "/files/{fileId}"),
                $file,
                Needs(Action::ViewSpace),
                "Get a file",
                content::file::handle,
            )
            .query::<ContentQuery>()
            .answers::<File>(200),
            get(
                concat!($base, "/page/{pageId}"),
                $page,
                Needs(Action::ViewSpace),
                "Get a page",
                content::page::handle,
            )
            .query::<OnePageQuery>()
            .answers::<Page>(200),
            get(
                concat!($base, "/path/{pagePath}"),
                $path,
                Needs(Action::ViewSpace),
                "Get a page by its path",
                content::page_by_path::handle,
            )
            .query::<OnePageQuery>()
            .answers::<Page>(200),
            get(
                concat!($base, "/reusable-contents/{reusableContentId}"),
                $reusable,
                Needs(Action::ViewSpace),
                "Get a reusable content",
                content::reusable_content::handle,
            )
            .query::<ContentQuery>()
            .answers::<ReusableContent>(200),
        ]);
    };
}

fn content() -> Vec<Route> {
    use v1::content;
    use v1::content::document::{Document, DocumentQuery};
    use v1::content::query::{ChangesQuery, ContentQuery, FilesQuery, OnePageQuery};
    let mut routes = Vec::new();
    content_reads!(
        routes,
        "/v1/spaces/{spaceId}/content",
        "getCurrentRevision",
        "listPages",
        "listFiles",
        "getFileById",
        "getPageById",
        "getPageByPath",
        "getReusableContentById"
    );
    content_reads!(
        routes,
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
        "getRevisionOfChangeRequestById",
        "listPagesInChangeRequest",
        "listFilesInChangeRequestById",
        "getFileInChangeRequestById",
        "getPageInChangeRequestById",
        "getPageInChangeRequestByPath",
        "getReusableContentInChangeRequestById"
    );
    content_reads!(
        routes,
        "/v1/spaces/{spaceId}/revisions/{revisionId}",
        "getRevisionById",
        "listPagesInRevisionById",
        "listFilesInRevisionById",
        "getFileInRevisionById",
        "getPageInRevisionById",
        "getPageInRevisionByPath",
        "getReusableContentInRevisionById"
    );
    routes.extend([
        get(
            "/v1/spaces/{spaceId}/revisions/{revisionId}/changes",
            "getRevisionSemanticChanges",
            Needs(Action::ViewSpace),
            "Get what a revision changed",
            content::changes::handle,
        )
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        get(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes",
            "getChangeRequestChanges",
            Needs(Action::ViewSpace),
            "Get what a change request would change",
            content::changes::handle,
        )
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        get(
            "/v1/spaces/{spaceId}/documents/{documentId}",
            "getDocumentById",
            Needs(Action::ViewSpace),
            "Get a document",
            content::document::handle,
        )
        .query::<DocumentQuery>()
        .answers::<Document>(200),
    ]);
    routes
}

macro_rules! methods {
    ($($name:ident = $method:ident;)*) => {
        $(fn $name<F, Args>(
            path: &'static str,
            operation: &'static str,
            access: crate::route::Access,
            summary: &'static str,
            handler: F,
        ) -> Route
        where
            F: actix_web::Handler<Args> + Copy + Send + Sync,
            Args: actix_web::FromRequest + 'static,
            F::Output: actix_web::Responder + 'static,
        {
            Route::new(Method::$method, path, operation, access, summary, handler)
        })*
    };
}
methods! {
    get = GET;
    post = POST;
    put = PUT;
    patch = PATCH;
    delete = DELETE;
}
