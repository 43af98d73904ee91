//! `quire openapi`

use anyhow::Context;

use crate::output;

/// Prints the OpenAPI document.
///
/// # Errors
/// If it cannot be serialized.
pub fn run() -> anyhow::Result<()> {
    let document = quire_api::document_json("").context("the document can't be written")?;
    output::line(document.trim_end());
    Ok(())
}
