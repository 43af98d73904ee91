//! Typed identifiers: one newtype per resource, so that no function takes a bare UUID.

#[cfg(feature = "postgres")]
pub use diesel_derive_newtype::DieselNewType;
use uuid::Uuid;

/// Error for a text that is not a UUID in its hyphenated form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier: expected a UUID such as 0190a5d2-7c1e-7000-8000-000000000000")]
pub struct InvalidId;

/// Parses the hyphenated form, in lower or upper case. Rejects the other forms that the `uuid` crate accepts
/// (`urn:uuid:…`, braces, 32 digits), because an identifier has one spelling on the wire.
///
/// # Errors
/// [`InvalidId`] for any other text.
pub fn parse_hyphenated(text: &str) -> Result<Uuid, InvalidId> {
    const HYPHENATED_LENGTH: usize = 36;
    if text.len() != HYPHENATED_LENGTH {
        return Err(InvalidId);
    }
    Uuid::try_parse(text).map_err(|_| InvalidId)
}

/// Defines identifiers: newtypes over [`uuid::Uuid`] that can't be mistaken for each other.
///
/// Each is `Copy`, ordered by its bytes (for UUIDv7: by time of creation), formatted and serialized in the lowercase
/// hyphenated form, and parsed from the hyphenated form in either case. The crate that calls the macro needs `serde`
/// and `uuid` among its dependencies. With a feature `postgres` of that crate, columns of the type `uuid` hold them,
/// which needs `diesel`.
///
/// ```
/// quire_revision::id_type! {
///     /// Names a lighthouse.
///     pub struct LighthouseId;
/// }
///
/// let id: LighthouseId = "0190a5d2-7c1e-7000-8000-000000000001".parse()?;
/// assert_eq!(id.to_string(), "0190a5d2-7c1e-7000-8000-000000000001");
/// assert!("0190a5d27c1e70008000000000000001".parse::<LighthouseId>().is_err());
/// # Ok::<(), quire_revision::InvalidId>(())
/// ```
#[macro_export]
macro_rules! id_type {
    ($($(#[$meta:meta])* $visibility:vis struct $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "postgres", derive($crate::id::DieselNewType))]
        $visibility struct $name(::uuid::Uuid);

        impl $name {
            /// Wraps a UUID.
            #[must_use]
            pub const fn from_uuid(uuid: ::uuid::Uuid) -> Self {
                Self(uuid)
            }

            /// Returns the UUID.
            #[must_use]
            pub const fn as_uuid(&self) -> &::uuid::Uuid {
                &self.0
            }
        }

        impl ::core::convert::From<::uuid::Uuid> for $name {
            fn from(uuid: ::uuid::Uuid) -> Self {
                Self(uuid)
            }
        }

        impl ::core::convert::From<$name> for ::uuid::Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "{}({})", ::core::stringify!($name), self.0)
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::InvalidId;

            fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                $crate::id::parse_hyphenated(text).map(Self)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }
    )+};
}

id_type! {
    /// Id of a page of a space, the same in all revisions. Moves and renames keep it.
    pub struct PageId;

    /// Id of a file of a space, the same in all revisions.
    pub struct FileId;

    /// Id of a reusable content of a space, the same in all revisions.
    pub struct ReusableContentId;
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0190a5d2-7c1e-7000-8000-00000000000a";

    #[test]
    fn only_the_hyphenated_form_is_read() {
        assert_eq!(TEXT.parse::<PageId>().unwrap().to_string(), TEXT);
        assert_eq!(TEXT.to_uppercase().parse::<PageId>().unwrap().to_string(), TEXT);
        for other in [
            "",
            "0190a5d27c1e7000800000000000000a",
            "{0190a5d2-7c1e-7000-8000-00000000000a}",
            "urn:uuid:0190a5d2-7c1e-7000-8000-00000000000a",
            "0190a5d2-7c1e-7000-8000-00000000000g",
            "0190a5d2-7c1e-7000-8000-0000000000é",
        ] {
            assert_eq!(other.parse::<PageId>(), Err(InvalidId), "{other}");
        }
    }

    #[test]
    fn it_is_a_string_in_json() {
        let id: FileId = TEXT.parse().unwrap();
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(json, format!("\"{TEXT}\""));
        assert_eq!(serde_json::from_str::<FileId>(&json).unwrap(), id);
        assert!(serde_json::from_str::<FileId>("\"x\"").is_err());
        assert!(serde_json::from_str::<FileId>("7").is_err());
    }
}
