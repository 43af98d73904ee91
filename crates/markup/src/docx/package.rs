//! The package: parts in a zip archive and the relationships between them (ECMA-376 part 2).

use super::DocxError;
use super::xml::attribute;
use crate::limits::docx::{
    MAX_ATTRIBUTES, MAX_MEDIA_BYTES, MAX_NAMESPACE_DECLARATIONS, MAX_NAMESPACE_PREFIXES, MAX_PARTS,
    MAX_XML_BYTES, MAX_XML_NODES,
};
use roxmltree::{Document as Xml, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Open package.
pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    xml_left: u64,
    media_left: u64,
}

impl<'b> Package<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, DocxError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(DocxError::Package)?;
        let parts = archive.len();
        if parts > MAX_PARTS {
            return Err(DocxError::TooManyParts { parts, limit: MAX_PARTS });
        }
        Ok(Self { archive, xml_left: MAX_XML_BYTES, media_left: MAX_MEDIA_BYTES })
    }

    /// Opens a package within another one, which shares the bounds of the outer one.
    pub(super) fn open_within(bytes: &'b [u8], outer: &Package<'_>) -> Result<Self, DocxError> {
        let mut package = Self::open(bytes)?;
        package.spend_as(outer);
        Ok(package)
    }

    /// Takes over the bytes that another package has left.
    pub(super) fn spend_as(&mut self, other: &Package<'_>) {
        (self.xml_left, self.media_left) = (other.xml_left, other.media_left);
    }

    /// Returns the text of an XML part; `None` if the part is missing.
    pub(super) fn xml(&mut self, name: &str) -> Result<Option<String>, DocxError> {
        let mut left = self.xml_left;
        let bytes = self.read(name, &mut left, MAX_XML_BYTES)?;
        self.xml_left = left;
        Ok(bytes.map(|bytes| decode(&bytes)))
    }

    /// Returns the bytes of an image; `None` if the part is missing.
    pub(super) fn media(&mut self, name: &str) -> Result<Option<Vec<u8>>, DocxError> {
        let mut left = self.media_left;
        let bytes = self.read(name, &mut left, MAX_MEDIA_BYTES)?;
        self.media_left = left;
        Ok(bytes)
    }

    fn read(&mut self, name: &str, left: &mut u64, limit: u64) -> Result<Option<Vec<u8>>, DocxError> {
        let Some(index) = self.index(name) else { return Ok(None) };
        let entry = self.archive.by_index(index).map_err(DocxError::Package)?;
        let mut bytes = Vec::new();
        // Sizes in headers are not trusted: the bytes read are counted.
        let failed = |source| DocxError::Part { part: name.to_owned(), source };
        entry.take(left.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        *left = left.checked_sub(length).ok_or(DocxError::TooLarge { limit })?;
        Ok(Some(bytes))
    }

    /// Returns the index of a part. Part names are case-insensitive (ECMA-376 part 2, 6.2.2.3).
    fn index(&self, name: &str) -> Option<usize> {
        let exact = self.archive.index_for_name(name);
        exact.or_else(|| {
            let same = |found: &[u8]| {
                found.strip_prefix(b"/").unwrap_or(found).eq_ignore_ascii_case(name.as_bytes())
            };
            self.archive.file_names_raw().position(same)
        })
    }
}

/// Decodes a part, which is UTF-8 unless it begins with a UTF-16 byte order mark.
fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(unit).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Decodes a text as [`decode`]; `None` if it has another encoding.
pub(super) fn decode_strictly(bytes: &[u8]) -> Option<String> {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    (is_utf16 || std::str::from_utf8(bytes).is_ok()).then(|| decode(bytes))
}

/// Parses the XML of a part. Document type declarations, and entities with them, are refused.
pub(super) fn parse<'x>(part: &str, text: &'x str) -> Result<Xml<'x>, DocxError> {
    if !is_within_xml_limits(text) {
        return Err(DocxError::Crowded { part: part.to_owned() });
    }
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    Xml::parse_with_options(text, options).map_err(|source| DocxError::Xml { part: part.to_owned(), source })
}

/// Returns whether no element exceeds the limit of attributes, and no part the limit of namespaces.
pub(crate) fn is_within_xml_limits(text: &str) -> bool {
    let mut rest = text;
    let mut declarations = 0;
    let mut prefixes = BTreeSet::new();
    while let Some(at) = rest.find('<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        let closings = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
        if let Some((_, end)) = closings.iter().find(|(start, _)| rest.starts_with(start)) {
            rest = rest.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        let mut attributes = 0;
        // After splitting a tag at quotation marks, every second piece is an attribute value.
        while let Some(end) = rest.find(['"', '\'', '>', '<']) {
            let (before, from) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let Some(quote) = from.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
            attributes += 1;
            let name = before.trim_end_matches(|c: char| c == '=' || c.is_whitespace());
            let name = name.rsplit(char::is_whitespace).next().unwrap_or_default();
            if name.starts_with("xmlns") {
                declarations += 1;
                prefixes.insert(name);
            }
            if attributes > MAX_ATTRIBUTES
                || declarations > MAX_NAMESPACE_DECLARATIONS
                || prefixes.len() > MAX_NAMESPACE_PREFIXES
            {
                return false;
            }
            rest = from.get(1..).and_then(|value| value.split_once(quote)).map_or("", |(_, after)| after);
        }
    }
    true
}

/// Relationship from a part to another part or to an external resource.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// Target as written: an address, or a path relative to the folder of the document.
    pub(super) target: String,
    pub(super) external: bool,
    kind: String,
}

/// Relationships of a part, by id.
#[derive(Debug, Default)]
pub(super) struct Relations {
    relations: BTreeMap<String, Relation>,
}

impl Relations {
    /// Reads the relationships of a part.
    pub(super) fn of(package: &mut Package<'_>, part: &str) -> Result<Self, DocxError> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let path = format!("{prefix}_rels/{name}.rels");
        let Some(text) = package.xml(&path)? else { return Ok(Self::default()) };
        let xml = parse(&path, &text)?;
        let nodes = xml.root_element().children().filter(|node| node.tag_name().name() == "Relationship");
        let relations = nodes.filter_map(|node| {
            let relation = Relation {
                target: attribute(node, "Target")?.to_owned(),
                external: attribute(node, "TargetMode") == Some("External"),
                kind: attribute(node, "Type").unwrap_or_default().to_owned(),
            };
            Some((attribute(node, "Id")?.to_owned(), relation))
        });
        Ok(Self { relations: relations.collect() })
    }

    pub(super) fn get(&self, id: &str) -> Option<&Relation> {
        self.relations.get(id)
    }

    /// Returns the address of an external relationship.
    pub(super) fn target(&self, id: &str) -> Option<&str> {
        self.get(id).map(|relation| relation.target.as_str())
    }

    /// Returns the part related by `kind`, the last segment of the relationship's type.
    pub(super) fn part(&self, kind: &str) -> Option<&str> {
        self.parts(kind).next().map(|(_, target)| target)
    }

    /// Returns the ids and targets of all parts related by `kind`.
    pub(super) fn parts<'s>(&'s self, kind: &str) -> impl Iterator<Item = (&'s str, &'s str)> {
        let is_kind =
            move |relation: &Relation| relation.kind.rsplit('/').next() == Some(kind) && !relation.external;
        let found = self.relations.iter().filter(move |(_, relation)| is_kind(relation));
        found.map(|(id, relation)| (id.as_str(), relation.target.as_str()))
    }
}

/// Resolves a target relative to the folder of its part.
pub(super) fn resolve(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}
