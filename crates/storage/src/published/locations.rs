//! Content of a space by its locations on published sites.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{RevisionId, SpaceId};
use quire_domain::policy::{Action, Membership, Visitor};
use quire_domain::sites::SiteVisibility;
use quire_search::Language;
use serde::Deserialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::json;
use super::visitor::{SiteVisitor, VISITOR};
use crate::keys::KeyOwner;
use crate::lookup::{Authorized, ContentAt, ContentHead, Found, Guarded, RevisionRecord, SpaceRecord};
use crate::openapi_specs::ReadableSpecs;
use crate::sites::{AddressRow, SharedSpace};
use crate::statement::sql_files;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Location of a space on a published site.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LocationRow {
    visibility: SiteVisibility,
    adaptive: bool,
    has_key: bool,
    condition: Option<String>,
    section_condition: Option<String>,
    #[serde(flatten)]
    address: AddressRow,
}

/// Space on published sites, not yet known to be for the visitor.
#[must_use = "a space is given out by `open`"]
#[derive(Debug)]
pub struct FoundLocations {
    visitor: Visitor,
    locations: Vec<LocationRow>,
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
    /// Returns the space if the visitor sees one of its locations. `meets` evaluates a condition; its second argument is
    /// `true` if the site reads the claims of its visitors.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn open(self, meets: impl Fn(&str, bool) -> bool) -> Result<VisitedSpace> {
        let sees = |location: &LocationRow| {
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
            path: location.address.path(),
            site: location.address.site_of(self.content.space.organization),
            reads_claims: location.adaptive,
            search_language: self.search_language,
            content: self.content,
        })
    }
}

impl VisitedSpace {
    /// Returns the current revision.
    #[must_use]
    pub fn revision(&self) -> RevisionId {
        self.content.revision.id
    }

    /// Returns `true` if the site reads the claims of its visitors.
    #[must_use]
    pub fn reads_claims(&self) -> bool {
        self.reads_claims
    }

    /// Returns the space with its address on the site.
    #[must_use]
    pub fn space(self) -> SharedSpace {
        SharedSpace { space: self.content.space, role: None, site: self.site, path: self.path }
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
        authorized(ContentHead::from(self.content).searched_in(self.search_language))
    }
}

fn authorized<T: Guarded>(value: T) -> Result<Authorized<T>> {
    Found { actor: VISITOR, role: Some(Role::Read), blocked: false, value }.authorize(Action::ViewSpace)
}

sql_files! {
    FindLocations(Binary, Timestamptz, SqlUuid, Nullable<SqlUuid>, Nullable<Binary>) -> (
        Bool, Nullable<Binary>, Text, Text, dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>>,
        dsl::SqlTypeOf<dsl::AsSelect<RevisionRecord, Pg>>,
    ) = "published/locations.sql";
}

/// Has a valid token, wrapped visitor key, search language, locations, space, head revision.
type Row = (bool, Option<Vec<u8>>, String, String, SpaceRecord, RevisionRecord);

impl Reader<'_> {
    /// Returns a space for a visitor of a site: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist or is not on the site, [`Error::Unauthenticated`] if the key that vouched
    /// for the visitor was replaced.
    pub fn space_of_visitor(&mut self, space: SpaceId, visitor: &SiteVisitor) -> Result<FoundLocations> {
        let row = self.locations(space, Some(visitor))?.ok_or(Error::NotFound)?;
        let is_vouched = match (&row.1, visitor.vouched_by) {
            (Some(key), Some(_)) if row.4.organization == visitor.organization => {
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

    /// Returns a space on public or unlisted sites for the bearer of any valid token: one statement, and one more for
    /// an absent space.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn space_on_open_sites(&mut self, space: SpaceId) -> Result<FoundLocations> {
        match self.locations(space, None)? {
            Some(row) if row.0 => self.found_locations(row, false),
            _ => self.not_found(),
        }
    }

    fn locations(&mut self, space: SpaceId, visitor: Option<&SiteVisitor>) -> Result<Option<Row>> {
        let share_key = visitor.and_then(|visitor| visitor.share_key);
        let site: Option<Uuid> = visitor.map(|visitor| *visitor.site.as_uuid());
        let row = FindLocations::bind((
            self.credentials.token_hash.as_slice(),
            OffsetDateTime::from(self.now),
            space.as_uuid(),
            site,
            share_key.map(|key| key.as_bytes().to_vec()),
        ))
        .get_result(self.connection)
        .optional()?;
        Ok(row)
    }

    fn found_locations(&mut self, row: Row, is_vouched: bool) -> Result<FoundLocations> {
        let (has_token, _, language, locations, space, revision) = row;
        self.record_tenant(space.organization, Some(space.id));
        let specs = ReadableSpecs::shown_by(space.id, space.organization);
        Ok(FoundLocations {
            visitor: Visitor { membership: Membership::Outsider, has_token, has_key: false, is_vouched },
            locations: json(&locations)?,
            search_language: Language::from_name(&language).unwrap_or_default(),
            content: ContentAt { space, change_request: None, revision, specs },
        })
    }
}
