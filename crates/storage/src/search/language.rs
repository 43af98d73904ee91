//! The language that an organization's content is stemmed in.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use quire_domain::ids::OrganizationId;

use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::{Error, Result};

statements! {
    FindLanguage = "SELECT 1 FROM pg_ts_config WHERE cfgname = $1 AND pg_ts_config_is_visible(oid)";
    SetLanguage = "UPDATE organizations SET search_language = $2 WHERE id = $1";
    // Whoever writes content holds its space: nobody writes words in the former language after this.
    LockSpaces = "SELECT 1 FROM spaces WHERE organization_id = $1 ORDER BY id FOR NO KEY UPDATE";
    StemPages = "UPDATE search_pages p SET terms = to_tsvector($2::text::regconfig, search_words(p.title)) \
                 FROM spaces s WHERE s.organization_id = $1 AND p.space_id = s.id";
    StemSections = "UPDATE search_sections p SET terms = \
                      setweight(to_tsvector($2::text::regconfig, search_words(coalesce(p.heading, ''))), 'B') \
                      || to_tsvector($2::text::regconfig, search_words(p.body)) \
                    FROM spaces s WHERE s.organization_id = $1 AND p.space_id = s.id";
}

impl SystemTx<'_> {
    /// Has an organization's content found by another language's words: the name of a text search configuration of PostgreSQL, such as
    /// `simple` or `english`. Stems all of its content anew, for which nobody can write to its spaces. Answers whether there is such a
    /// language.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such organization.
    pub fn set_search_language(&mut self, organization: OrganizationId, language: &str) -> Result<bool> {
        let name = || val::<Text, _>(language.replace('\0', " "));
        let id = || val::<SqlUuid, _>(*organization.as_uuid());
        if FindLanguage::bind((name(),)).execute(self.connection)? == 0 {
            return Ok(false);
        }
        if SetLanguage::bind((id(), name())).execute(self.connection)? == 0 {
            return Err(Error::NotFound);
        }
        self.without_hurry()?;
        LockSpaces::bind((id(),)).execute(self.connection)?;
        StemPages::bind((id(), name())).execute(self.connection)?;
        StemSections::bind((id(), name())).execute(self.connection)?;
        Ok(true)
    }
}
