//! The committed OpenAPI document is the code's.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on can only fail")]

#[test]
fn the_committed_document_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let committed = std::fs::read_to_string(path).unwrap();
    let current = quire_api::openapi::document_json().unwrap();
    let differs = committed.lines().zip(current.lines()).position(|(old, new)| old != new);
    assert!(committed == current, "run `make openapi`: the documents differ from line {differs:?}");
}
