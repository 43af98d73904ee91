//! Reading content.

use quire_domain::content::{Conversion, ConversionRequest, DeletedPage, RenderRequest, RenderedDocument};
use quire_domain::described::Document;
use quire_domain::list::PageQuery;
use quire_domain::meta_links::MetaLinks;
use quire_domain::policy::Action;
use quire_domain::revisions::{
    DifferenceQuery, ListedRevision, PageDifference, PageList, RevisionChanges, RevisionListQuery,
};
use quire_domain::{File, Page, ReusableContent, Revision};

use crate::route::Access::Needs;
use crate::route::{Route, Tag};
use crate::v1;

/// Reason why operations that render have no entry in the audit log.
const RENDERS: &str = "it reads with a request body and changes nothing";

/// Reads of content, below the path of a space's current content, a change request or a revision.
macro_rules! content_reads {
    ($routes:ident, $base:literal, $all:literal, $pages:literal, $files:literal, $file:literal, $page:literal, $path:literal, $reusable:literal) => {
        $routes.extend([
            Route::get(
                Tag::Content.at($base, None),
                $all,
                Needs(Action::ViewSpace),
                "Get a revision",
                content::get::get_content,
            )
            .query::<ContentQuery>()
            .answers::<Revision>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/pages"), None),
                $pages,
                Needs(Action::ViewSpace),
                "List pages",
                content::pages::list_pages,
            )
            .query::<PagesQuery>()
            .answers::<PageList>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/files"), None),
                $files,
                Needs(Action::ViewSpace),
                "List files",
                content::files::list_files,
            )
            .query::<FilesQuery>()
            .lists::<File>(),
            Route::get(
                Tag::Content.at(concat!($base, "/files/{fileId}"), None),
                $file,
                Needs(Action::ViewSpace),
                "Get a file",
                content::file::get_file,
            )
            .query::<ContentQuery>()
            .answers::<File>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/page/{pageId}"), None),
                $page,
                Needs(Action::ViewSpace),
                "Get a page",
                content::page::get_page,
            )
            .query::<OnePageQuery>()
            .answers::<Page>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/path/{pagePath}"), None),
                $path,
                Needs(Action::ViewSpace),
                "Get a page by its path",
                content::page_by_path::get_page_by_path,
            )
            .query::<OnePageQuery>()
            .answers::<Page>(200),
            Route::get(
                Tag::Content.at(concat!($base, "/reusable-contents/{reusableContentId}"), None),
                $reusable,
                Needs(Action::ViewSpace),
                "Get a reusable content",
                content::reusable_content::get_reusable_content,
            )
            .query::<ContentQuery>()
            .answers::<ReusableContent>(200),
        ]);
    };
}

pub(super) fn routes() -> Vec<Route> {
    use v1::content;
    use v1::content::document::DocumentQuery;
    use v1::content::query::{
        ChangesQuery, ContentQuery, FilesQuery, OnePageQuery, PagesQuery, ReaderDocumentQuery,
    };
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
    // Of change requests, a site token opens the one of a preview.
    let mut routes: Vec<Route> = routes.into_iter().map(Route::for_visitors).collect();
    let meta_links = |path, operation| {
        Route::get(
            Tag::Content.at(path, None),
            operation,
            Needs(Action::ViewSpace),
            "Get links for search engines",
            content::meta_links::get_page_meta_links,
        )
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
            "getPageDocumentInRevisionById",
            Needs(Action::ViewSpace),
            "Get the document of a page",
            content::reader_document::get_page_document,
        )
        .query::<ReaderDocumentQuery>()
        .answers::<Document>(200)
        .for_visitors(),
        Route::get(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document",
                None,
            ),
            "getReusableContentDocumentInRevisionById",
            Needs(Action::ViewSpace),
            "Get the document of a reusable content",
            content::reader_document::get_reusable_content_document,
        )
        .query::<ReaderDocumentQuery>()
        .answers::<Document>(200)
        .for_visitors(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions/{revisionId}/changes", None),
            "getRevisionSemanticChanges",
            Needs(Action::ViewSpace),
            "List the changes of a revision",
            content::changes::get_changes,
        )
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        Route::get(
            Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes", None),
            "getChangeRequestChanges",
            Needs(Action::ViewSpace),
            "List the changes of a change request",
            content::changes::get_changes,
        )
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/deleted-pages", None),
            "listDeletedPages",
            Needs(Action::ViewSpace),
            "List deleted pages",
            content::deleted_pages::list_deleted_pages,
        )
        .query::<PageQuery>()
        .lists::<DeletedPage>(),
        Route::get(
            Tag::ChangeRequests
                .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/diff/{pageId}", None),
            "getChangeRequestPageDifference",
            Needs(Action::ViewSpace),
            "Compare a page of a change request",
            content::difference::get_page_difference,
        )
        .query::<DifferenceQuery>()
        .answers::<PageDifference>(200),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/convert",
                None,
            ),
            "convertPageContentInChangeRequest",
            Needs(Action::EditContent),
            "Convert the content of a page",
            content::convert::convert_page_content,
        )
        .body::<ConversionRequest>()
        .answers::<Conversion>(200)
        .unaudited("it reads with a request body and changes nothing"),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions", None),
            "listRevisions",
            Needs(Action::ViewSpace),
            "List revisions",
            content::revisions::list_revisions,
        )
        .query::<PageQuery>()
        .query::<RevisionListQuery>()
        .lists::<ListedRevision>(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}", None),
            "compareRevisions",
            Needs(Action::ViewSpace),
            "Compare two revisions",
            content::changes::compare_revisions,
        )
        .query::<ChangesQuery>()
        .answers::<RevisionChanges>(200),
        Route::get(
            Tag::Content
                .at("/v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}/{pageId}", None),
            "comparePageOfRevisions",
            Needs(Action::ViewSpace),
            "Compare a page of two revisions",
            content::difference::get_page_difference,
        )
        .query::<DifferenceQuery>()
        .answers::<PageDifference>(200),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/render", None),
            "renderDocument",
            Needs(Action::ViewSpace),
            "Render a document",
            content::render::render_document,
        )
        .body::<RenderRequest>()
        .answers::<RenderedDocument>(200)
        .unaudited(RENDERS),
        Route::post(
            Tag::ChangeRequests
                .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/render", None),
            "renderDocumentInChangeRequest",
            Needs(Action::ViewSpace),
            "Render a document in a change request",
            content::render::render_document,
        )
        .body::<RenderRequest>()
        .answers::<RenderedDocument>(200)
        .unaudited(RENDERS),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/documents/{documentId}", None),
            "getDocumentById",
            Needs(Action::ViewSpace),
            "Get a document",
            content::document::get_document_by_id,
        )
        .query::<DocumentQuery>()
        .answers::<Document>(200)
        .for_visitors(),
    ]);
    routes
}
