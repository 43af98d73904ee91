//! Access of handlers to sites.

use quire_conditions::{ClaimSource, Problem, Visitor, visitor_claims};
use quire_domain::policy;
use quire_domain::policy::{Membership, SiteReader};
use quire_domain::sites::{SiteVisibility, VisitorQuery};
use quire_storage::sites::published::ShareKeyHash;
use quire_storage::sites::{LockedSite, ReadableSite, SiteRecord, VisitedSite};

use crate::jwt;
use crate::prelude::*;
use crate::present::{Parts, PartsReader};

/// Organization and site in a path.
pub(crate) type SitePath = (OrganizationId, SiteId);

/// Returns the site, for callers who may see the sites of its organization.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    (organization, site): SitePath,
) -> ApiResult<Authorized<SiteRecord>> {
    Ok(reader.site(organization, site)?.authorize(Action::ViewOrganizationContent)?)
}

/// Locks and returns the site, for callers who may change it.
pub(crate) fn lock(tx: &mut Tx<'_>, (organization, site): SitePath) -> ApiResult<LockedSite> {
    let site = tx.site(organization, site)?.authorize(Action::ManageSites)?;
    Ok(tx.lock_site(site)?)
}

/// Credentials of a visitor: share link key, visitor token and unsigned claims.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    share_key: Option<String>,
    token: Option<String>,
    claims: Option<Map<String, Value>>,
}

impl Visit {
    /// Reads the credentials from the query parameters.
    ///
    /// # Errors
    /// 400 for claims that are not a JSON object.
    pub(crate) fn new(query: VisitorQuery) -> ApiResult<Self> {
        let VisitorQuery { share_key, jwt_token, claims } = query;
        let (share_key, token) = (share_key.into_text()?, jwt_token.into_text()?);
        let claims = claims.into_text()?.map(|claims| {
            serde_json::from_str(&claims)
                .map_err(|_| ApiError::invalid_query("claims", "must be a JSON object"))
        });
        Ok(Self { share_key, token, claims: claims.transpose()? })
    }

    /// Verifies the visitor token and returns its claims; `None` without a token. Runs at most one statement.
    fn vouched(
        &self,
        reader: &mut Reader<'_>,
        organization: OrganizationId,
    ) -> ApiResult<Option<Map<String, Value>>> {
        let Some(token) = &self.token else { return Ok(None) };
        let key = reader.made_visitor_key(organization)?;
        let claims = jwt::verify_visitor(key.as_ref(), token, reader.now());
        let refused = |problem| {
            ApiError::new(Reason::InvalidVisitorToken).with_message(format!("The visitor token {problem}."))
        };
        claims.map(Some).map_err(refused)
    }

    /// Returns the caller as a reader of the parts of the site. On a site with adaptive content, one statement loads
    /// the schema, which limits the claims that count.
    fn visitor(
        &self,
        reader: &mut Reader<'_>,
        visited: &VisitedSite,
        vouched: Option<Map<String, Value>>,
    ) -> ApiResult<PartsReader> {
        let has_claims = vouched.is_some() || self.claims.is_some();
        let reader_of_site = visited.reader();
        let by = |conditions| PartsReader {
            conditions,
            reader: reader_of_site,
            is_bound: has_claims,
            previewed: None,
        };
        if !has_claims || visited.site().adaptive_content != Some(true) {
            return Ok(by(Visitor::new(&json!({}))));
        }
        let schema = reader.schema_of_claims(visited.into())?.map(|schema| schema.json_schema);
        let signed = ClaimSource { name: "jwtToken", claims: vouched.unwrap_or_default() };
        let unsigned = ClaimSource { name: "claims", claims: self.claims.clone().unwrap_or_default() };
        let claims = visitor_claims(schema.as_ref(), signed, unsigned).map_err(invalid_claims)?;
        Ok(by(Visitor::new(&claims)))
    }

    /// Returns the key as [`Visit::key_of`] does. For the holder of a site token, only the key that the token was
    /// issued for.
    pub(crate) fn key_as(&self, caller: &Reading, site: &SiteRecord) -> Option<&str> {
        let of_token = |key: &&str| match caller {
            Reading::User(_) => true,
            Reading::Visitor(holder) => holder.visitor.share_key == Some(ShareKeyHash::of(key)),
        };
        self.key_of(site).filter(of_token)
    }

    /// Returns the key if it gives access to the site. Published URLs then contain it.
    pub(crate) fn key_of(&self, site: &SiteRecord) -> Option<&str> {
        self.share_key.as_deref().filter(|_| site.visibility == SiteVisibility::ShareLink)
    }
}

/// Returns 400 with the problems of the claims.
fn invalid_claims(problems: Vec<Problem>) -> ApiError {
    let details = problems.into_iter().map(|Problem { path, message }| FieldError { field: path, message });
    ApiError::new(Reason::InvalidQuery).with_details(details.collect())
}

/// Returns the site for callers who may visit it, with the reader of its parts. The token is verified before the site
/// lookup, so an invalid token reveals nothing about the site.
fn visit(
    reader: &mut Reader<'_>,
    (organization, site): SitePath,
    visit: &Visit,
) -> ApiResult<(VisitedSite, PartsReader)> {
    let vouched = visit.vouched(reader, organization)?;
    let visited = reader.visit_site(organization, site, visit.share_key.as_deref(), vouched.is_some())?;
    let visitor = visit.visitor(reader, &visited, vouched)?;
    Ok((visited, visitor))
}

/// Returns the site as [`visit`] does. The holder of a token of this site has the claims of the token.
pub(crate) fn visit_as(
    reader: &mut Reader<'_>,
    caller: &Reading,
    path: SitePath,
    query: &Visit,
) -> ApiResult<(VisitedSite, PartsReader)> {
    let Reading::Visitor(holder) = caller else { return visit(reader, path, query) };
    if (holder.visitor.organization, holder.visitor.site) != path {
        return Err(ApiError::not_found());
    }
    if let Some(preview) = &holder.preview {
        let (visited, shown) = reader.visit_site_in_preview(&holder.visitor, preview.user)?;
        let conditions = Visitor::new(&json!({}));
        let reader = SiteReader::VISITOR;
        return Ok((visited, PartsReader { conditions, reader, is_bound: true, previewed: Some(shown) }));
    }
    let visited = reader.visit_site_as(&holder.visitor)?;
    let reads_claims = visited.site().adaptive_content == Some(true);
    let conditions = if reads_claims { Visitor::new(&holder.claims) } else { Visitor::new(&json!({})) };
    Ok((visited, PartsReader { conditions, reader: SiteReader::VISITOR, is_bound: true, previewed: None }))
}

/// Returns the site as [`visit_as`] does, for lists of parts. A guest of the organization may not list the parts of an
/// unpublished site.
///
/// # Errors
/// 403 for the guest; the errors of [`visit_as`].
pub(crate) fn visit_parts(
    reader: &mut Reader<'_>,
    caller: &Reading,
    path: SitePath,
    query: &Visit,
) -> ApiResult<(VisitedSite, PartsReader)> {
    let visited = visit_as(reader, caller, path, query);
    let has_keys = query.share_key.is_some() || query.token.is_some();
    if visited.is_err() && !has_keys && matches!(caller, Reading::User(_)) {
        read(reader, path)?;
    }
    visited
}

/// Returns a member as a reader of the parts of a site.
pub(crate) fn as_member(site: &Authorized<SiteRecord>) -> PartsReader {
    let membership = Membership::active(site.role());
    let visitor = policy::Visitor { membership, has_token: true, has_key: false, is_vouched: false };
    let is_audience = visitor.is_audience(site.visibility, site.published);
    let reader = SiteReader::new(membership, is_audience);
    PartsReader { conditions: Visitor::new(&json!({})), reader, is_bound: false, previewed: None }
}

/// Returns the structure of a site, with three statements, or four for a site without sections.
pub(crate) fn parts(reader: &mut Reader<'_>, site: ReadableSite<'_>) -> ApiResult<Parts> {
    let groups = reader.all_section_groups(site)?;
    let sections = reader.all_sections(site)?;
    let root = if sections.is_empty() { reader.all_site_spaces(site)? } else { Vec::new() };
    Ok(Parts { groups, sections, root })
}
