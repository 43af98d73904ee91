//! Compresses the files of the page that shows the OpenAPI document.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

/// Files of the Swagger UI distribution that the page loads.
const PAGE: [&str; 7] = [
    "favicon-16x16.png",
    "favicon-32x32.png",
    "index.css",
    "index.html",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-ui.css",
];

#[expect(clippy::disallowed_methods, reason = "Cargo names the output folder in the environment")]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    page(&folder)
}

/// Writes the compressed files of the page, and `page.rs` with their names and contents, ordered by name.
fn page(folder: &Path) -> io::Result<()> {
    let mut archive = ZipArchive::new(io::Cursor::new(SWAGGER_UI_VENDORED))?;
    let mut table = String::from("[");
    for name in PAGE {
        let end = format!("/dist/{name}");
        let index = archive.file_names_raw().position(|entry| entry.ends_with(end.as_bytes()));
        let index = index.ok_or_else(|| io::Error::other(format!("the archive has no {name}")))?;
        compress(&mut archive.by_index(index)?, &folder.join(format!("{name}.gz")))?;
        write!(table, "({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.gz\")).as_slice()),")
            .map_err(io::Error::other)?;
    }
    table.push(']');
    fs::write(folder.join("page.rs"), table)
}

fn compress(plain: &mut impl io::Read, path: &Path) -> io::Result<()> {
    let mut compressed = GzEncoder::new(File::create(path)?, Compression::best());
    io::copy(plain, &mut compressed)?;
    compressed.finish().map(drop)
}
