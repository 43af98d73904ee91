//! Content to import, from a command line argument.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use anyhow::Context;
use quire_domain::imports::ImportSource;
use quire_importer::archive::pack_folder;
use url::Url;

use crate::usage::WrongInput;

/// Content to import.
#[derive(Debug)]
pub enum ImportInput {
    /// A URL that the server fetches.
    Url {
        /// Type of the source.
        source: ImportSource,
        /// The URL.
        url: String,
    },
    /// A file to upload.
    Upload {
        /// Type of the source.
        source: ImportSource,
        /// Name of the file.
        name: String,
        /// Open file, at its start.
        file: File,
        /// Size in bytes.
        length: u64,
    },
}

impl ImportInput {
    /// Resolves an argument: a URL, a folder or a file. A folder is packed.
    ///
    /// # Errors
    /// If the folder or file does not exist, or the type of the source cannot be determined.
    pub fn find(what: &str, source: Option<ImportSource>) -> anyhow::Result<Self> {
        if let Ok(url) = Url::parse(what)
            && matches!(url.scheme(), "http" | "https")
        {
            let source = source.unwrap_or_else(|| of_name(url.path()).unwrap_or(ImportSource::Website));
            return Ok(Self::Url { source, url: what.to_owned() });
        }
        let path = Path::new(what);
        let there = path.metadata().map_err(|error| WrongInput(format!("{what} cannot be read: {error}")))?;
        let name =
            path.file_name().map_or_else(|| "folder".to_owned(), |name| name.to_string_lossy().into_owned());
        let (source, name, mut file) = if there.is_dir() {
            let packed = pack_folder(path).with_context(|| format!("{what} cannot be packed"))?;
            (source.unwrap_or(ImportSource::Zip), format!("{name}.zip"), packed)
        } else {
            let source = source.or_else(|| of_name(&name)).ok_or_else(|| {
                WrongInput(format!("--source is required: it cannot be derived from the name {what}"))
            })?;
            (source, name, File::open(path).with_context(|| format!("{what} cannot be read"))?)
        };
        let length = file.seek(SeekFrom::End(0)).with_context(|| format!("{what} cannot be read"))?;
        file.rewind()?;
        Ok(Self::Upload { source, name, file, length })
    }
}

/// Returns the type of the source by the extension of a file name.
fn of_name(name: &str) -> Option<ImportSource> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "zip" => Some(ImportSource::Zip),
        "md" | "markdown" | "txt" => Some(ImportSource::Markdown),
        "docx" => Some(ImportSource::Docx),
        "html" | "htm" | "xhtml" => Some(ImportSource::Html),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_a_file_is() {
        for (name, source) in [
            ("docs.zip", Some(ImportSource::Zip)),
            ("README.MD", Some(ImportSource::Markdown)),
            ("/raw/guide.markdown", Some(ImportSource::Markdown)),
            ("thesis.docx", Some(ImportSource::Docx)),
            ("index.htm", Some(ImportSource::Html)),
            ("archive.tar.gz", None),
            ("Makefile", None),
        ] {
            assert_eq!(of_name(name), source, "{name}");
        }
    }

    #[test]
    fn an_address_is_a_website_unless_its_path_or_the_user_says_else() {
        for (url, given, found) in [
            ("https://docs.example.com/", None, ImportSource::Website),
            ("https://example.com/docs.zip?raw=1", None, ImportSource::Zip),
            ("https://example.com/x", Some(ImportSource::Notion), ImportSource::Notion),
        ] {
            let ImportInput::Url { source, .. } = ImportInput::find(url, given).unwrap() else {
                panic!("{url}")
            };
            assert_eq!(source, found, "{url}");
        }
    }

    #[test]
    fn missing_files_and_unknown_kinds_are_wrong_input() {
        for what in ["/nowhere/at/all", "ftp://example.com/docs.zip", "/etc/passwd"] {
            assert!(ImportInput::find(what, None).unwrap_err().is::<WrongInput>(), "{what}");
        }
    }
}
