//! Location of a file store, in the form of the settings.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Folder, or part of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// Folder of this machine.
    Folder(PathBuf),
    /// Bucket of a service with an S3 API.
    Bucket {
        /// Name of the bucket.
        name: String,
        /// Prefix of all object names, without slashes at its ends; empty for the whole bucket.
        prefix: String,
    },
}

impl FromStr for FileLocation {
    type Err = String;

    /// Parses `s3://bucket`, `s3://bucket/prefix` or a path.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return match text {
                "" => Err("it must be a folder or s3://bucket/prefix".to_owned()),
                folder => Ok(Self::Folder(folder.into())),
            };
        };
        if scheme != "s3" {
            return Err(format!("`{scheme}` is not supported: it must be a folder or s3://bucket/prefix"));
        }
        let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_name) {
            return Err(format!("`{name}` is not the name of a bucket: a-z, 0-9, - and . are allowed"));
        }
        let prefix = prefix.trim_matches('/');
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/".contains(&byte);
        if !prefix.bytes().all(is_key)
            || prefix.split('/').any(|part| part == "." || part == "..")
            || prefix.contains("//")
        {
            return Err("its prefix may have letters, digits, - . _ and single slashes".to_owned());
        }
        Ok(Self::Bucket { name: name.to_owned(), prefix: prefix.to_owned() })
    }
}

impl fmt::Display for FileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { name, prefix } if prefix.is_empty() => write!(f, "s3://{name}"),
            Self::Bucket { name, prefix } => write!(f, "s3://{name}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_buckets_are_read_and_shown() {
        for (text, shown) in [
            ("files", "files"),
            ("/var/lib/quire/files", "/var/lib/quire/files"),
            ("s3://docs", "s3://docs"),
            ("s3://docs/", "s3://docs"),
            ("s3://docs.example/quire/files/", "s3://docs.example/quire/files"),
        ] {
            assert_eq!(
                text.parse::<FileLocation>().map(|location| location.to_string()).as_deref(),
                Ok(shown)
            );
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in
            ["", "s3://", "s3://Docs", "s3://a/b//c", "s3://a/../b", "s3://a/b?c", "gs://docs", "https://a/b"]
        {
            assert!(text.parse::<FileLocation>().is_err(), "{text}");
        }
    }
}
