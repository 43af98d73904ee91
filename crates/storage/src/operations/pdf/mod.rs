//! PDFs. A reader of the content requests a PDF, a job renders it, and it is kept until its last signed URL expires.

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

/// Kind of the job that renders a PDF.
pub const RENDER: &str = "render-pdf";
/// Kind of the job that removes a PDF.
pub const EXPIRE: &str = "expire-pdf";
/// Lifetime of the URL of a PDF.
pub const LIFETIME: Duration = Duration::from_secs(3_600);
/// Maximum number of pending PDFs per space. Each takes a node some seconds.
pub const WAITING_MAX: i64 = 20;

/// Pages of a PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = pdfs, check_for_backend(Pg))]
pub struct PdfPages {
    /// First page; `None` for all pages.
    #[diesel(column_name = page_id)]
    pub page: Option<PageId>,
    /// `true` to leave out the pages below the first page.
    #[diesel(column_name = only_page)]
    pub only: bool,
}

/// Requested PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedPdf {
    /// Id.
    pub id: PdfId,
    /// Time until which the PDF is available.
    pub expires_at: Timestamp,
}

/// State of a PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PdfState {
    /// The PDF is pending or being rendered.
    Waiting,
    /// The PDF is available.
    Ready {
        /// Hash of the bytes in the file store.
        blob: BlobHash,
        /// Number of bytes.
        size: u64,
    },
    /// The content cannot be rendered.
    Failed,
    /// The node that ran the job has no renderer.
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

/// Stored PDF, with the organization of its space.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = pdfs, check_for_backend(Pg))]
pub struct PdfRecord {
    /// Space.
    #[diesel(column_name = space_id)]
    pub space: SpaceId,
    /// Id.
    pub id: PdfId,
    /// Revision that the PDF shows.
    #[diesel(column_name = revision_id)]
    pub revision: RevisionId,
    /// Pages of the revision.
    #[diesel(embed)]
    pub pages: PdfPages,
    /// Title on the cover.
    pub title: String,
    /// Line below the title on the cover.
    pub subtitle: Option<String>,
    /// State.
    #[diesel(embed)]
    pub state: PdfState,
    /// Time of the request.
    pub created_at: Timestamp,
    /// Time until which the PDF is available.
    pub expires_at: Timestamp,
    #[diesel(select_expression = spaces::organization_id)]
    organization: OrganizationId,
    only_shown_specs: bool,
}

impl PdfRecord {
    /// Returns the specifications that the content may show to the user who requested the PDF.
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
    /// No permission is checked: this is for URLs whose signature grants access, and for the job.
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
    /// Returns the time until which a PDF is kept, even if its space is deleted; `None` if it does not exist.
    pub fn pdf_expiry(&mut self, space: SpaceId, id: PdfId) -> Result<Option<Timestamp>> {
        Ok(pdfs::table.find((space, id)).select(pdfs::expires_at).get_result(self.connection).optional()?)
    }

    /// Returns the tree that a PDF shows.
    pub fn pdf_tree(&mut self, pdf: &PdfRecord) -> Result<Tree> {
        let revision = self.revision_of(pdf.space, pdf.revision)?;
        self.tree_of(pdf.space, revision.root)
    }

    /// Returns documents of a PDF's space. Takes at most one statement.
    pub fn pdf_documents(
        &mut self,
        pdf: &PdfRecord,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, DocumentJson>> {
        self.documents_of(pdf.space, ids)
    }
}

impl SystemReader<'_> {
    /// Returns the total stored size of documents of a PDF's space, without reading them. Takes at most one statement.
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
    /// Requests a PDF of these pages. The same pages of the same revision with the same title are rendered once, until
    /// a specification of the organization changes.
    ///
    /// # Errors
    /// [`Reason::RateLimited`] if too many PDFs of the space are pending.
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
                "Too many PDFs of this space are being created. Try again in a minute.",
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
    /// Records the outcome of a pending PDF. Returns whether it was still pending.
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
        // Without its key, this job does not prevent a new job for a request that arrives before it ends.
        diesel::update(jobs::table.filter(jobs::key.eq(key(RENDER, pdf.id))))
            .set(jobs::key.eq(None::<String>))
            .execute(self.connection)?;
        Ok(ended == 1)
    }

    /// Removes an expired PDF. Returns the hash of the bytes that only it used.
    pub fn remove_expired_pdf(&mut self, space: SpaceId, id: PdfId) -> Result<Option<BlobHash>> {
        let expired = pdfs::table.find((space, id)).filter(pdfs::expires_at.le(self.now));
        let blob: Option<Option<BlobHash>> =
            diesel::delete(expired).returning(pdfs::blob).get_result(self.connection).optional()?;
        Ok(blob.flatten())
    }
}

/// Returns the key of a PDF's job.
fn key(kind: &str, id: PdfId) -> String {
    format!("{kind} {id}")
}

/// Returns a hash of everything that a PDF shows, including the day on its cover. It covers all specifications, because
/// pages and blocks may be computed from any of them.
fn shows(
    content: &ContentAt,
    pages: PdfPages,
    title: &str,
    subtitle: Option<&str>,
    specs: &[u8],
    now: Timestamp,
) -> BlobHash {
    let PdfPages { page, only } = pages;
    // For a guest, the current content of the space determines the visible specifications.
    let shown_by = content.specs.are_only_shown().then_some(content.space.head);
    let day = now.to_datetime().date().to_julian_day();
    let shown = json!([content.revision.id, page, only, title, subtitle, specs, shown_by, day]);
    BlobHash::of(shown.to_string().as_bytes())
}

/// Adds a duration to a time. The result saturates at the maximum.
fn later(moment: Timestamp, by: Duration) -> Timestamp {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(moment.millis().saturating_add(by)).unwrap_or(moment)
}
