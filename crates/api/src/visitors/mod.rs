//! Visitors of published sites: the content that they may read, and their claims.

mod content;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_conditions::Visitor;
use quire_content::reading::Expressions;
use quire_content::visible::is_bounded;
use quire_server::jwt;
use quire_server::site_token::SiteTokenHolder;
use quire_storage::sites::published::{FoundSite, PublishedSite, SiteAddress};
use sha2::{Digest as _, Sha256};

use crate::prelude::*;

pub(crate) use content::{
    Readable, ReadableSpace, readable_content, readable_content_on_site, readable_head, readable_space,
};

/// Returns the claims of a visitor token that the organization of a site signed; `None` for any other token, and on
/// sites that do not accept visitor tokens.
pub(crate) fn vouched(
    reader: &Reader<'_>,
    found: &FoundSite,
    token: Option<&str>,
) -> Option<Map<String, Value>> {
    jwt::verify_visitor(Some(found.visitor_key()?), token?, reader.now()).ok()
}

/// Returns the site of a holder of a site token, with the sections and spaces that the holder sees. Runs one statement.
///
/// # Errors
/// 404 if the site does not exist or the holder may not see it.
pub(crate) fn shown_site(
    reader: &mut Reader<'_>,
    holder: &SiteTokenHolder,
) -> ApiResult<(Arc<PublishedSite>, Claims)> {
    if let Some(preview) = &holder.preview {
        return Ok((reader.previewed_site(&holder.visitor, preview.user)?, Claims::default()));
    }
    let mut site = reader.site_of_visitor(&holder.visitor)?;
    let reads_claims = site.site.adaptive_content == Some(true);
    let claims = if reads_claims { Claims::from(&holder.claims) } else { Claims::default() };
    let evaluator = claims.evaluator();
    site.show_to(|condition| evaluator.holds(condition));
    Ok((site, claims))
}

/// Returns a site for a reader, with the sections and spaces whose content the reader may read. Runs one statement. The
/// claims are those of a visitor; they do not apply to spaces on which the reader has a role.
///
/// # Errors
/// 401; 404 if the site does not exist or the reader may not see it.
pub(crate) fn readable_site(
    reader: &mut Reader<'_>,
    caller: &Reading,
    (organization, site): (OrganizationId, SiteId),
) -> ApiResult<(Arc<PublishedSite>, Claims)> {
    if let Reading::Visitor(holder) = caller {
        if (holder.visitor.organization, holder.visitor.site) != (organization, site) {
            return Err(ApiError::not_found());
        }
        return shown_site(reader, holder);
    }
    let found = reader.find_site_structure(&SiteAddress::Id(organization, site), None)?;
    match found.and_then(open_to_token) {
        Some(site) => Ok((site, Claims::default())),
        None => Ok(reader.not_found()?),
    }
}

/// Returns the part of a site that the bearer of an API token, who has no claims, may read; `None`
/// for no part.
pub(crate) fn open_to_token(found: FoundSite) -> Option<Arc<PublishedSite>> {
    let evaluator = Claims::default().evaluator();
    found.open_with_token(|condition| evaluator.holds(condition))
}

/// Returns a site for a user who manages it: the whole structure, and the content that the user may read. Runs one
/// statement.
///
/// # Errors
/// 401; 404 if the site does not exist or the user may not see it.
pub(crate) fn managed_site(
    reader: &mut Reader<'_>,
    (organization, site): (OrganizationId, SiteId),
) -> ApiResult<Arc<PublishedSite>> {
    let found = reader.find_site_structure(&SiteAddress::Id(organization, site), None)?;
    let evaluator = Claims::default().evaluator();
    match found.and_then(|found| found.open_structure(|condition| evaluator.holds(condition))) {
        Some(site) => Ok(site),
        None => Ok(reader.not_found()?),
    }
}

/// Claims for conditions and inline expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claims(Arc<Value>);

impl Default for Claims {
    fn default() -> Self {
        Self(Arc::new(json!({})))
    }
}

impl From<&Value> for Claims {
    fn from(claims: &Value) -> Self {
        Self(Arc::new(claims.clone()))
    }
}

impl Claims {
    /// Returns an evaluator for one response. It bounds the total work of its expressions.
    pub(crate) fn evaluator(&self) -> Evaluator {
        Evaluator(Visitor::new(&self.0))
    }

    /// Returns a text that is different for different claims, for entity tags.
    pub(crate) fn digest(&self) -> String {
        format!("visitor {}", URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.to_string())))
    }
}

/// Evaluator of expressions.
pub(crate) struct Evaluator(Visitor);

impl Expressions for Evaluator {
    fn holds(&self, condition: &str) -> bool {
        is_bounded(condition) && self.0.meets(condition)
    }

    fn text(&self, expression: &str) -> Option<String> {
        is_bounded(expression).then(|| self.0.text(expression)).flatten()
    }
}
