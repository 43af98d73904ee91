//! Content of a space, by its locations on published sites.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId};
use quire_domain::policy::{Action, Membership, Visitor};
use quire_domain::sites::SiteVisibility;
use quire_search::Language;
use serde::Deserialize;
use serde_json::json as value;
use time::OffsetDateTime;

use super::json;
use super::preview::{PreviewScope, PreviewedState};
use super::visitor::{SiteVisitor, VISITOR};
use crate::content::change_requests::{ChangeRequestKey, ChangeRequestRecord};
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::spaces::SpaceRecord;
use crate::content::store::{ContentAt, ContentHead, ContentSelector, RevisionRecord};
use crate::lookup::{Authorized, Found, Guarded};
use crate::operations::keys::KeyOwner;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{change_requests, organizations, users};
use crate::sites::{AddressOnSite, SharedSpace};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Location of a space on a published site.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    visibility: SiteVisibility,
    adaptive: bool,
    has_key: bool,
    condition: Option<String>,
    section_condition: Option<String>,
    #[serde(flatten)]
    address: AddressOnSite,
}

/// Space on published sites, not yet authorized for the visitor.
#[must_use = "a space is given out by `open`"]
#[derive(Debug)]
pub struct FoundLocations {
    visitor: Visitor,
    locations: Vec<Location>,
    content: ContentAt,
    search_language: Language,
}

/// Space on a site that a visitor may read, at its head.
#[derive(Debug)]
pub struct VisitedSpace {
    content: ContentAt,
    search_language: Language,
    site: String,
    path: String,
    reads_claims: bool,
}

impl FoundLocations {
    /// Returns the space if the visitor sees one of its locations. `meets` evaluates a condition; its second argument
    /// is `true` if the site reads the claims of its visitors.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn open(self, meets: impl Fn(&str, bool) -> bool) -> Result<VisitedSpace> {
        let sees = |location: &Location| {
            let visitor = Visitor { has_key: location.has_key, ..self.visitor };
            let conditions = [&location.section_condition, &location.condition];
            let has_access = match visitor.has_token {
                true => visitor.may_read_with_token(location.visibility),
                false => visitor.may_read_pages(location.visibility, true),
            };
            has_access
                && conditions.into_iter().flatten().all(|condition| meets(condition, location.adaptive))
        };
        let location = self.locations.iter().find(|location| sees(location)).ok_or(Error::NotFound)?;
        Ok(VisitedSpace {
            path: location.address.path().to_owned(),
            site: location.address.site(),
            reads_claims: location.adaptive,
            search_language: self.search_language,
            content: self.content,
        })
    }
}

impl VisitedSpace {
    /// Returns the head revision.
    #[must_use]
    pub fn revision(&self) -> RevisionId {
        self.content.revision.id
    }

    /// Returns whether the site reads the claims of its visitors.
    #[must_use]
    pub fn reads_claims(&self) -> bool {
        self.reads_claims
    }

    /// Returns the space with its address on the site.
    #[must_use]
    pub fn space(&self) -> SharedSpace {
        let (site, path) = (self.site.clone(), self.path.clone());
        SharedSpace { space: self.content.space.clone(), role: None, site, path }
    }

    /// Returns the current content with its records.
    ///
    /// # Errors
    /// Never: visitors may view it.
    pub fn content(self) -> Result<Authorized<ContentAt>> {
        authorized(self.content)
    }

    /// Returns the current content.
    ///
    /// # Errors
    /// Never: visitors may view it.
    pub fn head(self) -> Result<Authorized<ContentHead>> {
        let is_searched = self.content.change_request.is_none();
        let head = ContentHead::from(self.content);
        authorized(if is_searched { head.searched_in(self.search_language) } else { head })
    }
}

fn authorized<T: Guarded>(value: T) -> Result<Authorized<T>> {
    Found { actor: VISITOR, role: Some(Role::Read), blocked: false, value }.authorize(Action::ViewSpace)
}

sql_files! {
    FindLocations(Binary, Timestamptz, SqlUuid, Nullable<SqlUuid>, Nullable<Binary>) -> (
        Bool, Nullable<Binary>, Text, Text, dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>>,
        dsl::SqlTypeOf<dsl::AsSelect<RevisionRecord, Pg>>,
    ) = "locations.sql" of SpaceRecord;
}

/// Space with its locations on sites.
#[derive(Queryable)]
struct LocationsRow {
    /// `true` for a valid token.
    has_token: bool,
    wrapped_visitor_key: Option<Vec<u8>>,
    search_language: String,
    /// [`Location`]s as JSON.
    locations: String,
    space: SpaceRecord,
    head: RevisionRecord,
}

impl Reader<'_> {
    /// Returns the organization of content with only the data that visitors of its sites see. Takes one statement.
    pub fn visited_organization(
        &mut self,
        content: &Authorized<ContentAt>,
    ) -> Result<Authorized<OrganizationRecord>> {
        let id = content.space.organization;
        let (title, hostname, logo, custom_hostname, created_at) = organizations::table
            .find(id)
            .select((
                organizations::title,
                organizations::hostname,
                organizations::logo,
                organizations::custom_hostname,
                organizations::created_at,
            ))
            .get_result::<(_, _, _, _, OffsetDateTime)>(self.connection)?;
        let value = OrganizationRecord {
            id,
            title,
            hostname,
            kind: "business".to_owned(),
            use_case: None,
            community_type: None,
            email_domains: Vec::new(),
            default_role: None,
            default_content: None,
            sso: false,
            second_factor_required: false,
            ai: false,
            invite_links: false,
            plan: "free".to_owned(),
            billing: None,
            billing_migration: None,
            trial: value!({"status": "none"}),
            logo,
            custom_hostname,
            blocked_reason: None,
            search_language: String::new(),
            created_at: Timestamp::try_from(created_at)
                .map_err(|error| Error::corrupt("a time is out of range", anyhow::Error::from(error)))?,
            merge_rules: None,
            is_member: false,
            member_role: None,
            owns_team: false,
        };
        Found { actor: VISITOR, role: Some(Role::Read), blocked: false, value }
            .authorize(Action::ViewOrganization)
    }

    /// Returns a space to a visitor of a site. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist or is not on the site; [`Error::Unauthenticated`] if the key that
    /// signed the visitor's token was replaced.
    pub fn space_of_visitor(&mut self, space: SpaceId, visitor: &SiteVisitor) -> Result<FoundLocations> {
        let row = self.locations(space, Some(visitor))?.ok_or(Error::NotFound)?;
        let is_vouched = match (&row.wrapped_visitor_key, visitor.vouched_by) {
            (Some(key), Some(_)) if row.space.organization == visitor.organization => {
                let key = self.unwrap_key(KeyOwner::VisitorKey(visitor.organization), key)?;
                visitor.is_vouched(Some(&key))?
            }
            _ => false,
        };
        let found = self.found_locations(row, is_vouched)?;
        if found.content.space.organization != visitor.organization {
            return Err(Error::NotFound);
        }
        Ok(FoundLocations { visitor: Visitor { has_token: false, ..found.visitor }, ..found })
    }

    /// Returns a space on public or unlisted sites to the bearer of any valid token. Takes one statement, and another
    /// if the space does not exist.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn space_on_open_sites(&mut self, space: SpaceId) -> Result<FoundLocations> {
        match self.locations(space, None)? {
            Some(row) if row.has_token => self.found_locations(row, false),
            _ => self.not_found(),
        }
    }

    /// Returns a space to the holder of a preview: at its head, or at the previewed state. Takes two statements, and
    /// one more for a revision or two more for a change request.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist, is not on the site, or the preview does not show it.
    pub fn space_in_preview(
        &mut self,
        (visitor, scope): (&SiteVisitor, &PreviewScope),
        (space, selector): (SpaceId, ContentSelector),
    ) -> Result<VisitedSpace> {
        let site = self.previewed_site(visitor, scope.user)?;
        let on_site = site.spaces.iter().find(|own| own.space == space).ok_or(Error::NotFound)?;
        let row = self.locations(space, None)?.ok_or(Error::NotFound)?;
        let LocationsRow { search_language, space, head, .. } = row;
        self.record_tenant(space.organization, Some(space.id));
        let state = scope.state.filter(|(of, _)| *of == space.id).map(|(_, state)| state);
        let (change_request, revision) = match (selector, state) {
            (ContentSelector::Space, _) => (None, head),
            (ContentSelector::Revision(id), _) if id == head.id => (None, head),
            (ContentSelector::Revision(id), Some(PreviewedState::Revision(shown))) if id == shown => {
                (None, self.find_revision(space.id, id)?.ok_or(Error::NotFound)?)
            }
            (selector, Some(PreviewedState::ChangeRequest(shown))) => {
                let change_request = self.previewed_change_request(space.id, shown)?;
                let revision = self.revision_of(space.id, change_request.head)?;
                match selector {
                    ContentSelector::ChangeRequest(ChangeRequestKey::Id(id)) if id == shown => {
                        (Some(change_request), revision)
                    }
                    ContentSelector::ChangeRequest(ChangeRequestKey::Number(number))
                        if number == change_request.number =>
                    {
                        (Some(change_request), revision)
                    }
                    ContentSelector::Revision(id) if id == revision.id => (None, revision),
                    _ => return Err(Error::NotFound),
                }
            }
            _ => return Err(Error::NotFound),
        };
        let specs = ReadableSpecs::shown_by(space.id, space.organization);
        Ok(VisitedSpace {
            site: site.site.address(),
            path: site.segments_of(on_site, None).collect::<Vec<_>>().join("/"),
            reads_claims: false,
            search_language: Language::from_name(&search_language).unwrap_or_default(),
            content: ContentAt { space, change_request, revision, specs },
        })
    }

    fn previewed_change_request(
        &mut self,
        space: SpaceId,
        id: ChangeRequestId,
    ) -> Result<ChangeRequestRecord> {
        let found = change_requests::table
            .left_join(users::table.on(users::id.nullable().eq(change_requests::created_by)))
            .filter(change_requests::space_id.eq(space))
            .filter(change_requests::id.eq(id))
            .select(ChangeRequestRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        found.ok_or(Error::NotFound)
    }

    fn locations(&mut self, space: SpaceId, visitor: Option<&SiteVisitor>) -> Result<Option<LocationsRow>> {
        let share_key = visitor.and_then(|visitor| visitor.share_key);
        let site = visitor.map(|visitor| visitor.site);
        let row = FindLocations::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            space,
            site,
            share_key.map(|key| key.as_bytes().to_vec()),
        ))
        .get_result(self.connection)
        .optional()?;
        Ok(row)
    }

    fn found_locations(&mut self, row: LocationsRow, is_vouched: bool) -> Result<FoundLocations> {
        let LocationsRow { has_token, search_language, locations, space, head, .. } = row;
        self.record_tenant(space.organization, Some(space.id));
        let specs = ReadableSpecs::shown_by(space.id, space.organization);
        Ok(FoundLocations {
            visitor: Visitor { membership: Membership::Outsider, has_token, has_key: false, is_vouched },
            locations: json(&locations)?,
            search_language: Language::from_name(&search_language).unwrap_or_default(),
            content: ContentAt { space, change_request: None, revision: head, specs },
        })
    }
}
