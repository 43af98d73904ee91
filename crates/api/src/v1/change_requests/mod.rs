//! Change requests.

pub mod merge;

use quire_domain::ChangeRequest;
use quire_domain::change_requests::{
    ChangeRequestCreate, ChangeRequestQuery, ChangeRequestUpdate, ChangedPageQuery, DEFAULT_SUBJECT, Event,
    InSpaceQuery, ViewedPages,
};
use quire_domain::comments::FormatQuery;
use quire_domain::reviews::Contributor;
use quire_storage::content::change_requests::{
    ChangeRequestChanges, ChangeRequestFilter, ChangeRequestKey, ChangeRequestPosition,
};

use crate::prelude::*;
use crate::present::ShownChangeRequest;
use crate::v1::comments::body::ReadBody;
use crate::visitors::{Readable, readable_content};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests", Some(Object::Space));
    const ONE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", Some(Object::ChangeRequest));
    const VIEWED: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/viewed", Some(Object::ChangeRequest));
    const OF_ORGANIZATION: Resource =
        Tag::ChangeRequests.at("/v1/orgs/{organizationId}/change-requests", None);
    const CONTRIBUTORS: Resource =
        Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors", None);
    let view = Needs(Action::ViewSpace);
    let edit = Needs(Event::EditContent.required_action());
    vec![
        Route::get(ALL, view, "List a space's change requests", list_change_requests_for_space)
            .query::<PageQuery>()
            .query::<ChangeRequestQuery>()
            .query::<ChangedPageQuery>()
            .lists::<ChangeRequest>(),
        Route::post(ALL, edit, "Create a change request", create_change_request)
            .query::<FormatQuery>()
            .body::<ChangeRequestCreate>()
            .answers::<ChangeRequest>(201),
        Route::get(ONE, view, "Get a change request", get_change_request_by_id)
            .query::<FormatQuery>()
            .answers::<ChangeRequest>(200)
            .for_visitors(),
        Route::patch(
            ONE,
            NeedsByBody(&ChangeRequestUpdate::ACTIONS),
            "Update a change request",
            update_change_request_by_id,
        )
        .query::<FormatQuery>()
        .body::<ChangeRequestUpdate>()
        .answers::<ChangeRequest>(200),
        Route::get(VIEWED, view, "Get the viewed pages of a change request", get_viewed_pages)
            .operation("getViewedPagesInChangeRequest")
            .answers::<ViewedPages>(200),
        Route::put(
            VIEWED,
            Needs(Action::CommentOnSpace),
            "Mark pages of a change request as viewed",
            set_viewed_pages,
        )
        .operation("setViewedPagesInChangeRequest")
        .body::<ViewedPages>()
        .answers::<ViewedPages>(200)
        .unaudited("it is a note of the caller's own"),
        Route::get(
            OF_ORGANIZATION,
            Needs(Action::ViewOrganization),
            "List an organization's change requests",
            list_change_requests_for_organization,
        )
        .query::<PageQuery>()
        .query::<ChangeRequestQuery>()
        .query::<InSpaceQuery>()
        .lists::<ChangeRequest>(),
        Route::get(
            CONTRIBUTORS,
            view,
            "List a change request's contributors",
            list_change_request_contributors,
        )
        .query::<PageQuery>()
        .lists::<Contributor>(),
    ]
}

/// Returns the filter of a list, and the name that its cursors are bound to. `of` identifies the list.
pub fn filter(of: &str, query: ChangeRequestQuery, space: Option<SpaceId>) -> (ChangeRequestFilter, String) {
    let name = format!("change requests of {of} in {space:?}: {query:?}");
    let ChangeRequestQuery { status, contributor, creator, requested_reviewer, order_by, order } = query;
    let filter = ChangeRequestFilter {
        status,
        contributor,
        creator,
        requested_reviewer,
        space,
        changed_page: None,
        sort: order_by,
        order,
    };
    (filter, name)
}

async fn list_change_requests_for_space(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<ChangeRequestQuery>,
    Query(ChangedPageQuery { changed_page }): Query<ChangedPageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (filter, list) = filter("space", query, Some(space));
    let filter = ChangeRequestFilter { changed_page, ..filter };
    let list = format!("{list} of {changed_page:?}");
    let after: Option<ChangeRequestPosition> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (head, slice) = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            Ok((space.head, reader.change_requests_of(&space, filter, after, limit)?))
        })
        .await?;
    let list = present::list(&list, slice, ChangeRequestPosition::of, |record| {
        Ok(present::change_request(&state.urls, &record, head))
    })?;
    respond::ok(&request, &list)
}

async fn list_change_requests_for_organization(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<ChangeRequestQuery>,
    Query(InSpaceQuery { space }): Query<InSpaceQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (filter, list) = filter(&id.to_string(), query, space);
    let after: Option<ChangeRequestPosition> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.change_requests_of_organization(&organization, filter, after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |listed| ChangeRequestPosition::of(&listed.change_request),
        |listed| Ok(present::change_request(&state.urls, &listed.change_request, listed.space_head)),
    )?;
    respond::ok(&request, &list)
}

async fn create_change_request(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    OptionalJson(body): OptionalJson<ChangeRequestCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let description = match body.description {
        Some(body) => Some(ReadBody::read(&state, "description", body).await?),
        None => None,
    };
    let subject = body.subject.into_text()?.unwrap_or_else(|| DEFAULT_SUBJECT.to_owned());
    let (made, shown) = state
        .transact(caller, move |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            let description = description.map(ReadBody::checked).transpose()?;
            let made = tx.create_change_request(&space, &subject, description)?;
            let shown = ShownChangeRequest::load(tx, &made, format)?;
            Ok((made, shown))
        })
        .await?;
    let made = present::change_request_for(&state.urls, &made, shown);
    respond::created(&made.urls.location, &made)
}

async fn get_change_request_by_id(
    caller: Reading,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let credentials = caller.credentials();
    let look = move |reader: &mut Reader<'_>| {
        let selector = ContentSelector::ChangeRequest(key);
        let Readable { content, claims } = readable_content(reader, &caller, (space, selector))?;
        let found = content.into_change_request().ok_or_else(ApiError::not_found)?;
        let is_visitor = claims.is_some();
        let shown = (!is_visitor).then(|| ShownChangeRequest::load(reader, &found, format)).transpose()?;
        Ok((found, shown))
    };
    let (found, shown) = state.read(credentials, look).await?;
    let Some(shown) = shown else {
        let mut change_request = present::change_request(&state.urls, &found.item, found.space.head);
        change_request.created_by.email = None;
        return respond::ok(&request, &change_request);
    };
    respond::ok(&request, &present::change_request_for(&state.urls, &found, shown))
}

async fn update_change_request_by_id(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    OptionalJson(update): OptionalJson<ChangeRequestUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let actions = update.required_actions();
    let ChangeRequestUpdate { subject, description, status } = update;
    let subject = subject.into_text()?;
    let description = match description {
        Patch::Set(body) => Patch::Set(ReadBody::read(&state, "description", body).await?),
        Patch::Clear => Patch::Clear,
        Patch::Keep => Patch::Keep,
    };
    let urls = state.urls.clone();
    let (changed, shown) = state
        .transact(caller, move |tx| {
            let found = tx.change_request(space, key)?.authorize_all(&actions)?;
            let locked = tx.lock_change_request(found)?;
            if_match.check_with(|| {
                let shown = ShownChangeRequest::load(tx, &locked, format)?;
                Ok(present::change_request_for(&urls, &locked, shown))
            })?;
            let description = match description {
                Patch::Set(body) => Patch::Set(body.checked()?),
                Patch::Clear => Patch::Clear,
                Patch::Keep => Patch::Keep,
            };
            let changed =
                tx.update_change_request(locked, ChangeRequestChanges { subject, status, description })?;
            let shown = ShownChangeRequest::load(tx, &changed, format)?;
            Ok((changed, shown))
        })
        .await?;
    respond::changed(&present::change_request_for(&state.urls, &changed, shown))
}

async fn get_viewed_pages(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let viewed = state
        .read(caller, move |reader| {
            let (content, tree) = reader.content_with_tree(space, ContentSelector::ChangeRequest(key))?;
            Ok(reader.viewed_pages(&content, &tree)?)
        })
        .await?;
    respond::ok(&request, &viewed)
}

async fn set_viewed_pages(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Json(body): Json<ViewedPages>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let viewed = state
        .transact(caller, move |tx| {
            let content =
                tx.content(space, ContentSelector::ChangeRequest(key))?.authorize(Action::CommentOnSpace)?;
            let tree = tx.tree(&content)?;
            if_match.check_with(|| Ok(tx.viewed_pages(&content, &tree)?))?;
            Ok(tx.put_viewed_pages(&content, &tree, body)?)
        })
        .await?;
    respond::changed(&viewed)
}

async fn list_change_request_contributors(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(format!("contributors of {space} {key:?}"), &page)?;
    let (before, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            Ok(reader.contributors(&found, before, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |record| record.user.id(),
        |record| Ok::<_, ApiError>(present::contributor(&state.urls, &record)),
    )
}
