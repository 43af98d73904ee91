//! Rows of one organization in each table.

use super::catalogue::{Catalogue, Table, quoted};
use crate::{Error, Result};

/// Returns the condition that selects the rows of a table `t` that belong to the organization `$1`. Each condition
/// contains the parameter, so that PostgreSQL can infer its type.
///
/// Tables of tenants are recognized by their column. Each global table has a rule here. An unknown table is an error,
/// so that none is left out.
pub(super) fn condition(catalogue: &Catalogue, table: &Table) -> Result<String> {
    let condition = match table.name.as_str() {
        "organizations" => "t.id = $1",
        // Keys that encrypt rows of the organization, or from which their keys are derived.
        "deployment_keys" => "$1::uuid IS NOT NULL",
        "users" => return users(catalogue),
        "api_tokens" => {
            "(t.session_ends_at IS NULL \
              AND t.user_id IN (SELECT m.user_id FROM organization_members m WHERE m.organization_id = $1) \
              AND (t.organizations IS NULL OR $1 = ANY (t.organizations)) \
              OR t.id IN (SELECT i.token_id FROM imports i JOIN spaces s ON s.id = i.space_id \
                           WHERE s.organization_id = $1))"
        }
        "totp_secrets" | "recovery_codes" | "notification_settings" => {
            "t.user_id IN (SELECT m.user_id FROM organization_members m WHERE m.organization_id = $1)"
        }
        "integration_images" => {
            "t.integration_id IN (SELECT i.id FROM integrations i WHERE i.organization_id = $1)"
        }
        "jobs" => {
            "(t.payload ->> 'organization' = $1::text \
              OR t.payload ->> 'space' IN (SELECT s.id::text FROM spaces s WHERE s.organization_id = $1))"
        }
        // Short-lived rows for requests to this deployment.
        "idempotency_keys" | "mails" | "passkey_challenges" | "presences" | "sign_in_links" => {
            "$1::uuid IS NULL"
        }
        // Bound to the host name of this deployment.
        "passkeys" => "$1::uuid IS NULL",
        _ if table.has("organization_id") => "t.organization_id = $1",
        _ if table.has("space_id") => {
            "t.space_id IN (SELECT s.id FROM spaces s WHERE s.organization_id = $1)"
        }
        name => {
            return Err(Error::Internal(
                "a table belongs to no tenant and has no rule",
                anyhow::anyhow!("{name}: snapshot/scope.rs decides about its rows"),
            ));
        }
    };
    Ok(condition.to_owned())
}

/// Returns the condition for users to whom rows of the organization refer: members, and authors who have left.
fn users(catalogue: &Catalogue) -> Result<String> {
    let mut ids = Vec::new();
    for key in catalogue.foreign_keys().iter().filter(|key| key.target == "users") {
        let (Some(table), [column]) = (catalogue.table(&key.table), key.columns.as_slice()) else { continue };
        let condition = condition(catalogue, table)?;
        ids.push(format!("SELECT t.{} FROM {} t WHERE {condition}", quoted(column), table.quoted()));
    }
    Ok(format!("t.id IN ({})", ids.join(" UNION ")))
}
