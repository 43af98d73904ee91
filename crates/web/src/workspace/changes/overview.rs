//! Overview of a change request.

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_content::rendering::Targets;
use quire_domain::change_requests::ViewedPages;
use quire_domain::documents::Format;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_render::{DifferenceView, Options, Resolved, Words};
use quire_revision::{Change, Tree, diff};
use quire_server::{ApiError, ApiResult};
use quire_storage::content::change_requests::{ChangeRequestKey, ChangeRequestRecord, MergeCheck};
use quire_storage::content::reviews::{ReviewFilter, ReviewerRecord, ShownReview};
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Storage};

use super::description::Description;
use super::{changed, review};
use crate::state::WebData;
use crate::workspace::actions;
use crate::workspace::comments::{Threads, Wanted};
use crate::workspace::conflicts;
use crate::workspace::content::{Content, is_active, open, status, subject};
use crate::workspace::differences::{Differences, Part, query_of, view_of, views};
use crate::workspace::shell::{Crumb, Page, face, name_of};
use crate::workspace::space::nav;

/// Maximum number of reviews and reviewers in an overview.
const MOST_REVIEWS: u16 = 50;

/// Data of an overview.
struct Overview {
    content: Content,
    change: ChangeRequestRecord,
    changes: Vec<Change>,
    differences: Differences,
    view: DifferenceView,
    reviewers: Vec<ReviewerRecord>,
    reviews: Vec<ShownReview>,
    description: Description,
    /// Pages that the caller has viewed.
    viewed: ViewedPages,
    after: Tree,
    /// Rules that are not met. `None` if the caller cannot merge.
    check: Option<MergeCheck>,
    threads: Threads,
    /// Number of conflicts with the space.
    conflicts: u64,
    resolved: Resolved,
}

/// Responds to `/s/{spaceId}/~/changes/{changeRequest}`.
pub(in crate::workspace) async fn overview(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    key: ChangeRequestKey,
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let comments = Wanted::of(request)?;
    let view = view_of(request);
    let part = Part::of(request, format!("changed pages of {key:?} in {space}"))?;
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::ChangeRequest(key))?;
        let record = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
        let after = reader.tree(&opened.content)?;
        let before = reader.tree_before(&opened.content)?;
        let changes = diff(&before, &after);
        let shown = (changes.as_slice(), part.clone());
        let differences = Differences::load(reader, &shared, caller, &opened, [&before, &after], shown)?;
        let threads = Threads::load(reader, &opened.content, None, comments)?;
        let conflicts = match is_active(&record.item) && record.item.is_outdated(record.space.head) {
            true => conflicts::count(&reader.conflicts_of(&record)?.0),
            false => 0,
        };
        let content = opened.shown;
        let addresses = content.place.addresses(&shared.state.signer);
        let targets = Targets::new(&addresses, &shared.expansions, content.place.space, &content.tree);
        let description = Description::of(reader.description(&record, Format::Markdown)?)?;
        let mut named = threads.references();
        named.extend(description.references());
        let targets = targets.load(reader, caller, &opened.organization, &opened.content, named)?;
        let filter = ReviewFilter { outdated: None, format: Format::Document };
        let loaded = Overview {
            change: record.item.clone(),
            check: reader.merge_check(&record)?,
            description,
            viewed: reader.viewed_pages(&opened.content, &after)?,
            after,
            reviewers: reader.requested_reviewers(&record, None, MOST_REVIEWS)?.items,
            reviews: reader.reviews(&record, filter, None, MOST_REVIEWS)?.items,
            changes,
            differences,
            view,
            threads,
            conflicts,
            resolved: Resolved { targets, ..Resolved::default() },
            content,
        };
        Ok(loaded)
    };
    let loaded = web.state.read(caller, load).await?;
    let shared = web.clone();
    let write = move |_: &Storage| {
        let options = Options {
            links_headings: false,
            words: &Words::ENGLISH,
            ..Options::english(&shared.highlighter)
        };
        Ok::<_, ApiError>((loaded.write(&options)?, loaded))
    };
    let (page, loaded) = web.state.compute(write).await?;
    Ok(loaded.content.frame.respond(&page))
}

impl Overview {
    fn write(&self, options: &Options<'_>) -> ApiResult<Page> {
        let Self { content, change, threads, resolved, .. } = self;
        let frame = &content.frame;
        let mut icons = BTreeSet::new();
        let description = self.description.write(content, change, (resolved, options), &mut icons);
        let comments = threads.write(content, resolved, options, &mut icons);
        let named = Options { names_blocks: content.rights.comments, ..*options };
        let differences = self.differences.write(
            content,
            (self.view, query_of(self.view)),
            &named,
            &|_| html! {},
            &mut icons,
        )?;
        let author = name_of(&change.created_by);
        let main = html! {
            main.home id="workspace:content" {
                header.cr-head {
                    h1 { (subject(change)) " " span { "#" (change.number) } }
                    p.cr-line {
                        (status(frame, change.status))
                        (face(&change.created_by)) b { (author) }
                        span { "opened this " (frame.ago(change.created_at)) ", last changed " (frame.ago(change.updated_at)) }
                    }
                }
                (actions::of_change(content, change, self.conflicts, self.check.as_ref()))
                @if is_active(change) && content.space.site.is_some() {
                    p { a.btn href={ (content.place.root()) "/~preview" } { (frame.icon("globe", "")) "Preview on the site" } }
                }
                div.cr data-review="" {
                    div {
                        (description)
                        h2 { "Changes" }
                        (changed::list(content, &self.changes, &self.after, &self.viewed))
                        @if !self.differences.is_empty() { (views(frame, self.view)) }
                        (differences)
                        (comments)
                    }
                    aside.rail aria-label="Review" {
                        @if is_active(change) { (review::readiness(content, change, self.conflicts, &self.reviews, self.check.as_ref())) }
                        h2 { "Reviewers" }
                        (review::reviewers(content, &self.reviews, &self.reviewers))
                        @if is_active(change) && content.rights.edits { (actions::ask_reviewer(content, change)) }
                    }
                }
            }
        };
        let nav = nav(content, None, &mut icons);
        Ok(Page {
            watched: Some(content.watched(None)),
            title: format!("#{} {}", change.number, subject(change)),
            crumbs: vec![
                Crumb { title: content.space.title.clone(), href: content.place.of_space() },
                Crumb {
                    title: "Change requests".to_owned(),
                    href: format!("{}/~/changes", content.place.of_space()),
                },
            ],
            nav_label: "Space",
            nav,
            main,
            icons,
            assets: &["review.css", "review.js"],
            ..Page::default()
        })
    }
}
