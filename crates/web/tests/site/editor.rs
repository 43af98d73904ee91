//! Files of the editor that are generated from the code: schema of documents, page with every block, names of emoji and
//! icons.

use std::path::Path;

use quire_markup::StableRefs;
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/editor");
const ICONS: &str = include_str!("../../vendor/icons.tsv");
const GALLERY: &str = include_str!("../../../render/tests/support/gallery.txt");

/// Compares a committed file with a value. With `UPDATE_EDITOR` set, writes it.
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

#[test]
fn the_emoji_of_the_editor_are_those_of_documents() {
    let words = |name: &str, short: Option<&str>| match short.map(|short| short.replace('_', " ")) {
        Some(short) if !name.contains(&short) => format!("{name}|{short}"),
        _ => name.to_owned(),
    };
    let emoji =
        quire_markup::emoji_names().map(|(sign, name, short)| (sign.to_owned(), words(name, short).into()));
    same("emoji.json", &Value::Object(emoji.collect()));
}

#[test]
fn the_icons_of_the_editor_have_shapes() {
    let names = ICONS.lines().filter_map(|line| line.split_once('\t'));
    // Aliases would list an icon twice.
    let names = names.filter(|(_, shape)| !shape.starts_with('=')).map(|(name, _)| name.into());
    same("icons.json", &Value::Array(names.collect()));
}
