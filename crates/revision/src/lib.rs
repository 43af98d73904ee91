#![doc = include_str!("../README.md")]

/// Makes a newtype over [`uuid::Uuid`].
#[macro_export]
macro_rules! id_type {
    ($(#[$meta:meta])* pub struct $name:ident;) => {
        $crate::id_type! { $(#[$meta])* $name }
    };
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(uuid::Uuid);

        impl $name {
            /// The id that this UUID names.
            pub const fn from_uuid(uuid: uuid::Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID itself.
            pub const fn as_uuid(&self) -> &uuid::Uuid {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self.0.as_hyphenated(), f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                uuid::Uuid::parse_str(text).map(Self)
            }
        }
    };
}

id_type! {
    /// A page.
    PageId
}
id_type! {
    /// A file.
    FileId
}
id_type! {
    /// A reusable content.
    ReusableContentId
}

/// Makes a newtype over 32 bytes shown as text.
macro_rules! hash_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The hash with these bytes.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                use base64::Engine as _;
                f.write_str(&base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(self.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::io::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use base64::Engine as _;
                base64::engine::general_purpose::URL_SAFE_NO_PAD
                    .decode(text)
                    .ok()
                    .and_then(|bytes| bytes.try_into().ok())
                    .map(Self)
                    .ok_or_else(|| std::io::Error::other("not a hash"))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hash_type! {
    /// A document.
    DocumentId
}
hash_type! {
    /// A tree.
    TreeHash
}
hash_type! {
    /// A file's bytes.
    BlobHash
}
