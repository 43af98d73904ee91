//! Archives and DOCX files.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Returns an archive of these files.
pub fn zip(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMESPACES: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math""#;

/// Returns a Word document with this body, these relations, and further parts.
pub fn docx(body: &str, relations: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let mut all = relations.to_owned();
    let mut files = Vec::new();
    for (name, inner) in parts {
        all.push_str(&format!(r#"<Relationship Id="{name}" Type="{OFFICE}/{name}" Target="{name}.xml"/>"#));
        let part = format!("<w:{name} {NAMESPACES}>{inner}</w:{name}>");
        files.push((format!("word/{name}.xml"), part.into_bytes()));
    }
    let root = format!(r#"<Relationship Id="r" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>"#);
    for (name, inner) in [("_rels/.rels", root), ("word/_rels/document.xml.rels", all)] {
        let namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
        let relations = format!(r#"<Relationships xmlns="{namespace}">{inner}</Relationships>"#);
        files.push((name.to_owned(), relations.into_bytes()));
    }
    let document = format!("<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>");
    files.push(("word/document.xml".to_owned(), document.into_bytes()));
    zip(files)
}

/// Returns a relation to a URL.
pub fn link(number: usize) -> String {
    format!(
        r#"<Relationship Id="l{number}" Type="{OFFICE}/hyperlink" Target="https://a.example/{number}" TargetMode="External"/>"#
    )
}
