//! OpenAPI specifications.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::{ProcessError, ProcessingState, SpecSlug};
use quire_domain::policy::{Action, Membership};

use crate::lookup::{Authorized, Guarded};
use crate::people::organizations::OrganizationRecord;
use crate::schema::openapi_specs;
use crate::transaction::Reader;
use crate::{Error, Result};

/// An OpenAPI specification as it is stored, without the text it may have been sent as.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = openapi_specs, check_for_backend(Pg))]
pub struct OpenApiSpecRecord {
    /// Its id.
    pub id: OpenApiSpecId,
    /// The owning organization.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// Its name in addresses.
    pub slug: SpecSlug,
    /// URL of the source.
    pub source_url: Option<String>,
    /// Number of sources so far.
    pub generation: i32,
    /// State of the last source.
    #[diesel(column_name = processing_state)]
    pub state: ProcessingState,
    /// The last version that could be read.
    #[diesel(column_name = last_version_id)]
    pub last_version: Option<OpenApiSpecVersionId>,
    /// When a source was last processed to its end.
    pub last_processed_at: Option<Timestamp>,
    /// Why the source that was processed last gave no version.
    #[diesel(column_name = last_process_error)]
    pub last_error: Option<ProcessError>,
    /// When it was added.
    pub created_at: Timestamp,
    /// When its source was last set.
    pub updated_at: Timestamp,
}

impl Guarded for OpenApiSpecRecord {
    const VIEW: Action = Action::ViewOrganizationContent;

    /// As its organization allows.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

impl Reader<'_> {
    /// The specification of an organization with this slug: one statement beyond the organization's own, so that a
    /// guest, who sees none of them, can't tell which there are.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn openapi_spec(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
    ) -> Result<Authorized<OpenApiSpecRecord>> {
        let spec = openapi_specs::table
            .filter(openapi_specs::organization_id.eq(organization.id))
            .filter(openapi_specs::slug.eq(slug.as_str()))
            .select(OpenApiSpecRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        organization.with(spec.ok_or(Error::NotFound)?)
    }
}
