//! Redirects of sites.

use diesel::prelude::*;
use diesel::result::Error as DieselError;
use diesel::sql_types::{Array, Bool, Jsonb, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::coalesce;
use quire_database::{sql_files, violated_key};
use quire_domain::clock::Timestamp;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::SiteRedirectId;
use quire_domain::sites::{RedirectOrder, SiteRedirectFacts, SiteRedirectResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::PrimitiveDateTime;

use super::redirect_board::{Board, REDIRECTS_MAX, RedirectChange, RedirectValues};
use super::{LockedSite, require_capacity};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::members::like_pattern;
use crate::schema::site_redirects;
use crate::sites::SiteRecord;
use crate::sites::published::PublishedSite;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Maximum length of a source in characters.
const SOURCE_MAX: usize = 512;

/// Returns the values of a redirect with its id.
fn values(redirect: SiteRedirectFacts) -> Result<(SiteRedirectId, RedirectValues)> {
    let SiteRedirectFacts { id, source, draft, capture_wildcard, permanent, destination, .. } = redirect;
    let destination = serde_json::to_value(&destination);
    let destination =
        destination.map_err(|error| Error::Internal("a destination can't be written", error.into()))?;
    Ok((id, RedirectValues { source, draft, capture_wildcard, permanent, destination }))
}

/// Cursor of a list of redirects, in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedirectKey {
    id: SiteRedirectId,
    changed_at: Timestamp,
    source: String,
}

impl From<&SiteRedirectFacts> for RedirectKey {
    fn from(redirect: &SiteRedirectFacts) -> Self {
        let changed_at = redirect.updated_at.unwrap_or(redirect.created_at);
        Self { id: redirect.id, changed_at, source: redirect.source.clone() }
    }
}

sql_files! {
    PutRedirects(
        SqlUuid, SqlUuid, Array<SqlUuid>, Array<Text>, Array<Bool>, Array<Bool>, Array<Bool>, Array<Jsonb>,
        Timestamptz,
    ) = "put_redirects.sql";
}

impl Reader<'_> {
    /// Returns the redirects of a site whose source contains a text. Takes two statements.
    pub fn redirects_of(
        &mut self,
        site: &Authorized<SiteRecord>,
        (draft, search, order): (bool, &str, RedirectOrder),
        after: Option<&RedirectKey>,
        limit: u16,
    ) -> Result<Slice<SiteRedirectFacts>> {
        let of_site = || {
            site_redirects::table
                .filter(site_redirects::organization_id.eq(site.organization))
                .filter(site_redirects::site_id.eq(site.id))
                .filter(site_redirects::draft.eq(draft))
                .filter(site_redirects::source.ilike(like_pattern(search)))
        };
        let first = of_site().limit(fetch_limit(limit)).select(SiteRedirectFacts::as_select());
        let id = page_end(after.map(|key| key.id));
        let rows: Vec<SiteRedirectFacts> = match order {
            RedirectOrder::CreatedAt => first
                .filter(site_redirects::id.lt(id))
                .order(site_redirects::id.desc())
                .load(self.connection)?,
            RedirectOrder::UpdatedAt => {
                let changed_at = coalesce(site_redirects::updated_at, site_redirects::created_at.nullable());
                let latest = PrimitiveDateTime::MAX.assume_utc();
                let before = after.map_or(latest, |key| key.changed_at.into());
                let follows = changed_at.lt(before).or(changed_at.eq(before).and(site_redirects::id.lt(id)));
                let rows = first.filter(follows);
                rows.order((changed_at.desc(), site_redirects::id.desc())).load(self.connection)?
            }
            RedirectOrder::Source => {
                let source = after.map_or("", |key| key.source.as_str());
                let rows = first.filter(site_redirects::source.gt(source));
                rows.order(site_redirects::source).load(self.connection)?
            }
        };
        let total = of_site().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns a redirect of a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn redirect(
        &mut self,
        site: &Authorized<SiteRecord>,
        id: SiteRedirectId,
    ) -> Result<SiteRedirectFacts> {
        let redirect: Option<SiteRedirectFacts> = site_redirects::table
            .find((site.organization, site.id, id))
            .select(SiteRedirectFacts::as_select())
            .get_result(self.connection)
            .optional()?;
        redirect.ok_or(Error::NotFound)
    }

    /// Returns the live redirect of a path: the one with this source, or else the one with the longest source that ends
    /// with `*` and matches a prefix of the path. Takes one statement.
    pub fn redirect_from(&mut self, site: &PublishedSite, path: &str) -> Result<Option<SiteRedirectFacts>> {
        let starts = path.char_indices().map(|(at, _)| path.split_at(at).0).take(SOURCE_MAX);
        let sources: Vec<String> =
            starts.chain([path]).map(|start| format!("{start}*")).chain([path.to_owned()]).collect();
        let mut found: Vec<SiteRedirectFacts> = site_redirects::table
            .filter(site_redirects::organization_id.eq(site.site.organization))
            .filter(site_redirects::site_id.eq(site.site.id))
            .filter(site_redirects::source.eq_any(sources))
            .filter(site_redirects::draft.eq(false))
            .select(SiteRedirectFacts::as_select())
            .load(self.connection)?;
        found.sort_by_key(|redirect| (redirect.source == path, redirect.source.len()));
        Ok(found.pop())
    }
}

impl Tx<'_> {
    /// Creates a redirect.
    ///
    /// # Errors
    /// 409 if another redirect has the source, or the site has too many redirects.
    pub fn create_redirect(
        &mut self,
        site: &LockedSite,
        values: &RedirectValues,
    ) -> Result<SiteRedirectFacts> {
        let (organization, id) = site.keys();
        let count: i64 = site_redirects::table
            .filter(site_redirects::organization_id.eq(organization))
            .filter(site_redirects::site_id.eq(id))
            .count()
            .get_result(self.connection)?;
        require_capacity(count, REDIRECTS_MAX, "redirects")?;
        let redirect = SiteRedirectId::from_uuid(self.storage.ids().uuid());
        diesel::insert_into(site_redirects::table)
            .values((
                site_redirects::organization_id.eq(organization),
                site_redirects::site_id.eq(id),
                site_redirects::id.eq(redirect),
                site_redirects::created_at.eq(self.now),
                values,
            ))
            .execute(self.connection)
            .map_err(taken)?;
        self.record_created("site-redirect", redirect);
        self.redirect(site, redirect)
    }

    /// Applies several changes in order. An impossible change does not affect the others. Takes at most four
    /// statements.
    pub fn put_redirects(
        &mut self,
        site: &LockedSite,
        changes: &[RedirectChange],
    ) -> Result<Vec<SiteRedirectResult>> {
        let (organization, id) = site.keys();
        let of_site = || {
            site_redirects::table
                .filter(site_redirects::organization_id.eq(organization))
                .filter(site_redirects::site_id.eq(id))
        };
        let sources: Vec<&str> = changes.iter().map(|change| change.source.as_str()).collect();
        let present: Vec<SiteRedirectFacts> = of_site()
            .filter(site_redirects::source.eq_any(sources))
            .select(SiteRedirectFacts::as_select())
            .load(self.connection)?;
        let count: i64 = of_site().count().get_result(self.connection)?;
        let present: Vec<(SiteRedirectId, RedirectValues)> =
            present.into_iter().map(values).collect::<Result<_>>()?;
        let mut board = Board::new(present, u64::try_from(count).unwrap_or(u64::MAX));
        let results: Vec<SiteRedirectResult> = changes
            .iter()
            .map(|change| {
                let new = || SiteRedirectId::from_uuid(self.storage.ids().uuid());
                board.apply(change, new)
            })
            .collect();
        let (gone, changed) = board.outcome();
        if !gone.is_empty() {
            diesel::delete(of_site().filter(site_redirects::id.eq_any(gone))).execute(self.connection)?;
        }
        if !changed.is_empty() {
            let column = |value: fn(&(SiteRedirectId, RedirectValues)) -> bool| -> Vec<bool> {
                changed.iter().map(value).collect()
            };
            PutRedirects::bind((
                organization,
                id,
                changed.iter().map(|(id, _)| id).collect::<Vec<_>>(),
                changed.iter().map(|(_, values)| values.source.as_str()).collect::<Vec<&str>>(),
                column(|(_, values)| values.draft),
                column(|(_, values)| values.capture_wildcard),
                column(|(_, values)| values.permanent),
                changed.iter().map(|(_, values)| &values.destination).collect::<Vec<&Value>>(),
                self.now,
            ))
            .execute(self.connection)?;
        }
        Ok(results)
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
    ) -> Result<SiteRedirectFacts> {
        let now = self.now;
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
            Refusal::new(Reason::NameTaken).with_message(message).at("source", "is already in use").into()
        }
        _ => error.into(),
    }
}
