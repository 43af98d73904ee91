//! The specifications that content is computed from, found by what content names them by.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::SpecSlug;
use quire_revision::BlobHash;
use uuid::Uuid;

use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, stored};

/// The specifications of an organization, for who may read content of it. Only a handle on content gives them: content shows what the
/// specifications that it names say, to everybody who may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrganizationSpecs(OrganizationId);

impl OrganizationSpecs {
    /// Those of the organization of content that is known to be the caller's to read.
    pub(crate) const fn of(organization: OrganizationId) -> Self {
        Self(organization)
    }

    /// What statements know the organization by.
    pub(super) fn organization(self) -> Uuid {
        *self.0.as_uuid()
    }
}

impl Authorized<ContentAt> {
    /// The specifications that the content may show.
    #[must_use]
    pub fn specs(&self) -> OrganizationSpecs {
        OrganizationSpecs::of(self.space.organization)
    }
}

/// A specification that content is computed from, with the version to compute it from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecOf {
    /// Its id.
    pub id: OpenApiSpecId,
    /// Its slug.
    pub slug: SpecSlug,
    /// Its last version.
    pub version: OpenApiSpecVersionId,
}

/// Specifications by where they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecsBySource {
    /// By the URLs that they are fetched from.
    pub urls: HashMap<String, SpecOf>,
    /// By the hashes of the texts that their last versions were made of.
    pub texts: HashMap<BlobHash, SpecOf>,
}

#[derive(QueryableByName)]
struct SpecRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = SqlUuid)]
    version_id: Uuid,
}

#[derive(QueryableByName)]
struct SourcedRow {
    #[diesel(embed)]
    spec: SpecRow,
    #[diesel(sql_type = Nullable<Text>)]
    source_url: Option<String>,
    #[diesel(sql_type = Binary)]
    source_hash: Vec<u8>,
}

#[derive(QueryableByName)]
struct StateRow {
    #[diesel(sql_type = Binary)]
    state: Vec<u8>,
}

statements! {
    FindSpecs = "SELECT id, slug, last_version_id AS version_id FROM openapi_specs \
                 WHERE organization_id = $1 AND (slug = ANY ($2) OR id = ANY ($3)) AND last_version_id IS NOT NULL";
    // The oldest first, which is the one that is meant when several have one source.
    FindSpecsBySource = "SELECT s.id, s.slug, s.last_version_id AS version_id, s.source_url, v.source_hash FROM openapi_specs s \
                         JOIN openapi_spec_versions v ON v.organization_id = s.organization_id AND v.id = s.last_version_id \
                         WHERE s.organization_id = $1 AND (s.source_url = ANY ($2) OR v.source_hash = ANY ($3)) ORDER BY s.id";
    SpecsState = "SELECT sha256(convert_to(coalesce(string_agg(concat_ws(' ', id, last_version_id, source_url), ',' ORDER BY id), ''), 'UTF8')) AS state \
                  FROM openapi_specs WHERE organization_id = $1";
}

impl TryFrom<SpecRow> for SpecOf {
    type Error = Error;

    fn try_from(row: SpecRow) -> Result<Self> {
        Ok(Self {
            id: OpenApiSpecId::from_uuid(row.id),
            slug: stored(&row.slug)?,
            version: OpenApiSpecVersionId::from_uuid(row.version_id),
        })
    }
}

impl Reader<'_> {
    /// Those with these slugs or ids, by the name they were asked by; those that have no
    /// version yet are left out. One statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn specs_named(
        &mut self,
        specs: OrganizationSpecs,
        names: &[&str],
    ) -> Result<HashMap<String, SpecOf>> {
        let ids: Vec<Uuid> = names
            .iter()
            .filter_map(|name| name.parse::<OpenApiSpecId>().ok())
            .map(|id| *id.as_uuid())
            .collect();
        let rows: Vec<SpecRow> = FindSpecs::bind((
            val::<SqlUuid, _>(specs.organization()),
            val::<Array<Text>, _>(names),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        let mut found = HashMap::with_capacity(rows.len());
        let mut by_id = Vec::new();
        for row in rows {
            let slug = row.slug.clone();
            let spec = SpecOf::try_from(row)?;
            by_id.push((spec.id.to_string(), spec.clone()));
            found.insert(slug, spec);
        }
        // A slug may look like the id of another specification, and then means the one whose slug it is.
        for (id, spec) in by_id {
            for name in names.iter().filter(|name| name.eq_ignore_ascii_case(&id)) {
                found.entry((*name).to_owned()).or_insert_with(|| spec.clone());
            }
        }
        Ok(found)
    }

    /// Those that are fetched from these URLs, or whose last version was made of a text with one of these hashes. One statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn specs_by_source(
        &mut self,
        specs: OrganizationSpecs,
        urls: &[&str],
        texts: &[BlobHash],
    ) -> Result<SpecsBySource> {
        let hashes: Vec<&[u8]> = texts.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        let rows: Vec<SourcedRow> = FindSpecsBySource::bind((
            val::<SqlUuid, _>(specs.organization()),
            val::<Array<Text>, _>(urls),
            val::<Array<Binary>, _>(hashes),
        ))
        .load(self.connection)?;
        let mut found = SpecsBySource::default();
        for SourcedRow { spec, source_url, source_hash } in rows {
            let spec = SpecOf::try_from(spec)?;
            if let Ok(hash) = <[u8; 32]>::try_from(source_hash) {
                found.texts.entry(BlobHash::from_bytes(hash)).or_insert_with(|| spec.clone());
            }
            if let Some(url) = source_url {
                found.urls.entry(url).or_insert(spec);
            }
        }
        Ok(found)
    }

    /// A hash of what is computed from the specifications: another one when one of them has a new version, comes or goes. One statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub(crate) fn specs_state(&mut self, specs: OrganizationSpecs) -> Result<Vec<u8>> {
        let row: StateRow =
            SpecsState::bind((val::<SqlUuid, _>(specs.organization()),)).get_result(self.connection)?;
        Ok(row.state)
    }
}
