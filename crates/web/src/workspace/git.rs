//! Shared parts of the Git pages of spaces and sites.

use maud::{Markup, html};
use quire_content::Error;
use quire_domain::clock::Timestamp;
use quire_domain::git::{GitOperation, GitProvider};
use quire_domain::git_installations::{GitAuthority, GitTrigger};
use quire_domain::ids::OrganizationId;
use quire_server::ApiResult;
use quire_storage::content::git_installations::{GitInstallationRecord, GitRemote};

use super::forms::{ApiForm, Copied, Field, Select};
use super::settings::empty;
use super::shell::{Frame, counted};
use super::tables::table;
use crate::state::WebData;

/// Number of digits in the short id of a commit.
const SHORT_ID: usize = 7;

/// Providers with their names.
const PROVIDERS: [(&str, &str); 4] = [
    ("github", "GitHub"),
    ("gitlab", "GitLab"),
    ("gitea", "Gitea or Forgejo"),
    ("git", "Another server with https"),
];

/// Full names of the branches that the repository form offers, or the reason why there are none. `None` if they were
/// not requested.
pub(super) type Branches = Option<Result<Vec<String>, String>>;

/// Suggested values of the repository form.
#[derive(Clone, Copy)]
pub(super) struct Offers<'o> {
    /// Installations of the GitHub App that the connection may use.
    pub(super) apps: &'o [String],
    pub(super) branches: &'o Branches,
}

/// Entry of a log.
pub(super) struct Entry<'e> {
    pub(super) has_failed: bool,
    pub(super) summary: String,
    /// Link to the result of the synchronization.
    pub(super) link: Option<Markup>,
    pub(super) trigger: GitTrigger,
    pub(super) commit: Option<&'e str>,
    pub(super) ended_at: Timestamp,
}

/// Returns the installations of the GitHub App that a connection may use.
pub(super) fn apps(
    web: &WebData,
    organization: OrganizationId,
    installation: &GitInstallationRecord,
) -> Vec<String> {
    let app = web.git.app().filter(|_| installation.provider == GitProvider::Github);
    let apps = app.into_iter().flat_map(|app| app.installations_of(organization));
    apps.map(|id| id.to_string()).collect()
}

/// Returns the branches of a repository.
pub(super) async fn branches(web: &WebData, remote: &GitRemote) -> ApiResult<Branches> {
    match web.git.branches(remote).await {
        Ok(branches) => Ok(Some(Ok(branches.into_iter().map(|branch| branch.reference).collect()))),
        Err(Error::Refused(refusal)) => Ok(Some(Err(refusal.message))),
        Err(error) => Err(error.into()),
    }
}

/// Returns the form that connects the target in `body`.
pub(super) fn connect(about: &str, body: &str) -> Markup {
    html! {
        p.muted { (about) }
        (ApiForm { url: "git/installations", body: Some(body), submit: "Connect", is_primary: true, ..ApiForm::default() }
            .with(Select { name: "provider", label: "Server of the repository", options: &PROVIDERS, value: "github", hint: None }))
    }
}

/// Returns the fields of the repository and its credentials.
pub(super) fn repository_fields(
    installation: &GitInstallationRecord,
    Offers { apps, branches }: Offers<'_>,
    folder: &str,
) -> Markup {
    let app = installation.app_installation_id.map(|id| id.to_string());
    let token = match installation.has_secret {
        true => "A token is stored. If you change the address, enter a token again.",
        false => {
            "It must be able to read and write the repository. Leave empty for a public repository that is only read."
        }
    };
    html! {
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
                hint: Some("Used in place of a token. Leave empty if you do not use the app."), ..Field::default()
            })
        }
        (Field {
            name: "providerConfiguration.username", label: "User name", clears: true, longest: 255,
            value: installation.username.as_deref().unwrap_or_default(),
            hint: Some("Most servers need no user name with a token."), ..Field::default()
        })
        (Field {
            name: "providerConfiguration.branch", label: "Branch", clears: true, longest: 255,
            value: installation.reference.as_deref().unwrap_or_default(),
            hint: Some("Full name, such as refs/heads/main. Leave empty for the default branch."),
            offers: branches.as_ref().and_then(|branches| branches.as_deref().ok()).unwrap_or_default(),
            ..Field::default()
        })
        @match branches {
            Some(Err(reason)) => p.hint role="status" { "The branches cannot be read. " (reason) },
            Some(Ok(names)) => p.hint role="status" {
                "The field offers " (counted(u64::try_from(names.len()).unwrap_or(u64::MAX), "branch", "branches"))
                " of the repository."
            },
            None if installation.url.is_some() => p { a href="?branches=1" { "Offer the branches of the repository" } },
            None => {},
        }
        (Field {
            name: "projectDirectory", label: "Folder", clears: true, longest: 1_024,
            value: installation.project_directory.trim_end_matches('/'),
            hint: Some(folder), ..Field::default()
        })
    }
}

/// Returns a description of a failure, and how to fix it.
pub(super) fn failure(failed: &GitOperation, is_refused: bool, is_tried_again: bool) -> Markup {
    html! {
        div.note.bad {
            span.pill.bad { "Failed" }
            span { (failed.error.as_deref().unwrap_or("The synchronization did not finish in time.")) }
            span {
                @match (is_refused, is_tried_again) {
                    (true, _) => "Quire tries again after you save another token below.",
                    (false, true) => "Quire tries again automatically.",
                    (false, false) => "Quire tries again after you save the repository below.",
                }
            }
        }
    }
}

/// Returns the log of a connection, or a message that it is empty.
pub(super) fn log(
    frame: &Frame,
    installation: &GitInstallationRecord,
    entries: &[Entry<'_>],
    about: &str,
) -> Markup {
    html! {
        @if entries.is_empty() {
            (empty("No synchronizations yet", about))
        } @else {
            (table("Log", &[("What happened", 46), ("Cause", 20), ("Commit", 16), ("Time", 18)], entries.iter().map(|entry| entry.row(frame, installation))))
        }
    }
}

impl Entry<'_> {
    fn row(&self, frame: &Frame, installation: &GitInstallationRecord) -> Markup {
        html! {
            tr {
                td {
                    @if self.has_failed { span.pill.bad { "Failed" } " " }
                    (self.summary)
                    @if let Some(link) = &self.link { " " (link) }
                }
                td { (cause(self.trigger)) }
                td {
                    @if let Some(commit) = self.commit {
                        (commit_link(installation.provider, installation.url.as_deref(), commit))
                    }
                }
                td { (frame.ago(self.ended_at)) }
            }
        }
    }
}

/// Returns the form that disconnects a target.
pub(super) fn disconnect(url: &str, address: &str, (about, question): (&str, &str)) -> Markup {
    html! {
        h2 { "Disconnect" }
        p.muted { (about) }
        (ApiForm {
            method: "DELETE", url, next: Some(address), submit: "Disconnect", confirm: Some(question), ..ApiForm::default()
        }.alone("Disconnect the repository"))
    }
}

/// Returns the properties of a connection's repository.
pub(super) fn facts(installation: &GitInstallationRecord, url: &str) -> Markup {
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

/// Returns the address of the repository's webhook, and how to set it up.
pub(super) fn webhook(installation: &GitInstallationRecord, url: &str, hook: &str) -> Markup {
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
        true => ("New secret", Some("Create a new secret? The current one stops working at once.")),
        false => ("Create secret", None),
    };
    html! {
        p.muted { "With a webhook, a push is imported at once. Without one, the branch is checked every five minutes." }
        (Copied { label: "Address of the webhook", value: hook })
        p { (steps) }
        (ApiForm { url: &format!("{url}/rotate-hook-secret"), shows: Some("secret"), submit, confirm, ..ApiForm::default() }
            .alone(submit))
    }
}

/// Returns the form with the side whose version of a page stays in conflicts. `content` names the other side than the
/// repository.
pub(super) fn conflicts(installation: &GitInstallationRecord, url: &str, content: &str) -> Markup {
    let sides =
        [(GitAuthority::Provider.as_str(), "The repository"), (GitAuthority::Gitbook.as_str(), content)];
    html! {
        (ApiForm { method: "PATCH", url, submit: "Save", ..ApiForm::default() }.with(html! {
            (Select {
                name: "defaultMergeAuthorityPolicy",
                label: "Version of a page that stays",
                options: &sides,
                value: installation.authority.as_str(),
                hint: Some("If both sides changed the same part of a page. The other version is in a change request."),
            })
        }))
    }
}

/// Returns the id of a commit, as a link if its address is known.
pub(super) fn commit_link(provider: GitProvider, url: Option<&str>, commit: &str) -> Markup {
    let short = short(commit);
    html! {
        @match url.and_then(|url| provider.commit_url(url, commit)) {
            Some(address) => a href=(address) rel="noreferrer" aria-label={ "Commit " (short) } { code { (short) } },
            None => code { (short) },
        }
    }
}

/// Returns the short id of a commit.
pub(super) fn short(commit: &str) -> String {
    commit.chars().take(SHORT_ID).collect()
}

/// Returns the cause of a synchronization.
fn cause(trigger: GitTrigger) -> &'static str {
    match trigger {
        GitTrigger::Setup => "Setup",
        GitTrigger::Request => "On request",
        GitTrigger::Poll => "By itself",
        GitTrigger::Hook => "Webhook",
    }
}
