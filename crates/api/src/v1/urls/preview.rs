//! Lookups of preview addresses: below the key of a preview, or with the name of a change request or revision.

use quire_domain::sites::PublishedContent;
use quire_server::preview::{self, LIFETIME, Preview};
use quire_server::site_token::SiteTokenHolder;
use quire_storage::sites::published::{FoundSite, PreviewKey, PreviewScope, PreviewedState, SiteVisitor};

use super::published::{Lookup, Parts};
use super::{NamedState, named_state};
use crate::prelude::*;

impl Lookup<'_> {
    /// Finds the content of a preview address, which the creator of the preview may read; `None` for other addresses.
    /// Runs two statements, or three for a user. `is_user`: the request is authenticated as a user, who needs no key.
    ///
    /// # Errors
    /// 404 if the preview has expired or does not show the content; 401 for a user with an invalid token.
    pub(super) fn previewed(
        &self,
        is_user: bool,
        reader: &mut Reader<'_>,
    ) -> ApiResult<Option<PublishedContent>> {
        let segments = self.asked.below(None).rest;
        let Some(key) = segments.iter().find(|segment| preview::is_segment(&segment.name)) else {
            return match (named_state(segments), is_user) {
                (None, _) => Ok(None),
                (Some(_), true) => self.previewed_by_user(reader).map(Some),
                (Some(_), false) => Err(ApiError::not_found()),
            };
        };
        let preview = preview::read(self.signer, &key.name, reader.now()).ok_or_else(ApiError::not_found)?;
        let found = reader.find_site_for(&self.asked.address, preview.user)?;
        self.previewed_at(found, Some(&preview), preview.user, reader).map(Some)
    }

    fn previewed_by_user(&self, reader: &mut Reader<'_>) -> ApiResult<PublishedContent> {
        let user = reader.actor()?.user;
        let found = reader.find_site_structure(&self.asked.address, None)?;
        self.previewed_at(found, None, user, reader)
    }

    fn previewed_at(
        &self,
        found: Option<FoundSite>,
        preview: Option<&Preview>,
        user: UserId,
        reader: &mut Reader<'_>,
    ) -> ApiResult<PublishedContent> {
        let site = found.and_then(FoundSite::open_preview).ok_or_else(ApiError::not_found)?;
        let record = &site.site;
        let below = self.asked.below(record.proxy_origin.as_deref());
        let (keys, rest) = below.rest.split_at(usize::from(preview.is_some()).min(below.rest.len()));
        let is_key = keys.iter().all(|segment| preview::is_segment(&segment.name));
        if !is_key || preview.is_some_and(|preview| preview.site != record.id) {
            return Err(ApiError::not_found());
        }
        let in_path = named_state(rest);
        let searched = in_path.as_ref().map_or(rest, |named| named.before);
        let names: Vec<String> = searched.iter().map(|segment| segment.name.clone()).collect();
        let located = site.locate(&names).ok_or_else(ApiError::not_found)?;
        let (named, page) = match &in_path {
            Some(NamedState { through, page, .. }) if located.rest.is_empty() => (*through, *page),
            Some(_) => return Err(ApiError::not_found()),
            None => rest.split_at(located.named.len().min(rest.len())),
        };
        let space = located.space.space;
        let of_preview = preview.and_then(|preview| preview.state);
        let of_preview = of_preview.filter(|(of, _)| *of == space).map(|(_, state)| state);
        let key = in_path.as_ref().map(|named| named.key).or(of_preview.map(PreviewKey::from));
        let state = match key {
            Some(key) => Some(reader.previewed((record.organization, space), key, user)?.state),
            None => None,
        };
        if preview.is_some() && state != of_preview {
            // A preview shows only the change request or revision that it was created for.
            return Err(ApiError::not_found());
        }
        let scope = match preview {
            Some(preview) => preview.state,
            None => state.map(|state| (space, state)),
        };
        let in_an_hour = reader.now().millis().div_euclid(1_000).saturating_add(LIFETIME);
        let ends = preview.map_or(in_an_hour, |preview| preview.ends);
        let visitor = SiteVisitor {
            organization: record.organization,
            site: record.id,
            share_key: None,
            vouched_by: None,
        };
        let preview = Some(PreviewScope { user, state: scope });
        let holder = SiteTokenHolder { visitor, preview, claims: json!({}) };
        let root = below.root.iter().chain(keys).collect();
        let canonical_root = self.urls.at_address(&record.address());
        let parts = Parts { root, named, page, canonical_root };
        let content = self.content(&site, &located, &parts, (holder, Some(ends)), reader)?;
        let (change_request, revision) = match state {
            Some(PreviewedState::ChangeRequest(id)) => (Some(id), None),
            Some(PreviewedState::Revision(id)) => (None, Some(id)),
            None => (None, None),
        };
        Ok(PublishedContent { change_request, revision, preview: Some(true), ..content })
    }
}
