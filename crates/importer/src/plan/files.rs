//! Files of the plan, in the form that readers download.

use quire_domain::bounds::FILE_NAME_MAX;
use quire_domain::direction::{is_direction_control, without_direction_controls};
use quire_domain::ids::FileId;
use quire_domain::imports::ImportReportEntry;
use quire_markup::svg_size;

use super::names;
use super::types::{Dimensions, PlannedFile};
use crate::report::changed;
use crate::spool::Content;
use crate::svg::{self, SVG_MAX};

/// Number of leading bytes of an image that contain its size. Cameras put a preview before it.
const HEADER: usize = 512 * 1024;

/// Describes the file at `source_path`, which gets the name `name`. An SVG image is sanitized; an invalid one becomes a
/// download-only file. Both are reported.
pub(super) fn planned(
    id: FileId,
    source_path: String,
    name: &str,
    content: Content,
    report: &mut Vec<ImportReportEntry>,
) -> PlannedFile {
    if name.contains(is_direction_control) {
        report.push(changed(
            &source_path,
            "characters that change the text direction were removed from its name",
        ));
    }
    let name = names::cut(&without_direction_controls(name), FILE_NAME_MAX);
    let mut content_type = mime_guess::from_path(&name).first_or_octet_stream().essence_str().to_owned();
    let mut content = content;
    if svg::is_svg(&content_type) {
        match safe(&content) {
            Ok(None) => {}
            Ok(Some(safe)) => {
                report.push(changed(
                    &source_path,
                    "the SVG image was sanitized: scripts and external references were removed",
                ));
                content = safe;
            }
            Err(problem) => {
                mime_guess::mime::APPLICATION_OCTET_STREAM.essence_str().clone_into(&mut content_type);
                let message = format!("{problem}: it was kept as a file to download");
                report.push(changed(&source_path, message));
            }
        }
    }
    let dimensions =
        if content_type.starts_with("image/") { dimensions(&content_type, &content) } else { None };
    PlannedFile { id, name, content_type, content, dimensions, source_path }
}

/// Returns the sanitized SVG; `None` if sanitizing changes nothing.
fn safe(content: &Content) -> Result<Option<Content>, String> {
    // Avoids reading files that are too large.
    let bytes = content.head(SVG_MAX + 1).map_err(|error| format!("it cannot be read ({error})"))?;
    let safe = svg::sanitized(&bytes).map_err(|error| error.to_string())?;
    Ok((safe.as_bytes() != &*bytes).then(|| safe.into()))
}

/// Returns the width and height in an image's header; `None` for vector images without a size and for unreadable
/// images.
fn dimensions(content_type: &str, content: &Content) -> Option<Dimensions> {
    let head = content.head(HEADER).ok()?;
    if svg::is_svg(content_type) {
        let (width, height) = svg_size(&String::from_utf8_lossy(&head))?;
        return Some(Dimensions { width: width.into(), height: height.into() });
    }
    let size = imagesize::blob_size(&head).ok()?;
    Some(Dimensions { width: u64::try_from(size.width).ok()?, height: u64::try_from(size.height).ok()? })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn file(path: &str, bytes: &'static [u8]) -> PlannedFile {
        let id = FileId::from_uuid(Uuid::nil());
        planned(id, path.to_owned(), crate::path::name(path), bytes.into(), &mut Vec::new())
    }

    #[test]
    fn drawings_are_stored_as_what_draws_alone() {
        let plan = |bytes: &'static [u8]| {
            let (mut report, id) = (Vec::new(), FileId::from_uuid(Uuid::nil()));
            let file = planned(id, "a/b.svg".to_owned(), "b.svg", bytes.into(), &mut report);
            let messages: Vec<String> = report.into_iter().map(|entry| entry.message).collect();
            (file.content.read().unwrap(), file.content_type, messages.join("; "))
        };
        let safe: &[u8] = br#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>"#;
        assert_eq!(plan(safe), (safe.into(), "image/svg+xml".to_owned(), String::new()));
        let (bytes, content_type, message) = plan(
            br#"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>x()</script><path d="M0 0" onclick="x()"/></svg>"#,
        );
        assert_eq!((&bytes[..], content_type.as_str()), (safe, "image/svg+xml"));
        assert!(message.contains("was sanitized"), "{message}");
        let (bytes, content_type, message) = plan(b"<svg><script>");
        assert_eq!((&bytes[..], content_type.as_str()), (&b"<svg><script>"[..], "application/octet-stream"));
        assert!(message.contains("is not valid SVG"), "{message}");
    }

    #[test]
    fn a_name_shows_what_it_is() {
        let (mut report, id) = (Vec::new(), FileId::from_uuid(Uuid::nil()));
        let file = planned(id, "a".to_owned(), "é\u{202E}gpj.exe", Content::from(&b"MZ"[..]), &mut report);
        assert_eq!(file.name, "égpj.exe");
        assert_eq!(
            report,
            [changed("a", "characters that change the text direction were removed from its name")]
        );
    }

    #[test]
    fn the_size_of_an_image_is_read() {
        let gif = file(".gitbook/assets/dot (1).gif", b"GIF89a\x03\x00\x02\x00\x00\x00\x00;");
        assert_eq!((gif.name.as_str(), gif.content_type.as_str()), ("dot (1).gif", "image/gif"));
        assert_eq!(gif.dimensions, Some(Dimensions { width: 3, height: 2 }));
        let svg = file("a.svg", br#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>"#);
        assert_eq!(svg.dimensions, Some(Dimensions { width: 30, height: 20 }));
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
