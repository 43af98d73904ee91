//! Gallery page with every block, and the data that it needs.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::openapi::{Json, read};
use quire_markup::{ContentRef, Document, StableRefs, parse};
use quire_render::{ApiPiece, References, Resolved, Target, references};
use std::collections::HashMap;

pub fn gallery() -> Document {
    parse(include_str!("gallery.txt"), &StableRefs)
}

/// Returns the targets, contents and pieces that the gallery refers to, as far as they exist.
pub fn resolved(document: &Document) -> Resolved {
    let mut resolved = Resolved { shows_all: true, ..Resolved::default() };
    let note = "This part is shared by *several* pages.\n\n### From elsewhere\n\nWith a heading of its own.";
    let References { targets, reusable_contents, .. } = references(document);
    for reference in targets {
        if let Some(target) = target(&reference) {
            resolved.targets.insert(reference, target);
        }
    }
    for reference in reusable_contents {
        resolved.reusable_contents.insert(reference, parse(note, &StableRefs));
    }
    resolved.values.insert("space.vars.version".to_owned(), "2.1.0".to_owned());
    resolved.apis.insert(ContentRef::OpenApi { spec: "pets".to_owned() }, pieces(include_str!("pets.json")));
    resolved
}

fn target(reference: &ContentRef) -> Option<Target> {
    let page = |address: &str, title: &str, about: &str| Target {
        address: address.to_owned(),
        title: title.to_owned(),
        description: Some(about.to_owned()),
        ..Target::default()
    };
    let picture = |address: &str, size| Target {
        address: address.to_owned(),
        title: address.to_owned(),
        size: Some(size),
        ..Target::default()
    };
    Some(match reference {
        ContentRef::Page { page: id, .. } if id == "p1" => Target {
            emoji: Some("1f680".to_owned()),
            ..page("quick-start", "Quick start", "Send the first file in a minute.")
        },
        ContentRef::Page { page: id, .. } if id == "p2" => {
            page("configuration", "Configuration", "All options.")
        }
        ContentRef::File { file, .. } => match file.as_str() {
            "f1" => picture("harbor.svg", (1200, 500)),
            "f2" => picture("boat.svg", (480, 240)),
            "f3" => Target {
                address: "transfer.log".to_owned(),
                title: "transfer.log".to_owned(),
                bytes: Some(48_200),
                ..Target::default()
            },
            "f4" => picture("harbor-night.svg", (1200, 500)),
            _ => return None,
        },
        ContentRef::User { user } => {
            let name = if user == "u1" { "Ada Lovelace" } else { "Grace Hopper" };
            Target { title: name.to_owned(), ..Target::default() }
        }
        _ => return None,
    })
}

/// Returns the pieces of a specification, by JSON pointer.
pub fn pieces(specification: &str) -> HashMap<String, ApiPiece> {
    let specification = read(specification).unwrap();
    let parts: Vec<(String, Json)> = specification
        .parts
        .iter()
        .map(|part| (part.pointer.clone(), Json::parse(&part.body).unwrap()))
        .collect();
    let server = specification.pages.iter().find_map(|page| {
        let body = Json::parse(&page.body).unwrap();
        Some(body.items_of("servers").first()?.str("url")?.to_owned())
    });
    let piece = |page: &quire_markup::openapi::Page| {
        let parts = page.parts.iter().map(|index| parts[usize::try_from(*index).unwrap()].clone());
        ApiPiece {
            body: Json::parse(&page.body).unwrap(),
            server: server.clone(),
            parts: parts.collect(),
            pages: HashMap::new(),
        }
    };
    specification.pages.iter().map(|page| (page.pointer.clone(), piece(page))).collect()
}
