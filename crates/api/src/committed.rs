//! The OpenAPI document as committed, for builds that do not make it from the types.

use flate2::read::GzDecoder;
use serde_json::Value;

/// `docs/openapi.json`, compressed.
const DOCUMENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// Returns the document of the API below `base_path`.
///
/// # Errors
/// A damaged document.
pub fn document_json(base_path: &str) -> serde_json::Result<String> {
    let mut document: Value = serde_json::from_reader(GzDecoder::new(DOCUMENT))?;
    if let Some(url) = document.pointer_mut("/servers/0/url") {
        *url = Value::from(if base_path.is_empty() { "/" } else { base_path });
    }
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

#[cfg(test)]
#[cfg(feature = "openapi")]
mod tests {
    use crate::openapi;

    #[test]
    fn the_committed_document_is_the_one_that_is_made_from_the_types() {
        for base_path in ["", "/quire"] {
            let committed = super::document_json(base_path).unwrap();
            let made = openapi::document_json(base_path).unwrap();
            let differs = committed.lines().zip(made.lines()).position(|(old, new)| old != new);
            assert!(committed == made, "run `make openapi`: the documents differ from line {differs:?}");
        }
    }
}
