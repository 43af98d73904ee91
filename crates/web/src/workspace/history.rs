//! History of a space: revisions and their changes.

use std::collections::{BTreeSet, HashMap};

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::differences::UncountedRevision;
use quire_domain::clock::Timestamp;
use quire_domain::git::GitDirection;
use quire_domain::ids::{PageId, RevisionId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::revisions::{
    ChangeSummary, GitCommit as RevisionCommit, ImportedCommit, RevisionSummary, RevisionType,
};
use quire_render::{DifferenceView, Options};
use quire_revision::diff;
use quire_server::{ApiError, ApiResult};
use quire_storage::content::git_installations::GitCommit;
use quire_storage::content::store::{ContentSelector, ListedRevision, RevisionFilter};
use quire_storage::lookup::{Credentials, UserRecord};
use quire_storage::{Reader, Storage};
use time::OffsetDateTime;
use time::macros::format_description;

use super::content::{Content, open};
use super::differences::{Differences, Part, happened, query_of, view_of};
use super::git::{commit_link, short};
use super::requests::{cursor, next, parameter};
use super::shell::{Crumb, Page, avatar};
use super::space::links;
use crate::state::WebData;

/// Revisions per page of the history.
const MOST: u16 = 50;

/// Responds to `/s/{spaceId}/~/history`: the revisions of the main content, or those that changed the page `page`.
pub(super) async fn of_space(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let page: Option<PageId> =
        parameter(request, "page").map(|id| id.parse()).transpose().map_err(|_| ApiError::not_found())?;
    let name = format!("history of {space}: {page:?}");
    let below: Option<RevisionId> = cursor(request, "from", &name)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::Space)?;
        let filter = RevisionFilter { page, ..RevisionFilter::default() };
        let listed = reader.revisions_of_space(&opened.content, filter, below, MOST)?;
        let trees = reader.trees_of_listed(&opened.content, &listed.items)?;
        let uncounted = UncountedRevision::load(reader, &opened.content, &trees)?;
        let ids: Vec<RevisionId> = listed.items.iter().map(|revision| revision.id).collect();
        let commits = reader.git_commits(&opened.content, &ids)?;
        Ok((opened.shown, listed, uncounted, commits))
    };
    let (content, listed, uncounted, commits) = web.state.read(caller, load).await?;
    let count = move |_: &Storage| uncounted.iter().map(|revision| Ok(revision.count()?)).collect();
    let summaries: ApiResult<Vec<RevisionSummary>> = web.state.compute(count).await;
    let summaries = summaries?;
    let address = format!("{}/~/history", content.place.of_space());
    let next = next(&listed, &name, |revision| revision.id)?;
    let title = page.and_then(|page| content.tree.page(page)).map(|page| page.title.clone());
    let items: Vec<(&ListedRevision, &RevisionSummary)> = listed.items.iter().zip(&summaries).collect();
    let main = html! {
        main.home id="workspace:content" {
            h1 { "History" @if let Some(title) = &title { " of " (title) } }
            @if page.is_some() { p { a href=(address) { "History of the whole space" } } }
            @if items.is_empty() {
                div.empty { p { b { "No revision changed the page" } } p { "The last 2,000 revisions of the space are searched." } }
            }
            @for day in items.chunk_by(|left, right| day_of(left.0.created_at) == day_of(right.0.created_at)) {
                h2 { (day.first().map(|(revision, _)| day_of(revision.created_at)).unwrap_or_default()) }
                ul.list { @for (revision, summary) in day { (item((&content, &commits), &address, revision, summary)) } }
            }
            @if let Some(next) = next {
                p { a.btn href={ (address) "?" @if let Some(page) = page { "page=" (page) "&" } "from=" (next) } { "Load more" } }
            }
        }
    };
    Ok(content.frame.respond(&Page {
        title: "History".to_owned(),
        crumbs: vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }],
        nav_label: "Space",
        nav: links(&content, None),
        main,
        assets: &["review.css"],
        ..Page::default()
    }))
}

/// Responds to `/s/{spaceId}/~/history/{revisionId}`: the changes since the previous revision, or since `compare`.
pub(super) async fn of_revision(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    id: RevisionId,
) -> ApiResult<HttpResponse> {
    let compared = revision(request, "compare")?;
    let view = view_of(request);
    let part = Part::of(request, format!("changed pages of {id} since {compared:?}"))?;
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
        let shown = (changes.as_slice(), part.clone());
        let differences = Differences::load(reader, &shared, caller, &opened, [&before, &after], shown)?;
        let revision = opened.content.revision.clone();
        let names = match revision.author {
            Some(author) => reader.names_in_organization_of(&opened.content, &[author])?,
            None => Vec::new(),
        };
        let author = names.into_iter().next().map(|(_, name)| name);
        let git = reader.imported_commits(&opened.content)?;
        Ok((opened.shown, differences, revision, (author, git)))
    };
    let (content, differences, revision, (author, git)) = web.state.read(caller, load).await?;
    let shared = web.clone();
    let write = move |_: &Storage| {
        let options = Options { links_headings: false, ..Options::english(&shared.highlighter) };
        let mut icons = BTreeSet::new();
        let restores = |page: PageId| restore(&content, page, id);
        let since = compared.map(|other| format!("compare={other}&")).unwrap_or_default();
        let query = format!("{}{since}", query_of(view));
        let changed = differences.write(&content, (view, &query), &options, &restores, &mut icons)?;
        let address = format!("{}/~/history", content.place.of_space());
        let main = html! {
            main.home id="workspace:content" {
                h1 { (word(revision.kind)) }
                p.cr-line { (by(&content, (author.as_deref(), git.as_ref()), revision.created_at)) }
                p {
                    @match view {
                        DifferenceView::Inline => a href={ "?" (since) "view=split" } { "Side by side" },
                        DifferenceView::Split => a href={ "?" (since) "view=inline" } { "In one column" },
                    }
                    @if let Some(parent) = revision.parents.first() { " · " a href={ (address) "/" (parent) } { "Revision before" } }
                }
                (commits_of(&content, git.as_ref()))
                @if differences.is_empty() { div.empty { p { b { "No page texts differ" } } } }
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
            assets: &["review.css"],
            icons,
            has_document: true,
            ..Page::default()
        };
        Ok::<_, ApiError>((page, content))
    };
    let (page, content) = web.state.compute(write).await?;
    Ok(content.frame.respond(&page))
}

/// Returns the revision in a query parameter.
fn revision(request: &HttpRequest, name: &str) -> ApiResult<Option<RevisionId>> {
    parameter(request, name).map(|id| id.parse()).transpose().map_err(|_| ApiError::not_found())
}

fn day_of(time: Timestamp) -> String {
    let format = format_description!("[day padding:none] [month repr:long] [year]");
    OffsetDateTime::from(time).format(format).unwrap_or_default()
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
    (content, commits): (&Content, &HashMap<RevisionId, GitCommit>),
    address: &str,
    revision: &ListedRevision,
    summary: &RevisionSummary,
) -> Markup {
    let name = revision.author.as_ref().and_then(UserRecord::display_name);
    html! {
        li {
            (content.frame.icon(if revision.kind == RevisionType::Merge { "git-merge" } else { "pencil" }, "draft"))
            a.t href={ (address) "/" (revision.id) } { (word(revision.kind)) }
            span.d { (by(content, (name, revision.git.as_ref()), revision.created_at)) }
            span.d { (pages(summary)) }
            @if let Some(commit) = commits.get(&revision.id) { span.d { (commit_of(content, commit)) } }
            @if summary.text != ChangeSummary::default() {
                span.delta {
                    span.p { "+" (summary.text.words_added) } " " span.m { "−" (summary.text.words_removed) } " words"
                }
            }
        }
    }
}

/// Returns the commit that a revision was imported from or pushed as.
fn commit_of(content: &Content, GitCommit { direction, id }: &GitCommit) -> Markup {
    let Some(git) = &content.space.git_sync else { return html! {} };
    html! {
        @match direction { GitDirection::Import => "From commit ", GitDirection::Export => "Pushed as commit " }
        (commit_link(git.provider, git.url.as_deref(), id))
    }
}

/// Returns the numbers of changed pages: "2 pages edited, 1 added".
fn pages(summary: &RevisionSummary) -> String {
    happened(
        ("page", "pages"),
        [
            (summary.pages_edited, "edited"),
            (summary.pages_created, "added"),
            (summary.pages_deleted, "removed"),
            (summary.pages_moved, "moved"),
        ],
    )
}

/// Returns the author and the time of a revision. The author of a commit who is no user is named in place of the user
/// whose connection imported it.
fn by(content: &Content, (name, git): (Option<&str>, Option<&RevisionCommit>), time: Timestamp) -> Markup {
    let committed = git.and_then(|git| git.author.as_deref());
    let name = committed.or(name).unwrap_or("Removed user");
    html! {
        (avatar(name)) " " b { (name) } @if committed.is_some() { ", by Git" }
        " " (content.frame.ago(time))
    }
}

/// Returns the list of the commits from which a revision was imported.
fn commits_of(content: &Content, git: Option<&RevisionCommit>) -> Markup {
    let commits = git.and_then(|git| git.commits.as_deref()).unwrap_or_default();
    html! {
        @if !commits.is_empty() {
            h2 { "Commits" }
            ul.list { @for commit in commits { (imported(content, commit)) } }
        }
    }
}

fn imported(content: &Content, commit: &ImportedCommit) -> Markup {
    let subject = match commit.subject.as_str() {
        "" => "No message",
        subject => subject,
    };
    html! {
        li {
            (content.frame.icon("circle-dot", "draft"))
            @match &commit.url {
                Some(url) => a.t href=(url) rel="noreferrer" { (subject) },
                None => span.t { (subject) },
            }
            span.d {
                (avatar(&commit.author)) " " b { (commit.author) }
                @if let Some(time) = commit.created_at { " " (content.frame.ago(time)) }
            }
            span.d { code { (short(&commit.oid)) } }
        }
    }
}

/// Returns the button that restores a page of a revision in the caller's draft.
fn restore(content: &Content, page: PageId, revision: RevisionId) -> Markup {
    html! {
        @if let Some(page) = content.tree.page(page).filter(|_| content.rights.edits) {
            button.btn type="button" data-action="restore" data-space=(content.space.id) data-page=(page.id) data-revision=(revision) data-title=(page.title) {
                "Restore this page"
            }
        }
    }
}
