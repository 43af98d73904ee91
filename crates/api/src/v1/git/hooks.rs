//! Webhooks of Git servers.

use actix_web::web::{BytesMut, Payload};
use quire_domain::git_installations::GitHookQuery;
use quire_server::extract::BodyDeadline;
use quire_server::hook_signatures::HookDelivery;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Spaces.at("/v1/git/hooks/{gitInstallationId}", None),
            Public,
            "Report a change of a Git repository",
            receive_git_hook,
        )
        .query::<GitHookQuery>()
        .body_media("application/json")
        .accepts()
        .unaudited("the synchronization has its own log"),
    ]
}

/// Maximum size of a delivery in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Fields of a delivery that name the repository and the branch. Each is absent in some deliveries.
#[derive(Default, Deserialize)]
struct Reported {
    #[serde(rename = "ref")]
    reference: Option<String>,
    repository: Option<ReportedRepository>,
    project: Option<ReportedProject>,
}

/// Repository of GitHub, Gitea, Forgejo or Bitbucket.
#[derive(Deserialize)]
struct ReportedRepository {
    full_name: Option<String>,
}

/// Project of GitLab.
#[derive(Deserialize)]
struct ReportedProject {
    path_with_namespace: Option<String>,
}

impl Reported {
    /// Returns whether the delivery is about a repository and a branch, as far as it names them.
    fn is_about(&self, url: Option<&str>, reference: Option<&str>) -> bool {
        let is_branch = match (&self.reference, reference) {
            (Some(reported), Some(reference)) => reported == reference,
            // An event of another kind, or a connection to the default branch, whose name is not known here.
            _ => true,
        };
        let repository = self.repository.as_ref().and_then(|repository| repository.full_name.as_deref());
        let project = self.project.as_ref().and_then(|project| project.path_with_namespace.as_deref());
        is_branch
            && [repository, project].into_iter().flatten().all(|name| {
                let is_same = |url: &str| is_named(url, name);
                url.is_none_or(is_same)
            })
    }
}

/// Returns whether the path of a URL ends with the full name of a repository. The server may have another name inside
/// of its network, and folders in front of all repositories.
fn is_named(url: &str, name: &str) -> bool {
    let url = url.trim_end_matches('/').to_lowercase();
    let name = format!("/{}", name.trim_matches('/').to_lowercase());
    url.strip_suffix(".git").unwrap_or(&url).ends_with(name.strip_suffix(".git").unwrap_or(&name))
}

async fn receive_git_hook(
    Path(id): Path<GitInstallationId>,
    Query(query): Query<GitHookQuery>,
    request: HttpRequest,
    payload: Payload,
    state: State,
) -> ApiResult<HttpResponse> {
    let body = read(&state, payload).await?;
    let hook = state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.git_hook(id)?)).await?;
    let delivery = HookDelivery {
        headers: request.headers(),
        token: query.token.as_deref(),
        body: &body,
        now: state.storage.clock().now(),
    };
    // A wrong signature gets the same response as a connection that does not exist.
    let hook = hook.filter(|hook| delivery.is_made_with(&hook.secret)).ok_or_else(ApiError::not_found)?;
    state.count_hook(id)?;
    let reported: Reported = serde_json::from_slice(&body).unwrap_or_default();
    if reported.is_about(hook.url.as_deref(), hook.reference.as_deref()) {
        let request = move |tx: &mut quire_storage::Tx<'_>| Ok(tx.request_git_sync_by_hook(&hook)?);
        state.transact(Credentials::ANONYMOUS, request).await?;
    }
    Ok(HttpResponse::Accepted().finish())
}

/// Reads a body within the limits on size, time and memory.
async fn read(state: &State, mut payload: Payload) -> ApiResult<BytesMut> {
    let arrival = BodyDeadline::of(&state.settings, u64::try_from(MAX_BYTES).unwrap_or(u64::MAX));
    let mut room = state.bodies.of_unvouched_body();
    let mut body = BytesMut::new();
    while let Some(chunk) = arrival.next(&mut payload).await? {
        let chunk = chunk.map_err(|error| {
            ApiError::new(Reason::InvalidBody).with_message(format!("The body could not be read: {error}."))
        })?;
        if body.len().saturating_add(chunk.len()) > MAX_BYTES {
            return Err(ApiError::new(Reason::PayloadTooLarge)
                .with_message(format!("The body is larger than {MAX_BYTES} bytes.")));
        }
        room.take(chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_name_a_repository_by_the_end_of_its_url() {
        let is_about = |url: &str, body: serde_json::Value| {
            let reported: Reported = serde_json::from_value(body).unwrap();
            reported.is_about(Some(url), Some("refs/heads/main"))
        };
        let of = |name: &str| serde_json::json!({"repository": {"full_name": name}});
        for (url, name, is_same) in [
            ("https://github.com/acme/docs.git", "acme/docs", true),
            ("https://github.com/Acme/docs", "acme/Docs", true),
            ("https://git.example/code/acme/docs/", "acme/docs", true),
            ("https://github.com/acme/docs.git", "acme/other", false),
            ("https://github.com/other-acme/docs.git", "acme/docs", false),
            ("https://github.com/acme/docs.github.io", "acme/docs", false),
        ] {
            assert_eq!(is_about(url, of(name)), is_same, "{url} {name}");
        }
        let project = |name: &str| {
            // The repository of GitLab has no full name.
            serde_json::json!({"repository": {"name": "x"}, "project": {"path_with_namespace": name}})
        };
        assert!(is_about("https://gitlab.example/a/b/docs.git", project("a/b/docs")));
        assert!(!is_about("https://gitlab.example/a/b/docs.git", project("b/a/docs")));
        let url = "https://github.com/acme/docs";
        assert!(is_about(url, serde_json::json!({"action": "opened"})));
        assert!(!is_about(url, serde_json::json!({"ref": "refs/heads/next"})));
        assert!(Reported::default().is_about(None, None));
    }
}
