//! Specification and version in a path.

use quire_content::visible::shows_spec;
use quire_domain::openapi_specs::SpecSlug;
use quire_storage::content::openapi_specs::OpenApiSpecRecord;
use serde::Deserializer;

use crate::prelude::*;
use crate::visitors::shown_site;

/// Path of a specification.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecPath {
    organization_id: OrganizationId,
    spec_slug: SpecSlug,
}

impl SpecPath {
    /// Returns the specification, for a caller who may do `action` to the specifications of the organization.
    ///
    /// # Errors
    /// 401; 403 if the role does not allow the action; 404 if the organization or specification does not exist or the
    /// caller is not a member.
    pub fn spec(
        &self,
        reader: &mut Reader<'_>,
        action: Action,
    ) -> quire_storage::Result<Authorized<OpenApiSpecRecord>> {
        let organization = reader.organization(self.organization_id)?.authorize(action)?;
        reader.openapi_spec(&organization, &self.spec_slug)
    }

    /// Returns the specification for a reader: a member with a role, or a visitor of a site that shows it.
    ///
    /// # Errors
    /// The errors of [`SpecPath::spec`]; 404 for other visitors.
    pub fn readable(
        &self,
        reader: &mut Reader<'_>,
        caller: &Reading,
    ) -> ApiResult<Authorized<OpenApiSpecRecord>> {
        let Reading::Visitor(holder) = caller else {
            return Ok(self.spec(reader, Action::ViewOrganizationContent)?);
        };
        if holder.visitor.organization != self.organization_id {
            return Err(ApiError::not_found());
        }
        let (site, claims) = shown_site(reader, holder)?;
        let evaluator = claims.evaluator();
        let is_shown = |document: &_, names: &[String]| shows_spec(document, &evaluator, names);
        Ok(reader.spec_on_site(&site, &self.spec_slug, is_shown)?)
    }
}

/// Version in a path.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionItem {
    /// Id of the version; `None` for `latest`.
    #[serde(deserialize_with = "latest_or_id")]
    pub version_id: Option<OpenApiSpecVersionId>,
}

fn latest_or_id<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<OpenApiSpecVersionId>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text == "latest" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(serde::de::Error::custom)
}
