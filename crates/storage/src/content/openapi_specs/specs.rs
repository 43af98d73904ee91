//! Specifications from which content is computed, found by their names in the content.

use std::collections::{HashMap, HashSet};

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId, SpaceId};
use quire_domain::openapi_specs::SpecSlug;
use quire_domain::policy::{Action, Membership};
use quire_revision::BlobHash;

use crate::Result;
use crate::content::store::ContentPoint;
use crate::lookup::Authorized;
use crate::schema::{openapi_spec_versions, openapi_specs};
use crate::system::SystemReader;
use crate::transaction::Reader;

/// Specifications of an organization that a reader of content may see: all of them, or only those that the current
/// content of the space shows to all of its readers. Only authorized content provides this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadableSpecs {
    organization: OrganizationId,
    /// Space whose current content must show the specifications; `None` for a reader of all specifications of the
    /// organization.
    only_shown_by: Option<SpaceId>,
}

impl ReadableSpecs {
    /// Returns all specifications of an organization, for a reader with permission on them.
    pub(crate) const fn all_of(organization: OrganizationId) -> Self {
        Self { organization, only_shown_by: None }
    }

    /// Returns the specifications that the current content of a space shows.
    pub(crate) const fn shown_by(space: SpaceId, organization: OrganizationId) -> Self {
        Self { organization, only_shown_by: Some(space) }
    }

    /// Returns the specifications that the content of a space may show to a member. A disabled member cannot read
    /// content.
    pub(crate) fn of(membership: Membership, space: SpaceId, organization: OrganizationId) -> Self {
        match membership.allows(Action::ViewOrganizationContent) {
            true => Self::all_of(organization),
            false => Self::shown_by(space, organization),
        }
    }

    /// Returns whether the reader may read only the specifications that the current content of the space shows.
    #[must_use]
    pub const fn are_only_shown(self) -> bool {
        self.only_shown_by.is_some()
    }

    /// Returns the organization for statements.
    pub(super) fn organization(self) -> OrganizationId {
        self.organization
    }
}

impl<T: ContentPoint> Authorized<T> {
    /// Returns the specifications that the content may show.
    #[must_use]
    pub fn specs(&self) -> ReadableSpecs {
        self.readable_specs()
    }
}

/// Specification from which content is computed, with the version to use.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = openapi_specs, check_for_backend(Pg))]
pub struct SpecOf {
    /// Id.
    pub id: OpenApiSpecId,
    /// Slug.
    pub slug: SpecSlug,
    /// Last version.
    #[diesel(
        select_expression = openapi_specs::last_version_id.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<openapi_specs::last_version_id>
    )]
    pub version: OpenApiSpecVersionId,
    /// URL of the source; `None` if it was sent as text.
    pub source_url: Option<String>,
}

/// Specifications by source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecsBySource {
    /// By source URL.
    pub urls: HashMap<String, SpecOf>,
    /// By the hash of the source text of the last version.
    pub texts: HashMap<BlobHash, SpecOf>,
}

sql_files! {
    SpecsState(SqlUuid) -> Binary = "state.sql";
}

/// Returns the query for specifications of an organization with one of these slugs or ids.
#[dsl::auto_type(no_type_alias)]
fn named<'a>(organization: OrganizationId, slugs: &'a [&'a str], ids: Vec<OpenApiSpecId>) -> _ {
    let is_named = openapi_specs::slug.eq_any(slugs).or(openapi_specs::id.eq_any(ids));
    openapi_specs::table.filter(openapi_specs::organization_id.eq(organization)).filter(is_named)
}

impl Reader<'_> {
    /// Returns the specifications with these slugs or ids, by the requested names. Specifications without a version are
    /// left out. Takes one statement, besides those of `shown_specs`.
    pub fn specs_named(&mut self, specs: ReadableSpecs, names: &[&str]) -> Result<HashMap<String, SpecOf>> {
        let found = named(specs.organization(), names, ids_among(names))
            .filter(openapi_specs::last_version_id.is_not_null())
            .select(SpecOf::as_select())
            .load(self.connection)?;
        let found = found.into_iter().map(|spec| (spec.slug.to_string(), spec)).collect();
        let mut named = by_name(names, found, |spec| spec.id);
        if let Some(shown) = self.shown_specs(specs)? {
            named.retain(|_, spec| shown.contains(&spec.id));
        }
        Ok(named)
    }

    /// Returns the specifications with these source URLs, by URL. Of several with the same URL, it returns the oldest.
    /// Specifications without a version are left out. Takes one statement.
    pub fn specs_at_urls(&mut self, specs: ReadableSpecs, urls: &[&str]) -> Result<HashMap<String, SpecOf>> {
        let rows: Vec<(Option<String>, SpecOf)> = openapi_specs::table
            .filter(openapi_specs::organization_id.eq(specs.organization()))
            .filter(openapi_specs::source_url.eq_any(urls))
            .filter(openapi_specs::last_version_id.is_not_null())
            .order(openapi_specs::id)
            .select((openapi_specs::source_url, SpecOf::as_select()))
            .load(self.connection)?;
        let mut found = HashMap::new();
        for (url, spec) in rows {
            found.entry(url.unwrap_or_default()).or_insert(spec);
        }
        Ok(found)
    }

    /// Returns the specifications that the current content of a space shows if only these may be read; `None` if all
    /// may be read. Takes no statement for a reader of all specifications. Otherwise takes one, and the fixed number
    /// that finds the links of the space's current content.
    pub(crate) fn shown_specs(&mut self, specs: ReadableSpecs) -> Result<Option<HashSet<OpenApiSpecId>>> {
        let Some(space) = specs.only_shown_by else { return Ok(None) };
        let names = self.spec_names_shown_by(space)?;
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        if names.is_empty() {
            return Ok(Some(HashSet::new()));
        }
        let found: Vec<(String, OpenApiSpecId)> = named(specs.organization(), &names, ids_among(&names))
            .select((openapi_specs::slug, openapi_specs::id))
            .load(self.connection)?;
        Ok(Some(by_name(&names, found, |id| *id).into_values().collect()))
    }

    /// Returns a hash of the input of computed pages. It changes when a specification gets a new version, is added or
    /// is deleted. Takes one statement.
    pub(crate) fn specs_state(&mut self, specs: ReadableSpecs) -> Result<Vec<u8>> {
        Ok(SpecsState::bind((specs.organization(),)).get_result(self.connection)?)
    }
}

impl SystemReader<'_> {
    /// Returns the specifications with one of these source URLs, or whose last version has a source text with one of
    /// these hashes. Takes one statement, besides those of `shown_specs`.
    pub fn specs_by_source(
        &mut self,
        specs: ReadableSpecs,
        urls: &[&str],
        texts: &[BlobHash],
    ) -> Result<SpecsBySource> {
        let hashes: Vec<&[u8]> = texts.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        let last_version = openapi_spec_versions::organization_id
            .eq(openapi_specs::organization_id)
            .and(openapi_specs::last_version_id.eq(openapi_spec_versions::id.nullable()));
        let has_source = openapi_specs::source_url
            .eq_any(urls)
            .or(openapi_spec_versions::source_hash.nullable().eq_any(hashes));
        // Of several specifications with the same source, the oldest is used.
        let rows: Vec<(SpecOf, Option<String>, Vec<u8>)> = openapi_specs::table
            .inner_join(openapi_spec_versions::table.on(last_version))
            .filter(openapi_specs::organization_id.eq(specs.organization()))
            .filter(has_source)
            .order(openapi_specs::id)
            .select((SpecOf::as_select(), openapi_specs::source_url, openapi_spec_versions::source_hash))
            .load(self.connection)?;
        let shown = self.shown_specs(specs)?;
        let mut found = SpecsBySource::default();
        for (spec, source_url, source_hash) in rows {
            if shown.as_ref().is_some_and(|shown| !shown.contains(&spec.id)) {
                continue;
            }
            if let Ok(hash) = <[u8; 32]>::try_from(source_hash) {
                found.texts.entry(BlobHash::from_bytes(hash)).or_insert_with(|| spec.clone());
            }
            if let Some(url) = source_url {
                found.urls.entry(url).or_insert(spec);
            }
        }
        Ok(found)
    }
}

/// Returns the names that are ids.
fn ids_among(names: &[&str]) -> Vec<OpenApiSpecId> {
    names.iter().filter_map(|name| name.parse::<OpenApiSpecId>().ok()).collect()
}

/// Returns the items by the requested names. A slug may have the form of another specification's id. The slug takes
/// precedence.
fn by_name<T: Clone>(
    names: &[&str],
    found: Vec<(String, T)>,
    id_of: impl Fn(&T) -> OpenApiSpecId,
) -> HashMap<String, T> {
    let mut named = HashMap::with_capacity(found.len());
    let by_id: HashMap<OpenApiSpecId, T> =
        found.iter().map(|(_, item)| (id_of(item), item.clone())).collect();
    named.extend(found.into_iter().filter(|(slug, _)| names.contains(&slug.as_str())));
    for name in names {
        if let Some(item) = name.parse().ok().and_then(|id| by_id.get(&id)) {
            named.entry((*name).to_owned()).or_insert_with(|| item.clone());
        }
    }
    named
}
