//! Stemming language of an organization's content.

use diesel::prelude::*;
use quire_domain::ids::OrganizationId;
use quire_search::Language;

use crate::schema::organizations;
use crate::system::SystemTx;
use crate::{Error, Result};

impl SystemTx<'_> {
    /// Sets the stemming language of an organization's content, such as `english`. `simple` disables stemming. Each
    /// node indexes the content again. Returns whether the language exists.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
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
