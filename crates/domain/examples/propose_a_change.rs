//! A client's view: which change requests wait for review, and the body that edits a page of one.
//!
//! `cargo run -p quire-domain --example propose_a_change`

use std::io::{self, Write as _};

use quire_domain::ChangeRequestStatus;
use quire_domain::change_requests::ChangeRequest;
use quire_domain::content::{ContentChange, ContentChanges, PageMetadata, UpdatePage};
use quire_domain::documents::DocumentBody;
use quire_domain::texts::Emoji;
use quire_domain::{List, PageId, Patch};
use validator::Validate as _;

/// Answer of `GET /v1/spaces/{spaceId}/change-requests`.
const ANSWER: &str = include_str!("change-requests.json");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    let change_requests: List<ChangeRequest> = serde_json::from_str(ANSWER)?;
    for request in change_requests.items.iter().filter(|request| request.status == ChangeRequestStatus::Open)
    {
        writeln!(out, "#{} {} by {}", request.number, request.subject, request.created_by.display_name)?;
    }

    let page: PageId = "0197f1d0-0000-7000-8000-000000000014".parse()?;
    let change = UpdatePage {
        page,
        document: Some(DocumentBody::Markdown { markdown: "# Tokens\n\nThey open the API.\n".to_owned() }),
        into: Patch::Keep,
        at: None,
        target: None,
        source: None,
        metadata: PageMetadata { emoji: Patch::Set(Emoji::new("🔑")?), ..PageMetadata::default() },
    };
    let body = ContentChanges::of_current(vec![ContentChange::UpdatePage(Box::new(change))]);
    body.validate()?;
    writeln!(out, "POST …/content {}", serde_json::to_string_pretty(&body)?)?;
    Ok(())
}
