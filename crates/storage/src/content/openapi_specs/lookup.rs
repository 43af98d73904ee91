//! Lookups of OpenAPI specifications.

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

/// Stored OpenAPI specification, without its source text.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = openapi_specs, check_for_backend(Pg))]
pub struct OpenApiSpecRecord {
    /// Id.
    pub id: OpenApiSpecId,
    /// Owning organization.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// Name in URLs.
    pub slug: SpecSlug,
    /// URL of the source.
    pub source_url: Option<String>,
    /// Number of sources so far.
    pub generation: i32,
    /// State of the last source.
    #[diesel(column_name = processing_state)]
    pub state: ProcessingState,
    /// Last valid version.
    #[diesel(column_name = last_version_id)]
    pub last_version: Option<OpenApiSpecVersionId>,
    /// Time at which a source was last processed completely.
    pub last_processed_at: Option<Timestamp>,
    /// Error of the last processed source; `None` if it was valid.
    #[diesel(column_name = last_process_error)]
    pub last_error: Option<ProcessError>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time at which the source was last set.
    pub updated_at: Timestamp,
}

impl Guarded for OpenApiSpecRecord {
    const VIEW: Action = Action::ViewOrganizationContent;

    /// Permissions follow from the membership in the organization.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

impl Reader<'_> {
    /// Returns the specification of an organization with this slug. Takes one statement after the lookup of the
    /// organization, so guests, who see no specifications, cannot find out which exist.
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
