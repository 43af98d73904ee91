//! Specifications that a site shows.

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::documents::DocumentJson;
use quire_domain::openapi_specs::SpecSlug;
use quire_domain::policy::Action;

use super::lookup::PublishedSite;
use super::visitor::VISITOR;
use crate::content::openapi_specs::{OpenApiSpecRecord, SpecOf};
use crate::content::store::{ContentAt, ContentPoint as _};
use crate::lookup::{Authorized, Found};
use crate::schema::openapi_specs;
use crate::transaction::Reader;
use crate::{Error, Result};

impl Reader<'_> {
    /// Returns a specification that the current content of a space of the site shows. `is_shown` returns whether a
    /// visitor sees a block of a document that shows a specification with one of these names. Takes one statement, and
    /// those that load uncached trees, links and documents.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist or is not shown.
    pub fn spec_on_site(
        &mut self,
        site: &PublishedSite,
        slug: &SpecSlug,
        is_shown: impl Fn(&DocumentJson, &[String]) -> bool,
    ) -> Result<Authorized<OpenApiSpecRecord>> {
        let spec: OpenApiSpecRecord = openapi_specs::table
            .filter(openapi_specs::organization_id.eq(site.site.organization))
            .filter(openapi_specs::slug.eq(slug.as_str()))
            .select(OpenApiSpecRecord::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        let names = [spec.slug.to_string(), spec.id.to_string()];
        let roots: Vec<_> = site.spaces.iter().map(|space| (space.space, space.root)).collect();
        if !self.shows_spec(&roots, &names, |document| is_shown(document, &names))? {
            return Err(Error::NotFound);
        }
        Found { actor: VISITOR, role: Some(Role::Read), blocked: false, value: spec }
            .authorize(Action::ViewOrganizationContent)
    }

    /// Returns whether a visitor of a space sees a specification in its content. `is_shown` is as for
    /// [`Reader::spec_on_site`]. Takes no statement if the tree, links and documents are cached.
    ///
    /// # Errors
    /// Damaged stored content.
    pub fn shows_spec_to_visitor(
        &mut self,
        content: &Authorized<ContentAt>,
        spec: &SpecOf,
        is_shown: impl Fn(&DocumentJson, &[String]) -> bool,
    ) -> Result<bool> {
        let names = [spec.slug.to_string(), spec.id.to_string()];
        self.shows_spec(&[(content.space(), content.root())], &names, |document| is_shown(document, &names))
    }
}
