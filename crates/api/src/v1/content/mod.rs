//! Reads and writes of content. Reads are possible for the current content of a space, a change request and a revision,
//! writes for the first two. The same handlers serve all paths.

mod answer;
pub mod documents;
pub mod files;
mod page_parts;
pub mod pages;
pub(in crate::v1) mod path;
pub mod query;
pub mod revisions;
pub mod write;

use quire_domain::content::{Conversion, ConversionRequest, DeletedPage, RenderRequest, RenderedDocument};
use quire_domain::described::Document;
use quire_domain::meta_links::MetaLinks;
use quire_domain::revisions::{
    DifferenceQuery, ListedRevision, PageDifference, PageList, RevisionChanges, RevisionListQuery,
};
use quire_domain::{File, Page, ReusableContent, Revision};

use crate::prelude::*;
use crate::v1::content::documents::{
    DocumentQuery, convert_page_content, get_document_by_id, get_page_document, get_reusable_content,
    get_reusable_content_document, render_document,
};
use crate::v1::content::files::{get_file, list_files};
use crate::v1::content::pages::{
    get_page, get_page_by_path, get_page_meta_links, list_deleted_pages, list_pages,
};
use crate::v1::content::query::{
    ChangesQuery, ContentQuery, FilesQuery, OnePageQuery, PagesQuery, ReaderDocumentQuery,
};
use crate::v1::content::revisions::{
    compare_revisions, get_changes, get_content, get_page_difference, list_revisions,
};

/// Reason for having no entry in the audit log, for operations that render.
const RENDERS: &str = "it reads with a request body and changes nothing";

/// Reads of content, below the path of a space's current content, a change request or a revision.
macro_rules! content_reads {
    ($routes:ident, $base:literal, $all:literal, $pages:literal, $files:literal, $file:literal, $page:literal, $path:literal, $reusable:literal) => {
        $routes.extend([
            Route::get(Tag::Content.at($base, None), Needs(Action::ViewSpace), "Get a revision", get_content)
                .operation($all)
                .query::<ContentQuery>()
                .answers::<Revision>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/pages"), None),
                Needs(Action::ViewSpace),
                "List pages",
                list_pages,
            )
            .operation($pages)
            .query::<PagesQuery>()
            .answers::<PageList>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/files"), None),
                Needs(Action::ViewSpace),
                "List files",
                list_files,
            )
            .operation($files)
            .query::<FilesQuery>()
            .lists::<File>(),
            Route::get(
                Tag::Content.at(concat!($base, "/files/{fileId}"), None),
                Needs(Action::ViewSpace),
                "Get a file",
                get_file,
            )
            .operation($file)
            .query::<ContentQuery>()
            .answers::<File>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/page/{pageId}"), None),
                Needs(Action::ViewSpace),
                "Get a page",
                get_page,
            )
            .operation($page)
            .query::<OnePageQuery>()
            .answers::<Page>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/path/{pagePath}"), None),
                Needs(Action::ViewSpace),
                "Get a page by its path",
                get_page_by_path,
            )
            .operation($path)
            .query::<OnePageQuery>()
            .answers::<Page>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/reusable-contents/{reusableContentId}"), None),
                Needs(Action::ViewSpace),
                "Get a reusable content",
                get_reusable_content,
            )
            .operation($reusable)
            .query::<ContentQuery>()
            .answers::<ReusableContent>(200),
        ]);
    };
}

/// Returns the routes.
pub fn routes() -> Vec<Route> {
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
    // Site tokens open only the change request of their preview.
    let mut routes: Vec<Route> = routes.into_iter().map(Route::for_visitors).collect();
    let meta_links = |path, operation| {
        Route::get(
            Tag::Content.at(path, None),
            Needs(Action::ViewSpace),
            "Get links for search engines",
            get_page_meta_links,
        )
        .operation(operation)
        .answers::<MetaLinks>(200)
    };
    routes.extend([
        meta_links("/v1/spaces/{spaceId}/content/page/{pageId}/meta-links", "listSpacePageMetaLinks")
            .for_visitors(),
        meta_links(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/meta-links",
            "listChangeRequestPageMetaLinks",
        )
        .for_visitors(),
        meta_links(
            "/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/meta-links",
            "listRevisionPageMetaLinks",
        )
        .for_visitors(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document", None),
            Needs(Action::ViewSpace),
            "Get the document of a page",
            get_page_document,
        )
        .operation("getPageDocumentInRevisionById")
        .query::<ReaderDocumentQuery>()
        .answers::<Document>(200)
        .for_visitors(),
        Route::get(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document",
                None,
            ),
            Needs(Action::ViewSpace),
            "Get the document of a reusable content",
            get_reusable_content_document,
        )
        .operation("getReusableContentDocumentInRevisionById")
        .query::<ReaderDocumentQuery>()
        .answers::<Document>(200)
        .for_visitors(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions/{revisionId}/changes", None),
            Needs(Action::ViewSpace),
            "List the changes of a revision",
            get_changes,
        )
        .operation("getRevisionSemanticChanges")
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        Route::get(
            Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes", None),
            Needs(Action::ViewSpace),
            "List the changes of a change request",
            get_changes,
        )
        .operation("getChangeRequestChanges")
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/deleted-pages", None),
            Needs(Action::ViewSpace),
            "List deleted pages",
            list_deleted_pages,
        )
        .query::<PageQuery>()
        .lists::<DeletedPage>(),
        Route::get(
            Tag::ChangeRequests
                .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/diff/{pageId}", None),
            Needs(Action::ViewSpace),
            "Compare a page of a change request",
            get_page_difference,
        )
        .operation("getChangeRequestPageDifference")
        .query::<DifferenceQuery>()
        .answers::<PageDifference>(200),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/convert",
                None,
            ),
            Needs(Action::EditContent),
            "Convert the content of a page",
            convert_page_content,
        )
        .operation("convertPageContentInChangeRequest")
        .body::<ConversionRequest>()
        .answers::<Conversion>(200)
        .unaudited("it reads with a request body and changes nothing"),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions", None),
            Needs(Action::ViewSpace),
            "List revisions",
            list_revisions,
        )
        .query::<PageQuery>()
        .query::<RevisionListQuery>()
        .lists::<ListedRevision>(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}", None),
            Needs(Action::ViewSpace),
            "Compare two revisions",
            compare_revisions,
        )
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        Route::get(
            Tag::Content
                .at("/v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}/{pageId}", None),
            Needs(Action::ViewSpace),
            "Compare a page of two revisions",
            get_page_difference,
        )
        .operation("comparePageOfRevisions")
        .query::<DifferenceQuery>()
        .answers::<PageDifference>(200),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/render", None),
            Needs(Action::ViewSpace),
            "Render a document",
            render_document,
        )
        .body::<RenderRequest>()
        .answers::<RenderedDocument>(200)
        .unaudited(RENDERS),
        Route::post(
            Tag::ChangeRequests
                .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/render", None),
            Needs(Action::ViewSpace),
            "Render a document in a change request",
            render_document,
        )
        .operation("renderDocumentInChangeRequest")
        .body::<RenderRequest>()
        .answers::<RenderedDocument>(200)
        .unaudited(RENDERS),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/documents/{documentId}", None),
            Needs(Action::ViewSpace),
            "Get a document",
            get_document_by_id,
        )
        .query::<DocumentQuery>()
        .answers::<Document>(200)
        .for_visitors(),
    ]);
    routes
}
