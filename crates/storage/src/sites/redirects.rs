//! Redirects of sites.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use quire_domain::clock::Timestamp;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::SiteRedirectId;
use quire_domain::object::SiteRedirectTag;
use quire_domain::sites::{RedirectDestination, SiteRedirect};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{LockedSite, require_room};
use crate::error::violated_key;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, SiteRecord};
use crate::members::like_pattern;
use crate::published::PublishedSite;
use crate::schema::site_redirects;
use crate::stored::Stored;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Maximum number of redirects of a site.
const REDIRECTS_MAX: u64 = 10_000;
/// Maximum length of a source in characters.
const SOURCE_MAX: usize = 512;

#[derive(Queryable, Selectable)]
#[diesel(table_name = site_redirects, check_for_backend(Pg))]
struct RedirectRow {
    #[diesel(deserialize_as = Uuid)]
    id: SiteRedirectId,
    source: String,
    draft: bool,
    capture_wildcard: bool,
    permanent: bool,
    #[diesel(deserialize_as = Stored<Value>)]
    destination: RedirectDestination,
    #[diesel(deserialize_as = OffsetDateTime)]
    created_at: Timestamp,
    #[diesel(deserialize_as = Stored<Option<OffsetDateTime>>)]
    updated_at: Option<Timestamp>,
}

impl From<RedirectRow> for SiteRedirect {
    fn from(row: RedirectRow) -> Self {
        let RedirectRow {
            id,
            source,
            draft,
            capture_wildcard,
            permanent,
            destination,
            created_at,
            updated_at,
        } = row;
        let object = SiteRedirectTag::Tag;
        Self { object, id, source, draft, capture_wildcard, permanent, destination, created_at, updated_at }
    }
}

/// Values of a redirect.
#[derive(Clone, Debug, PartialEq, Eq, Insertable, AsChangeset)]
#[diesel(table_name = site_redirects)]
pub struct RedirectValues {
    /// Path below the site.
    pub source: String,
    /// The redirect is not followed.
    pub draft: bool,
    /// The rest that `*` matches is appended to the target.
    pub capture_wildcard: bool,
    /// Clients may remember the redirect.
    pub permanent: bool,
    /// Destination as JSON.
    pub destination: Value,
}

impl Reader<'_> {
    /// Returns the redirects of a site whose source contains a text, newest first: two statements.
    pub fn redirects_of(
        &mut self,
        site: &Authorized<SiteRecord>,
        draft: bool,
        search: &str,
        after: Option<SiteRedirectId>,
        limit: u16,
    ) -> Result<Slice<SiteRedirect>> {
        let of_site = || {
            site_redirects::table
                .filter(site_redirects::organization_id.eq(site.organization.as_uuid()))
                .filter(site_redirects::site_id.eq(site.id.as_uuid()))
                .filter(site_redirects::draft.eq(draft))
                .filter(site_redirects::source.ilike(like_pattern(search)))
        };
        let rows = of_site()
            .filter(site_redirects::id.lt(page_end(after)))
            .order(site_redirects::id.desc())
            .limit(fetch_limit(limit))
            .select(RedirectRow::as_select());
        let rows: Vec<RedirectRow> = rows.load(self.connection)?;
        let total = of_site().count().get_result(self.connection)?;
        let rows = rows.into_iter().map(SiteRedirect::from).collect();
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns a redirect of a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn redirect(&mut self, site: &Authorized<SiteRecord>, id: SiteRedirectId) -> Result<SiteRedirect> {
        let row: Option<RedirectRow> = site_redirects::table
            .find((site.organization.as_uuid(), site.id.as_uuid(), id.as_uuid()))
            .select(RedirectRow::as_select())
            .get_result(self.connection)
            .optional()?;
        row.map(SiteRedirect::from).ok_or(Error::NotFound)
    }

    /// Returns the live redirect of a path: the one with this source, else the one with the longest source that ends
    /// with `*` and that the path begins with. One statement.
    pub fn redirect_from(&mut self, site: &PublishedSite, path: &str) -> Result<Option<SiteRedirect>> {
        let starts = path.char_indices().map(|(at, _)| path.split_at(at).0).take(SOURCE_MAX);
        let sources: Vec<String> =
            starts.chain([path]).map(|start| format!("{start}*")).chain([path.to_owned()]).collect();
        let mut found: Vec<RedirectRow> = site_redirects::table
            .filter(site_redirects::organization_id.eq(site.site.organization.as_uuid()))
            .filter(site_redirects::site_id.eq(site.site.id.as_uuid()))
            .filter(site_redirects::source.eq_any(sources))
            .filter(site_redirects::draft.eq(false))
            .select(RedirectRow::as_select())
            .load(self.connection)?;
        found.sort_by_key(|redirect| (redirect.source == path, redirect.source.len()));
        Ok(found.pop().map(SiteRedirect::from))
    }
}

impl Tx<'_> {
    /// Creates a redirect.
    ///
    /// # Errors
    /// 409 if another redirect has the source, or if the site has too many.
    pub fn create_redirect(&mut self, site: &LockedSite, values: &RedirectValues) -> Result<SiteRedirect> {
        let (organization, id) = site.keys();
        let count: i64 = site_redirects::table
            .filter(site_redirects::organization_id.eq(organization))
            .filter(site_redirects::site_id.eq(id))
            .count()
            .get_result(self.connection)?;
        require_room(count, REDIRECTS_MAX, "redirects")?;
        let redirect = SiteRedirectId::from_uuid(self.storage.ids().uuid());
        diesel::insert_into(site_redirects::table)
            .values((
                site_redirects::organization_id.eq(organization),
                site_redirects::site_id.eq(id),
                site_redirects::id.eq(redirect.as_uuid()),
                site_redirects::created_at.eq(OffsetDateTime::from(self.now)),
                values,
            ))
            .execute(self.connection)
            .map_err(taken)?;
        self.record_created("site-redirect", redirect);
        self.redirect(site, redirect)
    }

    /// Changes a redirect.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 409 if another redirect has the source.
    pub fn update_redirect(
        &mut self,
        site: &LockedSite,
        id: SiteRedirectId,
        values: &RedirectValues,
    ) -> Result<SiteRedirect> {
        let now = OffsetDateTime::from(self.now);
        diesel::update(site_redirects::table.find(site.key_of(id)))
            .set((values, site_redirects::updated_at.eq(now)))
            .execute(self.connection)
            .map_err(taken)?;
        self.redirect(site, id)
    }

    /// Deletes a redirect.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delete_redirect(&mut self, site: &LockedSite, id: SiteRedirectId) -> Result<()> {
        let deleted = diesel::delete(site_redirects::table.find(site.key_of(id))).execute(self.connection)?;
        if deleted == 1 { Ok(()) } else { Err(Error::NotFound) }
    }
}

fn taken(error: DieselError) -> Error {
    match violated_key(&error) {
        Some("site_redirects_source_key") => {
            let message = "Another redirect of the site has this source.";
            Refusal::new(Reason::NameTaken).with_message(message).at("source", "is taken").into()
        }
        _ => error.into(),
    }
}
