//! Lookups and lists of integrations.

use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use quire_database::functions::{lower, strpos};
use quire_database::violated_key;
use quire_domain::Role;
use quire_domain::bounded::Bounded;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{IntegrationId, OrganizationId};
use quire_domain::integrations::{
    ContentSecurityPolicy, ExternalLink, IntegrationBlock, IntegrationCategory, IntegrationConfigurations,
    IntegrationContentSource, IntegrationQuery, IntegrationScope, IntegrationTarget, IntegrationVisibility,
};
use quire_domain::policy::{Action, Membership};
use serde_json::Value;

use crate::diesel_types::{Elements, Json};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{ActorRow, Authorized, Found, Guarded};
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;
use crate::views::{Access, integration_details, organization_access};
use crate::{Error, Result};

/// Stored integration, without its script and secrets.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = integration_details, check_for_backend(Pg))]
pub struct IntegrationRecord {
    /// Id.
    pub id: IntegrationId,
    /// Name.
    pub name: String,
    /// Number of published versions.
    pub version: i32,
    /// Title.
    pub title: String,
    /// One-line description.
    pub description: String,
    /// Longer description.
    pub summary: Option<String>,
    /// Kinds of targets that it can be installed on.
    pub target: IntegrationTarget,
    /// Visibility.
    pub visibility: IntegrationVisibility,
    /// `true` if the operators of the deployment have verified it.
    pub verified: bool,
    /// Permissions on the targets of installations.
    #[diesel(deserialize_as = Elements<Vec<Option<IntegrationScope>>>)]
    pub scopes: Vec<IntegrationScope>,
    /// Purpose.
    #[diesel(deserialize_as = Elements<Vec<Option<IntegrationCategory>>>)]
    pub categories: Vec<IntegrationCategory>,
    /// Blocks that the integration adds.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub blocks: Option<Vec<IntegrationBlock>>,
    /// Content sources that the integration adds.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub content_sources: Option<Vec<IntegrationContentSource>>,
    /// Settings.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub configurations: Option<IntegrationConfigurations>,
    /// Links to more information.
    #[diesel(deserialize_as = Json<Value>)]
    pub external_links: Vec<ExternalLink>,
    /// Sources that the integration may load.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub content_security_policy: Option<ContentSecurityPolicy>,
    /// Hash of the icon.
    pub icon: Option<String>,
    /// Hashes of the previews.
    pub previews: Vec<String>,
}

/// Integration with its owner.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrationAt {
    /// Organization that published the integration.
    pub owner: OrganizationRecord,
    /// Actor's membership in the owner.
    pub membership: Membership,
    /// Integration.
    pub item: IntegrationRecord,
}

impl IntegrationAt {
    /// Returns whether the integration may be installed on this organization. A private one may be installed only on
    /// its owner.
    #[must_use]
    pub fn may_be_installed_on(&self, organization: OrganizationId) -> bool {
        self.item.visibility.may_be_installed(self.owner.id == organization)
    }
}

/// A lookup finds only integrations that the actor may see. All other permissions follow from the membership in the
/// owner.
impl Guarded for IntegrationAt {
    const VIEW: Action = Action::ViewOrganization;

    fn allows(&self, _: Option<Role>, action: Action) -> bool {
        action == Self::VIEW || self.membership.allows(action)
    }
}

impl IntegrationAt {
    fn new(owner: OrganizationRecord, item: IntegrationRecord) -> Self {
        let membership = owner.membership();
        Self { owner, membership, item }
    }
}

/// Returns the patterns of [`IntegrationBlock::domains`](quire_domain::integrations::IntegrationBlock::domains) that
/// match a domain: the domain itself, and `*` followed by each of its suffixes that starts with a dot.
fn domain_patterns(domain: &str) -> Vec<String> {
    let domain = domain.to_lowercase();
    let ends = domain.match_indices('.').filter_map(|(at, _)| domain.get(at..));
    let patterns = ends.filter(|end| end.len() > 1).map(|end| format!("*{end}"));
    let patterns = patterns.collect::<Vec<_>>();
    [vec![domain], patterns].concat()
}

impl Reader<'_> {
    /// Returns the integration with this name, if the actor may see it. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn integration(&mut self, name: &str) -> Result<Found<IntegrationAt>> {
        let row: Option<(ActorRow, OrganizationRecord, IntegrationRecord)> = organization_access::table
            .inner_join(
                integration_details::table
                    .on(integration_details::organization_id.eq(organization_access::id)),
            )
            .filter(self.token_is_valid::<organization_access::table>())
            // PostgreSQL rejects NUL characters. No name of an integration contains a NUL or a space.
            .filter(integration_details::name.eq(name.replace('\0', " ")))
            .filter(
                integration_details::visibility
                    .ne(IntegrationVisibility::Private.as_str())
                    .or(organization_access::is_member),
            )
            .select((
                organization_access::table::actor(),
                OrganizationRecord::as_select(),
                IntegrationRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, owner, item)) = row else { return self.not_found() };
        let value = IntegrationAt::new(owner, item);
        Ok(Found {
            actor: self.record_actor(actor)?,
            role: value.membership.role(),
            blocked: value.owner.is_blocked(),
            value,
        })
    }

    /// Returns integrations by id, including those that became private after their installation. Takes one statement.
    pub(super) fn integrations_by_id(
        &mut self,
        ids: &[IntegrationId],
    ) -> Result<HashMap<IntegrationId, IntegrationAt>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let ids = ids.to_vec();
        let rows: Vec<(OrganizationRecord, IntegrationRecord)> = organization_access::table
            .inner_join(
                integration_details::table
                    .on(integration_details::organization_id.eq(organization_access::id)),
            )
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(integration_details::id.eq_any(ids))
            .select((OrganizationRecord::as_select(), IntegrationRecord::as_select()))
            .load(self.connection)?;
        Ok(rows.into_iter().map(|(owner, item)| (item.id, IntegrationAt::new(owner, item))).collect())
    }

    /// Returns the matching public integrations, newest first. A list of an organization also has all integrations that
    /// the organization published. Takes three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn integrations(
        &mut self,
        organization: Option<&Authorized<OrganizationRecord>>,
        filter: &IntegrationQuery,
        after: Option<IntegrationId>,
        limit: u16,
    ) -> Result<Slice<IntegrationAt>> {
        self.actor()?;
        let IntegrationQuery { search, category, block_domain, blocks, content_sources, owner } = filter;
        let search = search.as_ref().map(Bounded::as_text).transpose()?;
        let block_domain = block_domain.as_ref().map(Bounded::as_text).transpose()?;
        let matching = || {
            let mut matching = organization_access::table
                .inner_join(
                    integration_details::table
                        .on(integration_details::organization_id.eq(organization_access::id)),
                )
                .filter(self.token_is_valid::<organization_access::table>())
                .into_boxed();
            let is_public = integration_details::visibility.eq(IntegrationVisibility::Public.as_str());
            matching = match organization {
                Some(organization) => {
                    matching.filter(is_public.or(organization_access::id.eq(organization.id)))
                }
                None => matching.filter(is_public),
            };
            if let Some(search) = search {
                let in_name = strpos(lower(integration_details::name), lower(search)).gt(0);
                let in_title = strpos(lower(integration_details::title), lower(search)).gt(0);
                matching = matching.filter(in_name.or(in_title));
            }
            if let Some(category) = category {
                matching = matching.filter(integration_details::categories.contains(vec![category.as_str()]));
            }
            if let Some(domain) = block_domain {
                let patterns = domain_patterns(domain);
                matching = matching.filter(integration_details::block_domains.overlaps_with(patterns));
            }
            if let Some(blocks) = blocks {
                matching = matching.filter(integration_details::has_blocks.eq(blocks));
            }
            if let Some(sources) = content_sources {
                matching = matching.filter(integration_details::has_content_sources.eq(sources));
            }
            if let Some(owner) = owner {
                matching = matching.filter(organization_access::id.eq(owner));
            }
            matching
        };
        let list = matching()
            .filter(integration_details::id.lt(page_end(after)))
            .order(integration_details::id.desc())
            .limit(fetch_limit(limit))
            .select((OrganizationRecord::as_select(), IntegrationRecord::as_select()));
        let count = matching().count();
        let rows: Vec<(OrganizationRecord, IntegrationRecord)> = list.load(self.connection)?;
        let total = count.get_result(self.connection)?;
        let rows = rows.into_iter().map(|(owner, item)| IntegrationAt::new(owner, item)).collect();
        Ok(Slice::cut(rows, limit, total))
    }
}

/// Maps a violated key of an installation to its error: the referenced row was deleted after its lookup. The
/// integration and the installation on the organization are in the path, the others in the body.
pub(super) fn gone(error: DieselError) -> Error {
    let field = match violated_key(&error) {
        Some(
            "integration_installations_integration_id_fkey"
            | "integration_space_installatio_organization_id_installation_fkey"
            | "integration_site_installation_organization_id_installation_fkey",
        ) => return Error::NotFound,
        Some("integration_installations_organization_id_fkey") => "organization",
        Some("integration_space_installations_organization_id_space_id_fkey") => "space",
        Some("integration_site_installations_organization_id_site_id_fkey") => "siteId",
        _ => return error.into(),
    };
    Refusal::new(Reason::InvalidBody).at(field, "does not exist").into()
}
