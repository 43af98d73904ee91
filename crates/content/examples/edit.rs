//! Edits content without HTTP: inserts a page from Markdown, changes it, and reads it back.
//!
//! ```sh
//! DATABASE_URL=postgres:///example cargo run -p quire-content --example edit
//! ```

#![allow(clippy::print_stdout, reason = "a program prints its result")]

mod setup;

use anyhow::Context as _;
use quire_content::attachments::Attachments;
use quire_content::edits::PastNeeds;
use quire_content::page_body::page_text;
use quire_content::{ContentWrite, DraftBase, ExpectedRevisions, Written};
use quire_domain::content::ContentChanges;
use quire_domain::policy::Action;
use quire_markup::StableRefs;
use quire_storage::Reader;
use quire_storage::content::store::ContentSelector;
use quire_storage::door::TypedDoor;
use serde_json::{Value, json};
use setup::Workspace;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let workspace = setup::open()?;
    let markdown = "# Setup\n\nDownload the **binary** and run it.\n";
    let insert = json!({"operation": "insert_page", "document": {"markdown": markdown}});
    let written = write(&workspace, json!({"changes": [insert]})).await?;
    let page = written.tree.page_by_path("setup").context("the page is missing")?.id;
    println!("inserted page {page}:\n{}", read(&workspace).await?);

    let update = json!({
        "operation": "update_page",
        "page": page,
        "description": "From download to first page",
        "document": {"markdown": "Download the binary, then:\n\n1. start it\n2. open the address that it prints\n"},
    });
    write(&workspace, json!({"changes": [update]})).await?;
    println!("changed it:\n{}", read(&workspace).await?);
    Ok(())
}

/// Applies changes as one revision: drafts them before the transaction, and commits them in it.
async fn write(workspace: &Workspace, changes: Value) -> anyhow::Result<Written> {
    let (storage, credentials, space) = (&workspace.storage, workspace.credentials, workspace.space);
    let body: ContentChanges = serde_json::from_value(changes)?;
    let needs = PastNeeds::of(&body);
    let look = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        DraftBase::look(reader, &content, &needs)
    };
    let seen = TypedDoor::read(storage, credentials, look).await?;
    let (attachments, expected) = (Attachments::default(), ExpectedRevisions::default());
    let wanted = ContentWrite { body, attachments, expected };
    let find = move |reader: &mut Reader<'_>| {
        Ok(reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?)
    };
    Ok(wanted.write(storage, credentials, seen, find, |_, written| Ok(written)).await?)
}

/// Returns the page as Markdown.
async fn read(workspace: &Workspace) -> anyhow::Result<String> {
    let space = workspace.space;
    let read = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
        let tree = reader.tree(&content)?;
        let page = tree.page_by_path("setup").ok_or(quire_storage::Error::NotFound)?;
        let document = page.document.map(|id| reader.document(&content, id)).transpose()?;
        page_text(page, document.as_ref(), &StableRefs, None)
    };
    Ok(TypedDoor::read(&workspace.storage, workspace.credentials, read).await?)
}
