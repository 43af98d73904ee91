//! Content for its readers: users with a role, visitors of a site, and bearers of any token on open sites.

use quire_content::reading::Expressions as _;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::content::store::{ContentAt, ContentHead};
use quire_storage::lookup::{ContentKey, Found, Guarded, SpaceKey};
use quire_storage::sites::SharedSpace;
use quire_storage::sites::published::VisitedSpace;
use quire_storage::{Error, Result as StorageResult};

use super::Claims;
use crate::prelude::*;

/// Content that a caller may read.
#[derive(Clone, Debug)]
pub(crate) struct Readable<T> {
    /// Content.
    pub(crate) content: Authorized<T>,
    /// Claims of a visitor; `None` for a user with a role, who also reads conditional parts.
    pub(crate) claims: Option<Claims>,
}

/// Returns the current content of a space, of a change request or of a revision.
///
/// # Errors
/// 401; 404 if the content does not exist or the caller may not see it.
pub(crate) async fn readable_head(
    state: &ServerState,
    caller: &Reading,
    (space, selector): (SpaceId, ContentSelector),
) -> ApiResult<Readable<ContentHead>> {
    if let Reading::User(credentials) = caller {
        let found = head_of_user(state, *credentials, (space, selector)).await?;
        if let Some(content) = for_user(found, Found::authorize)? {
            return Ok(Readable { content, claims: None });
        }
    }
    let visitor = caller.clone();
    let look = move |reader: &mut Reader<'_>| {
        let (visited, claims) = visited(reader, &visitor, space, selector)?;
        Ok(Readable { content: visited.head()?, claims: Some(claims) })
    };
    state.read(caller.credentials(), look).await
}

async fn head_of_user(
    state: &ServerState,
    credentials: Credentials,
    (space, selector): (SpaceId, ContentSelector),
) -> ApiResult<Found<ContentHead>> {
    let key = |revision| ContentKey { credentials, space, revision };
    match selector {
        ContentSelector::Space => state.content_head(key(None)).await,
        ContentSelector::Revision(revision) => state.content_head(key(Some(revision))).await,
        change_request @ ContentSelector::ChangeRequest(_) => {
            let look = move |reader: &mut Reader<'_>| Ok(reader.content_head(space, change_request)?);
            state.read(credentials, look).await
        }
    }
}

/// Returns the content as [`readable_head`] does, with the records of the space and the revision.
///
/// # Errors
/// 401; 404 if the content does not exist or the caller may not see it.
pub(crate) fn readable_content(
    reader: &mut Reader<'_>,
    caller: &Reading,
    (space, selector): (SpaceId, ContentSelector),
) -> ApiResult<Readable<ContentAt>> {
    Ok(readable_content_on_site(reader, caller, (space, selector))?.0)
}

/// Returns the content as [`readable_content`] does, for a visitor together with the space as its site shows it.
///
/// # Errors
/// 401; 404 if the content does not exist or the caller may not see it.
pub(crate) fn readable_content_on_site(
    reader: &mut Reader<'_>,
    caller: &Reading,
    (space, selector): (SpaceId, ContentSelector),
) -> ApiResult<(Readable<ContentAt>, Option<SharedSpace>)> {
    if let Reading::User(_) = caller
        && let Some(content) = for_user(reader.content(space, selector)?, Found::authorize)?
    {
        return Ok((Readable { content, claims: None }, None));
    }
    let (visited, claims) = visited(reader, caller, space, selector)?;
    let shown = visited.space();
    Ok((Readable { content: visited.content()?, claims: Some(claims) }, Some(shown)))
}

/// Space, as one of its readers sees it.
pub(crate) enum ReadableSpace {
    /// Record of the space, for a user with a role.
    User(Authorized<SpaceRecord>),
    /// Space on a site, for a visitor.
    Visitor(SharedSpace),
}

/// Returns a space. Administrators also see deleted spaces.
///
/// # Errors
/// 401; 404 if the space does not exist or the caller may not see it.
pub(crate) async fn readable_space(
    state: &ServerState,
    caller: &Reading,
    space: SpaceId,
) -> ApiResult<ReadableSpace> {
    if let Reading::User(credentials) = caller {
        let found = state.space(SpaceKey { credentials: *credentials, space }).await?;
        if let Some(space) = for_user(found, Found::authorize_even_deleted)? {
            return Ok(ReadableSpace::User(space));
        }
    }
    let visitor = caller.clone();
    let look = move |reader: &mut Reader<'_>| {
        let (visited, _) = visited(reader, &visitor, space, ContentSelector::Space)?;
        Ok(ReadableSpace::Visitor(visited.space()))
    };
    state.read(caller.credentials(), look).await
}

/// Returns the record for a user with a role; `None` if only an open site can show the record to the user.
fn for_user<T: Guarded>(
    found: Found<T>,
    authorize: impl FnOnce(Found<T>, Action) -> StorageResult<Authorized<T>>,
) -> ApiResult<Option<Authorized<T>>> {
    let is_on_open_site = found.is_on_open_site();
    match authorize(found, Action::ViewSpace) {
        Err(Error::NotFound) if is_on_open_site => Ok(None),
        result => Ok(Some(result?)),
    }
}

/// Returns a space as a site shows it: its current content only; in a preview the change request or revision of the
/// preview.
fn visited(
    reader: &mut Reader<'_>,
    caller: &Reading,
    space: SpaceId,
    selector: ContentSelector,
) -> ApiResult<(VisitedSpace, Claims)> {
    if let Reading::Visitor(holder) = caller
        && let Some(scope) = &holder.preview
    {
        let visited = reader.space_in_preview((&holder.visitor, scope), (space, selector))?;
        return Ok((visited, Claims::default()));
    }
    let (found, claims) = match caller {
        Reading::User(_) => (reader.space_on_open_sites(space)?, Claims::default()),
        Reading::Visitor(holder) => {
            (reader.space_of_visitor(space, &holder.visitor)?, Claims::from(&holder.claims))
        }
    };
    let (own, none) = (claims.evaluator(), Claims::default().evaluator());
    let visited = found.open(
        |condition, reads_claims| {
            if reads_claims { own.holds(condition) } else { none.holds(condition) }
        },
    )?;
    match selector {
        ContentSelector::Space => {}
        ContentSelector::Revision(revision) if revision == visited.revision() => {}
        ContentSelector::Revision(_) | ContentSelector::ChangeRequest(_) => return Err(ApiError::not_found()),
    }
    let claims = if visited.reads_claims() { claims } else { Claims::default() };
    Ok((visited, claims))
}
