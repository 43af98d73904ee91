//! Preview tokens: a path segment of a site that shows the site as a user of its organization sees it.
//!
//! A token contains the user, who is authorized again with each request, and the content to show. The deployment signs
//! it, and it is valid for one hour.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SiteId, SpaceId, UserId};
use quire_storage::sites::published::PreviewedState;
use uuid::Uuid;

use crate::UrlSigner;

/// Prefix of the path segment.
const PREFIX: &str = "~preview-";
/// Lifetime of a token in seconds.
pub const LIFETIME: i64 = 60 * 60;
/// Length of a signature in base64 characters, for at least 128 bits.
const SIGNATURE: usize = 22;
/// Bytes of four ids: site, user, space, and change request or revision.
const IDS: usize = 4 * 16;

/// Content of a preview, and its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Previewed site.
    pub site: SiteId,
    /// User who created the preview.
    pub user: UserId,
    /// State of a space that replaces its head; `None` for a preview of an unpublished site.
    pub state: Option<(SpaceId, PreviewedState)>,
    /// Expiry, in seconds since 1970.
    pub ends: i64,
    /// Settings that override the site's customization, as a JSON object.
    pub look: Option<String>,
}

impl Preview {
    fn to_bytes(&self) -> Vec<u8> {
        let (kind, space, id) = match self.state {
            None => (0, Uuid::nil(), Uuid::nil()),
            Some((space, PreviewedState::ChangeRequest(id))) => (1, *space.as_uuid(), *id.as_uuid()),
            Some((space, PreviewedState::Revision(id))) => (2, *space.as_uuid(), *id.as_uuid()),
        };
        let ids = [*self.site.as_uuid(), *self.user.as_uuid(), space, id];
        let mut bytes = vec![kind];
        bytes.extend(self.ends.to_be_bytes());
        bytes.extend(ids.iter().flat_map(|id| *id.as_bytes()));
        bytes.extend(self.look.iter().flat_map(|look| look.bytes()));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let (ends, rest) = rest.split_first_chunk()?;
        let (ids, look) = rest.split_at_checked(IDS)?;
        let (ids, _) = ids.as_chunks::<16>();
        let &[site, user, space, id] = ids else { return None };
        let [site, user, space, id] = [site, user, space, id].map(Uuid::from_bytes);
        let space = SpaceId::from_uuid(space);
        let state = match kind {
            0 => None,
            1 => Some((space, PreviewedState::ChangeRequest(ChangeRequestId::from_uuid(id)))),
            2 => Some((space, PreviewedState::Revision(RevisionId::from_uuid(id)))),
            _ => return None,
        };
        let ends = i64::from_be_bytes(*ends);
        let look = String::from_utf8(look.to_vec()).ok()?;
        let look = Some(look).filter(|look| !look.is_empty());
        Some(Self { site: SiteId::from_uuid(site), user: UserId::from_uuid(user), state, ends, look })
    }
}

/// Returns the path segment of a preview.
#[must_use]
pub fn segment(signer: &UrlSigner, preview: &Preview) -> String {
    let text = URL_SAFE_NO_PAD.encode(preview.to_bytes());
    let signature = signature(signer, &text);
    format!("{PREFIX}{text}{signature}")
}

/// Returns whether a path segment is that of a preview.
#[must_use]
pub fn is_segment(segment: &str) -> bool {
    segment.starts_with(PREFIX)
}

/// Returns the preview of a segment. The deployment must have signed it, and it must not have expired.
#[must_use]
pub fn read(signer: &UrlSigner, segment: &str, now: Timestamp) -> Option<Preview> {
    let text = segment.strip_prefix(PREFIX)?;
    let (text, given) = text.split_at_checked(text.len().checked_sub(SIGNATURE)?)?;
    let expected = signature(signer, text);
    // Constant-time comparison: both have the same length, and all characters are compared.
    let differs = expected.bytes().zip(given.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    if differs != 0 || expected.len() != given.len() {
        return None;
    }
    let preview = Preview::from_bytes(&URL_SAFE_NO_PAD.decode(text).ok()?)?;
    (preview.ends > now.millis().div_euclid(1_000)).then_some(preview)
}

fn signature(signer: &UrlSigner, text: &str) -> String {
    let mut signature = signer.sign(&format!("preview {text}"));
    signature.truncate(SIGNATURE);
    signature
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(last: u8) -> T {
        format!("0190a5d2-7c1e-7000-8000-0000000000{last:02x}").parse().unwrap()
    }

    #[test]
    fn a_segment_names_its_preview_until_it_expires() {
        let signer = UrlSigner::new([7; 32]);
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000).unwrap();
        for state in [
            None,
            Some((id(3), PreviewedState::ChangeRequest(id(4)))),
            Some((id(3), PreviewedState::Revision(id(4)))),
        ] {
            let preview = Preview { site: id(1), user: id(2), state, ends: 1_000, look: None };
            let segment = segment(&signer, &preview);
            assert!(is_segment(&segment) && segment.len() < 140, "{segment}");
            assert_eq!(read(&signer, &segment, at(999)), Some(preview));
            assert_eq!(read(&signer, &segment, at(1_000)), None, "expired");
            assert_eq!(read(&UrlSigner::new([8; 32]), &segment, at(1)), None, "another deployment");
            let end = segment.len() - 1;
            for changed in [
                &segment[..end],
                &segment[1..],
                &format!("{segment}A"),
                &segment.replacen("~preview-A", "~preview-B", 1),
            ] {
                assert_eq!(read(&signer, changed, at(1)), None, "{changed}");
            }
        }
    }

    #[test]
    fn a_segment_has_the_settings_of_its_preview() {
        let signer = UrlSigner::new([7; 32]);
        let look = Some(r#"{"title":"Häfen"}"#.to_owned());
        let preview = Preview { site: id(1), user: id(2), state: None, ends: 1_000, look };
        let segment = segment(&signer, &preview);
        let now = Timestamp::from_millis(0).unwrap();
        assert_eq!(read(&signer, &segment, now), Some(preview));
        assert_eq!(read(&UrlSigner::new([8; 32]), &segment, now), None, "another deployment");
    }
}
