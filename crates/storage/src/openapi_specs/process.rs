//! What a worker reads and writes while it turns a source into a version.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::bounded::Bounded;
use quire_domain::ids::OpenApiSpecVersionId;
use quire_domain::openapi_specs::{ProcessError, ProcessingState, SpecFormat, SpecSource};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{PageKind, SourceOf};
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result, stored};

/// Versions of a specification that are kept: enough to see what changed lately.
const VERSIONS_KEPT: i32 = 10;

/// A version to be stored.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The notation of its source.
    pub format: SpecFormat,
    /// Its source, as it was sent.
    pub source: String,
    /// Its pages, each after the one it stands below.
    pub pages: Vec<NewVersionPage>,
    /// What its pages refer to.
    pub parts: Vec<NewVersionPart>,
}

/// A page of a version: what is computed from one place in the specification.
#[derive(Clone, Debug)]
pub struct NewVersionPage {
    /// The index of the page it stands below.
    pub parent: Option<i32>,
    /// What it shows.
    pub kind: PageKind,
    /// Its place in the specification, a JSON pointer.
    pub place: String,
    /// Its title.
    pub title: String,
    /// Its part of the path, unique among its siblings.
    pub slug: String,
    /// A sentence about it.
    pub description: Option<String>,
    /// What it is made of, in JSON.
    pub body: String,
    /// The indexes of the parts it refers to, directly or through others.
    pub parts: Vec<i32>,
}

/// Something that pages refer to.
#[derive(Clone, Debug)]
pub struct NewVersionPart {
    /// The JSON pointer that references name it by.
    pub place: String,
    /// What stands there, in JSON.
    pub body: String,
}

/// How processing a source ended.
#[derive(Clone, Debug)]
pub enum Processed {
    /// With a version.
    Version(Box<NewVersion>),
    /// Without one.
    Failed(ProcessError),
}

#[derive(QueryableByName)]
struct SourceRow {
    #[diesel(sql_type = Text)]
    processing_state: String,
    #[diesel(sql_type = Nullable<Text>)]
    source_url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    source_text: Option<String>,
}

#[derive(QueryableByName)]
struct StateRow {
    #[diesel(sql_type = Text)]
    processing_state: String,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    last_version_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Binary>)]
    last_hash: Option<Vec<u8>>,
}

statements! {
    LockSource = "SELECT processing_state, source_url, source_text FROM openapi_specs \
                  WHERE organization_id = $1 AND id = $2 AND generation = $3 FOR UPDATE";
    SetState = "UPDATE openapi_specs SET processing_state = $3 WHERE organization_id = $1 AND id = $2";
    LockState = "SELECT s.processing_state, s.last_version_id, \
                 (SELECT v.source_hash FROM openapi_spec_versions v WHERE v.organization_id = s.organization_id AND v.id = s.last_version_id) AS last_hash \
                 FROM openapi_specs s WHERE s.organization_id = $1 AND s.id = $2 AND s.generation = $3 FOR UPDATE OF s";
    EndProcessing = "UPDATE openapi_specs SET processing_state = $3, last_version_id = coalesce($4, last_version_id), \
                     last_process_error = $5, last_processed_at = $6 WHERE organization_id = $1 AND id = $2";
    StoreVersion = "INSERT INTO openapi_spec_versions (organization_id, id, spec_id, format, source_hash, source, created_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
    InsertPages = "INSERT INTO openapi_spec_pages \
                     (organization_id, version_id, ordinal, parent, kind, place, title, slug, description, body, parts) \
                   SELECT $1, $2, p.ordinal - 1, p.parent, p.kind, p.place, p.title, p.slug, p.description, p.body, p.parts::integer[] \
                   FROM unnest($3, $4, $5, $6, $7, $8, $9, $10) WITH ORDINALITY \
                     AS p (parent, kind, place, title, slug, description, body, parts, ordinal)";
    InsertParts = "INSERT INTO openapi_spec_parts (organization_id, version_id, ordinal, place, body) \
                   SELECT $1, $2, p.ordinal - 1, p.place, p.body \
                   FROM unnest($3, $4) WITH ORDINALITY AS p (place, body, ordinal)";
    // A reader that has just seen the version before may still be on its way to a page of it.
    PrunePages = "DELETE FROM openapi_spec_pages p USING openapi_spec_versions v \
                  WHERE v.organization_id = $1 AND v.spec_id = $2 AND v.id <> $3 AND v.id IS DISTINCT FROM $4 \
                  AND p.organization_id = v.organization_id AND p.version_id = v.id";
    PruneParts = "DELETE FROM openapi_spec_parts p USING openapi_spec_versions v \
                  WHERE v.organization_id = $1 AND v.spec_id = $2 AND v.id <> $3 AND v.id IS DISTINCT FROM $4 \
                  AND p.organization_id = v.organization_id AND p.version_id = v.id";
    PruneVersions = "DELETE FROM openapi_spec_versions WHERE organization_id = $1 AND spec_id = $2 AND id NOT IN \
                     (SELECT v.id FROM openapi_spec_versions v WHERE v.organization_id = $1 AND v.spec_id = $2 ORDER BY v.id DESC LIMIT $3)";
}

impl Tx<'_> {
    /// The new version's id; `None` when the last one says the same.
    fn store_version(
        &mut self,
        of: SourceOf,
        version: &NewVersion,
        before: &StateRow,
    ) -> Result<Option<OpenApiSpecVersionId>> {
        let hash = Sha256::digest(version.source.as_bytes());
        if before.last_hash.as_deref() == Some(hash.as_slice()) {
            return Ok(None);
        }
        let (organization, spec) = ids(of);
        let id = OpenApiSpecVersionId::from_uuid(self.storage.ids().uuid());
        StoreVersion::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<SqlUuid, _>(spec),
            val::<Text, _>(version.format.as_str()),
            val::<Binary, _>(hash.to_vec()),
            val::<Text, _>(version.source.as_str()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        self.store_version_pages(organization, id, &version.pages)?;
        self.store_version_parts(organization, id, &version.parts)?;
        self.prune(organization, spec, *id.as_uuid(), before.last_version_id)?;
        Ok(Some(id))
    }

    fn store_version_pages(
        &mut self,
        organization: Uuid,
        version: OpenApiSpecVersionId,
        pages: &[NewVersionPage],
    ) -> Result<()> {
        let lists: Vec<String> = pages.iter().map(|page| array_literal(&page.parts)).collect();
        InsertPages::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(*version.as_uuid()),
            val::<Array<Nullable<Integer>>, _>(pages.iter().map(|page| page.parent).collect::<Vec<_>>()),
            val::<Array<Text>, _>(pages.iter().map(|page| page.kind.as_str()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(pages.iter().map(|page| page.place.as_str()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(pages.iter().map(|page| page.title.as_str()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(pages.iter().map(|page| page.slug.as_str()).collect::<Vec<_>>()),
            val::<Array<Nullable<Text>>, _>(
                pages.iter().map(|page| page.description.as_deref()).collect::<Vec<_>>(),
            ),
            val::<Array<Text>, _>(pages.iter().map(|page| page.body.as_str()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(lists),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn store_version_parts(
        &mut self,
        organization: Uuid,
        version: OpenApiSpecVersionId,
        parts: &[NewVersionPart],
    ) -> Result<()> {
        InsertParts::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(*version.as_uuid()),
            val::<Array<Text>, _>(parts.iter().map(|part| part.place.as_str()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(parts.iter().map(|part| part.body.as_str()).collect::<Vec<_>>()),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Removes what older versions keep: the pages of all but the last two, and versions beyond the last few.
    fn prune(&mut self, organization: Uuid, spec: Uuid, version: Uuid, before: Option<Uuid>) -> Result<()> {
        let organization = || val::<SqlUuid, _>(organization);
        let kept = || (val::<SqlUuid, _>(version), val::<Nullable<SqlUuid>, _>(before));
        let ((last, before), spec) = (kept(), || val::<SqlUuid, _>(spec));
        PrunePages::bind((organization(), spec(), last, before)).execute(self.connection)?;
        let (last, before) = kept();
        PruneParts::bind((organization(), spec(), last, before)).execute(self.connection)?;
        PruneVersions::bind((organization(), spec(), val::<Integer, _>(VERSIONS_KEPT)))
            .execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Notes that a source is processed, and answers it; `None` when it was replaced, removed or processed meanwhile.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn begin_processing(&mut self, of: SourceOf) -> Result<Option<SpecSource>> {
        let (organization, spec) = ids(of);
        let row: Option<SourceRow> = LockSource::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(spec),
            val::<Integer, _>(of.generation),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some(row) = row else { return Ok(None) };
        let Some(state) = stored::<ProcessingState>(&row.processing_state)?.begun() else { return Ok(None) };
        SetState::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(spec),
            val::<Text, _>(state.as_str()),
        ))
        .execute(self.connection)?;
        match (row.source_url, row.source_text) {
            (Some(url), _) => Ok(Some(SpecSource::Url { url: Bounded::unchecked(url) })),
            (None, Some(text)) => Ok(Some(SpecSource::Text { text: Bounded::unchecked(text) })),
            (None, None) => Err(Error::corrupt("a specification has no source", anyhow::anyhow!("{spec}"))),
        }
    }

    /// Notes what became of a source, with the version that it made; nothing when it was replaced or removed, or another worker came
    /// first. A source that says what the last version says makes no version. Answers whether it was noted.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn end_processing(&mut self, of: SourceOf, processed: &Processed) -> Result<bool> {
        let (organization, spec) = ids(of);
        let row: Option<StateRow> = LockState::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(spec),
            val::<Integer, _>(of.generation),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some(row) = row else { return Ok(false) };
        let Some(state) = stored::<ProcessingState>(&row.processing_state)?.ended() else { return Ok(false) };
        let (version, error) = match processed {
            Processed::Failed(error) => (None, Some(error.as_str())),
            Processed::Version(version) => (self.store_version(of, version, &row)?, None),
        };
        EndProcessing::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(spec),
            val::<Text, _>(state.as_str()),
            val::<Nullable<SqlUuid>, _>(version.map(|id| *id.as_uuid())),
            val::<Nullable<Text>, _>(error),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        Ok(true)
    }
}

fn ids(of: SourceOf) -> (Uuid, Uuid) {
    (*of.organization.as_uuid(), *of.spec.as_uuid())
}

/// Numbers as PostgreSQL writes an array of them: an array of arrays of different lengths can't be sent.
fn array_literal(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}
