//! Custom fields, single sign-on and translations.

use quire_test_support::{GIT_CREDENTIALS, GitServer};
use serde_json::{Value, json};

use super::Platform;
use crate::git_hosts::hosts;

/// Certificate of an identity provider, generated for tests.
const CERTIFICATE: &str = include_str!("../../fixtures/identity-provider.pem");

/// Returns claim rules with all keys.
fn claim_rules(team: &str) -> Value {
    json!([
        {"claim": "groups", "value": "docs-editors", "team": team, "role": "edit"},
        {"claim": "realm_access.roles", "value": "docs-admin", "role": "admin"},
    ])
}

impl Platform<'_> {
    pub(super) async fn custom_fields(&self) {
        let fields = self.of("custom-fields");
        for name in ["status", "stage"] {
            let body = json!({
                "name": name, "type": "select:single", "title": "Status", "description": "State of the work",
                "placeholder": "Choose", "options": ["draft", "done"],
            });
            self.post(&fields, body).await;
        }
        let path = format!("{fields}/status");
        self.app.clock.advance(std::time::Duration::from_secs(60));
        let body = json!({
            "title": "State", "description": "How far it is", "placeholder": "Pick", "options": ["draft", "done", "old"],
        });
        self.patch(&path, body).await;
        self.get(&path).await;
        self.list(&fields, "").await;
        let of_space = format!("/v1/spaces/{}/custom-fields", self.space("Fields").await);
        let values = json!({"values": {"status": {"value": "draft"}}});
        self.patch(&of_space, values).await;
        self.get(&of_space).await;
        self.delete(&format!("{fields}/stage")).await;
    }

    /// Creates a team that may edit a space, and returns its id.
    async fn newcomers(&self, title: &str) -> String {
        let body = json!({"title": title, "members": [self.admin.user()]});
        let team = self.put(&self.of("teams"), body).await.text("/id");
        let grant = json!({"teams": [team], "role": "edit"});
        let space = self.space(title).await;
        self.post(&format!("/v1/spaces/{space}/permissions"), grant).await;
        team
    }

    pub(super) async fn saml(&self) {
        let teams = [self.newcomers("Newcomers").await, self.newcomers("Others").await];
        let providers = self.of("saml");
        let provider = |label: &str, role: &str, team: &str| {
            let host = format!("https://{role}.idp.example.com");
            json!({
                "label": label, "entityID": host, "ssoURL": format!("{host}/login"), "certificate": CERTIFICATE, "defaultTeam": team,
                "defaultRole": role, "claimRules": claim_rules(team),
            })
        };
        let mut ids = Vec::new();
        for label in ["Acme", "Other"] {
            let body = provider(label, "read", &teams[0]);
            let made = self.post(&providers, body).await;
            ids.push(made.text("/id"));
        }
        let path = format!("{providers}/{}", ids[0]);
        let claims = r#"{"NameID": "ada", "email": "ada@example.com"}"#;
        self.execute(&format!(
            "UPDATE saml_providers SET tested_at = created_at, claims = '{claims}' WHERE id = '{}'",
            ids[0]
        ));
        self.patch(&path, provider("Acme 2", "comment", &teams[1])).await;
        self.get(&path).await;
        self.list(&providers, "").await;
        self.get(&self.of("sso")).await;
        self.delete(&format!("/v1/user/saml-identities/{}", ids[0])).await;
        self.delete(&format!("{providers}/{}", ids[1])).await;
    }

    /// Requests the operations for SCIM access.
    pub(super) async fn scim(&self) {
        let path = self.of("scim");
        self.post(&path, json!({"defaultRole": "read"})).await;
        self.get(&path).await;
        self.delete(&path).await;
    }

    /// Requests the operations for OpenID Connect providers, and for the caller's identity at one of them.
    pub(super) async fn oidc(&self) {
        let team = self.put(&self.of("teams"), json!({"title": "Employees"})).await.text("/id");
        let providers = self.of("oidc");
        let provider = |label: &str, role: &str| {
            json!({
                "label": label, "issuer": format!("https://{role}.id.example.com"), "clientID": "quire", "clientSecret": "a secret",
                "defaultTeam": team, "defaultRole": role, "claimRules": claim_rules(&team),
            })
        };
        let mut ids = Vec::new();
        for label in ["Staff", "Partners"] {
            ids.push(self.post(&providers, provider(label, "read")).await.text("/id"));
        }
        let path = format!("{providers}/{}", ids[0]);
        let organization = self.app.organization;
        let claims = r#"{"sub": "ada", "email": "ada@example.com", "email_verified": true}"#;
        self.execute(&format!(
            "UPDATE oidc_providers SET tested_at = created_at, claims = '{claims}' WHERE id = '{}'",
            ids[0]
        ));
        self.patch(&path, provider("Employees", "comment")).await;
        self.get(&path).await;
        self.list(&providers, "").await;
        let domains = |domains: &str| {
            format!("UPDATE organizations SET email_domains = '{{{domains}}}' WHERE id = '{organization}'")
        };
        self.execute(&domains("oidc.example"));
        self.get("/v1/auth/providers?emailDomain=oidc.example").await;
        self.execute(&domains(""));
        for query in ["start?next=/&purpose=test&signature=a", "callback?code=a&state=b&iss=c&error=d"] {
            let _ = self.app.anonymous().get(&format!("/v1/auth/oidc/{}/{query}", ids[0])).await.expect(303);
        }
        self.execute(&format!(
            "INSERT INTO oidc_identities (organization_id, oidc_provider_id, subject, user_id, connected_by_user, created_at) \
             SELECT '{organization}', id, 'ada', '{}', true, created_at FROM oidc_providers WHERE id = '{}'",
            self.admin.user(),
            ids[0]
        ));
        let browser = self.app.in_browser(self.admin);
        let _ = browser.get("/v1/user/identities").await.expect(200);
        self.delete(&format!("/v1/user/identities/{}", ids[0])).await;
        self.delete(&format!("{providers}/{}", ids[1])).await;
    }

    /// Connects spaces to repositories that do not respond.
    pub(super) async fn git(&self) {
        let space = self.space("Synchronized").await;
        let target = json!({"type": "space", "spaceId": space});
        let made = self.post("/v1/git/installations", json!({"provider": "gitea", "target": target})).await;
        let path = format!("/v1/git/installations/{}", made.text("/id"));
        let hook = self.post_empty(&format!("{path}/rotate-hook-secret")).await;
        let configuration = json!({
            "url": "https://127.0.0.1/acme/docs.git", "username": "bot", "accessToken": "secret",
            "branch": "refs/heads/main", "appInstallationId": null,
        });
        let setup = json!({
            "providerConfiguration": configuration, "projectDirectory": "docs", "priority": "git",
            "commitMessageTemplate": "docs: {change_request_subject}", "previewExternalBranches": true,
            "agentInstructions": ["agents", "claude"], "signOff": true,
            "defaultMergeAuthorityPolicy": "gitbook",
        });
        self.patch(&path, setup).await;
        self.app.run_jobs().await;
        self.post_empty(&format!("{path}/sync")).await;
        self.get(&path).await;
        let change_requests = format!("/v1/spaces/{space}/change-requests");
        let subject = json!({"subject": "Git main at 2222222"});
        let change_request = self.post(&change_requests, subject).await.text("/id");
        self.execute(&format!(
            "INSERT INTO git_operations (space_id, id, direction, trigger, state, from_commit, to_commit, \
             revision_id, change_request_id, started_at, ended_at) \
             SELECT o.space_id, '00000000-0000-7000-8000-000000000001', 'import', 'poll', 'success', '{}', '{}', \
             s.head_revision, '{change_request}', o.started_at, o.ended_at \
             FROM git_operations o JOIN spaces s ON s.id = o.space_id WHERE s.id = '{space}'",
            "1".repeat(40),
            "2".repeat(40)
        ));
        self.execute(&format!(
            "INSERT INTO git_operations (space_id, id, direction, trigger, state, from_commit, to_commit, \
             pull_request, started_at, ended_at) \
             SELECT o.space_id, '00000000-0000-7000-8000-000000000002', 'export', 'request', 'success', '{}', '{}', \
             'https://127.0.0.1/acme/docs/pulls/3', o.started_at, o.ended_at \
             FROM git_operations o WHERE o.id = '00000000-0000-7000-8000-000000000001'",
            "2".repeat(40),
            "3".repeat(40)
        ));
        self.list(&format!("{path}/operations"), "").await;
        for number in 1..=2 {
            self.get(&format!("{path}/operations/00000000-0000-7000-8000-00000000000{number}")).await;
        }
        self.execute(&format!(
            "INSERT INTO git_previews (space_id, number, commit_id, title, url, state, error, revision_id, \
             created_at, updated_at) \
             SELECT o.space_id, p.number, '{}', p.title, p.url, p.state, p.error, \
             CASE WHEN p.error IS NULL THEN s.head_revision END, o.started_at, o.ended_at \
             FROM git_operations o JOIN spaces s ON s.id = o.space_id, \
             (VALUES (7, 'Add a page', 'https://127.0.0.1/acme/docs/pulls/7', 'success', NULL), \
             (8, 'Remove all', NULL, 'failure', 'There are no pages.')) \
             AS p (number, title, url, state, error) WHERE o.id = '00000000-0000-7000-8000-000000000001'",
            "4".repeat(40)
        ));
        self.get(&format!("{path}/previews")).await;
        self.get(&format!("{path}/comparison")).await;
        let of_site = self.space("Handbook").await;
        let site =
            self.post(&self.of("sites"), json!({"title": "Synchronized", "spaces": [space, of_site]})).await;
        let target = json!({"type": "site", "siteId": site.text("/id")});
        let site = format!("{}/{}", self.of("sites"), site.text("/id"));
        let parent = self.post("/v1/git/installations", json!({"provider": "gitea", "target": target})).await;
        let parent = format!("/v1/git/installations/{}", parent.text("/id"));
        let setup = json!({
            "providerConfiguration": {"url": "https://127.0.0.1/acme/docs.git"}, "priority": "gitbook",
            "childInstallationProjectDirectories": {&of_site: "handbook"},
        });
        self.patch(&parent, setup).await;
        self.app.run_jobs().await;
        let listed = self.get(&format!("{site}/spaces/git/installations")).await;
        let child = listed
            .at("/items")
            .as_array()
            .unwrap()
            .iter()
            .find(|item| item["parentInstallationId"].is_string());
        self.get(&format!("/v1/git/installations/{}", child.unwrap()["id"].as_str().unwrap())).await;
        self.get(&parent).await;
        self.get(&format!("/v1/spaces/{of_site}/git/info")).await;
        self.delete(&parent).await;
        self.app.run_jobs().await;
        self.delete(&site).await;
        let push = json!({"ref": "refs/heads/main"});
        let hook = format!("/v1/git/hooks/{}?token={}", made.text("/id"), hook.text("/secret"));
        let _ = self.app.anonymous().post(&hook, push).await.expect(202);
        self.delete(&path).await;
    }

    /// Connects spaces to hosts that list repositories.
    pub(super) async fn git_hosts(&self) {
        let Some(server) = GitServer::start() else { return };
        let repository = server.create("acme/docs", true);
        repository.commit(&[("README.md", Some(b"# Home\n"))]);
        hosts(&server);
        for (provider, lists) in [
            ("github", ["github/repos", "github/repos/acme/docs"]),
            ("gitlab", ["gitlab/projects", "gitlab/projects/7"]),
        ] {
            let space = self.space(&format!("Of {provider}")).await;
            let target = json!({"type": "space", "spaceId": space});
            let made =
                self.post("/v1/git/installations", json!({"provider": provider, "target": target})).await;
            let path = format!("/v1/git/installations/{}", made.text("/id"));
            let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
            let configuration = json!({"url": repository.url, "username": username, "accessToken": token});
            self.patch(&path, json!({"providerConfiguration": configuration})).await;
            let by_id = match provider {
                "github" => json!({"repositoryId": 5}),
                _ => json!({"projectId": 7, "customInstanceURL": format!("http://{}", server.address())}),
            };
            self.patch(&path, json!({"providerConfiguration": by_id})).await;
            let [list, one] = lists;
            self.get(&format!("{path}/branches")).await;
            self.get(&format!("{path}/{list}")).await;
            self.get(&format!("{path}/{one}/branches")).await;
            self.get(&format!("{path}/{one}/file?path=docs/README.md&ref=main")).await;
            self.delete(&path).await;
        }
    }

    pub(super) async fn translations(&self) {
        let translations = self.of("translations");
        let mut ids = Vec::new();
        for title in ["Web", "App"] {
            let body = json!({"title": title, "languages": ["fr", "de"]});
            ids.push(self.post(&translations, body).await.text("/id"));
        }
        let path = format!("{translations}/{}", ids[0]);
        self.app.clock.advance(std::time::Duration::from_secs(60));
        self.put(&path, json!({"title": "Site", "languages": ["es"]})).await;
        self.get(&path).await;
        self.list(&translations, "").await;
        self.delete(&format!("{translations}/{}", ids[1])).await;
    }
}
