//! The language that an organization's content is stemmed in.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use quire_domain::ids::OrganizationId;
use quire_search::Language;

use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::{Error, Result};

statements! {
    SetLanguage = "UPDATE organizations SET search_language = $2 WHERE id = $1";
}

impl SystemTx<'_> {
    /// Has an organization's content found by the stems of another language, such as `english`; `simple` has none. Each node
    /// indexes the content again. Returns whether there is such a language.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such organization.
    pub fn set_search_language(&mut self, organization: OrganizationId, language: &str) -> Result<bool> {
        let Some(language) = Language::from_name(language) else { return Ok(false) };
        let id = val::<SqlUuid, _>(*organization.as_uuid());
        match SetLanguage::bind((id, val::<Text, _>(language.name()))).execute(self.connection)? {
            0 => Err(Error::NotFound),
            _ => Ok(true),
        }
    }
}
