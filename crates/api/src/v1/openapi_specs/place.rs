//! Which specification a path names, and which version of it.

use quire_domain::ids::{OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::SpecSlug;
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, OpenApiSpecRecord};
use serde::{Deserialize, Deserializer};

/// A specification by its slug.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecPlace {
    organization_id: OrganizationId,
    spec_slug: SpecSlug,
}

impl SpecPlace {
    /// The specification, for somebody who may do `action` to those of the organization.
    ///
    /// # Errors
    /// 401; 403 when the role is too weak; 404 when there is no such organization or specification, or the caller isn't
    /// a member.
    pub fn spec(
        &self,
        reader: &mut Reader<'_>,
        action: Action,
    ) -> quire_storage::Result<Authorized<OpenApiSpecRecord>> {
        let organization = reader.organization(self.organization_id)?.authorize(action)?;
        reader.openapi_spec(&organization, &self.spec_slug)
    }
}

/// The version in a path.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionItem {
    /// Its id; `None` for `latest`.
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
