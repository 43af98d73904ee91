//! Cursors: where the next page of a list begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// How many bytes of the digest a cursor carries: enough that nothing but a cursor of the same list opens by
/// accident.
const SEAL_LEN: usize = 8;

/// The NUL character as it stands in JSON.
const NUL: &[u8] = br"\u0000";

/// Seals and opens cursors.
///
/// A cursor is base64url (RFC 4648, without padding) of the last item's key as JSON, followed by the first eight
/// bytes of SHA-256 over the list's identity and that JSON. The seal ties a cursor to its list and finds damage; it
/// is no signature, and a cursor gives no rights: it only says where to go on in a list that the caller may read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor;

/// A cursor that doesn't belong here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a cursor of this list")]
pub struct CursorError;

impl Cursor {
    /// Seals the key of the last item on a page. `list` names the list with its sort and filter.
    ///
    /// # Errors
    /// When the key has no form in JSON, as maps with keys other than texts have none.
    pub fn seal(list: &str, key: &impl Serialize) -> Result<String, serde_json::Error> {
        let mut bytes = serde_json::to_vec(key)?;
        let seal = seal(list, &bytes);
        bytes.extend_from_slice(&seal);
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The key that [`Cursor::seal`] sealed for the same list.
    ///
    /// # Errors
    /// [`CursorError`] when the text is no cursor, was changed, has a key that no row has, or belongs to another list, sort or filter.
    pub fn open<K: DeserializeOwned>(list: &str, cursor: &str) -> Result<K, CursorError> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| CursorError)?;
        let (key, found) = bytes.split_last_chunk::<SEAL_LEN>().ok_or(CursorError)?;
        // The database holds no NUL character, so no key of its rows has one.
        let has_nul = key.windows(NUL.len()).any(|bytes| bytes == NUL);
        if *found != seal(list, key) || has_nul {
            return Err(CursorError);
        }
        serde_json::from_slice(key).map_err(|_| CursorError)
    }
}

/// The seal of a key. The list's length stands before its name, so that no two pairs of list and key are hashed
/// alike.
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

    /// Any key but one with a NUL character, or with what looks like one in JSON.
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
