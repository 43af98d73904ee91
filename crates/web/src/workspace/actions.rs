//! Buttons that change something. `actions.js` sends the requests that they describe to the API. `editor.js` replaces a
//! page that may be edited.

use maud::{Markup, html};
use quire_domain::change_requests::Status;
use quire_domain::ids::{OrganizationId, PageId};
use quire_domain::policy::Action;
use quire_domain::reviews::ReviewStatus;
use quire_revision::{PageNode, PageType};
use quire_storage::content::change_requests::{ChangeRequestRecord, MergeCheck};
use quire_storage::content::collections::CollectionRecord;
use quire_storage::lookup::Authorized;

use super::content::{Content, is_active};
use super::forms::{ApiForm, Area, Field, dialog};
use super::page_actions;
use super::rights::Rights;
use super::shell::Frame;
use crate::assets;

/// Maximum length of a site's title.
const LONGEST_TITLE: u32 = 128;

/// Returns whether the editor may replace a page: the page has its own document and belongs to an active change
/// request.
pub(super) fn is_editable(content: &Content, page: &PageNode) -> bool {
    page.page_type() == PageType::Document
        && content.rights.edits
        && content.change.as_ref().is_some_and(is_active)
}

/// Returns the actions of a page: open it in the caller's draft, add a page, change, publish and export it.
pub(super) fn of_page(content: &Content, page: &PageNode) -> Markup {
    let path = content.tree.path_of(page.id).filter(|_| page.page_type() == PageType::Document);
    html! {
        div.actions {
            @if content.rights.edits {
                @if let Some(path) = path.filter(|_| content.change.is_none()) {
                    button.btn.primary type="button" data-action="edit" data-space=(content.space.id) data-path=(path) data-title=(page.title) {
                        (content.frame.icon("pencil", "")) "Edit"
                    }
                }
                (new_page(content, page.parent))
                (page_actions::of_page(content, page))
                (publish(content))
            }
            (exports(content, page))
        }
    }
}

/// Returns the links that export content.
fn exports(content: &Content, page: &PageNode) -> Markup {
    let space = content.space.id;
    let of_content = match content.place.change {
        Some(number) => format!("spaces/{space}/change-requests/{number}"),
        None => format!("spaces/{space}"),
    };
    html! {
        div.menu {
            button.btn type="button" aria-expanded="false" aria-controls="workspace:exports" data-folds="" { "Export" }
            ul id="workspace:exports" hidden {
                li { a href=(content.frame.at(&format!("/v1/{of_content}/content/export?format=markdown"))) download="" { "Markdown of all pages" } }
                li { a href=(content.frame.at(&format!("/v1/{of_content}/content"))) { "JSON of the content" } }
                li { button type="button" data-action="pdf" data-url={ (of_content) "/pdf?page=" (page.id) "&only=true" } { "PDF of this page" } }
                li { button type="button" data-action="pdf" data-url={ (of_content) "/pdf" } { "PDF of all pages" } }
            }
        }
    }
}

/// Returns the button that publishes a space as a site, with its dialog. For a published space, returns the link to its
/// site.
pub(super) fn publish(content: &Content) -> Markup {
    let space = &content.space;
    html! {
        @if content.rights.publishes && content.change.is_none() {
            @match &space.site {
                Some(_) => a.btn href=(content.frame.at(&format!("/o/{}/sites?space={}", space.organization, space.id))) { (content.frame.icon("globe", "")) "Published" },
                None => {
                    button.btn type="button" data-dialog="workspace:publish" { (content.frame.icon("globe", "")) "Publish" }
                    (dialog("workspace:publish", "Publish as a site", html! {
                        (Field { name: "title", id: Some("workspace:publish-title"), label: "Title", value: &space.title, is_required: true, longest: LONGEST_TITLE, ..Field::default() })
                        (Field { name: "basename", id: Some("workspace:publish-basename"), label: "Name in the address", hint: Some("Leave empty to use the title."), longest: LONGEST_TITLE, ..Field::default() })
                        p { "Everyone can read a published site. Its audience can be changed afterwards." }
                    }, html! {
                        button.btn.primary type="submit" data-action="publish" data-organization=(space.organization) data-space=(space.id) { "Publish it" }
                    }))
                },
            }
        }
    }
}

/// Returns the first steps for an organization without spaces.
pub(super) fn doors(frame: &Frame, organization: OrganizationId) -> Markup {
    let door = |dialog: &str, icon: &str, title: &str, line: &str| {
        html! {
            button.space type="button" data-dialog=(dialog) { span.e { (frame.icon(icon, "")) } b { (title) } small { (line) } }
        }
    };
    html! {
        div.cards.doors {
            (door("workspace:import", "folder", "Import what you have", "An archive, a repository, a website, or an export of another system"))
            (door("workspace:first-page", "pencil", "Write the first page", "In the browser, with headings, code, tables and pictures"))
            a.space href=(frame.at(&format!("/o/{organization}/people"))) {
                span.e { (frame.icon("users", "")) }
                b { "Invite people" }
                small { "They read, write and review with you" }
            }
        }
        (titled("workspace:import", "A space for what you import", html! {
            button.btn.primary type="submit" data-action="space" data-organization=(organization) data-then="import" { "Choose the files" }
        }))
        (titled("workspace:first-page", "The first page", html! {
            button.btn.primary type="submit" data-action="start" data-organization=(organization) { "Write it" }
        }))
    }
}

/// Returns the button that adds a page below another one, with its dialog.
pub(super) fn new_page(content: &Content, into: Option<PageId>) -> Markup {
    let change = content.change.as_ref().filter(|change| is_active(change)).map(|change| change.number);
    let is_closed = content.change.is_some() && change.is_none();
    html! {
        @if content.rights.edits && !is_closed {
            button.btn type="button" data-dialog="workspace:new-page" { (content.frame.icon("plus", "")) "New page" }
            (titled("workspace:new-page", "New page", html! {
                button.btn.primary type="submit" data-action="page" data-space=(content.space.id) data-change=[change] data-into=[into] { "Add page" }
            }))
        }
    }
}

/// Returns the button that creates a space, with its dialog.
pub(super) fn new_space(frame: &Frame, organization: OrganizationId) -> Markup {
    html! {
        button.btn type="button" data-dialog="workspace:new-space" { (frame.icon("plus", "")) "New space" }
        (titled("workspace:new-space", "New space", html! {
            button.btn.primary type="submit" data-action="space" data-organization=(organization) { "Create space" }
        }))
    }
}

/// Returns the button that creates a collection, with its dialog.
pub(super) fn new_collection(frame: &Frame, organization: OrganizationId) -> Markup {
    let url = format!("orgs/{organization}/collections");
    let form = ApiForm {
        url: &url,
        next: Some("c/{id}"),
        submit: "Create collection",
        is_primary: true,
        ..ApiForm::default()
    };
    html! {
        button.btn type="button" data-dialog="workspace:new-collection" { (frame.icon("plus", "")) "New collection" }
        (titled("workspace:new-collection", "New collection", form.button()))
    }
}

/// Returns the buttons of a collection, for adding content and for its settings.
pub(super) fn in_collection(frame: &Frame, collection: &Authorized<CollectionRecord>) -> Markup {
    let body = format!("{{\"parent\":\"{}\"}}", collection.id);
    let spaces = format!("orgs/{}/spaces", collection.organization);
    let collections = format!("orgs/{}/collections", collection.organization);
    let form = |url, next, submit| ApiForm {
        url,
        next: Some(next),
        body: Some(&body),
        submit,
        is_primary: true,
        ..ApiForm::default()
    };
    html! {
        div.actions {
            @if collection.may(Action::CreateContent) {
                button.btn type="button" data-dialog="workspace:new-space" { (frame.icon("plus", "")) "New space" }
                (titled("workspace:new-space", "New space", form(&spaces, "s/{id}", "Create space").button()))
                button.btn type="button" data-dialog="workspace:new-collection" { (frame.icon("plus", "")) "New collection" }
                (titled("workspace:new-collection", "New collection", form(&collections, "c/{id}", "Create collection").button()))
            }
            @if collection.may(Action::AdministerCollection) {
                a.btn href=(frame.at(&format!("/c/{}/settings", collection.id))) { (frame.icon("settings", "")) "Settings" }
            }
        }
    }
}

/// Returns a dialog that asks for a title.
fn titled(id: &str, heading: &str, submit: Markup) -> Markup {
    let label = format!("{id}-title");
    let field = html! {
        label for=(label) { "Title" }
        input type="text" name="title" id=(label) required maxlength="100" autocomplete="off";
    };
    dialog(id, heading, field, submit)
}

/// Returns the bar above a page in the editor, which fills it.
pub(super) fn edit_bar(content: &Content, page: &PageNode) -> Markup {
    html! {
        div.edit-bar {
            p data-status="" role="status" { "Loading the editor…" }
            (new_page(content, page.parent))
            (page_actions::of_page(content, page))
            button.btn type="button" disabled aria-pressed="false" title="Show the page as Markdown (Ctrl-Alt-M)"
                data-markdown=(assets::path(&content.frame.prefix, "source.js")) { "Markdown" }
            a.btn href=(content.place.root()) { "Overview" }
            (request_review(content))
        }
        div data-notices="" {}
    }
}

/// Returns the button that sends a draft for review.
pub(super) fn request_review(content: &Content) -> Markup {
    html! {
        @if let Some(change) = content.change.as_ref().filter(|change| change.status == Status::Draft) {
            button.btn.primary type="button" data-action="send" data-method="PATCH" data-body="{\"status\":\"open\"}"
                data-url={ "spaces/" (change.space) "/change-requests/" (change.number) }
                data-next={ "s/" (change.space) "/~/changes/" (change.number) } { "Request review" }
        }
    }
}

/// Returns the possible next steps of a change request.
pub(super) fn of_change(
    content: &Content,
    change: &ChangeRequestRecord,
    conflicts: u64,
    rules: Option<&MergeCheck>,
) -> Markup {
    let Rights { user, edits, reviews, merges, .. } = content.rights;
    let url = format!("spaces/{}/change-requests/{}", change.space, change.number);
    let conflicts_page = format!("s/{}/~/changes/{}/~conflicts", change.space, change.number);
    let is_author = change.created_by.id() == Some(user);
    let is_outdated = change.is_outdated(content.space.head);
    let status = |status: &str, label: &str| {
        send(("PATCH", &url), &format!("{{\"status\":\"{status}\"}}"), label, false)
    };
    html! {
        @if is_active(change) && (edits || reviews || merges) {
            div.actions {
                div.decide {
                    @if change.status == Status::Draft && edits {
                        (send(("PATCH", &url), "{\"status\":\"open\"}", "Request review", true))
                    }
                    @if conflicts > 0 {
                        a.btn.primary href={ (content.place.root()) "/~conflicts" } { (content.frame.icon("triangle-alert", "")) "Resolve conflicts" }
                    } @else if merges && change.status == Status::Open {
                        (merge(content, &url, &conflicts_page, rules))
                    }
                    @if reviews && !is_author && change.status == Status::Open {
                        (verdict(&url, ReviewStatus::Approved))
                        (verdict(&url, ReviewStatus::ChangesRequested))
                    }
                }
                @if edits && is_outdated && conflicts == 0 {
                    button.btn type="button" data-action="merge" data-url={ (url) "/update" } data-conflicts=(conflicts_page) { "Update from the space" }
                }
                @if edits && change.status == Status::Open { (status("draft", "Back to draft")) }
                (new_page(content, None))
                @if edits { (status("archived", "Archive")) }
            }
        }
        @if change.status == Status::Archived && edits { div.actions { (status("draft", "Open again")) } }
    }
}

/// Returns the button that submits a review, with a dialog for its text.
fn verdict(url: &str, status: ReviewStatus) -> Markup {
    let (label, key, heading, submit) = match status {
        ReviewStatus::Approved => ("Approve", "a", "Approve this change request?", "Approve it"),
        ReviewStatus::ChangesRequested => ("Request changes", "r", "Request changes?", "Send the request"),
    };
    let (dialog_id, comment) =
        (format!("workspace:review-{key}"), format!("Comment to send with it: {label}"));
    let (url, body) = (format!("{url}/reviews"), format!("{{\"status\":\"{}\"}}", status.as_str()));
    let form = ApiForm { url: &url, body: Some(&body), submit, is_primary: true, ..ApiForm::default() };
    let text = Area {
        name: "comment.markdown",
        label: &comment,
        value: "",
        hint: Some("May be empty."),
        is_required: false,
        is_list: false,
    };
    html! {
        button.btn type="button" data-dialog=(dialog_id) data-key=(key) { (label) }
        (dialog(&dialog_id, heading, html! { (text) }, form.button()))
    }
}

/// Returns the button that merges a change request. It is disabled while merge rules are not met. Adds a bypass button
/// if the rules allow it to the caller.
fn merge(content: &Content, url: &str, conflicts_page: &str, rules: Option<&MergeCheck>) -> Markup {
    let blocked = rules.filter(|rules| !rules.blocks.is_empty());
    let submit = |bypasses: bool, label: &str| {
        html! {
            button.btn.primary type="submit" data-action="merge" data-url={ (url) "/merge" } data-conflicts={ (conflicts_page) "?for=merge" }
                data-bypass=[bypasses.then_some("true")] { (label) }
        }
    };
    let icon = content.frame.icon("git-merge", "");
    html! {
        @match blocked {
            None => {
                button.btn.primary type="button" data-dialog="workspace:merge" data-key="m" { (icon) "Merge" }
                (dialog("workspace:merge", "Merge this change request?", html! {
                    p { "The space and its sites show the changes at once." }
                }, submit(false, "Merge it")))
            }
            Some(rules) => {
                button.btn.primary type="button" disabled aria-describedby="workspace:merge-blocked" { (icon) "Merge" }
                @if rules.may_bypass {
                    button.btn type="button" data-dialog="workspace:bypass" { "Merge without meeting the rules" }
                    (dialog("workspace:bypass", "Merge although rules are not met?", html! {
                        ul { @for block in &rules.blocks { li { (block.message) } } }
                        p { "The audit log records it. The space and its sites show the changes at once." }
                    }, submit(true, "Bypass and merge")))
                }
                p.muted id="workspace:merge-blocked" {
                    "Not ready: "
                    @for (at, block) in rules.blocks.iter().enumerate() { @if at > 0 { " " } (block.message) }
                }
            }
        }
    }
}

/// Returns the form that requests a review from a member. `review.js` loads the members.
pub(super) fn ask_reviewer(content: &Content, change: &ChangeRequestRecord) -> Markup {
    let url = format!("spaces/{}/change-requests/{}/requested-reviewers", change.space, change.number);
    let members = format!("orgs/{}/members?limit=100", content.space.organization);
    html! {
        div.ask data-members=(members) {
            button.btn type="button" aria-expanded="false" aria-controls="workspace:ask" data-folds="" {
                (content.frame.icon("plus", "")) "Ask for a review"
            }
            form id="workspace:ask" hidden {
                label for="workspace:reviewer" { "Reviewer" }
                select id="workspace:reviewer" name="users" required { option value="" { "Choose a member" } }
                button.btn type="submit" data-action="ask-reviewer" data-url=(url) { "Ask" }
            }
        }
    }
}

/// Returns a button that sends a request and reloads the page.
pub(super) fn send((method, url): (&str, &str), body: &str, label: &str, is_primary: bool) -> Markup {
    html! {
        button.btn.primary[is_primary] type="button" data-action="send" data-method=(method) data-url=(url) data-body=(body) { (label) }
    }
}
