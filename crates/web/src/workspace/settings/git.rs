//! `/s/{spaceId}/~/git`: Git connection of a space, its state and its log.
//!
//! The page is readable without a script. Like all settings, its forms send API requests by script. A connection is
//! thus set up in a single way, and no page contains a token.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::git::{GitInstallationStatus, GitOperationState, GitProvider};
use quire_domain::git_installations::{GitAgent, GitComparison, GitPreviewFacts, GitPreviewState};
use quire_domain::ids::{GitOperationId, SpaceId};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::git_installations::{GitInstallationRecord, GitOperationRecord, GitRemote};
use quire_storage::content::git_syncs::GitSyncRecord;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use serde_json::json;

use super::content::{Tab, Target};
use super::{MOST, empty, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, Select, Tick};
use crate::workspace::git::{
    self, Branches, Entry, Offers, commit_link, conflicts, disconnect, facts, failure, repository_fields,
    webhook,
};
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::shell::counted;
use crate::workspace::tables::table;

/// Side whose content the first synchronization takes.
const PRIORITIES: [(&str, &str); 3] =
    [("", "Both sides stay as they are"), ("git", "The repository"), ("gitbook", "This space")];

/// Agents with the files that exports write for them.
const AGENTS: [(GitAgent, &str); 2] = [(GitAgent::Agents, "AGENTS.md"), (GitAgent::Claude, "CLAUDE.md")];

/// Data of the page about a connection.
struct Connection {
    installation: GitInstallationRecord,
    last: Option<GitSyncRecord>,
    log: Slice<GitOperationRecord>,
    previews: Vec<GitPreviewFacts>,
    cursor: Option<String>,
    /// Repository to compare with the space, if requested.
    compared: Option<GitRemote>,
    /// Repository whose branches are offered, if requested.
    listed: Option<GitRemote>,
    /// Installations of the GitHub App that the connection may use.
    apps: Vec<String>,
}

/// Responds to `/s/{spaceId}/~/git`.
pub(in crate::workspace) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: SpaceId,
) -> ApiResult<HttpResponse> {
    let list = format!("synchronizations on the page of {id}");
    let after: Option<GitOperationId> = position(request, &list)?;
    let compares = parameter(request, "compare").is_some();
    let lists = compares || parameter(request, "branches").is_some();
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let space = reader.space(id)?.authorize(Action::ViewSpace)?;
        let target = Target::load(reader, &shared, space)?;
        if !target.item.may(Action::ViewImports) {
            return Ok((target, None));
        }
        let Some(installation) = reader.git_installation_of(&target.item)? else { return Ok((target, None)) };
        let found = reader.git_installation(installation.id)?.authorize(Action::ViewImports)?;
        let log = reader.git_operations(&found, after, MOST)?;
        let previews = reader.git_previews_of(&found)?;
        let cursor = next(&log, &list, |entry| entry.id)?;
        let is_undecided = installation.url.is_some() && installation.priority.is_none();
        let compared = (compares && is_undecided).then(|| reader.git_remote(&found)).transpose()?;
        let lists = lists && installation.url.is_some() && target.item.may(Action::TriggerGitSync);
        let listed = lists.then(|| reader.git_remote(&found)).transpose()?;
        let last = reader.git_sync(&target.item)?;
        let apps = git::apps(&shared, target.item.organization, &installation);
        Ok((target, Some(Connection { installation, last, log, previews, cursor, compared, listed, apps })))
    };
    let (target, mut connection) = web.state.read(caller, work).await?;
    let comparison = match connection.as_mut().and_then(|connection| connection.compared.take()) {
        Some(remote) => Some(web.git.compare(&web.state.storage, caller, id, Some(remote)).await?),
        None => None,
    };
    let branches = match connection.as_mut().and_then(|connection| connection.listed.take()) {
        Some(remote) => git::branches(web, &remote).await?,
        None => None,
    };
    let hook = |connection: &Connection| {
        web.state.urls.api(format_args!("git/hooks/{}", connection.installation.id))
    };
    let content = match &connection {
        _ if !target.item.may(Action::ViewImports) => refusal(),
        None => connect(&target),
        Some(connection) => target.connected(connection, (comparison.as_ref(), &branches), &hook(connection)),
    };
    Ok(target.respond(Tab::Git, &content))
}

fn refusal() -> Markup {
    empty("This page needs the role edit on the space", "Administrators of the space can give it to you.")
}

/// Returns the form that connects a space.
fn connect(target: &Target<SpaceRecord>) -> Markup {
    let about =
        "Pages become files of a branch, and commits become revisions. Both sides are then kept the same.";
    if !target.item.may(Action::TriggerGitSync) {
        return empty(
            "Not connected to a Git repository",
            "Members with the role create can connect the space.",
        );
    }
    let body = json!({"target": {"type": "space", "spaceId": target.item.id}}).to_string();
    git::connect(about, &body)
}

impl Target<SpaceRecord> {
    fn connected(
        &self,
        connection: &Connection,
        (comparison, branches): (Option<&GitComparison>, &Branches),
        hook: &str,
    ) -> Markup {
        let installation = &connection.installation;
        let url = format!("git/installations/{}", installation.id);
        let syncs = self.item.may(Action::TriggerGitSync);
        // A connection that belongs to a site can only be changed there.
        let changes = syncs && installation.parent.is_none();
        html! {
            @if installation.parent.is_some() {
                p.muted { "The Git page of a site manages this connection: its repository is changed there." }
            }
            @match (&installation.url, installation.priority) {
                (None, _) => {
                    p.muted { "The connection has no repository yet." }
                    @if changes { (self.repository(connection, &url, branches)) }
                },
                (Some(repository), None) => {
                    (facts(installation, repository))
                    (self.decision(&url, comparison, changes))
                },
                (Some(repository), Some(_)) => {
                    (self.state(connection, syncs, &url))
                    (facts(installation, repository))
                },
            }
            @if changes {
                @if installation.url.is_some() {
                    details.settings open[branches.is_some() && comparison.is_none()] {
                        summary { "Change the repository" }
                        (self.repository(connection, &url, branches))
                    }
                    details.settings {
                        summary { "Commits" }
                        (commits(installation, &url))
                    }
                    details.settings {
                        summary { "Conflicts" }
                        (conflicts(installation, &url, "This space"))
                    }
                    details.settings {
                        summary { "Webhook" }
                        (webhook(installation, &url, hook))
                    }
                }
            }
            @if installation.priority.is_some() || !connection.log.items.is_empty() {
                h2 { "Log" }
                (self.log(connection))
            }
            @if installation.priority.is_some() && installation.provider != GitProvider::Git {
                h2 { "Previews of pull requests" }
                (self.previews(connection, changes, &url))
            }
            @if changes {
                (disconnect(&url, &format!("s/{}/~/git", self.item.id), (
                    "The pages of the space and the files of the repository stay as they are.",
                    "Disconnect the space from its repository? The token is deleted.",
                )))
            }
        }
    }

    /// Returns the form of the repository.
    fn repository(&self, connection: &Connection, url: &str, branches: &Branches) -> Markup {
        let Connection { installation, apps, .. } = connection;
        let next = format!("s/{}/~/git", self.item.id);
        let is_new = installation.url.is_none();
        html! {
            (ApiForm {
                method: "PATCH",
                url,
                next: Some(&if is_new { format!("{next}?compare=1") } else { next }),
                submit: "Save repository",
                is_primary: is_new,
                ..ApiForm::default()
            }.with(html! {
                (repository_fields(installation, Offers { apps, branches }, "Leave empty for the whole repository."))
                @if installation.priority.is_some() {
                    (Select {
                        name: "priority", label: "Content to begin with", options: &PRIORITIES, value: "",
                        hint: Some("If you change the repository, branch or folder, choose the content to begin with."),
                    })
                }
            }))
        }
    }

    /// Returns the choice of the side whose content the first synchronization takes.
    fn decision(&self, url: &str, comparison: Option<&GitComparison>, changes: bool) -> Markup {
        let choice = |priority: &str, label: &str, question: &str| {
            let body = json!({ "priority": priority }).to_string();
            ApiForm {
                method: "PATCH",
                url,
                body: Some(&body),
                next: Some(&format!("s/{}/~/git", self.item.id)),
                submit: label,
                confirm: Some(question),
                ..ApiForm::default()
            }
            .alone(label)
        };
        html! {
            h2 { "Content to begin with" }
            p { "Nothing is synchronized yet. Choose the content to begin with." }
            @match comparison {
                None => p { a.btn href="?compare=1" { "Count the pages of both sides" } },
                Some(comparison) => (numbers(comparison)),
            }
            @if changes {
                div.actions {
                    (choice(
                        "git",
                        "Take the repository",
                        "Take the content of the repository? The pages of this space are replaced. Their previous content stays in the history.",
                    ))
                    (choice(
                        "gitbook",
                        "Take this space",
                        "Take the content of this space? A commit writes its pages to the branch. Files that are not pages stay.",
                    ))
                }
            }
        }
    }

    /// Returns a sentence about the state of the synchronization, and the possible actions.
    fn state(&self, connection: &Connection, changes: bool, url: &str) -> Markup {
        let shown = self.item.git_sync.as_ref();
        let operation = shown.and_then(|shown| shown.operation.as_ref());
        let is_running =
            connection.last.as_ref().is_some_and(|last| last.state == GitOperationState::Running);
        let is_refused = shown.is_some_and(|shown| shown.status == GitInstallationStatus::Unauthenticated);
        let is_tried_again = connection.installation.next_run_at.is_some();
        let failed = operation.filter(|operation| operation.state != GitOperationState::Success);
        html! {
            @match (operation, failed) {
                _ if is_running => p { span.pill.open { "Synchronizing" } " A synchronization is under way." },
                (None, _) => p { span.pill.open { "Waiting" } " The first synchronization begins soon." },
                (_, Some(failed)) => (failure(failed, is_refused, is_tried_again)),
                (Some(operation), None) => p {
                    span.pill.merged { "Up to date" } " Both sides were last in sync "
                    (self.frame.ago(operation.ended_at.unwrap_or(operation.started_at))) "."
                },
            }
            @if changes {
                @let label = if failed.is_some() { "Try again" } else { "Synchronize now" };
                div.actions { (ApiForm { url: &format!("{url}/sync"), submit: label, ..ApiForm::default() }.alone(label)) }
            }
        }
    }

    fn log(&self, connection: &Connection) -> Markup {
        let Connection { installation, log, cursor, .. } = connection;
        let address = self.frame.at(&format!("/s/{}/~/git", self.item.id));
        let entries: Vec<Entry<'_>> = log.items.iter().map(|entry| self.entry(entry)).collect();
        html! {
            (git::log(&self.frame, installation, &entries, "Imports, exports and failures are listed here for 90 days."))
            (more(&address, &[], cursor.as_deref().map(|cursor| ("page", cursor))))
        }
    }

    fn entry<'e>(&self, entry: &'e GitOperationRecord) -> Entry<'e> {
        let changes =
            entry.change_request.map(|id| self.frame.at(&format!("/s/{}/~/changes/{id}", self.item.id)));
        Entry {
            has_failed: entry.state == GitOperationState::Failure,
            summary: entry.summary(),
            link: changes.map(|address| html! { a href=(address) { "Change request" } }),
            trigger: entry.trigger,
            commit: entry.to_commit.as_deref(),
            ended_at: entry.ended_at,
        }
    }

    /// Returns the previews, and the setting for pull requests from other repositories.
    fn previews(&self, connection: &Connection, changes: bool, url: &str) -> Markup {
        let is_external = connection.installation.preview_external;
        let (submit, confirm) = match is_external {
            true => ("Leave out other repositories", None),
            false => (
                "Include other repositories",
                Some("Preview pull requests from other repositories, too? Anyone can open them."),
            ),
        };
        let body = json!({ "previewExternalBranches": !is_external }).to_string();
        html! {
            @if connection.previews.is_empty() {
                (empty("No open pull requests", "Previews of open pull requests are listed here and linked from their last commits."))
            } @else {
                (table("Previews", &[("Pull request", 40), ("Preview", 26), ("Commit", 16), ("Time", 18)], connection.previews.iter().map(|preview| self.preview(&connection.installation, preview))))
            }
            p.muted {
                @match is_external {
                    true => "Pull requests from other repositories are included.",
                    false => "Pull requests from other repositories are left out.",
                }
            }
            @if changes {
                (ApiForm { method: "PATCH", url, body: Some(&body), submit, confirm, ..ApiForm::default() }.alone(submit))
            }
        }
    }

    fn preview(&self, installation: &GitInstallationRecord, preview: &GitPreviewFacts) -> Markup {
        let title = format!("#{} {}", preview.number, preview.title);
        let page = preview.revision.map(|id| self.frame.at(&format!("/s/{}/~/history/{id}", self.item.id)));
        html! {
            tr {
                td {
                    @match &preview.url {
                        Some(url) => a href=(url) rel="noreferrer" { (title) },
                        None => (title),
                    }
                }
                td {
                    @match preview.state {
                        GitPreviewState::Pending => span.pill.open { "Pending" },
                        GitPreviewState::Success => {},
                        GitPreviewState::Failure => { span.pill.bad { "Failed" } " " (preview.error.as_deref().unwrap_or_default()) },
                    }
                    @if let Some(page) = page { " " a href=(page) aria-label={ "Preview of " (title) } { "Preview" } }
                }
                td { (commit_link(installation.provider, installation.url.as_deref(), &preview.commit)) }
                td { (self.frame.ago(preview.updated_at)) }
            }
        }
    }
}

/// Returns the form of what exports write in addition to pages: the messages of commits, and files for agents.
fn commits(installation: &GitInstallationRecord, url: &str) -> Markup {
    html! {
        (ApiForm { method: "PATCH", url, submit: "Save", ..ApiForm::default() }.with(html! {
            (Field {
                name: "commitMessageTemplate",
                label: "Message of commits",
                value: installation.commit_message_template.as_deref().unwrap_or_default(),
                hint: Some("With {change_request_number}, {change_request_subject} and {url}. Leave empty for the default."),
                clears: true,
                ..Field::default()
            })
            (Tick {
                name: "signOff",
                label: "End messages with Signed-off-by and the author",
                value: None,
                is_ticked: installation.sign_off,
            })
            fieldset.ticks {
                legend { "Instructions for coding agents" }
                @for (agent, file) in AGENTS {
                    (Tick {
                        name: "agentInstructions",
                        label: &format!("Write the file {file}"),
                        value: Some(agent.as_str()),
                        is_ticked: installation.agent_instructions.contains(&agent),
                    })
                }
            }
        }))
    }
}

/// Returns a sentence with the numbers of pages on both sides, or the reason why they are unknown.
fn numbers(comparison: &GitComparison) -> Markup {
    let here = counted(comparison.pages, "page", "pages");
    html! {
        @match (comparison.files, comparison.both, &comparison.error) {
            (Some(files), Some(both), _) => p role="status" {
                b { (here) " here, " (files) " there, " (both) " of both paths." }
                @if files == 0 { " The repository has no pages: take this space." }
            },
            (_, _, error) => div.note.bad role="status" {
                span.pill.bad { "Not compared" }
                span { (here) " here. " (error.as_deref().unwrap_or_default()) }
            },
        }
    }
}
