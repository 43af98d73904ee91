//! Parsers of the inputs, called as the server calls them.

use std::collections::HashMap;

use quire_conditions::{Visitor, schema_problems};
use quire_domain::CountingIds;
use quire_domain::documents::DocumentJson;
use quire_domain::imports::ImportSource;
use quire_importer::plan::{GeneratedIds, plan};
use quire_importer::progress::Progress;
use quire_importer::source::{self, Announced, GatherLimits};
use quire_importer::svg;
use quire_markup::html::{Extract, HtmlOptions};
use quire_markup::openapi::{self, Context, Json};
use quire_markup::{Document, StableRefs, docx, html, print, try_parse_page};
use quire_storage::content::search::{Language, Query};
use quire_storage::content::store::DocumentAnalyzer as _;
use serde_json::Value;

use super::Group;

/// Number of rendered pages per specification. A request renders one.
const RENDERED: usize = 20;

impl Group {
    /// Parses an input. Other tests check the results.
    pub fn run(self, input: &[u8]) {
        let text = || str::from_utf8(input).unwrap();
        match self {
            Self::Markdown => {
                if let Ok(page) = try_parse_page(text(), &StableRefs, &|| false) {
                    work_on(&page.document);
                }
            }
            Self::Html => {
                for extract in [Extract::Everything, Extract::Article] {
                    work_on(&html::parse(text(), &HtmlOptions { refs: &StableRefs, extract }).document);
                }
            }
            Self::Docx => {
                if let Ok(read) = docx::parse(input, &StableRefs) {
                    work_on(&read.document);
                }
            }
            Self::Zip => import(input),
            Self::OpenApi => specification(text()),
            Self::Condition => visit(text()),
            Self::Schema => {
                let schema: Value = serde_json::from_str(text()).unwrap_or_default();
                let _ = schema_problems(&schema);
            }
            Self::Svg => drop(svg::sanitized(input)),
            Self::Search => drop(Query::new(text(), Language::SIMPLE)),
        }
    }
}

/// Serializes, analyzes, reads and prints a document, as for a stored one.
fn work_on(document: &Document) {
    if document.excess().is_some() {
        return;
    }
    let json = DocumentJson::from(document.to_canonical_json());
    let _ = quire_content::MarkupAnalyzer.analyze(&json);
    let stored = Document::from_stored(json.as_bytes()).unwrap();
    drop(print(&stored, &StableRefs));
}

fn import(archive: &[u8]) {
    let (limits, announced) = (GatherLimits::default(), Announced::default());
    let content = archive.to_vec().into();
    let tree = source::open(ImportSource::Zip, limits, &announced, content, &Progress::default());
    if let Ok(tree) = tree {
        drop(plan(ImportSource::Zip, tree, &mut GeneratedIds(&CountingIds::default())));
    }
}

fn specification(text: &str) {
    let Ok(specification) = openapi::read(text) else { return };
    let parts: Vec<(&str, Json)> = specification
        .parts
        .iter()
        .map(|part| (part.pointer.as_str(), Json::parse(&part.body).unwrap()))
        .collect();
    let parts: HashMap<&str, &Json> = parts.iter().map(|(pointer, part)| (*pointer, part)).collect();
    for page in specification.pages.iter().take(RENDERED) {
        let context =
            Context { children: &[], blocks: &[], page_at: &|_| None, key: &|number| format!("n{number}") };
        let body = Json::parse(&page.body).unwrap();
        work_on(&openapi::render(page.kind, &body, &parts, &context));
    }
}

fn visit(text: &str) {
    let (conditions, claims) = text.rsplit_once('\n').unwrap();
    let visitor = Visitor::new(&serde_json::from_str(claims).unwrap_or_default());
    for condition in conditions.lines() {
        let _ = visitor.meets(condition);
    }
}
