//! Compresses the committed OpenAPI document, which builds without the feature `openapi` serve.

use std::fs::{self, File};
use std::path::PathBuf;
use std::{env, io};

use flate2::Compression;
use flate2::write::GzEncoder;

const DOCUMENT: &str = "../../docs/openapi.json";

#[expect(clippy::disallowed_methods, reason = "Cargo names the output folder in the environment")]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    let folder = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let mut compressed = GzEncoder::new(File::create(folder.join("openapi.json.gz"))?, Compression::best());
    io::copy(&mut fs::File::open(DOCUMENT)?, &mut compressed)?;
    compressed.finish().map(drop)
}
