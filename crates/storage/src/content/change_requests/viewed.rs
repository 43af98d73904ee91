//! Pages of a change request that a user has viewed.

use diesel::prelude::*;
use diesel::sql_types::{Jsonb, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::ViewedPages;
use quire_revision::Tree;
use serde_json::Value;

use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::change_request_views;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

sql_files! {
    PutViews(SqlUuid, SqlUuid, SqlUuid, Jsonb) = "put_views.sql";
}

impl Reader<'_> {
    /// Returns the pages of a change request that the actor has viewed and that are unchanged in `tree`, its content.
    /// Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the content does not belong to a change request.
    pub fn viewed_pages(&mut self, content: &Authorized<ContentAt>, tree: &Tree) -> Result<ViewedPages> {
        let change_request = content.change_request.as_ref().ok_or(Error::NotFound)?;
        let user = content.actor().user;
        let key = (content.space.id, change_request.id, user);
        let stored: Option<Value> = change_request_views::table
            .find(key)
            .select(change_request_views::pages)
            .get_result(self.connection)
            .optional()?;
        let Some(pages) = stored else { return Ok(ViewedPages::default()) };
        let pages = serde_json::from_value(pages)
            .map_err(|error| Error::corrupt("viewed pages can't be read", anyhow::Error::from(error)))?;
        Ok(current(ViewedPages { pages }, tree))
    }
}

impl Tx<'_> {
    /// Replaces the pages of a change request that the actor has viewed, and returns those that are unchanged since.
    /// Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the content does not belong to a change request.
    pub fn put_viewed_pages(
        &mut self,
        content: &Authorized<ContentAt>,
        tree: &Tree,
        viewed: ViewedPages,
    ) -> Result<ViewedPages> {
        let change_request = content.change_request.as_ref().ok_or(Error::NotFound)?;
        let viewed = current(viewed, tree);
        let pages = serde_json::to_value(&viewed.pages)
            .map_err(|error| Error::Internal("viewed pages can't be written", error.into()))?;
        let user = content.actor().user;
        PutViews::bind((content.space.id, change_request.id, user, pages)).execute(self.connection)?;
        Ok(viewed)
    }
}

/// Keeps the marks whose document is still the page's document in `tree`.
fn current(mut viewed: ViewedPages, tree: &Tree) -> ViewedPages {
    viewed.pages.retain(|page, document| tree.page(*page).and_then(|page| page.document) == *document);
    viewed
}
