//! Embeds page assets in compressed form, under names with the hash of their content.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// Name, content type and source files of an asset. A script comes after the scripts that it imports.
const ASSETS: [(&str, &str, &[&str]); 29] = [
    (
        "site.css",
        "text/css; charset=utf-8",
        &["../render/assets/document.css", "assets/cover.css", "assets/reader.css"],
    ),
    ("document.js", "text/javascript; charset=utf-8", &["../render/assets/document.js"]),
    ("theme.js", "text/javascript; charset=utf-8", &["assets/theme.js"]),
    ("reader.js", "text/javascript; charset=utf-8", &["assets/reader.js"]),
    (
        "workspace.css",
        "text/css; charset=utf-8",
        &[
            "../render/assets/document.css",
            "assets/cover.css",
            "assets/workspace.css",
            "assets/palette.css",
            "assets/editor.css",
        ],
    ),
    ("workspace.js", "text/javascript; charset=utf-8", &["assets/workspace.js"]),
    (
        "actions.js",
        "text/javascript; charset=utf-8",
        &[
            "editor/drafts.js",
            "assets/actions.js",
            "assets/forms.js",
            "assets/fields.js",
            "assets/quotes.js",
            "assets/comments.js",
            "assets/events.js",
            "assets/pages.js",
        ],
    ),
    ("uploads.js", "text/javascript; charset=utf-8", &["editor/upload.js", "assets/uploads.js"]),
    ("commands.js", "text/javascript; charset=utf-8", &["assets/keys.js", "assets/finder.js"]),
    ("settings.css", "text/css; charset=utf-8", &["assets/settings.css"]),
    ("settings.js", "text/javascript; charset=utf-8", &["assets/settings.js"]),
    ("following.js", "text/javascript; charset=utf-8", &["assets/following.js"]),
    ("review.js", "text/javascript; charset=utf-8", &["assets/review.js"]),
    ("review.css", "text/css; charset=utf-8", &["assets/review.css"]),
    ("conflicts.css", "text/css; charset=utf-8", &["assets/conflicts.css"]),
    ("files.css", "text/css; charset=utf-8", &["assets/files.css"]),
    ("look.css", "text/css; charset=utf-8", &["assets/look.css"]),
    ("look.js", "text/javascript; charset=utf-8", &["assets/look.js"]),
    ("tree.js", "text/javascript; charset=utf-8", &["editor/menu.js", "assets/tree.js"]),
    ("editor-chunk.js", "text/javascript; charset=utf-8", &["vendor/editor-chunk.js"]),
    ("editor-parts.js", "text/javascript; charset=utf-8", &["vendor/editor-parts.js"]),
    ("editor-signs.js", "text/javascript; charset=utf-8", &["vendor/editor-signs.js"]),
    ("editor.js", "text/javascript; charset=utf-8", &["vendor/editor.js"]),
    ("source.js", "text/javascript; charset=utf-8", &["vendor/source.js"]),
    ("workspace.svg", "image/svg+xml", &["assets/workspace.svg"]),
    ("passkeys.js", "text/javascript; charset=utf-8", &["assets/passkeys.js"]),
    ("sign-in.css", "text/css; charset=utf-8", &["assets/sign-in.css"]),
    ("account.css", "text/css; charset=utf-8", &["assets/sign-in.css", "assets/palette.css"]),
    ("favicon.svg", "image/svg+xml", &["assets/favicon.svg"]),
];
/// Scripts that import each other, in the folder of bundles.
const EDITOR: [&str; 4] = ["editor.js", "editor-chunk.js", "editor-parts.js", "editor-signs.js"];
/// Folder of the fonts.
const FONTS: &str = "vendor/fonts";
const BROTLI_QUALITY: u32 = 11;
const BROTLI_WINDOW: u32 = 22;
const BUFFER: usize = 4 << 10;

#[expect(clippy::disallowed_methods, reason = "Cargo names the output folder in the environment")]
fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let mut table = String::from("[");
    let editor_hash = hash_of_editor()?;
    let mut hashed: Vec<(&str, String)> = Vec::new();
    for (name, content_type, sources) in ASSETS {
        let mut bytes = Vec::new();
        for source in sources {
            println!("cargo::rerun-if-changed={source}");
            bytes.extend(fs::read(source)?);
        }
        let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
        // Bundles are minified already.
        let is_bundle = sources.iter().any(|source| source.starts_with("vendor/"));
        let squeeze: Option<fn(&str) -> String> = match extension {
            "css" => Some(squeezed),
            "js" if !is_bundle => Some(bare),
            _ => None,
        };
        if let Some(squeeze) = squeeze {
            let squeezed = squeeze(&String::from_utf8(bytes).map_err(io::Error::other)?);
            let imported = hashed.iter().fold(squeezed, |script, (name, hashed)| {
                script.replace(&format!("\"./{name}\""), &format!("\"./{hashed}\""))
            });
            bytes = imported.into_bytes();
        }
        let mut hash = hash_of(&bytes);
        if EDITOR.contains(&name) {
            bytes =
                importing(&String::from_utf8(bytes).map_err(io::Error::other)?, &editor_hash).into_bytes();
            hash.clone_from(&editor_hash);
        }
        write(&folder, name, &bytes)?;
        hashed.push((name, format!("{stem}.{hash}.{extension}")));
        write!(
            table,
            "Asset {{ name: {name:?}, hashed: \"{stem}.{hash}.{extension}\", content_type: {content_type:?}, \
             plain: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")), \
             gzip: Some(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.gz\"))), \
             brotli: Some(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.br\"))) }},"
        )
        .map_err(io::Error::other)?;
    }
    fonts(&mut table)?;
    table.push(']');
    fs::write(folder.join("assets.rs"), table)
}

/// Returns the hash of the editor's scripts. They share one hash, because each contains the names of others.
fn hash_of_editor() -> io::Result<String> {
    let mut bytes = Vec::new();
    for name in EDITOR {
        bytes.extend(fs::read(Path::new("vendor").join(name))?);
    }
    Ok(hash_of(&bytes))
}

/// Returns a script of the editor with the names that it imports replaced by hashed names.
fn importing(script: &str, hash: &str) -> String {
    EDITOR.iter().fold(script.to_owned(), |script, name| {
        let hashed = name.replace(".js", &format!(".{hash}.js"));
        script.replace(&format!("\"./{name}\""), &format!("\"./{hashed}\""))
    })
}

/// Returns a style sheet without comments and optional spaces: around braces, semicolons and `>`, and after colons.
/// Strings must not contain these characters. In selectors, no colon is followed by a space.
fn squeezed(css: &str) -> String {
    let mut bare = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, comment)) = rest.split_once("/*") {
        bare.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    bare.push_str(rest);
    let lines: Vec<&str> = bare.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let joined = lines.join("\n");
    [("; ", ";"), (" {", "{"), ("{ ", "{"), (" }", "}"), (";}", "}"), ("}\n", "}"), (": ", ":"), (" > ", ">")]
        .iter()
        .fold(joined, |css, (from, to)| css.replace(from, to))
}

/// Returns a script without comments and indentation. Comments must be on lines of their own, and strings must not
/// contain line breaks.
fn bare(script: &str) -> String {
    let mut is_comment = false;
    let mut bare = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            bare.push_str(line);
            bare.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    bare
}

/// Adds the fonts, whose format is compressed already.
fn fonts(table: &mut String) -> io::Result<()> {
    println!("cargo::rerun-if-changed={FONTS}");
    let mut files: Vec<PathBuf> =
        fs::read_dir(FONTS)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "woff2"));
    files.sort();
    for file in files {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let hash = hash_of(&fs::read(&file)?);
        write!(
            table,
            "Asset {{ name: \"{stem}.woff2\", hashed: \"{stem}.{hash}.woff2\", content_type: \"font/woff2\", \
             plain: include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{FONTS}/{stem}.woff2\")), \
             gzip: None, brotli: None }},"
        )
        .map_err(io::Error::other)?;
    }
    Ok(())
}

/// Returns the hash of a file for its name.
fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file in plain, gzip and Brotli form.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::write(folder.join(name), bytes)?;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes)?;
    fs::write(folder.join(format!("{name}.gz")), gzip.finish()?)?;
    let mut brotli = brotli::CompressorWriter::new(Vec::new(), BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
    brotli.write_all(bytes)?;
    brotli.flush()?;
    fs::write(folder.join(format!("{name}.br")), brotli.into_inner())
}
