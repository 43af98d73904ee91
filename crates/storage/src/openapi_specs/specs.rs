//! The specifications that content is computed from, found by what content names them by.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId, SpaceId};
use quire_domain::openapi_specs::SpecSlug;
use quire_domain::policy::{Action, Membership};
use quire_revision::BlobHash;
use uuid::Uuid;

use crate::lookup::{Authorized, ContentPoint};
use crate::statement::{Sql, statements, val};
use crate::system::SystemReader;
use crate::transaction::Reader;
use crate::{Error, Result, stored};

/// The specifications of an organization that a reader of content may be shown: all of them, or those that the current content of the
/// space shows to everybody who may read it. Only a handle on content gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadableSpecs {
    organization: OrganizationId,
    /// Space whose current content must show them; `None` for a reader of all specifications of the organization.
    only_shown_by: Option<SpaceId>,
}

impl ReadableSpecs {
    /// All specifications of an organization, for a reader with permission on them.
    pub(crate) const fn all_of(organization: OrganizationId) -> Self {
        Self { organization, only_shown_by: None }
    }

    /// Those that the current content of a space shows.
    pub(crate) const fn shown_by(space: SpaceId, organization: OrganizationId) -> Self {
        Self { organization, only_shown_by: Some(space) }
    }

    /// Those that a member may be shown by the content of a space. A disabled member reaches no content.
    pub(crate) fn of(membership: Membership, space: SpaceId, organization: OrganizationId) -> Self {
        match membership.allows(Action::ViewOrganizationContent) {
            true => Self::all_of(organization),
            false => Self::shown_by(space, organization),
        }
    }

    /// Returns true if only the specifications that the current content of the space shows may be read.
    #[must_use]
    pub const fn are_only_shown(self) -> bool {
        self.only_shown_by.is_some()
    }

    /// The id of the organization in statements.
    pub(super) fn organization(self) -> Uuid {
        *self.organization.as_uuid()
    }
}

impl<T: ContentPoint> Authorized<T> {
    /// The specifications that the content may show.
    #[must_use]
    pub fn specs(&self) -> ReadableSpecs {
        self.readable_specs()
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
struct NamedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    slug: String,
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
    FindSpecIds = "SELECT id, slug FROM openapi_specs WHERE organization_id = $1 AND (slug = ANY ($2) OR id = ANY ($3))";
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
    /// Those with these slugs or ids, by the name they were asked by; those that have no version yet are left out. One statement,
    /// besides those of `shown_specs`.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn specs_named(&mut self, specs: ReadableSpecs, names: &[&str]) -> Result<HashMap<String, SpecOf>> {
        let rows: Vec<SpecRow> = FindSpecs::bind((
            val::<SqlUuid, _>(specs.organization()),
            val::<Array<Text>, _>(names),
            val::<Array<SqlUuid>, _>(ids_among(names)),
        ))
        .load(self.connection)?;
        let found = rows.into_iter().map(|row| Ok((row.slug.clone(), SpecOf::try_from(row)?)));
        let mut named = by_name(names, found.collect::<Result<_>>()?, |spec| spec.id);
        if let Some(shown) = self.shown_specs(specs)? {
            named.retain(|_, spec| shown.contains(&spec.id));
        }
        Ok(named)
    }

    /// The specifications that the current content of a space shows, where only these may be read; `None` where all may. No statement for
    /// a reader of all; else the fixed number that finds the links of the space's current content, and one.
    pub(crate) fn shown_specs(&mut self, specs: ReadableSpecs) -> Result<Option<HashSet<OpenApiSpecId>>> {
        let Some(space) = specs.only_shown_by else { return Ok(None) };
        let names = self.spec_names_shown_by(space)?;
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        if names.is_empty() {
            return Ok(Some(HashSet::new()));
        }
        let rows: Vec<NamedRow> = FindSpecIds::bind((
            val::<SqlUuid, _>(specs.organization()),
            val::<Array<Text>, _>(names.as_slice()),
            val::<Array<SqlUuid>, _>(ids_among(&names)),
        ))
        .load(self.connection)?;
        let found = rows.into_iter().map(|row| (row.slug, OpenApiSpecId::from_uuid(row.id))).collect();
        Ok(Some(by_name(&names, found, |id| *id).into_values().collect()))
    }

    /// A hash of what is computed from the specifications: another one when one of them has a new version, comes or goes. One statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub(crate) fn specs_state(&mut self, specs: ReadableSpecs) -> Result<Vec<u8>> {
        let row: StateRow =
            SpecsState::bind((val::<SqlUuid, _>(specs.organization()),)).get_result(self.connection)?;
        Ok(row.state)
    }
}

impl SystemReader<'_> {
    /// Those that are fetched from these URLs, or whose last version was made of a text with one of these hashes. One statement, besides
    /// those of `shown_specs`.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn specs_by_source(
        &mut self,
        specs: ReadableSpecs,
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
        let shown = self.shown_specs(specs)?;
        let mut found = SpecsBySource::default();
        for SourcedRow { spec, source_url, source_hash } in rows {
            let spec = SpecOf::try_from(spec)?;
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

/// The ids among names.
fn ids_among(names: &[&str]) -> Vec<Uuid> {
    names.iter().filter_map(|name| name.parse::<OpenApiSpecId>().ok()).map(|id| *id.as_uuid()).collect()
}

/// The items by the names that they were asked by. A slug may look like the id of another specification, and then means the one that has
/// this slug.
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
