//! Renders a book as a PDF: `quire-pdf BOOK.json BOOK.pdf`. The images of the book are in its folder.
//!
//! Quire runs this as a child process, so that a document that takes too long or too much memory ends only this
//! process.

mod convert;
mod images;
mod world;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Parser;
use nix::sys::resource::{Resource, setrlimit};
use quire_domain::pdf::Book;
use typst::foundations::Smart;
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

/// Renders a book as a PDF.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The book, as JSON. Its images are files in the same folder.
    book: PathBuf,
    /// The PDF to write.
    pdf: PathBuf,
    /// A folder of fonts for characters missing in the built-in ones; the first one that has them is used.
    #[arg(long)]
    fonts: Vec<PathBuf>,
    /// Memory limit in MiB.
    #[arg(long, default_value_t = 2_048)]
    memory: u64,
    /// Size limit of the PDF in MiB.
    #[arg(long, default_value_t = 256)]
    size: u64,
    /// Time limit in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The parent process reads standard error; if it is closed, the error cannot be reported.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{error:#}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    limit(Resource::RLIMIT_AS, arguments.memory.saturating_mul(1 << 20))?;
    limit(Resource::RLIMIT_FSIZE, arguments.size.saturating_mul(1 << 20))?;
    // With several cores, CPU time passes faster than the wall-clock time that the parent process limits; this stops a
    // process that outlives its parent.
    limit(Resource::RLIMIT_CPU, arguments.seconds.saturating_mul(4))?;
    limit(Resource::RLIMIT_CORE, 0)?;
    let json = fs::read(&arguments.book).context("the book can't be read")?;
    let book: Book = serde_json::from_slice(&json).context("the book is invalid")?;
    drop(json);
    let folder = arguments.book.parent().unwrap_or_else(|| std::path::Path::new("."));
    let pdf = set(&book, folder, &arguments.fonts)?;
    fs::write(&arguments.pdf, pdf).context("the PDF can't be written")
}

/// Typesets the book and returns the PDF.
fn set(book: &Book, folder: &std::path::Path, fonts: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let images = images::load(book, folder);
    let data = convert::book(book, &images);
    let world = world::BookWorld::new(data, images, fonts)?;
    let document = typst::compile::<PagedDocument>(&world).output.map_err(|errors| faults(&errors))?;
    // The caches of the previous steps are large, and the last step does not use them.
    typst::comemo::evict(0);
    let options = PdfOptions { creator: Smart::Custom(Some("Quire".to_owned())), ..PdfOptions::default() };
    typst_pdf::pdf(&document, &options).map_err(|errors| faults(&errors))
}

fn faults(errors: &[typst::diag::SourceDiagnostic]) -> anyhow::Error {
    let sentences: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    anyhow::anyhow!("the book can't be set: {}", sentences.join("; "))
}

/// Sets a resource limit of this process.
fn limit(resource: Resource, bound: u64) -> anyhow::Result<()> {
    if bound == 0 && !matches!(resource, Resource::RLIMIT_CORE) {
        bail!("a bound of nothing leaves no room");
    }
    setrlimit(resource, bound, bound).with_context(|| format!("{resource:?} can't be bounded"))
}
