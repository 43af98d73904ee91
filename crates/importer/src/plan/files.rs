//! Files of the plan, as readers are going to download them.

use quire_domain::bounds::FILE_NAME_MAX;
use quire_domain::ids::FileId;

use super::names;
use super::types::{Dimensions, PlannedFile};
use crate::spool::Content;

/// Bytes at the beginning of an image that tell its size: a camera puts a preview before it.
const HEADER: usize = 512 * 1024;

/// Describes the file at `source_path`, which is going to be called `name`.
pub(super) fn planned(id: FileId, source_path: String, name: &str, content: Content) -> PlannedFile {
    let name = names::cut(name, FILE_NAME_MAX);
    let content_type = mime_guess::from_path(&name).first_or_octet_stream().essence_str().to_owned();
    let dimensions = if content_type.starts_with("image/") { dimensions(&content) } else { None };
    PlannedFile { id, name, content_type, content, dimensions, source_path }
}

/// Width and height from an image's header; `None` for vector images and what can't be read.
fn dimensions(content: &Content) -> Option<Dimensions> {
    let size = imagesize::blob_size(&content.head(HEADER).ok()?).ok()?;
    Some(Dimensions { width: u64::try_from(size.width).ok()?, height: u64::try_from(size.height).ok()? })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn file(path: &str, bytes: &'static [u8]) -> PlannedFile {
        planned(FileId::from_uuid(Uuid::nil()), path.to_owned(), crate::path::name(path), bytes.into())
    }

    #[test]
    fn an_image_tells_its_size() {
        let gif = file(".gitbook/assets/dot (1).gif", b"GIF89a\x03\x00\x02\x00\x00\x00\x00;");
        assert_eq!((gif.name.as_str(), gif.content_type.as_str()), ("dot (1).gif", "image/gif"));
        assert_eq!(gif.dimensions, Some(Dimensions { width: 3, height: 2 }));
    }

    #[test]
    fn other_files_have_a_type_and_no_size() {
        for (path, content_type) in [
            ("a.pdf", "application/pdf"),
            ("b.unheard-of", "application/octet-stream"),
            ("c.png", "image/png"),
        ] {
            let planned = file(path, b"?");
            assert_eq!((planned.content_type.as_str(), planned.dimensions), (content_type, None));
        }
    }
}
