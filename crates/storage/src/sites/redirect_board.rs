//! Changes to several redirects, computed in memory before they are written.

use std::collections::BTreeMap;

use diesel::prelude::*;
use quire_domain::ids::SiteRedirectId;
use quire_domain::patch::Patch;
use quire_domain::sites::{RedirectIntent, RedirectOutcome, SiteRedirectResult};
use serde_json::Value;

use crate::schema::site_redirects;

/// Maximum number of redirects of a site.
pub(super) const REDIRECTS_MAX: u64 = 10_000;

/// Values of a redirect.
#[derive(Clone, Debug, PartialEq, Eq, Insertable, AsChangeset)]
#[diesel(table_name = site_redirects)]
pub struct RedirectValues {
    /// Path below the site.
    pub source: String,
    /// `true` if the redirect is not followed.
    pub draft: bool,
    /// `true` to append the part matched by `*` to the target.
    pub capture_wildcard: bool,
    /// `true` if clients may cache the redirect.
    pub permanent: bool,
    /// Destination as JSON.
    pub destination: Value,
}

/// Change to one of several redirects. The destination has been checked.
#[derive(Clone, Debug)]
pub struct RedirectChange {
    /// Path below the site.
    pub source: String,
    /// Kind of the change.
    pub intent: RedirectIntent,
    /// Destination as JSON, or the reason why it is invalid.
    pub destination: std::result::Result<Patch<Value>, String>,
    /// `true` to append the part matched by `*` to the target.
    pub capture_wildcard: Option<bool>,
    /// `true` if clients may cache the redirect.
    pub permanent: Option<bool>,
}

/// Redirects by source and state, after the changes so far.
pub(super) struct Board {
    before: BTreeMap<SiteRedirectId, RedirectValues>,
    now: BTreeMap<(String, bool), (SiteRedirectId, RedirectValues)>,
    /// Number of redirects of the whole site.
    count: u64,
}

impl Board {
    /// Creates a board from the redirects with the sources of the changes, and the number of all redirects of the site.
    pub(super) fn new(present: Vec<(SiteRedirectId, RedirectValues)>, count: u64) -> Self {
        let before: BTreeMap<_, _> = present.into_iter().collect();
        let now =
            before.iter().map(|(id, values)| ((values.source.clone(), values.draft), (*id, values.clone())));
        Self { now: now.collect(), before, count }
    }

    /// Applies a change and returns its result.
    pub(super) fn apply(
        &mut self,
        change: &RedirectChange,
        new: impl FnOnce() -> SiteRedirectId,
    ) -> SiteRedirectResult {
        let draft = change.intent == RedirectIntent::Draft;
        let result = match change.intent {
            RedirectIntent::Publish => self.publish(change),
            RedirectIntent::Live | RedirectIntent::Draft => self.put(change, draft, new),
        };
        let source = change.source.clone();
        match result {
            Ok((status, id)) => SiteRedirectResult { status, source, draft, id: Some(id), error: None },
            Err(error) => SiteRedirectResult {
                status: RedirectOutcome::Error,
                source,
                draft,
                id: None,
                error: Some(error),
            },
        }
    }

    fn publish(&mut self, change: &RedirectChange) -> Result<(RedirectOutcome, SiteRedirectId), String> {
        let is_alone = matches!(change.destination, Ok(Patch::Keep))
            && change.capture_wildcard.is_none()
            && change.permanent.is_none();
        if !is_alone {
            return Err("a redirect cannot be changed and published at once".to_owned());
        }
        let draft = self.now.remove(&(change.source.clone(), true));
        let (id, values) = draft.ok_or_else(|| "there is no draft with this source".to_owned())?;
        let live = (id, RedirectValues { draft: false, ..values });
        if self.now.insert((change.source.clone(), false), live).is_some() {
            self.count = self.count.saturating_sub(1);
        }
        Ok((RedirectOutcome::Published, id))
    }

    fn put(
        &mut self,
        change: &RedirectChange,
        draft: bool,
        new: impl FnOnce() -> SiteRedirectId,
    ) -> Result<(RedirectOutcome, SiteRedirectId), String> {
        let key = (change.source.clone(), draft);
        let destination = match change.destination.clone()? {
            Patch::Set(destination) => Some(destination),
            Patch::Keep => None,
            Patch::Clear => {
                let (id, _) = self
                    .now
                    .remove(&key)
                    .ok_or_else(|| "there is no redirect with this source".to_owned())?;
                self.count = self.count.saturating_sub(1);
                return Ok((RedirectOutcome::Deleted, id));
            }
        };
        if let Some((id, values)) = self.now.get_mut(&key) {
            values.capture_wildcard = change.capture_wildcard.unwrap_or(values.capture_wildcard);
            values.permanent = change.permanent.unwrap_or(values.permanent);
            if let Some(destination) = destination {
                values.destination = destination;
            }
            return Ok((RedirectOutcome::Updated, *id));
        }
        let destination: Value =
            destination.ok_or_else(|| "a new redirect needs a destination".to_owned())?;
        if self.count >= REDIRECTS_MAX {
            return Err(format!("a site can have at most {REDIRECTS_MAX} redirects"));
        }
        self.count = self.count.saturating_add(1);
        let id = new();
        let values = RedirectValues {
            source: change.source.clone(),
            draft,
            capture_wildcard: change.capture_wildcard.unwrap_or(false),
            permanent: change.permanent.unwrap_or(false),
            destination,
        };
        self.now.insert(key, (id, values));
        Ok((RedirectOutcome::Created, id))
    }

    /// Returns the ids of removed redirects, and the new and changed redirects.
    pub(super) fn outcome(self) -> (Vec<SiteRedirectId>, Vec<(SiteRedirectId, RedirectValues)>) {
        let now: BTreeMap<SiteRedirectId, RedirectValues> = self.now.into_values().collect();
        let gone = self.before.keys().filter(|id| !now.contains_key(id)).copied();
        let gone = gone.collect();
        let changed = now.into_iter().filter(|(id, values)| self.before.get(id) != Some(values));
        (gone, changed.collect())
    }
}
