//! Change requests.

use quire_domain::ChangeRequest;
use quire_domain::change_requests::{
    ChangeRequestCreate, ChangeRequestQuery, ChangeRequestUpdate, ChangedPageQuery, Event, MergeRequest,
    MergeResult, UpdateRequest, UpdateResult, ViewedPages,
};
use quire_domain::comments::FormatQuery;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::{Needs, NeedsByBody};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::change_requests::{create, get, list, merge, pull, update, viewed};
    const ALL: Resource = Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests", Some(Object::Space));
    const ONE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", Some(Object::ChangeRequest));
    const MERGE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", Some(Object::ChangeRequest));
    const UPDATE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update", Some(Object::ChangeRequest));
    const VIEWED: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/viewed", Some(Object::ChangeRequest));
    let (view, edit) = (Needs(Action::ViewSpace), Needs(Event::EditContent.required_action()));
    vec![
        Route::get(
            ALL,
            "listChangeRequestsForSpace",
            view,
            "List a space's change requests",
            list::list_change_requests_for_space,
        )
        .query::<PageQuery>()
        .query::<ChangeRequestQuery>()
        .query::<ChangedPageQuery>()
        .lists::<ChangeRequest>(),
        Route::post(
            ALL,
            "createChangeRequest",
            edit,
            "Create a change request",
            create::create_change_request,
        )
        .query::<FormatQuery>()
        .body::<ChangeRequestCreate>()
        .answers::<ChangeRequest>(201),
        Route::get(ONE, "getChangeRequestById", view, "Get a change request", get::get_change_request_by_id)
            .query::<FormatQuery>()
            .answers::<ChangeRequest>(200)
            .for_visitors(),
        Route::patch(
            ONE,
            "updateChangeRequestById",
            NeedsByBody(&ChangeRequestUpdate::ACTIONS),
            "Update a change request",
            update::update_change_request_by_id,
        )
        .query::<FormatQuery>()
        .body::<ChangeRequestUpdate>()
        .answers::<ChangeRequest>(200),
        Route::post(
            MERGE,
            "mergeChangeRequest",
            Needs(Event::Merge.required_action()),
            "Merge a change request",
            merge::merge_change_request,
        )
        .body::<MergeRequest>()
        .answers::<MergeResult>(200),
        Route::post(
            UPDATE,
            "updateChangeRequest",
            Needs(Event::Update.required_action()),
            "Update a change request from its space",
            pull::update_change_request,
        )
        .body::<UpdateRequest>()
        .answers::<UpdateResult>(200),
        Route::get(
            VIEWED,
            "getViewedPagesInChangeRequest",
            view,
            "Get the viewed pages of a change request",
            viewed::get_viewed_pages,
        )
        .answers::<ViewedPages>(200),
        Route::put(
            VIEWED,
            "setViewedPagesInChangeRequest",
            Needs(Action::CommentOnSpace),
            "Mark pages of a change request as viewed",
            viewed::set_viewed_pages,
        )
        .body::<ViewedPages>()
        .answers::<ViewedPages>(200)
        .unaudited("it is a note of the caller's own"),
    ]
}
