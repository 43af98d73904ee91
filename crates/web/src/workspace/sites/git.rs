//! Git page of a site: its connection to a repository, its spaces with their folders, and its log.
//!
//! As on the Git page of a space, the forms send API requests by script.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::git::{GitInstallationStatus, GitOperationState};
use quire_domain::git_installations::GitPriority;
use quire_domain::ids::{GitOperationId, OrganizationId, SiteId};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::change_requests::InSpace;
use quire_storage::content::git_installations::{GitInstallationRecord, GitOperationRecord, GitRemote};
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::sites::SiteSpaceRecord;
use serde_json::json;

use super::{MOST, Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, Select};
use crate::workspace::git::{
    self, Branches, Entry, Offers, conflicts, disconnect, facts, failure, repository_fields, webhook,
};
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::settings::{empty, more};
use crate::workspace::tables::table;

/// Side that determines the spaces and their folders.
const PRIORITIES: [(&str, &str); 2] =
    [("git", "The site file of the repository"), ("gitbook", "This site, with the folders below")];

/// Data of the page about a connection.
struct Connection {
    installation: GitInstallationRecord,
    children: Vec<InSpace<GitInstallationRecord>>,
    spaces: Vec<SiteSpaceRecord>,
    log: Slice<GitOperationRecord>,
    cursor: Option<String>,
    /// Repository whose branches are offered, if requested.
    listed: Option<GitRemote>,
    /// Installations of the GitHub App that the connection may use.
    apps: Vec<String>,
}

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let list = format!("synchronizations on the page of {}", key.1);
    let after: Option<GitOperationId> = position(request, &list)?;
    let lists = parameter(request, "branches").is_some();
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        if !opened.site.may(Action::ViewImports) {
            return Ok((opened, None));
        }
        let Some(found) = reader.git_installation_of_site(&opened.site)? else { return Ok((opened, None)) };
        let log = reader.site_git_operations(&found, after, MOST)?;
        let cursor = next(&log, &list, |entry| entry.id)?;
        let mut children = reader.git_installations_of_site(&opened.site)?;
        children.retain(|child| child.item.parent == Some(found.item.id));
        let spaces = reader.all_site_spaces((&opened.site).into())?;
        let lists = lists && found.item.url.is_some() && opened.site.may(Action::TriggerGitSync);
        let listed = lists.then(|| reader.site_git_remote(&found)).transpose()?;
        let installation = found.item.clone();
        let apps = git::apps(&shared, key.0, &installation);
        Ok((opened, Some(Connection { installation, children, spaces, log, cursor, listed, apps })))
    };
    let (opened, mut connection) = Opened::load(web, caller, key, load).await?;
    let branches = match connection.as_mut().and_then(|connection| connection.listed.take()) {
        Some(remote) => git::branches(web, &remote).await?,
        None => None,
    };
    let main = match &connection {
        _ if !opened.site.may(Action::ViewImports) => empty(
            "This page needs the role edit in the organization",
            "Administrators of the organization can give it to you.",
        ),
        None => connect(&opened),
        Some(connection) => {
            let hook = web.state.urls.api(format_args!("git/hooks/{}", connection.installation.id));
            connected(&opened, connection, &branches, &hook)
        }
    };
    Ok(opened.respond(Tab::Git, &main))
}

/// Returns the form that connects a site.
fn connect(opened: &Opened) -> Markup {
    if !opened.manages() {
        return empty(
            "Not connected to a Git repository",
            "Members with the role create can connect the site.",
        );
    }
    let body = json!({"target": {"type": "site", "siteId": opened.site.id}}).to_string();
    let about = "Each space of the site becomes a folder of one branch. Both sides are then kept the same.";
    git::connect(about, &body)
}

fn connected(opened: &Opened, connection: &Connection, branches: &Branches, hook: &str) -> Markup {
    let installation = &connection.installation;
    let url = format!("git/installations/{}", installation.id);
    let changes = opened.manages();
    let is_set_up = installation.url.is_some();
    let address = format!("o/{}/sites/{}/git", opened.site.organization, opened.site.id);
    html! {
        @match &installation.url {
            None => p.muted { "The connection has no repository yet." },
            Some(repository) => {
                (state(opened, connection, changes, &url))
                (facts(installation, repository))
            },
        }
        @if changes {
            details.settings open[!is_set_up || branches.is_some()] {
                summary { "Repository" }
                (repository(connection, branches, &url, &address))
            }
        }
        @if is_set_up {
            h2 { "Spaces" }
            (spaces(opened, connection))
            @if changes && installation.priority == Some(GitPriority::Gitbook) {
                (folders(connection, &url, &address))
            }
            @if changes {
                details.settings { summary { "Conflicts" } (conflicts(installation, &url, "The spaces")) }
                details.settings { summary { "Webhook" } (webhook(installation, &url, hook)) }
            }
            h2 { "Log" }
            (log(opened, connection))
        }
        @if changes {
            (disconnect(&url, &address, (
                "The spaces, their pages and the files of the repository stay as they are.",
                "Disconnect the site and its spaces from the repository? The token is deleted.",
            )))
        }
    }
}

/// Returns the form of the repository and of the determining side.
fn repository(connection: &Connection, branches: &Branches, url: &str, address: &str) -> Markup {
    let Connection { installation, apps, .. } = connection;
    let priority = installation.priority.map_or("git", GitPriority::as_str);
    html! {
        (ApiForm {
            method: "PATCH", url, next: Some(address), submit: "Save repository", is_primary: true, ..ApiForm::default()
        }.with(html! {
            (repository_fields(
                installation, Offers { apps, branches }, "Folder of the site file. Leave empty for the top of the repository.",
            ))
            (Select {
                name: "priority", label: "Spaces and folders are those of", options: &PRIORITIES, value: priority,
                hint: Some("With the site file, gitbook-docs.yaml or docs.yaml, the repository replaces the content of new connections."),
            })
        }))
    }
}

/// Returns a sentence about the state of the synchronization, and a button.
fn state(opened: &Opened, connection: &Connection, changes: bool, url: &str) -> Markup {
    let shown = opened.site.git_sync.as_ref();
    let operation = shown.and_then(|shown| shown.operation.as_ref());
    let is_refused = shown.is_some_and(|shown| shown.status == GitInstallationStatus::Unauthenticated);
    let sync = format!("{url}/sync");
    html! {
        @match operation {
            None => p { span.pill.open { "Waiting" } " The first synchronization begins soon." },
            Some(failed) if failed.state != GitOperationState::Success => (failure(failed, is_refused, true)),
            Some(operation) => p {
                span.pill.merged { "Up to date" } " The spaces were connected "
                (opened.directory.frame.ago(operation.ended_at.unwrap_or(operation.started_at))) "."
            },
        }
        @if changes && connection.installation.priority.is_some() {
            (ApiForm { url: &sync, submit: "Sync now", done: Some("A synchronization is under way."), ..ApiForm::default() }
                .alone("Sync now"))
        }
    }
}

fn spaces(opened: &Opened, connection: &Connection) -> Markup {
    html! {
        @if connection.children.is_empty() {
            (empty("No connected spaces", "They are listed here after the first synchronization."))
        } @else {
            (table("Connected spaces", &[("Space", 35), ("Folder", 30), ("State", 35)], connection.children.iter().map(|child| space(opened, child))))
        }
    }
}

fn space(opened: &Opened, child: &InSpace<GitInstallationRecord>) -> Markup {
    let InSpace { space, item } = child;
    let shown = space.git_sync.as_ref();
    let operation = shown.and_then(|shown| shown.operation.as_ref());
    let folder = item.project_directory.trim_end_matches('/');
    html! {
        tr {
            td { a href=(opened.directory.frame.at(&format!("/s/{}/~/git", space.id))) { (space.title) } }
            td { code { @if folder.is_empty() { "/" } @else { (folder) } } }
            td {
                @match operation {
                    None => span.pill.open { "Waiting" },
                    Some(operation) if operation.state == GitOperationState::Success => {
                        span.pill.merged { "Up to date" }
                    },
                    Some(failed) => { span.pill.bad { "Failed" } " " (failed.error.as_deref().unwrap_or_default()) },
                }
            }
        }
    }
}

/// Returns the form of the spaces' folders, for a site that determines them.
fn folders(connection: &Connection, url: &str, address: &str) -> Markup {
    let root = &connection.installation.project_directory;
    let folder_of = |space: &SiteSpaceRecord| {
        let child = connection.children.iter().find(|child| child.space.id == space.space.id)?;
        let folder = child.item.project_directory.strip_prefix(root.as_str())?;
        Some(folder.trim_end_matches('/').to_owned())
    };
    html! {
        (ApiForm { method: "PATCH", url, next: Some(address), submit: "Save folders", ..ApiForm::default() }.with(html! {
            @for space in &connection.spaces {
                (Field {
                    name: &format!("childInstallationProjectDirectories.{}", space.space.id),
                    label: &space.space.title,
                    value: &folder_of(space).unwrap_or_default(),
                    longest: 1_024,
                    hint: Some("Folder of the space. Leave empty to leave out the space."),
                    ..Field::default()
                })
            }
        }))
    }
}

fn log(opened: &Opened, connection: &Connection) -> Markup {
    let Connection { installation, log, cursor, .. } = connection;
    let entries: Vec<Entry<'_>> = log.items.iter().map(self::entry).collect();
    let about = "Changes of the site and failures are listed here for 90 days.";
    html! {
        (git::log(&opened.directory.frame, installation, &entries, about))
        (more(&opened.at("git"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    }
}

fn entry(entry: &GitOperationRecord) -> Entry<'_> {
    Entry {
        has_failed: entry.state == GitOperationState::Failure,
        summary: entry.summary_of_site(),
        link: None,
        trigger: entry.trigger,
        commit: entry.to_commit.as_deref(),
        ended_at: entry.ended_at,
    }
}
