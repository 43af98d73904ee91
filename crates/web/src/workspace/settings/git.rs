//! `/s/{spaceId}/~/git`: the connection of a space to a Git repository, its state and its log.
//!
//! The page is read without a script. Its forms need one, as all of the settings do: they send the requests of the API,
//! so that a connection is set up in one way only, and a token is part of no page.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::Error;
use quire_domain::git::{GitInstallationStatus, GitOperation, GitOperationState, GitProvider};
use quire_domain::git_installations::{GitComparison, GitPreviewState, GitTrigger};
use quire_domain::ids::{GitOperationId, SpaceId};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::git_installations::{
    GitInstallationRecord, GitOperationRecord, GitPreviewRecord, GitRemote,
};
use quire_storage::content::git_syncs::GitSyncRecord;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use serde_json::json;

use super::content::{Tab, Target};
use super::{MOST, empty, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Copied, Field, Select};
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::shell::counted;

/// Digits of the short id of a commit.
const SHORT_ID: usize = 7;

/// Providers with their names.
pub(in crate::workspace) const PROVIDERS: [(&str, &str); 4] = [
    ("github", "GitHub"),
    ("gitlab", "GitLab"),
    ("gitea", "Gitea or Forgejo"),
    ("git", "Another server with https"),
];

/// Sides that the first synchronization takes the content of.
const PRIORITIES: [(&str, &str); 3] =
    [("", "Both sides stay as they are"), ("git", "The repository"), ("gitbook", "This space")];

/// Connection of a space as the page shows it.
struct Connection {
    installation: GitInstallationRecord,
    last: Option<GitSyncRecord>,
    log: Slice<GitOperationRecord>,
    previews: Vec<GitPreviewRecord>,
    cursor: Option<String>,
    /// Repository to compare with the space.
    compared: Option<GitRemote>,
    /// Repository whose branches are offered.
    listed: Option<GitRemote>,
    /// Installations of the GitHub App that the connection may use.
    apps: Vec<String>,
}

/// Branches that the form of the repository offers, by their full names, or the reason why there are none. `None` if
/// they were not asked for.
type Branches = Option<Result<Vec<String>, String>>;

/// Answers `/s/{spaceId}/~/git`.
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
        let app = shared.git.app().filter(|_| installation.provider == GitProvider::Github);
        let apps = app.into_iter().flat_map(|app| app.installations_of(target.item.organization));
        let apps = apps.map(|id| id.to_string()).collect();
        Ok((target, Some(Connection { installation, last, log, previews, cursor, compared, listed, apps })))
    };
    let (target, mut connection) = web.state.read(caller, work).await?;
    let comparison = match connection.as_mut().and_then(|connection| connection.compared.take()) {
        Some(remote) => Some(web.git.compare(&web.state.storage, caller, id, Some(remote)).await?),
        None => None,
    };
    let branches = match connection.as_mut().and_then(|connection| connection.listed.take()) {
        Some(remote) => branches(web, &remote).await?,
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

async fn branches(web: &WebData, remote: &GitRemote) -> ApiResult<Branches> {
    match web.git.branches(remote).await {
        Ok(branches) => Ok(Some(Ok(branches.into_iter().map(|branch| branch.reference).collect()))),
        Err(Error::Refused(refusal)) => Ok(Some(Err(refusal.message))),
        Err(error) => Err(error.into()),
    }
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
    html! {
        p.muted { (about) }
        (ApiForm { url: "git/installations", body: Some(&body), submit: "Connect", is_primary: true, ..ApiForm::default() }
            .with(Select { name: "provider", label: "Server of the repository", options: &PROVIDERS, value: "github", hint: None }))
    }
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
        // A site's connection changes those of its spaces.
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
                h2 { "Disconnect" }
                p.muted { "The pages of the space and the files of the repository stay as they are." }
                (ApiForm {
                    method: "DELETE",
                    url: &url,
                    next: Some(&format!("s/{}/~/git", self.item.id)),
                    submit: "Disconnect",
                    confirm: Some("Disconnect the space from its repository? The token is deleted."),
                    ..ApiForm::default()
                }.alone("Disconnect the repository"))
            }
        }
    }

    /// Returns the form of the repository.
    fn repository(&self, connection: &Connection, url: &str, branches: &Branches) -> Markup {
        let Connection { installation, apps, .. } = connection;
        let app = installation.app_installation_id.map(|id| id.to_string());
        let next = format!("s/{}/~/git", self.item.id);
        let is_new = installation.url.is_none();
        let token = match installation.has_secret {
            true => "A token is stored. Another address needs one again.",
            false => "It needs to read and write the repository. Empty for a public one that is only read.",
        };
        html! {
            (ApiForm {
                method: "PATCH",
                url,
                next: Some(&if is_new { format!("{next}?compare=1") } else { next }),
                submit: "Save repository",
                is_primary: is_new,
                ..ApiForm::default()
            }.with(html! {
                (Field {
                    name: "providerConfiguration.url", label: "Address", kind: "url", is_required: true,
                    value: installation.url.as_deref().unwrap_or_default(),
                    hint: Some("Such as https://git.example.org/acme/docs.git"), ..Field::default()
                })
                (Field {
                    name: "providerConfiguration.accessToken", label: "Access token or password", kind: "password",
                    hint: Some(token), ..Field::default()
                })
                @if !apps.is_empty() || app.is_some() {
                    (Field {
                        name: "providerConfiguration.appInstallationId", label: "Installation of the GitHub App",
                        kind: "number", clears: true, value: app.as_deref().unwrap_or_default(), offers: apps,
                        hint: Some("In place of a token. Empty without the app."), ..Field::default()
                    })
                }
                (Field {
                    name: "providerConfiguration.username", label: "User name", clears: true, longest: 255,
                    value: installation.username.as_deref().unwrap_or_default(),
                    hint: Some("Most servers need none with a token."), ..Field::default()
                })
                (Field {
                    name: "providerConfiguration.branch", label: "Branch", clears: true, longest: 255,
                    value: installation.reference.as_deref().unwrap_or_default(),
                    hint: Some("Full name, such as refs/heads/main. Empty for the default branch."),
                    offers: branches.as_ref().and_then(|branches| branches.as_deref().ok()).unwrap_or_default(),
                    ..Field::default()
                })
                @match branches {
                    Some(Err(reason)) => p.hint role="status" { "The branches cannot be read. " (reason) },
                    Some(Ok(names)) => p.hint role="status" {
                        "The field offers " (counted(u64::try_from(names.len()).unwrap_or(u64::MAX), "branch", "branches"))
                        " of the repository."
                    },
                    None if !is_new => p { a href="?branches=1" { "Offer the branches of the repository" } },
                    None => {},
                }
                (Field {
                    name: "projectDirectory", label: "Folder", clears: true, longest: 1_024,
                    value: installation.project_directory.trim_end_matches('/'),
                    hint: Some("Empty for the whole repository."), ..Field::default()
                })
                @if installation.priority.is_some() {
                    (Select {
                        name: "priority", label: "Content to begin with", options: &PRIORITIES, value: "",
                        hint: Some("Another repository, branch or folder needs a side whose content is taken."),
                    })
                }
            }))
        }
    }

    /// Returns the choice of the side that the first synchronization takes the content of.
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
            p { "Nothing is synchronized yet. Choose the side whose content is taken first." }
            @match comparison {
                None => p { a.btn href="?compare=1" { "Count the pages of both sides" } },
                Some(comparison) => (numbers(comparison)),
            }
            @if changes {
                div.actions {
                    (choice(
                        "git",
                        "Take the repository",
                        "Take the content of the repository? The pages of this space are replaced. The content before is in the history.",
                    ))
                    (choice(
                        "gitbook",
                        "Take this space",
                        "Take the content of this space? A commit writes its pages to the branch. Files that are no pages stay.",
                    ))
                }
            }
        }
    }

    /// Returns the state of the synchronization in a sentence, and what to do.
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
                (_, Some(failed)) => div.note.bad { (self.failure(failed, is_refused, is_tried_again)) },
                (Some(operation), None) => p {
                    span.pill.merged { "Up to date" } " Both sides were the same "
                    (self.frame.ago(operation.ended_at.unwrap_or(operation.started_at))) "."
                },
            }
            @if changes {
                @let label = if failed.is_some() { "Try again" } else { "Synchronize now" };
                div.actions { (ApiForm { url: &format!("{url}/sync"), submit: label, ..ApiForm::default() }.alone(label)) }
            }
        }
    }

    fn failure(&self, failed: &GitOperation, is_refused: bool, is_tried_again: bool) -> Markup {
        html! {
            span.pill.bad { "Failed" }
            span { (failed.error.as_deref().unwrap_or("The synchronization did not end in time.")) }
            span {
                @match (is_refused, is_tried_again) {
                    (true, _) => "Save another token below: it is not tried again before.",
                    (false, true) => "It is tried again by itself.",
                    (false, false) => "It is not tried again before the repository is saved below.",
                }
            }
        }
    }

    fn log(&self, connection: &Connection) -> Markup {
        let Connection { installation, log, cursor, .. } = connection;
        let address = self.frame.at(&format!("/s/{}/~/git", self.item.id));
        html! {
            @if log.items.is_empty() {
                (empty("No synchronizations yet", "Imports, exports and failures are listed here for 90 days."))
            } @else {
                div.table tabindex="0" role="region" aria-label="Log" {
                    table {
                        thead { tr { th { "What happened" } th { "Cause" } th { "Commit" } th { "Time" } } }
                        tbody { @for entry in &log.items { (self.entry(installation, entry)) } }
                    }
                }
            }
            (more(&address, &[], cursor.as_deref().map(|cursor| ("page", cursor))))
        }
    }

    /// Returns the previews, and whether those of other repositories have some.
    fn previews(&self, connection: &Connection, changes: bool, url: &str) -> Markup {
        let is_external = connection.installation.preview_external;
        let (submit, confirm) = match is_external {
            true => ("Leave out other repositories", None),
            false => (
                "Include other repositories",
                Some("Preview pull requests from other repositories, too? Anybody may open them."),
            ),
        };
        let body = json!({ "previewExternalBranches": !is_external }).to_string();
        html! {
            @if connection.previews.is_empty() {
                (empty("No open pull requests", "The content of each open one is shown here, and linked from its last commit."))
            } @else {
                div.table tabindex="0" role="region" aria-label="Previews" {
                    table {
                        thead { tr { th { "Pull request" } th { "Preview" } th { "Commit" } th { "Time" } } }
                        tbody { @for preview in &connection.previews { (self.preview(&connection.installation, preview)) } }
                    }
                }
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

    fn preview(&self, installation: &GitInstallationRecord, preview: &GitPreviewRecord) -> Markup {
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

    fn entry(&self, installation: &GitInstallationRecord, entry: &GitOperationRecord) -> Markup {
        html! {
            tr {
                td {
                    @if entry.state == GitOperationState::Failure { span.pill.bad { "Failed" } " " }
                    (entry.summary())
                    @if let Some(id) = entry.change_request {
                        " " a href=(self.frame.at(&format!("/s/{}/~/changes/{id}", self.item.id))) { "Change request" }
                    }
                }
                td { (cause(entry.trigger)) }
                td {
                    @if let Some(commit) = &entry.to_commit {
                        (commit_link(installation.provider, installation.url.as_deref(), commit))
                    }
                }
                td { (self.frame.ago(entry.ended_at)) }
            }
        }
    }
}

/// Returns the repository of a connection.
pub(in crate::workspace) fn facts(installation: &GitInstallationRecord, url: &str) -> Markup {
    let reference = installation.reference.as_deref();
    let folder = installation.project_directory.trim_end_matches('/');
    let branch = reference.map_or("the default branch", |name| name.trim_start_matches("refs/heads/"));
    html! {
        p {
            @match installation.provider.tree_url(url, reference, folder) {
                Some(tree) => a href=(tree) rel="noreferrer" { (url) },
                None => (url),
            }
            ", " (branch)
            @if !folder.is_empty() { ", folder " (folder) }
        }
    }
}

/// Returns the numbers of pages of both sides in a sentence, or why there are none.
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

/// Returns the address of the webhook of a repository, and how to set it up.
pub(in crate::workspace) fn webhook(installation: &GitInstallationRecord, url: &str, hook: &str) -> Markup {
    let steps = match installation.provider {
        GitProvider::Github | GitProvider::GithubLegacy => {
            "On GitHub: Settings, Webhooks, Add webhook, with the content type application/json, the secret, \
             pushes and pull requests."
        }
        GitProvider::Gitlab => {
            "On GitLab: Settings, Webhooks, Add new webhook, with the secret, push and merge request events."
        }
        GitProvider::Gitea => {
            "On Gitea or Forgejo: Settings, Webhooks, Add webhook, with POST, application/json, the secret, push and pull request events."
        }
        GitProvider::Git => {
            "Have the server send a POST request after each push, with ?token= and the secret in the address."
        }
    };
    let (submit, confirm) = match installation.has_hook_secret {
        true => ("New secret", Some("Make another secret? The present one is no longer accepted.")),
        false => ("Create secret", None),
    };
    html! {
        p.muted { "With a webhook, a push is imported at once. Without one, the branch is looked at every five minutes." }
        (Copied { label: "Address of the webhook", value: hook })
        p { (steps) }
        (ApiForm { url: &format!("{url}/rotate-hook-secret"), shows: Some("secret"), submit, confirm, ..ApiForm::default() }
            .alone(submit))
    }
}

/// Returns the id of a commit, as a link where the address of commits is known.
pub(in crate::workspace) fn commit_link(provider: GitProvider, url: Option<&str>, commit: &str) -> Markup {
    let short: String = commit.chars().take(SHORT_ID).collect();
    html! {
        @match url.and_then(|url| provider.commit_url(url, commit)) {
            Some(address) => a href=(address) rel="noreferrer" aria-label={ "Commit " (short) } { code { (short) } },
            None => code { (short) },
        }
    }
}

/// Returns the cause of a synchronization.
pub(in crate::workspace) fn cause(trigger: GitTrigger) -> &'static str {
    match trigger {
        GitTrigger::Setup => "Setup",
        GitTrigger::Request => "On request",
        GitTrigger::Poll => "By itself",
        GitTrigger::Hook => "Webhook",
    }
}
