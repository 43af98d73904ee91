//! History of a space: its revisions, and what each of them changed.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{PageId, RevisionId, SpaceId, UserId};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_render::{DifferenceView, Options};
use quire_revision::diff;
use quire_server::{ApiError, ApiResult};
use quire_storage::content::PastRevision;
use quire_storage::lookup::{ContentSelector, Credentials};
use quire_storage::{Reader, Storage};
use time::OffsetDateTime;
use time::macros::format_description;

use super::content::{Content, open};
use super::differences::Differences;
use super::requests::parameter;
use super::shell::{Crumb, Page, avatar};
use super::space::links;
use crate::state::WebData;

/// Revisions on a page of the history.
const MOST: u16 = 50;

/// Answers `/s/{spaceId}/~/history`, from the revision `from` on.
pub(super) async fn of_space(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let from = revision(request, "from")?.map_or(ContentSelector::Space, ContentSelector::Revision);
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, from)?;
        let past = reader.revisions_up_to(&opened.content, MOST)?;
        let authors: BTreeSet<UserId> = past.iter().filter_map(|revision| revision.author).collect();
        let authors: Vec<UserId> = authors.into_iter().collect();
        let names = reader.names_in_organization_of(&opened.content, &authors)?;
        Ok((opened.shown, past, names.into_iter().collect::<BTreeMap<_, _>>()))
    };
    let (content, past, names) = web.state.read(caller, load).await?;
    let address = format!("{}/~/history", content.place.of_space());
    let next = past.last().filter(|_| past.len() == usize::from(MOST)).and_then(|revision| revision.parent);
    let main = html! {
        main.home id="workspace:content" {
            h1 { "History" }
            @for day in past.chunk_by(|left, right| day_of(left) == day_of(right)) {
                h2 { (day.first().map(day_of).unwrap_or_default()) }
                ul.list { @for revision in day { (item(&content, &address, revision, &names)) } }
            }
            @if let Some(next) = next { p { a.btn href={ (address) "?from=" (next) } { "Load more" } } }
        }
    };
    Ok(content.frame.respond(&Page {
        title: "History".to_owned(),
        crumbs: vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }],
        nav_label: "Space",
        nav: links(&content, None),
        main,
        ..Page::default()
    }))
}

/// Answers `/s/{spaceId}/~/history/{revisionId}`: the changes since the revision before, or since `compare`.
pub(super) async fn of_revision(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    id: RevisionId,
) -> ApiResult<HttpResponse> {
    let compared = revision(request, "compare")?;
    let view = match parameter(request, "view").as_deref() {
        Some("split") => DifferenceView::Split,
        _ => DifferenceView::Inline,
    };
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::Revision(id))?;
        let after = reader.tree(&opened.content)?;
        let before = match compared {
            None => reader.tree_before(&opened.content)?,
            Some(other) => {
                let other = reader.content(space, ContentSelector::Revision(other))?;
                reader.tree(&other.authorize(Action::ViewSpace)?)?
            }
        };
        let changes = diff(&before, &after);
        let differences = Differences::load(reader, &shared, caller, &opened, [&before, &after], &changes)?;
        let past = reader.revisions_up_to(&opened.content, 1)?.into_iter().next();
        let author = past.as_ref().and_then(|revision| revision.author);
        let names = match author {
            Some(author) => reader.names_in_organization_of(&opened.content, &[author])?,
            None => Vec::new(),
        };
        let past = past.ok_or_else(ApiError::not_found)?;
        Ok((opened.shown, differences, past, names.into_iter().collect::<BTreeMap<_, _>>()))
    };
    let (content, differences, past, names) = web.state.read(caller, load).await?;
    let shared = web.clone();
    let write = move |_: &Storage| {
        let options = Options { links_headings: false, ..Options::english(&shared.highlighter) };
        let mut icons = BTreeSet::new();
        let restores = |page: PageId| restore(&content, page, id);
        let changed = differences.write(&content, view, &options, &restores, &mut icons)?;
        let address = format!("{}/~/history", content.place.of_space());
        let since = compared.map(|other| format!("&compare={other}")).unwrap_or_default();
        let main = html! {
            main.home id="workspace:content" {
                h1 { (word(past.kind)) }
                p.cr-line { (made_by(&content, &past, &names)) }
                p {
                    @match view {
                        DifferenceView::Inline => a href={ "?view=split" (since) } { "Side by side" },
                        DifferenceView::Split => a href={ "?view=inline" (since) } { "In one column" },
                    }
                    @if let Some(parent) = past.parent { " · " a href={ (address) "/" (parent) } { "Revision before" } }
                }
                @if differences.is_empty() { div.empty { p { b { "No page has another text" } } } }
                @else { h2 { "Changed pages" } }
                (changed)
            }
        };
        let page = Page {
            title: "Revision".to_owned(),
            crumbs: vec![
                Crumb { title: content.space.title.clone(), href: content.place.of_space() },
                Crumb { title: "History".to_owned(), href: address },
            ],
            nav_label: "Space",
            nav: links(&content, None),
            main,
            icons,
            has_document: true,
            ..Page::default()
        };
        Ok::<_, ApiError>((page, content))
    };
    let (page, content) = web.state.compute(write).await?;
    Ok(content.frame.respond(&page))
}

/// Returns a revision that the query names.
fn revision(request: &HttpRequest, name: &str) -> ApiResult<Option<RevisionId>> {
    parameter(request, name).map(|id| id.parse()).transpose().map_err(|_| ApiError::not_found())
}

fn day_of(revision: &PastRevision) -> String {
    let format = format_description!("[day padding:none] [month repr:long] [year]");
    OffsetDateTime::from(revision.created_at).format(format).unwrap_or_default()
}

fn word(kind: RevisionType) -> &'static str {
    match kind {
        RevisionType::Edits => "Edited",
        RevisionType::Merge => "Merged a change request",
        RevisionType::Rollback => "Went back to an earlier revision",
        RevisionType::Update => "Updated from the space",
        RevisionType::Computed => "Computed",
    }
}

fn item(
    content: &Content,
    address: &str,
    revision: &PastRevision,
    names: &BTreeMap<UserId, String>,
) -> Markup {
    html! {
        li {
            (content.frame.icon(if revision.kind == RevisionType::Merge { "git-merge" } else { "pencil" }, "draft"))
            a.t href={ (address) "/" (revision.id) } { (word(revision.kind)) }
            span.d { (made_by(content, revision, names)) }
        }
    }
}

fn made_by(content: &Content, revision: &PastRevision, names: &BTreeMap<UserId, String>) -> Markup {
    let name = revision.author.and_then(|author| names.get(&author)).map_or("Removed user", String::as_str);
    html! { (avatar(name)) " " b { (name) } " " (content.frame.ago(revision.created_at)) }
}

/// Returns the button that brings a page of a revision back, in the caller's draft.
fn restore(content: &Content, page: PageId, revision: RevisionId) -> Markup {
    html! {
        @if let Some(page) = content.tree.page(page).filter(|_| content.rights.edits) {
            button.btn type="button" data-action="restore" data-space=(content.space.id) data-page=(page.id) data-revision=(revision) data-title=(page.title) {
                "Restore this page"
            }
        }
    }
}
