//! Writes a page with every block: `cargo run -p quire-render --example gallery -- target/screens/gallery.html`.

#![allow(clippy::print_stdout, reason = "a program prints its result")]

#[path = "../tests/support/mod.rs"]
mod support;

use quire_render::{Highlighter, Options, Symbol, render, symbols};
use std::path::Path;

/// Pictures on the page, by name.
const PICTURES: [(&str, &str); 3] = [
    (
        "harbor.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 500"><rect width="1200" height="500" fill="#dbe7f3"/><circle cx="940" cy="120" r="54" fill="#f7d98b"/><path d="M0 330q150-30 300 0t300 0 300 0 300 0v170H0z" fill="#7fa6c9"/><path d="M0 390q150-30 300 0t300 0 300 0 300 0v110H0z" fill="#5b87b0"/><path d="M420 300h360l-60 70H480z" fill="#32506e"/><path d="M590 300V130l130 150z" fill="#fff"/></svg>"##,
    ),
    (
        "harbor-night.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 500"><rect width="1200" height="500" fill="#1c2534"/><circle cx="940" cy="120" r="48" fill="#dfe5ee"/><path d="M0 330q150-30 300 0t300 0 300 0 300 0v170H0z" fill="#2c4560"/><path d="M0 390q150-30 300 0t300 0 300 0 300 0v110H0z" fill="#213750"/><path d="M420 300h360l-60 70H480z" fill="#0e1a28"/><path d="M590 300V130l130 150z" fill="#aebccb"/></svg>"##,
    ),
    (
        "boat.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 240"><rect width="480" height="240" fill="#e8eef5"/><path d="M120 150h240l-40 50H160z" fill="#48688a"/><path d="M235 150V50l90 90z" fill="#8fb0d0"/></svg>"##,
    ),
];

/// Returns the shape of an icon of a small external set.
fn shape(name: &str) -> Option<Symbol<'static>> {
    let path = match name {
        "rocket" => {
            "M14 3c4 0 7 1 7 1s0 4-2 7l-6 6-6-6 6-6Zm2 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM5 12l-3 3 4 1 1 4 3-3Z"
        }
        "star" => "m12 2 3 7 7 .6-5.3 4.700L18.5 22 12 18l-6.5 4 1.8-7.700L2 9.6 9 9Z",
        "bolt" => "M13 2 4 14h6l-1 8 9-12h-6Z",
        _ => return None,
    };
    Some(Symbol { view_box: "0 0 24 24", path })
}

fn main() -> std::io::Result<()> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "target/screens/gallery.html".to_owned());
    let folder = Path::new(&out).parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let document = support::gallery();
    let highlighter = Highlighter::default();
    let start = std::time::Instant::now();
    let resolved = support::resolved(&document);
    let page = render(&document, &resolved, &Options::english(&highlighter));
    println!("{} bytes in {:?}", page.html.len(), start.elapsed());
    let outline: String = page
        .outline
        .iter()
        .map(|heading| {
            format!(
                "<li data-rank=\"{}\"><a href=\"#{}\">{}</a>",
                heading.rank, heading.anchor, heading.title
            )
        })
        .collect();
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:; img-src 'self' file:; script-src 'self' file:\">\
         <title>Ferry</title><link rel=\"stylesheet\" href=\"document.css\"><link rel=\"stylesheet\" href=\"gallery.css\">\
         <script type=\"module\" src=\"document.js\"></script><body>{}<nav aria-label=\"On this page\"><ul>{outline}</ul></nav>\
         <main><article class=\"document\"><h1>Ferry</h1>{}</article></main>",
        symbols(&page.icons, &shape).into_string(),
        page.html,
    );
    std::fs::write(&out, html)?;
    std::fs::write(folder.join("document.css"), include_str!("../assets/document.css"))?;
    std::fs::write(folder.join("document.js"), include_str!("../assets/document.js"))?;
    std::fs::write(folder.join("gallery.css"), include_str!("gallery.css"))?;
    for (name, picture) in PICTURES {
        std::fs::write(folder.join(name), picture)?;
    }
    Ok(())
}
