//! PDFs. A reader of the content requests one, a job makes it, and it is kept until its last signed address expires.

use std::collections::HashMap;
use std::time::Duration;

use diesel::deserialize;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::documents::DocumentJson;
use quire_domain::error::Reason;
use quire_domain::ids::{DocumentId, OrganizationId, PageId, PdfId, RevisionId, SpaceId};
use quire_revision::{BlobHash, Tree};
use serde_json::json;
use uuid::Uuid;

use crate::content::openapi_specs::ReadableSpecs;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::{jobs, pdfs, spaces};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// The kind of the job that makes a PDF.
pub const RENDER: &str = "render-pdf";
/// The kind of the job that removes one.
pub const EXPIRE: &str = "expire-pdf";
/// Lifetime of the URL of a PDF.
pub const LIFETIME: Duration = Duration::from_secs(3_600);
/// PDFs of one space that may wait to be made at once: each takes a node some seconds.
pub const WAITING_MAX: i64 = 20;

/// Pages that a PDF shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = pdfs, check_for_backend(Pg))]
pub struct PdfPages {
    /// The page that it begins with; all pages without one.
    #[diesel(column_name = page_id)]
    pub page: Option<PageId>,
    /// Without the pages below that one.
    #[diesel(column_name = only_page)]
    pub only: bool,
}

/// A PDF that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedPdf {
    /// Its id.
    pub id: PdfId,
    /// Until when it can be had.
    pub expires_at: Timestamp,
}

/// State of a PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PdfState {
    /// It is to be made, or being made.
    Waiting,
    /// These are its bytes.
    Ready {
        /// Their name in the store.
        blob: BlobHash,
        /// Number of bytes.
        size: u64,
    },
    /// It can't be made of this content.
    Failed,
    /// The node that should have made it has no renderer.
    NotInstalled,
}

impl Queryable<(Text, Nullable<Binary>, Nullable<BigInt>), Pg> for PdfState {
    type Row = (String, Option<BlobHash>, Option<i64>);

    fn build((state, blob, size): Self::Row) -> deserialize::Result<Self> {
        match (state.as_str(), blob, size) {
            ("waiting", None, None) => Ok(Self::Waiting),
            ("failed", None, None) => Ok(Self::Failed),
            ("not-installed", None, None) => Ok(Self::NotInstalled),
            ("ready", Some(blob), Some(size)) => Ok(Self::Ready { blob, size: u64::try_from(size)? }),
            _ => Err("a stored PDF is in no known state".into()),
        }
    }
}

impl Selectable<Pg> for PdfState {
    type SelectExpression = (pdfs::state, pdfs::blob, pdfs::size);

    fn construct_selection() -> Self::SelectExpression {
        (pdfs::state, pdfs::blob, pdfs::size)
    }
}

/// A PDF as it is stored, with the organization of its space.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = pdfs, check_for_backend(Pg))]
pub struct PdfRecord {
    /// Its space.
    #[diesel(column_name = space_id)]
    pub space: SpaceId,
    /// Its id.
    pub id: PdfId,
    /// The revision that it shows.
    #[diesel(column_name = revision_id)]
    pub revision: RevisionId,
    /// The pages of it.
    #[diesel(embed)]
    pub pages: PdfPages,
    /// The title on its cover.
    pub title: String,
    /// Line below the title on the cover.
    pub subtitle: Option<String>,
    /// State.
    #[diesel(embed)]
    pub state: PdfState,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// Until when it can be had.
    pub expires_at: Timestamp,
    #[diesel(select_expression = spaces::organization_id)]
    organization: OrganizationId,
    only_shown_specs: bool,
}

impl PdfRecord {
    /// The specifications that its content may show to the user who asked for it.
    #[must_use]
    pub fn specs(&self) -> ReadableSpecs {
        match self.only_shown_specs {
            true => ReadableSpecs::shown_by(self.space, self.organization),
            false => ReadableSpecs::all_of(self.organization),
        }
    }
}

sql_files! {
    RequestPdf(
        SqlUuid,
        SqlUuid,
        SqlUuid,
        Nullable<SqlUuid>,
        Bool,
        Text,
        Nullable<Text>,
        Binary,
        Timestamptz,
        Timestamptz,
        Bool,
    ) -> (SqlUuid, Text) = "request.sql";
    CountDocumentBytes(SqlUuid, Array<Binary>) -> BigInt = "count_document_bytes.sql";
}

impl Reader<'_> {
    /// Returns a PDF; `None` if it does not exist, has expired, or its space is deleted.
    ///
    /// This asks for no permission: it is for addresses whose signature is the permission, and for the job.
    pub fn pdf(&mut self, space: SpaceId, id: PdfId) -> Result<Option<PdfRecord>> {
        let record: Option<PdfRecord> = pdfs::table
            .find((space, id))
            .inner_join(spaces::table.on(spaces::id.eq(pdfs::space_id)))
            .filter(spaces::deleted_at.is_null())
            .select(PdfRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        Ok(record.filter(|record| record.expires_at > self.now()))
    }
}

impl SystemReader<'_> {
    /// Returns the time until which a PDF is kept, also that of a deleted space; `None` if it does not exist.
    pub fn pdf_expiry(&mut self, space: SpaceId, id: PdfId) -> Result<Option<Timestamp>> {
        Ok(pdfs::table.find((space, id)).select(pdfs::expires_at).get_result(self.connection).optional()?)
    }

    /// The tree that a PDF shows.
    pub fn pdf_tree(&mut self, pdf: &PdfRecord) -> Result<Tree> {
        let revision = self.revision_of(pdf.space, pdf.revision)?;
        self.tree_of(pdf.space, revision.root)
    }

    /// Documents of a PDF's space: one statement at most.
    pub fn pdf_documents(
        &mut self,
        pdf: &PdfRecord,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, DocumentJson>> {
        self.documents_of(pdf.space, ids)
    }
}

impl SystemReader<'_> {
    /// Bytes that documents of a PDF's space have together, as they are stored: known before any of them is read. One
    /// statement at most.
    pub fn pdf_documents_bytes(&mut self, pdf: &PdfRecord, ids: &[DocumentId]) -> Result<u64> {
        if ids.is_empty() {
            return Ok(0);
        }
        let ids: Vec<&[u8]> = ids.iter().map(|id| id.as_bytes().as_slice()).collect();
        let bytes: i64 = CountDocumentBytes::bind((pdf.space, ids)).get_result(self.connection)?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }
}

impl Tx<'_> {
    /// Asks for a PDF of these pages. The same pages of the same revision under the same title are made once, until a
    /// specification of the organization changes.
    ///
    /// # Errors
    /// [`Reason::RateLimited`] when too many of the space are waiting.
    pub fn request_pdf(&mut self, content: &Authorized<ContentAt>, pages: PdfPages) -> Result<RequestedPdf> {
        let space = content.space.id;
        let title = content.space.title.clone();
        let subtitle = content.change_request.as_ref().map(|change_request| {
            format!("Change request #{}: {}", change_request.number, change_request.subject)
        });
        let expires_at = later(self.now(), LIFETIME);
        let specs = self.specs_state(content.specs())?;
        let shown = shows(content, pages, &title, subtitle.as_deref(), &specs, self.now());
        let (id, state): (Uuid, String) = RequestPdf::bind((
            space,
            self.storage.ids().uuid(),
            content.revision.id,
            pages.page,
            pages.only,
            title,
            subtitle,
            shown.as_bytes().as_slice(),
            self.now,
            expires_at,
            content.specs().are_only_shown(),
        ))
        .get_result(self.connection)?;
        let id = PdfId::from_uuid(id);
        if state != "ready" {
            self.check_waiting(space)?;
            self.enqueue_for(RENDER, space, id, self.now())?;
        }
        self.enqueue_for(EXPIRE, space, id, expires_at)?;
        Ok(RequestedPdf { id, expires_at })
    }

    fn check_waiting(&mut self, space: SpaceId) -> Result<()> {
        self.take_turns("pdfs", space)?;
        let waiting: i64 = pdfs::table
            .filter(pdfs::space_id.eq(space))
            .filter(pdfs::state.eq("waiting"))
            .filter(pdfs::expires_at.gt(self.now))
            .count()
            .get_result(self.connection)?;
        match waiting > WAITING_MAX {
            true => Err(Error::refused(
                Reason::RateLimited,
                "Too many PDFs of this space are being made; try again in a minute.",
            )),
            false => Ok(()),
        }
    }

    fn enqueue_for(&mut self, kind: &str, space: SpaceId, id: PdfId, run_at: Timestamp) -> Result<bool> {
        let key = key(kind, id);
        self.enqueue(kind, json!({"space": space, "pdf": id}), Some(&key), run_at)
    }
}

impl SystemTx<'_> {
    /// Notes what became of a PDF that was waited for. Answers whether it still was.
    pub fn end_pdf(&mut self, pdf: &PdfRecord, state: PdfState) -> Result<bool> {
        let (name, blob, size) = match state {
            PdfState::Waiting => ("waiting", None, None),
            PdfState::Failed => ("failed", None, None),
            PdfState::NotInstalled => ("not-installed", None, None),
            PdfState::Ready { blob, size } => {
                ("ready", Some(blob), Some(i64::try_from(size).unwrap_or(i64::MAX)))
            }
        };
        let waiting = pdfs::table.find((pdf.space, pdf.id)).filter(pdfs::state.eq("waiting"));
        let ended = diesel::update(waiting)
            .set((pdfs::state.eq(name), pdfs::blob.eq(blob), pdfs::size.eq(size)))
            .execute(self.connection)?;
        // A request before the job has ended gets a job of its own.
        diesel::update(jobs::table.filter(jobs::key.eq(key(RENDER, pdf.id))))
            .set(jobs::key.eq(None::<String>))
            .execute(self.connection)?;
        Ok(ended == 1)
    }

    /// Removes a PDF that has expired. Answers the bytes that were its own.
    pub fn remove_expired_pdf(&mut self, space: SpaceId, id: PdfId) -> Result<Option<BlobHash>> {
        let expired = pdfs::table.find((space, id)).filter(pdfs::expires_at.le(self.now));
        let blob: Option<Option<BlobHash>> =
            diesel::delete(expired).returning(pdfs::blob).get_result(self.connection).optional()?;
        Ok(blob.flatten())
    }
}

/// The key of a PDF's job.
fn key(kind: &str, id: PdfId) -> String {
    format!("{kind} {id}")
}

/// All that a PDF shows, the day on its cover too: also the specifications, as pages and blocks may be computed from
/// any of them.
fn shows(
    content: &ContentAt,
    pages: PdfPages,
    title: &str,
    subtitle: Option<&str>,
    specs: &[u8],
    now: Timestamp,
) -> BlobHash {
    let PdfPages { page, only } = pages;
    // The current content of the space decides for a guest.
    let shown_by = content.specs.are_only_shown().then_some(content.space.head);
    let day = now.to_datetime().date().to_julian_day();
    let shown = json!([content.revision.id, page, only, title, subtitle, specs, shown_by, day]);
    BlobHash::of(shown.to_string().as_bytes())
}

/// A moment later by a duration; one at the end of time stays where it is.
fn later(moment: Timestamp, by: Duration) -> Timestamp {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(moment.millis().saturating_add(by)).unwrap_or(moment)
}
