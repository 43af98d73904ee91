//! Reads and writes of a worker that turns a source into a version.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounded::Bounded;
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::{ProcessError, ProcessingState, SpecFormat, SpecSource};
use sha2::{Digest, Sha256};

use super::{PageKind, SourceOf};
use crate::schema::{openapi_spec_versions, openapi_specs};
use crate::sites::purges::Purge;
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result, parse_enum};

/// Versions of a specification that are kept: enough to see what changed lately.
const VERSIONS_KEPT: i32 = 10;

/// A version to be stored.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The notation of its source.
    pub format: SpecFormat,
    /// Its source, as it was sent.
    pub source: String,
    /// Pages, each after its parent.
    pub pages: Vec<NewVersionPage>,
    /// Components that its pages refer to.
    pub parts: Vec<NewVersionPart>,
}

/// A page of a version: computed from the object at one JSON pointer.
#[derive(Clone, Debug)]
pub struct NewVersionPage {
    /// Index of the parent.
    pub parent: Option<i32>,
    /// Content.
    pub kind: PageKind,
    /// JSON pointer in the specification.
    pub pointer: String,
    /// Its title.
    pub title: String,
    /// Its part of the path, unique among its siblings.
    pub slug: String,
    /// A sentence about it.
    pub description: Option<String>,
    /// Name of the icon shown before the title.
    pub icon: Option<String>,
    /// Content as JSON.
    pub body: String,
    /// The indexes of the parts it refers to, directly or through others.
    pub parts: Vec<i32>,
}

/// Something that pages refer to.
#[derive(Clone, Debug)]
pub struct NewVersionPart {
    /// The JSON pointer that references name it by.
    pub pointer: String,
    /// Component as JSON.
    pub body: String,
}

/// Outcome of the processing of a source.
#[derive(Clone, Debug)]
pub enum Processed {
    /// With a version.
    Version(Box<NewVersion>),
    /// Without one.
    Failed(ProcessError),
}

/// Number of the layout of pages that this program makes of a specification. A version with another layout is replaced
/// when its source is processed, even if the source is the same.
const LAYOUT: i32 = 2;

/// A locked specification: its state, its last version, and the hash of the source of that if its layout is current.
type LockedSpec = (String, Option<OpenApiSpecVersionId>, Option<Vec<u8>>);

sql_files! {
    LockState(SqlUuid, SqlUuid, Integer, Integer) -> (Text, Nullable<SqlUuid>, Nullable<Binary>)
        = "lock_state.sql";
    InsertPages(
        SqlUuid,
        SqlUuid,
        Array<Nullable<Integer>>,
        Array<Text>,
        Array<Text>,
        Array<Text>,
        Array<Text>,
        Array<Nullable<Text>>,
        Array<Nullable<Text>>,
        Array<Text>,
        Array<Text>,
    ) = "insert_pages.sql";
    InsertParts(SqlUuid, SqlUuid, Array<Text>, Array<Text>) = "insert_parts.sql";
    PrunePages(SqlUuid, SqlUuid, SqlUuid, Nullable<SqlUuid>) = "prune_pages.sql";
    PruneParts(SqlUuid, SqlUuid, SqlUuid, Nullable<SqlUuid>) = "prune_parts.sql";
    PruneVersions(SqlUuid, SqlUuid, Integer) = "prune_versions.sql";
}

impl Tx<'_> {
    /// The new version's id; `None` when the last one says the same.
    fn store_version(
        &mut self,
        of: SourceOf,
        version: &NewVersion,
        (last_version, last_hash): (Option<OpenApiSpecVersionId>, Option<&[u8]>),
    ) -> Result<Option<OpenApiSpecVersionId>> {
        let hash = Sha256::digest(version.source.as_bytes());
        if last_hash == Some(hash.as_slice()) {
            return Ok(None);
        }
        let (organization, spec) = ids(of);
        let id = OpenApiSpecVersionId::from_uuid(self.storage.ids().uuid());
        diesel::insert_into(openapi_spec_versions::table)
            .values((
                openapi_spec_versions::organization_id.eq(organization),
                openapi_spec_versions::id.eq(id),
                openapi_spec_versions::spec_id.eq(spec),
                openapi_spec_versions::format.eq(version.format.as_str()),
                openapi_spec_versions::source_hash.eq(hash.as_slice()),
                openapi_spec_versions::source.eq(&version.source),
                openapi_spec_versions::created_at.eq(self.now),
                openapi_spec_versions::layout.eq(LAYOUT),
            ))
            .execute(self.connection)?;
        self.store_version_pages(organization, id, &version.pages)?;
        self.store_version_parts(organization, id, &version.parts)?;
        self.prune(organization, spec, id, last_version)?;
        Ok(Some(id))
    }

    fn store_version_pages(
        &mut self,
        organization: OrganizationId,
        version: OpenApiSpecVersionId,
        pages: &[NewVersionPage],
    ) -> Result<()> {
        let texts = |text: fn(&NewVersionPage) -> &str| -> Vec<&str> { pages.iter().map(text).collect() };
        let parents: Vec<Option<i32>> = pages.iter().map(|page| page.parent).collect();
        let descriptions: Vec<Option<&str>> = pages.iter().map(|page| page.description.as_deref()).collect();
        let icons: Vec<Option<&str>> = pages.iter().map(|page| page.icon.as_deref()).collect();
        let parts: Vec<String> = pages.iter().map(|page| array_literal(&page.parts)).collect();
        InsertPages::bind((
            organization,
            version,
            parents,
            texts(|page| page.kind.as_str()),
            texts(|page| &page.pointer),
            texts(|page| &page.title),
            texts(|page| &page.slug),
            descriptions,
            icons,
            texts(|page| &page.body),
            parts,
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn store_version_parts(
        &mut self,
        organization: OrganizationId,
        version: OpenApiSpecVersionId,
        parts: &[NewVersionPart],
    ) -> Result<()> {
        let texts = parts.iter().map(|part| (part.pointer.as_str(), part.body.as_str()));
        let (pointers, bodies): (Vec<&str>, Vec<&str>) = texts.unzip();
        InsertParts::bind((organization, version, pointers, bodies)).execute(self.connection)?;
        Ok(())
    }

    /// Removes what older versions keep: the pages of all but the last two, and versions beyond the last few.
    fn prune(
        &mut self,
        organization: OrganizationId,
        spec: OpenApiSpecId,
        version: OpenApiSpecVersionId,
        before: Option<OpenApiSpecVersionId>,
    ) -> Result<()> {
        PrunePages::bind((organization, spec, version, before)).execute(self.connection)?;
        PruneParts::bind((organization, spec, version, before)).execute(self.connection)?;
        PruneVersions::bind((organization, spec, VERSIONS_KEPT)).execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Notes that a source is processed, and answers it; `None` when it was replaced, removed or processed meanwhile.
    pub fn begin_processing(&mut self, of: SourceOf) -> Result<Option<SpecSource>> {
        let (organization, spec) = ids(of);
        let found: Option<(String, Option<String>, Option<String>)> = openapi_specs::table
            .find((organization, spec))
            .filter(openapi_specs::generation.eq(of.generation))
            .select((openapi_specs::processing_state, openapi_specs::source_url, openapi_specs::source_text))
            .for_update()
            .get_result(self.connection)
            .optional()?;
        let Some((state, url, text)) = found else { return Ok(None) };
        let Some(state) = parse_enum::<ProcessingState>(&state)?.begun() else { return Ok(None) };
        diesel::update(openapi_specs::table.find((organization, spec)))
            .set(openapi_specs::processing_state.eq(state.as_str()))
            .execute(self.connection)?;
        match (url, text) {
            (Some(url), _) => Ok(Some(SpecSource::Url { url: Bounded::unchecked(url) })),
            (None, Some(text)) => Ok(Some(SpecSource::Text { text: Bounded::unchecked(text) })),
            (None, None) => Err(Error::corrupt("a specification has no source", anyhow::anyhow!("{spec}"))),
        }
    }

    /// Notes what became of a source, with the version that it made; nothing when it was replaced or removed, or
    /// another worker came first. A source that says what the last version says makes no version. Answers whether it
    /// was noted.
    pub fn end_processing(&mut self, of: SourceOf, processed: &Processed) -> Result<bool> {
        let (organization, spec) = ids(of);
        let found: Option<LockedSpec> = LockState::bind((organization, spec, of.generation, LAYOUT))
            .get_result(self.connection)
            .optional()?;
        let Some((state, last_version, last_hash)) = found else { return Ok(false) };
        let Some(state) = parse_enum::<ProcessingState>(&state)?.ended() else { return Ok(false) };
        let (version, error) = match processed {
            Processed::Failed(error) => (None, Some(error.as_str())),
            Processed::Version(version) => {
                (self.store_version(of, version, (last_version, last_hash.as_deref()))?, None)
            }
        };
        let is_new = version.is_some();
        let last_version = version.or(last_version);
        let slug: String = diesel::update(openapi_specs::table.find((organization, spec)))
            .set((
                openapi_specs::processing_state.eq(state.as_str()),
                openapi_specs::last_version_id.eq(last_version),
                openapi_specs::last_process_error.eq(error),
                openapi_specs::last_processed_at.eq(Some(self.now)),
            ))
            .returning(openapi_specs::slug)
            .get_result(self.connection)?;
        if is_new {
            self.after.has_changed_specs = true;
            self.purge(of.organization, Purge::specification(of.organization, &parse_enum(&slug)?));
        }
        Ok(true)
    }
}

fn ids(of: SourceOf) -> (OrganizationId, OpenApiSpecId) {
    (of.organization, of.spec)
}

/// Numbers as PostgreSQL writes an array of them: an array of arrays of different lengths can't be sent.
fn array_literal(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}
