//! Builder of DOCX files: zipped parts, written as text.

use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const NAMESPACES: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml""#;

const RELATION: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// DOCX file under construction.
pub struct Docx {
    /// Complete main part; `None` omits it.
    pub document: Option<String>,
    /// Name of the main part.
    pub main: String,
    pub styles: String,
    pub numbering: String,
    pub footnotes: Option<String>,
    pub endnotes: Option<String>,
    relations: String,
    parts: Vec<(String, Vec<u8>)>,
}

impl Docx {
    /// Creates a file with this body.
    pub fn new(body: &str) -> Self {
        Self {
            document: Some(format!(
                "<w:document {NAMESPACES}><w:body>{body}<w:sectPr/></w:body></w:document>"
            )),
            main: "word/document.xml".to_owned(),
            styles: String::new(),
            numbering: String::new(),
            footnotes: None,
            endnotes: None,
            relations: String::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a relationship of the main part.
    pub fn relation(&mut self, id: &str, kind: &str, target: &str, external: bool) {
        let mode = if external { " TargetMode=\"External\"" } else { "" };
        self.relations.push_str(&format!(
            r#"<Relationship Id="{id}" Type="{RELATION}/{kind}" Target="{target}"{mode}/>"#
        ));
    }

    /// Adds a part.
    pub fn part(&mut self, name: &str, bytes: &[u8]) {
        self.parts.push((name.to_owned(), bytes.to_vec()));
    }

    /// Returns the file.
    pub fn build(&self) -> Vec<u8> {
        let mut relations = self.relations.clone();
        let mut parts = self.parts.clone();
        let own = [
            ("styles", Some(&self.styles)),
            ("numbering", Some(&self.numbering)),
            ("footnotes", self.footnotes.as_ref()),
            ("endnotes", self.endnotes.as_ref()),
        ];
        for (name, inner) in own {
            let Some(inner) = inner else { continue };
            relations.push_str(&format!(
                r#"<Relationship Id="{name}" Type="{RELATION}/{name}" Target="{name}.xml"/>"#
            ));
            parts.push((
                format!("word/{name}.xml"),
                format!("<w:{name} {NAMESPACES}>{inner}</w:{name}>").into_bytes(),
            ));
        }
        let root =
            format!(r#"<Relationship Id="rId1" Type="{RELATION}/officeDocument" Target="{}"/>"#, self.main);
        let own = self.main.replace("word/", "word/_rels/") + ".rels";
        for (name, inner) in [("_rels/.rels", root), (own.as_str(), relations)] {
            let namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
            parts.push((
                name.to_owned(),
                format!(r#"<Relationships xmlns="{namespace}">{inner}</Relationships>"#).into_bytes(),
            ));
        }
        parts.extend(
            self.document.as_ref().map(|document| (self.main.clone(), document.clone().into_bytes())),
        );
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in parts {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }
}
