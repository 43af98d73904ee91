//! Files of the editor that follow from the code: the schema of documents and a page with every block.

use std::path::Path;

use quire_markup::StableRefs;
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/editor");
const GALLERY: &str = include_str!("../../../render/tests/support/gallery.txt");

/// Compares a committed file with a value; writes it with `UPDATE_EDITOR` set.
fn same(name: &str, value: &Value) {
    let path = Path::new(FOLDER).join(name);
    let text = format!("{value:#}\n");
    if std::env::var_os("UPDATE_EDITOR").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "{name} differs: run this test with UPDATE_EDITOR=1, then scripts/vendor-editor"
    );
}

#[test]
fn the_schema_of_the_editor_is_that_of_documents() {
    same("schema.json", &quire_markup::editor_schema());
}

#[test]
fn the_gallery_of_the_editor_has_every_block() {
    same("gallery.json", &quire_markup::parse(GALLERY, &StableRefs).to_json());
}
