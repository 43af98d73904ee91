//! Content hashes: SHA-256, one type for each kind of content, so that they can't be mixed up.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::canonical::canonical_json;

/// Error for a text that is not a content hash of the expected form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a content hash: expected {expected}")]
pub struct InvalidHash {
    expected: &'static str,
}

/// Returns the SHA-256 of the concatenated parts.
pub(crate) fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// Defines a content hash. `$encode` formats it, `$decode` parses it; they must be inverse to each other. It serializes
/// as a string.
macro_rules! hash_type {
    ($(#[$meta:meta])* $name:ident, $encode:path, $decode:path, $expected:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Wraps the 32 bytes of an existing hash.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// Returns the 32 bytes of the hash.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&$encode(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = InvalidHash;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $decode(text).map(Self).ok_or(InvalidHash { expected: $expected })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hash_type! {
    /// Hash of a node of a stored tree, and by its root node of the tree: SHA-256 of `quire.node.v1\0` and the node's
    /// encoding. Formatted as 64 lowercase hexadecimal digits.
    TreeHash, hex_from_bytes, hash_from_hex, "64 lowercase hexadecimal digits"
}

hash_type! {
    /// Id of a document: SHA-256 of its [canonical JSON](canonical_json), without a prefix, so that clients can compute
    /// it. Formatted as base64url without padding, 43 characters.
    DocumentId, base64_from_bytes, hash_from_base64, "43 characters of base64url"
}

hash_type! {
    /// Hash of a file's bytes: their SHA-256, as `sha256sum` prints it.
    BlobHash, hex_from_bytes, hash_from_hex, "64 lowercase hexadecimal digits"
}

impl TreeHash {
    /// Returns the hash of an encoded node.
    pub(crate) fn of_node(encoded: &[u8]) -> Self {
        Self(sha256(&[b"quire.node.v1\0", encoded]))
    }
}

impl DocumentId {
    /// Returns the id of a document: the hash of its canonical JSON.
    #[must_use]
    pub fn of(document: &Value) -> Self {
        Self::of_canonical(&canonical_json(document))
    }

    /// Returns the id of a document from its canonical JSON. The caller ensures that the bytes are canonical.
    #[must_use]
    pub fn of_canonical(canonical: &[u8]) -> Self {
        Self(sha256(&[canonical]))
    }
}

impl BlobHash {
    /// Returns the hash of a file's bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha256(&[bytes]))
    }

    /// Returns the hash of bytes that arrive in pieces, without collecting them in memory.
    ///
    /// # Errors
    /// The first error that `pieces` yields.
    pub fn of_pieces<B: AsRef<[u8]>, E>(pieces: impl IntoIterator<Item = Result<B, E>>) -> Result<Self, E> {
        let mut hasher = Sha256::new();
        for piece in pieces {
            hasher.update(piece?);
        }
        Ok(Self(hasher.finalize().into()))
    }
}

/// Formats bytes as lowercase hexadecimal digits.
pub(crate) fn hex_from_bytes(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

/// Parses lowercase hexadecimal digits; `None` for other text.
pub(crate) fn bytes_from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    text.as_bytes()
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        })
        .collect()
}

fn hash_from_hex(text: &str) -> Option<[u8; 32]> {
    bytes_from_hex(text)?.try_into().ok()
}

fn base64_from_bytes(bytes: &[u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn hash_from_base64(text: &str) -> Option<[u8; 32]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_are_named_by_their_canonical_json() {
        // printf '{"a":1,"b":[]}' | openssl dgst -sha256 -binary | basenc --base64url
        let id = DocumentId::of(&json!({"b": [], "a": 1}));
        assert_eq!(id.to_string(), "-H5Amem-XnUJTgpPRtPcGKnDdCkxSlokkPt40x5-Fww");
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn blobs_are_named_as_sha256sum_does() {
        assert_eq!(
            BlobHash::of(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn pieces_have_the_hash_of_the_whole() {
        let pieces = [Ok::<_, ()>("a"), Ok(""), Ok("bc")];
        assert_eq!(BlobHash::of_pieces(pieces), Ok(BlobHash::of(b"abc")));
        assert_eq!(BlobHash::of_pieces([Ok("a"), Err("gone")]), Err("gone"));
    }

    #[test]
    fn other_texts_are_refused() {
        let hex = BlobHash::of(b"abc").to_string();
        for text in ["", "ab", "é", &hex[1..], &hex.to_uppercase(), &format!("{hex}00")] {
            assert!(text.parse::<BlobHash>().is_err(), "{text}");
            assert!(text.parse::<DocumentId>().is_err(), "{text}");
        }
    }

    #[test]
    fn hashes_are_strings_in_json() {
        let hash = TreeHash::of_node(b"{}");
        let json = serde_json::to_value(hash).unwrap();
        assert_eq!(json, json!(hash.to_string()));
        assert_eq!(serde_json::from_value::<TreeHash>(json).unwrap(), hash);
        assert!(serde_json::from_value::<TreeHash>(json!("00")).is_err());
    }
}
