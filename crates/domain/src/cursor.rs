//! Cursors: positions in a list.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// Length of the digest in a cursor, in bytes: long enough to reject all texts that are not cursors.
const SEAL_LEN: usize = 8;

/// The NUL character in JSON.
const NUL: &[u8] = br"\u0000";

/// Seals and opens cursors.
///
/// A cursor is base64url (RFC 4648, without padding) of the last item's key as JSON, followed by the first eight bytes
/// of SHA-256 over the list's identity and that JSON. The seal ties a cursor to its list and detects damage. It is not
/// a signature, because a cursor grants nothing: it is a position in a list that the caller may read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor;

/// Text that is not a cursor of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a cursor of this list")]
pub struct CursorError;

impl Cursor {
    /// Seals the key of the last item on a page. `list` identifies the list with its sort key and filters.
    ///
    /// # Errors
    /// Keys that JSON cannot represent, such as maps with keys other than strings.
    pub fn seal(list: &str, key: &impl Serialize) -> Result<String, serde_json::Error> {
        let mut bytes = serde_json::to_vec(key)?;
        let seal = seal(list, &bytes);
        bytes.extend_from_slice(&seal);
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Returns the key that [`Cursor::seal`] sealed for the same list.
    ///
    /// # Errors
    /// [`CursorError`] for a text that is not a cursor, was changed, holds a NUL, or belongs to another list, sort key
    /// or filter.
    pub fn open<K: DeserializeOwned>(list: &str, cursor: &str) -> Result<K, CursorError> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| CursorError)?;
        let (key, found) = bytes.split_last_chunk::<SEAL_LEN>().ok_or(CursorError)?;
        // The database stores no NUL characters, so no key of its rows has one.
        let has_nul = key.windows(NUL.len()).any(|bytes| bytes == NUL);
        if *found != seal(list, key) || has_nul {
            return Err(CursorError);
        }
        serde_json::from_slice(key).map_err(|_| CursorError)
    }
}

/// Returns the seal of a key. The length of the list's name is hashed before the name, so that distinct pairs of list
/// and key have distinct inputs.
fn seal(list: &str, key: &[u8]) -> [u8; SEAL_LEN] {
    let digest: [u8; 32] = Sha256::new()
        .chain_update(b"quire.cursor.v1\0")
        .chain_update(list.len().to_string())
        .chain_update(b"\0")
        .chain_update(list)
        .chain_update(key)
        .finalize()
        .into();
    let mut seal = [0; SEAL_LEN];
    seal.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    seal
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Key = (i64, String);

    /// Generates keys without a NUL character or its JSON escape.
    fn keys() -> impl Strategy<Value = Key> {
        any::<Key>().prop_filter("a text of the database", |(_, text)| !text.contains(['\0', '\\']))
    }

    proptest! {
        #[test]
        fn opens_what_it_sealed(list in any::<String>(), key in keys()) {
            let cursor = Cursor::seal(&list, &key).unwrap();
            prop_assert!(cursor.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            prop_assert_eq!(Cursor::open::<Key>(&list, &cursor), Ok(key));
        }

        #[test]
        fn belongs_to_one_list(list in any::<String>(), other in any::<String>(), key in keys()) {
            prop_assume!(list != other);
            let cursor = Cursor::seal(&list, &key).unwrap();
            prop_assert_eq!(Cursor::open::<Key>(&other, &cursor), Err(CursorError));
        }

        #[test]
        fn any_changed_character_is_an_error(
            list in any::<String>(), key in keys(), at in any::<prop::sample::Index>(), to in any::<char>(),
        ) {
            let cursor = Cursor::seal(&list, &key).unwrap();
            let mut changed: Vec<char> = cursor.chars().collect();
            let at = at.index(changed.len());
            prop_assume!(changed[at] != to);
            changed[at] = to;
            let changed: String = changed.into_iter().collect();
            prop_assert_eq!(Cursor::open::<Key>(&list, &changed), Err(CursorError));
        }

        #[test]
        fn a_cut_cursor_is_an_error(list in any::<String>(), key in keys(), at in any::<prop::sample::Index>()) {
            let cursor = Cursor::seal(&list, &key).unwrap();
            let cut = &cursor[..at.index(cursor.len())];
            prop_assert_eq!(Cursor::open::<Key>(&list, cut), Err(CursorError));
        }

        #[test]
        fn arbitrary_text_is_an_error_and_never_a_panic(list in any::<String>(), text in any::<String>()) {
            prop_assert_eq!(Cursor::open::<Key>(&list, &text), Err(CursorError));
        }
    }

    #[test]
    fn a_key_that_no_row_has_is_an_error() {
        let cursor = Cursor::seal("spaces", &"a\0b").unwrap();
        assert_eq!(Cursor::open::<String>("spaces", &cursor), Err(CursorError));
    }

    #[test]
    fn a_key_of_another_type_is_an_error() {
        let cursor = Cursor::seal("spaces", &"text").unwrap();
        assert_eq!(Cursor::open::<i64>("spaces", &cursor), Err(CursorError));
    }
}
