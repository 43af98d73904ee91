//! Organizations, with the settings of operators.

use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_storage::people::organizations::AdminChanges;
use serde_json::json;

use super::Platform;
use crate::answers::examples::merge_rules;

impl Platform<'_> {
    pub(super) async fn organizations(&self) {
        let body = json!({
            "title": "Community", "emailDomains": ["community.example"], "hostname": "community", "type": "community",
            "useCase": "openSourceDocs", "communityType": "openSource", "defaultRole": "comment",
        });
        let id = self.post("/v1/orgs", body).await.text("/id");
        let path = format!("/v1/orgs/{id}");
        let organization: OrganizationId = id.parse().unwrap();
        self.administrate(organization);
        self.organization_settings(&path).await;
        self.join(organization, &path).await;
        self.get("/v1/subdomains/our-community").await;
        self.block(organization);
        self.get(&path).await;
        self.list("/v1/orgs", "").await;
        self.get("/v1/email-domains/our-community.example/orgs").await;
    }

    fn set(&self, organization: OrganizationId, changes: &AdminChanges) {
        let system = &self.app.system;
        let done = system.transact(|tx| tx.administrate_organization(organization, changes));
        assert!(done.unwrap());
    }

    /// Sets what `quire admin organization` sets.
    fn administrate(&self, organization: OrganizationId) {
        let billing = json!({
            "interval": "yearly", "endDate": "2099-06-01T00:00:00.000Z", "hasPaymentFailed": true, "isScheduledToCancel": true,
        });
        let trial =
            json!({"status": "active", "endDate": "2099-01-01T00:00:00.000Z", "decision": "downgrade"});
        let migration = json!({
            "deadline": "2099-03-01T00:00:00.000Z", "discountPercent": 12.5, "discountEndDate": "2099-09-01T00:00:00.000Z",
        });
        let changes = AdminChanges {
            plan: Some("pro_2024".to_owned()),
            trial: Some(trial),
            billing: Some(Some(billing)),
            billing_migration: Some(Some(migration)),
            custom_hostname: Some(Some("docs.community.example".to_owned())),
            ..AdminChanges::default()
        };
        self.set(organization, &changes);
    }

    /// Blocks the organization. It is read-only afterwards, so this comes last.
    fn block(&self, organization: OrganizationId) {
        let blocked_reason = Some(Some("security".to_owned()));
        self.set(organization, &AdminChanges { blocked_reason, ..AdminChanges::default() });
    }

    async fn organization_settings(&self, path: &str) {
        let site = self.post(&format!("{path}/sites"), json!({})).await.text("/id");
        let body = json!({
            "title": "Our community", "emailDomains": ["our-community.example"], "hostname": "our-community", "defaultRole": "read",
            "defaultContent": {"type": "site", "site": site}, "logo": "https://community.example/logo.png", "sso": true, "secondFactorRequired": true,
            "ai": true, "inviteLinks": true,
            "mergeRules": merge_rules(self.admin.user()),
        });
        // These settings equal the defaults.
        self.patch(path, json!({"inviteLinks": false, "mergeRules": {"type": "none"}})).await;
        // Setting it requires a second factor of the caller.
        self.execute(&format!(
            "INSERT INTO passkeys (id, user_id, credential_id, name, public_key, created_at) \
             VALUES (gen_random_uuid(), '{}', decode(md5(random()::text), 'hex'), 'Laptop', '{{}}', now())",
            self.admin.user()
        ));
        self.patch(path, body).await;
    }

    /// Accepts an invite to administrators as a user who already owns a team.
    async fn join(&self, organization: OrganizationId, path: &str) {
        let joining = self.member_of(organization, "Joan", Some(Role::Read));
        let teams = format!("{path}/teams");
        let team = self.put(&teams, json!({"title": "Writers"})).await.text("/id");
        let own = format!("{teams}/{team}/members/{}", joining.user());
        self.put(&own, json!({"role": "owner"})).await;
        let invites = format!("{path}/link-invites");
        let invite = self.post(&invites, json!({"role": "admin"})).await.text("/id");
        let accept = format!("/v1/invites/{invite}/accept");
        let _ = joining.post_empty(&accept).await.expect(200);
    }
}
