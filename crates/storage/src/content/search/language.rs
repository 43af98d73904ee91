//! The language that an organization's content is stemmed in.

use diesel::prelude::*;
use quire_domain::ids::OrganizationId;
use quire_search::Language;

use crate::schema::organizations;
use crate::system::SystemTx;
use crate::{Error, Result};

impl SystemTx<'_> {
    /// Has an organization's content found by the stems of another language, such as `english`; `simple` has none. Each
    /// node indexes the content again. Returns whether there is such a language.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such organization.
    pub fn set_search_language(&mut self, organization: OrganizationId, language: &str) -> Result<bool> {
        let Some(language) = Language::from_name(language) else { return Ok(false) };
        let updated = diesel::update(organizations::table.find(organization))
            .set(organizations::search_language.eq(language.name()))
            .execute(self.connection)?;
        match updated {
            0 => Err(Error::NotFound),
            _ => Ok(true),
        }
    }
}
