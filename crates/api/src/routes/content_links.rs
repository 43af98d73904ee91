//! Links and backlinks of content.

use quire_domain::links::{BrokenContextQuery, ContentLocation, LinkList, LinkQuery};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Route, Tag};
use crate::v1::links::{of_content, of_page, to_file, to_page};

/// Reads of links, below the path of content.
macro_rules! content_links {
    ($routes:ident, $base:literal, $to_page:literal, $to_file:literal) => {
        $routes.extend([
            Route::get(
                Tag::Content.at(concat!($base, "/page/{pageId}/backlinks"), None),
                $to_page,
                Needs(Action::ViewSpace),
                "List backlinks of a page",
                to_page::list_page_backlinks,
            )
            .query::<PageQuery>()
            .lists::<ContentLocation>(),
            Route::get(
                Tag::Content.at(concat!($base, "/files/{fileId}/backlinks"), None),
                $to_file,
                Needs(Action::ViewSpace),
                "List backlinks of a file",
                to_file::list_file_backlinks,
            )
            .query::<PageQuery>()
            .lists::<ContentLocation>(),
        ]);
    };
}

pub(super) fn routes() -> Vec<Route> {
    let view = Needs(Action::ViewSpace);
    let mut routes = vec![
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/links", None),
            "listSpaceLinks",
            view,
            "List the links of a space",
            of_content::list_space_links,
        )
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .answers::<LinkList>(200)
        .for_visitors(),
        Route::get(
            Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/links", None),
            "listChangeRequestLinks",
            view,
            "List the links of a change request",
            of_content::list_change_request_links,
        )
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .query::<BrokenContextQuery>()
        .answers::<LinkList>(200),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/content/page/{pageId}/links", None),
            "listPageLinksInSpace",
            view,
            "List the links of a page",
            of_page::list_page_links,
        )
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .answers::<LinkList>(200)
        .for_visitors(),
        Route::get(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links",
                None,
            ),
            "listPageLinksInChangeRequest",
            view,
            "List the links of a page",
            of_page::list_change_request_page_links,
        )
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .answers::<LinkList>(200),
    ];
    content_links!(
        routes,
        "/v1/spaces/{spaceId}/content",
        "listSpacePageBacklinks",
        "listSpaceFileBacklinks"
    );
    content_links!(
        routes,
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
        "listChangeRequestPageBacklinks",
        "listChangeRequestFileBacklinks"
    );
    routes
}
