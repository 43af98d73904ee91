//! Reads and writes of the worker that converts a source to a version.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounded::Bounded;
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::{ProcessError, ProcessingState, SpecFormat, SpecSource};
use sha2::{Digest, Sha256};

use super::{OutlinePage, SourceOf, SpecPage, SpecPart};
use crate::schema::{openapi_spec_versions, openapi_specs};
use crate::sites::purges::Purge;
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result, parse_enum};

/// Number of versions kept per specification, which show recent changes.
const VERSIONS_KEPT: i32 = 10;

/// Outcome of processing a source.
#[derive(Clone, Debug)]
pub enum Processed {
    /// The source is valid and makes a version.
    Version {
        /// Notation of the source.
        format: SpecFormat,
        /// Source text.
        source: String,
        /// Pages, each after its parent.
        pages: Vec<(OutlinePage, SpecPage)>,
        /// Components to which pages refer.
        parts: Vec<SpecPart>,
    },
    /// The source is invalid.
    Failed(ProcessError),
}

/// Number of the current page layout. A version with another layout is replaced when its source is processed, even if
/// the source is unchanged.
const LAYOUT: i32 = 2;

/// Locked specification: its state, its last version, and the hash of that version's source if its layout is current.
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
    /// Stores a version and returns its id; `None` if the last version is equal.
    fn store_version(
        &mut self,
        of: SourceOf,
        (format, source): (SpecFormat, &str),
        (pages, parts): (&[(OutlinePage, SpecPage)], &[SpecPart]),
        (last_version, last_hash): (Option<OpenApiSpecVersionId>, Option<&[u8]>),
    ) -> Result<Option<OpenApiSpecVersionId>> {
        let hash = Sha256::digest(source.as_bytes());
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
                openapi_spec_versions::format.eq(format.as_str()),
                openapi_spec_versions::source_hash.eq(hash.as_slice()),
                openapi_spec_versions::source.eq(source),
                openapi_spec_versions::created_at.eq(self.now),
                openapi_spec_versions::layout.eq(LAYOUT),
            ))
            .execute(self.connection)?;
        self.store_version_pages(organization, id, pages)?;
        self.store_version_parts(organization, id, parts)?;
        self.prune(organization, spec, id, last_version)?;
        Ok(Some(id))
    }

    fn store_version_pages(
        &mut self,
        organization: OrganizationId,
        version: OpenApiSpecVersionId,
        pages: &[(OutlinePage, SpecPage)],
    ) -> Result<()> {
        let texts = |text: fn(&OutlinePage) -> &str| -> Vec<&str> {
            pages.iter().map(|(page, _)| text(page)).collect()
        };
        let parent = |parent| i32::try_from(parent).ok();
        let parents: Vec<Option<i32>> = pages.iter().map(|(page, _)| page.parent.and_then(parent)).collect();
        let descriptions: Vec<Option<&str>> =
            pages.iter().map(|(page, _)| page.description.as_deref()).collect();
        let icons: Vec<Option<&str>> = pages.iter().map(|(page, _)| page.icon.as_deref()).collect();
        let bodies: Vec<&str> = pages.iter().map(|(_, content)| content.body.as_str()).collect();
        let parts: Vec<String> = pages.iter().map(|(_, content)| array_literal(&content.parts)).collect();
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
            bodies,
            parts,
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn store_version_parts(
        &mut self,
        organization: OrganizationId,
        version: OpenApiSpecVersionId,
        parts: &[SpecPart],
    ) -> Result<()> {
        let texts = parts.iter().map(|part| (part.pointer.as_str(), part.body.as_str()));
        let (pointers, bodies): (Vec<&str>, Vec<&str>) = texts.unzip();
        InsertParts::bind((organization, version, pointers, bodies)).execute(self.connection)?;
        Ok(())
    }

    /// Removes data of old versions: the pages of all but the last two, and all but the last versions.
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
    /// Marks a source as being processed, and returns it; `None` if it was replaced, removed or already processed.
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

    /// Records the outcome of processing a source, with its version. Does nothing if the source was replaced or
    /// removed, or another worker was first. A source equal to the last version makes no version. Returns whether the
    /// outcome was recorded.
    pub fn end_processing(&mut self, of: SourceOf, processed: &Processed) -> Result<bool> {
        let (organization, spec) = ids(of);
        let found: Option<LockedSpec> = LockState::bind((organization, spec, of.generation, LAYOUT))
            .get_result(self.connection)
            .optional()?;
        let Some((state, last_version, last_hash)) = found else { return Ok(false) };
        let Some(state) = parse_enum::<ProcessingState>(&state)?.ended() else { return Ok(false) };
        let (version, error) = match processed {
            Processed::Failed(error) => (None, Some(error.as_str())),
            Processed::Version { format, source, pages, parts } => {
                let last = (last_version, last_hash.as_deref());
                (self.store_version(of, (*format, source), (pages, parts), last)?, None)
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

/// Returns numbers as the text of an array, because PostgreSQL accepts no array of arrays of different lengths.
fn array_literal(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}
