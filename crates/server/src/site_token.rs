//! Site tokens: credentials of a visitor of a published site, in place of an API token.
//!
//! A site token is a JSON Web Token that the deployment signs. It identifies the visitor and grants nothing by itself:
//! each lookup checks that the site is published, that its visibility admits the visitor, and the conditions of its
//! parts.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{
    ChangeRequestId, OrganizationId, RevisionId, SiteId, SiteSectionId, SiteSpaceId, SpaceId, UserId,
};
use quire_domain::sites::VisitorType;
use quire_storage::sites::published::{
    PreviewScope, PreviewedState, ShareKeyHash, SiteVisitor, VisitorKeyVersion,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::error::ApiResult;
use crate::{UrlSigner, jwt};

/// Period in seconds after which site tokens change. Clients cache by token.
const PERIOD: i64 = 6 * 60 * 60;
/// Seconds for which a token remains valid after its period, so that clients have a new one before it expires.
const OVERLAP: i64 = 10 * 60;
/// Maximum number of spaces in a token, so that it fits into a header.
const MOST_SPACES: usize = 50;

/// Holder of a site token.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteTokenHolder {
    /// Visitor.
    pub visitor: SiteVisitor,
    /// Preview that the holder sees; `None` for the published site.
    pub preview: Option<PreviewScope>,
    /// Claims of the visitor that apply to the site.
    pub claims: Value,
}

/// Contents of a new site token.
#[derive(Clone, Debug)]
pub struct SiteTokenContents {
    /// Visitor with its claims.
    pub holder: SiteTokenHolder,
    /// Type of the visitor.
    pub visitor_type: VisitorType,
    /// Requested site space.
    pub site_space: SiteSpaceId,
    /// Section of the site space.
    pub site_section: Option<SiteSectionId>,
    /// Space of the site space.
    pub space: SpaceId,
    /// Spaces that the visitor sees.
    pub spaces: Vec<SpaceId>,
    /// Expiry of the visitor token, in seconds since 1970.
    pub ends: Option<i64>,
}

/// Claims of a site token.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claims {
    kind: Kind,
    organization: OrganizationId,
    site: SiteId,
    site_space: SiteSpaceId,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_section: Option<SiteSectionId>,
    space: SpaceId,
    spaces: Vec<SpaceId>,
    visitor_type: VisitorType,
    claims: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_key_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    visitor_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<PreviewClaims>,
    exp: i64,
}

/// Preview in a token.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PreviewClaims {
    user: UserId,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<StateClaims>,
}

/// State of a space in a token.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", untagged)]
enum StateClaims {
    ChangeRequest { space: SpaceId, change_request: ChangeRequestId },
    Revision { space: SpaceId, revision: RevisionId },
}

impl From<PreviewScope> for PreviewClaims {
    fn from(PreviewScope { user, state }: PreviewScope) -> Self {
        let state = state.map(|(space, state)| match state {
            PreviewedState::ChangeRequest(change_request) => {
                StateClaims::ChangeRequest { space, change_request }
            }
            PreviewedState::Revision(revision) => StateClaims::Revision { space, revision },
        });
        Self { user, state }
    }
}

impl From<PreviewClaims> for PreviewScope {
    fn from(PreviewClaims { user, state }: PreviewClaims) -> Self {
        let state = state.map(|state| match state {
            StateClaims::ChangeRequest { space, change_request } => {
                (space, PreviewedState::ChangeRequest(change_request))
            }
            StateClaims::Revision { space, revision } => (space, PreviewedState::Revision(revision)),
        });
        Self { user, state }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Site,
}

/// Returns the signing key of site tokens.
fn key(signer: &UrlSigner) -> String {
    signer.sign("key of site tokens")
}

/// Returns a signed token. Equal contents have the same token during a period.
///
/// # Errors
/// Claims that cannot be serialized.
pub fn issue(signer: &UrlSigner, new: SiteTokenContents, now: Timestamp) -> ApiResult<String> {
    let SiteTokenContents { holder, visitor_type, site_space, site_section, space, mut spaces, ends } = new;
    let SiteTokenHolder { visitor, preview, claims } = holder;
    let now = now.millis().div_euclid(1_000);
    let end = now.div_euclid(PERIOD).saturating_add(1).saturating_mul(PERIOD).saturating_add(OVERLAP);
    spaces.truncate(MOST_SPACES);
    let claims = match claims {
        Value::Object(claims) => claims,
        _ => Map::new(),
    };
    let claims = Claims {
        kind: Kind::Site,
        organization: visitor.organization,
        site: visitor.site,
        site_space,
        site_section,
        space,
        spaces,
        visitor_type,
        claims,
        share_key_hash: visitor.share_key.map(|key| URL_SAFE_NO_PAD.encode(key.as_bytes())),
        visitor_key: visitor.vouched_by.map(|version| URL_SAFE_NO_PAD.encode(version.as_bytes())),
        preview: preview.map(PreviewClaims::from),
        exp: ends.map_or(end, |ends| ends.min(end)),
    };
    jwt::sign(key(signer).as_bytes(), &claims)
}

/// Returns the holder of a token. The deployment must have signed it, and it must not have expired.
#[must_use]
pub fn holder(signer: &UrlSigner, token: &str, now: Timestamp) -> Option<Arc<SiteTokenHolder>> {
    // API tokens have no dots, so they need no signature check here.
    if !token.contains('.') {
        return None;
    }
    let claims = jwt::verify(Some(key(signer).as_bytes()), token, now).ok()?;
    let claims: Claims = serde_json::from_value(Value::Object(claims)).ok()?;
    let share_key = match claims.share_key_hash {
        Some(hash) => Some(ShareKeyHash::from_bytes(bytes(&hash)?)),
        None => None,
    };
    let vouched_by = match claims.visitor_key {
        Some(version) => Some(VisitorKeyVersion::from_bytes(bytes(&version)?)),
        None => None,
    };
    let visitor = SiteVisitor { organization: claims.organization, site: claims.site, share_key, vouched_by };
    let preview = claims.preview.map(PreviewScope::from);
    Some(Arc::new(SiteTokenHolder { visitor, preview, claims: Value::Object(claims.claims) }))
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

impl SiteTokenHolder {
    /// Returns a text that depends only on the visitor's claims.
    #[must_use]
    pub fn context(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.claims.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HOUR: i64 = 3_600;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000).unwrap()
    }

    fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(last: u8) -> T {
        format!("0190a5d2-7c1e-7000-8000-0000000000{last:02x}").parse().unwrap()
    }

    fn new_token(ends: Option<i64>) -> SiteTokenContents {
        let visitor = SiteVisitor {
            organization: id(1),
            site: id(2),
            share_key: Some(ShareKeyHash::of("secret")),
            vouched_by: Some(VisitorKeyVersion::of(&[1; 32])),
        };
        SiteTokenContents {
            holder: SiteTokenHolder {
                visitor,
                preview: None,
                claims: json!({"plan": "pro", "unsigned": {"beta": true}}),
            },
            visitor_type: VisitorType::Human,
            site_space: id(3),
            site_section: None,
            space: id(4),
            spaces: vec![id(4)],
            ends,
        }
    }

    #[test]
    fn a_token_names_its_holder_until_it_expires() {
        let signer = UrlSigner::new([7; 32]);
        let start = 100 * PERIOD;
        let token = issue(&signer, new_token(None), at(start)).unwrap();
        assert!(!token.contains("secret"));
        for time in [start, start + PERIOD, start + PERIOD + OVERLAP - 1] {
            assert_eq!(*holder(&signer, &token, at(time)).unwrap(), new_token(None).holder);
        }
        assert_eq!(holder(&signer, &token, at(start + PERIOD + OVERLAP)), None);
        assert_eq!(holder(&UrlSigner::new([8; 32]), &token, at(start)), None);
        assert_eq!(holder(&signer, &format!("{token}x"), at(start)), None);
    }

    #[test]
    fn a_token_keeps_the_preview_of_its_holder() {
        let signer = UrlSigner::new([7; 32]);
        for state in [
            None,
            Some((id(5), PreviewedState::ChangeRequest(id(6)))),
            Some((id(5), PreviewedState::Revision(id(6)))),
        ] {
            let mut new = new_token(None);
            new.holder.preview = Some(PreviewScope { user: id(7), state });
            let token = issue(&signer, new.clone(), at(0)).unwrap();
            assert_eq!(*holder(&signer, &token, at(0)).unwrap(), new.holder);
        }
    }

    #[test]
    fn a_token_is_stable_within_a_period() {
        let signer = UrlSigner::new([7; 32]);
        let start = 100 * PERIOD;
        let token = |time, ends| issue(&signer, new_token(ends), at(time)).unwrap();
        assert_eq!(token(start, None), token(start + PERIOD - 1, None));
        assert_ne!(token(start, None), token(start + PERIOD, None));
        let ends = Some(start + HOUR);
        assert_eq!(token(start, ends), token(start + 60, ends));
        assert_eq!(holder(&signer, &token(start, ends), at(start + HOUR)), None);
    }

    #[test]
    fn a_token_of_another_kind_has_no_holder() {
        let signer = UrlSigner::new([7; 32]);
        let visitor = json!({"kind": "space", "exp": 2_000_000_000});
        let token = jwt::sign(key(&signer).as_bytes(), &visitor).unwrap();
        assert_eq!(holder(&signer, &token, at(1_999_999_999)), None);
        assert_eq!(holder(&signer, "qr_0123", at(0)), None);
    }
}
